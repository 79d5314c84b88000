import type * as Phaser from 'phaser';

import { Reason } from '../measure/AdMeasurement.js';
import type { ClickRefusal } from '../measure/ClickRefusal.js';
import type { MeasureOptions } from '../measure/ViewMeasurement.js';
import { whyUnseenAt } from '../measure/whyUnseenAt.js';
import type { FrameMeter } from './FrameMeter.js';
import { isMeasurable } from './phaserVersion.js';
import { pressedPoint, type PressPhase } from './pressedPoint.js';

type GameObject = Phaser.GameObjects.GameObject;

/**
 * Why pressing (or releasing) a pointer says nothing about an ad, although Phaser tells the ad of it: Phaser asks neither
 * what hides the ad at this place nor whose place it is. Null when the player did it, on the game's canvas, and the ad is
 * what is seen there. To be asked while the browser's event is handled; never throws.
 */
export function judgePress(
  meter: FrameMeter,
  sprite: GameObject,
  pointer: Phaser.Input.Pointer,
  phase: PressPhase,
  options: MeasureOptions,
): ClickRefusal | null {
  try {
    if ((pointer.event as Event | undefined)?.isTrusted !== true) return 'scripted';
    const { game } = sprite.scene.sys;
    const point = pressedPoint(game, pointer, phase);
    return point === null ? 'notOnCanvas' : whyUnseen(meter, sprite, point.x, point.y, options);
  } catch {
    return Reason.UNMEASURABLE;
  }
}

/** Reasons of several cameras: the first of these says most about the point. */
const TELLING: readonly Reason[] = [
  Reason.OBSTRUCTED,
  Reason.UNMEASURABLE,
  Reason.TRANSPARENT,
  Reason.CLIPPED,
  Reason.VIEWPORT,
];

/** What the player sees is the frame drawn last; what is read is the game as it stands now. */
function whyUnseen(meter: FrameMeter, ad: GameObject, x: number, y: number, options: MeasureOptions): Reason | null {
  // The game may have changed any number of things since the last frame.
  if (ad.scene.sys.game.isPaused || !isMeasurable(ad.scene)) return Reason.UNMEASURABLE;
  const { bench } = meter;
  try {
    const page = bench.read([ad], meter.readPage());
    if (page.hidden) return Reason.BACKGROUNDED;
    const { snapshot } = bench.reader;
    const reasons: Reason[] = [];
    for (let v = 0; v < snapshot.viewCount; v++) {
      const reason = whyUnseenAt(snapshot, snapshot.views[v]!, x, y, options);
      // What comes to the screen by this frame has not been there before.
      if (reason === null) return meter.isHidden(ad) ? Reason.HIDDEN : null;
      reasons.push(reason);
    }
    return TELLING.find((reason) => reasons.includes(reason)) ?? Reason.HIDDEN;
  } finally {
    bench.release();
  }
}
