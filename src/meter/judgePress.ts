import type * as Phaser from 'phaser';

import { Reason } from '../measure/AdMeasurement.js';
import type { ClickRefusal } from '../measure/ClickRefusal.js';
import type { MeasureOptions } from '../measure/ViewMeasurement.js';
import { whyUnseenAt } from '../measure/whyUnseenAt.js';
import type { PageView } from '../page/PageView.js';
import { isMeasurable } from './phaserVersion.js';
import type { TrackingBench } from './TrackingBench.js';
import { pressedPoint, type PressPhase } from './pressedPoint.js';

type GameObject = Phaser.GameObjects.GameObject;

/** What knows the game's frames and its page. */
interface Observer {
  readonly bench: TrackingBench;
  readPage(): PageView;
  /** Nothing of an object was in view in the frame drawn last. */
  isHidden(object: GameObject, options: MeasureOptions): boolean;
}

/**
 * Why a press (or release) of a pointer says nothing about an ad, although Phaser reports it to the ad: Phaser asks neither
 * what hides the ad at this point nor which element of the page is there. Null when the player did it, on the game's canvas,
 * and sees the ad there. Call it while the browser's event is handled; never throws.
 */
export function judgePress(
  meter: Observer,
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
function whyUnseen(meter: Observer, ad: GameObject, x: number, y: number, options: MeasureOptions): Reason | null {
  // A paused game may have changed any number of things since the last frame.
  if (ad.scene.sys.game.isPaused || !isMeasurable(ad.scene)) return Reason.UNMEASURABLE;
  const { bench } = meter;
  try {
    const page = bench.read([ad], meter.readPage());
    if (page.hidden) return Reason.BACKGROUNDED;
    const { snapshot } = bench.reader;
    const reasons: Reason[] = [];
    for (let v = 0; v < snapshot.viewCount; v++) {
      const reason = whyUnseenAt(snapshot, snapshot.views[v]!, x, y, options);
      // If nothing of the ad was in view in the last frame, the player has not seen it yet.
      if (reason === null) return meter.isHidden(ad, options) ? Reason.HIDDEN : null;
      reasons.push(reason);
    }
    return TELLING.find((reason) => reasons.includes(reason)) ?? Reason.HIDDEN;
  } finally {
    bench.release();
  }
}
