import type * as Phaser from 'phaser';
import { type AdLogEntry, type AdOverlay, adState, lintPlacements } from '../../src/debug.js';
import type { PlacedAd, ShownFallback } from '../../src/index.js';
import type { GameScene } from './scenes/GameScene.js';
import { SceneKey } from './scenes/sceneKeys.js';
import { visit } from './session.js';

/** What a browser test may ask of the running game; nothing of the game uses it. */
export interface DemoHook {
  /** Keys of the scenes that run, lowest first; paused ones are left out. */
  scenes(): string[];
  /** Seed of the next ride. */
  seed: number;
  ads(): {
    readonly name: string;
    readonly state: string;
    readonly percentage: number;
    readonly blockers: string[];
    readonly error: string | null;
    /** What hangs there: an ad, the placeholder, the game's own picture. */
    readonly shows: 'image' | 'video' | ShownFallback | null;
    /** Middle of the sprite in the game's own pixels, by its scene's main camera. */
    readonly at: readonly [x: number, y: number];
    readonly texture: string;
  }[];
  log(): readonly AdLogEntry[];
  clearLog(): void;
  ride(): {
    readonly x: number;
    readonly height: number;
    readonly countdown: number;
    readonly secondsLeft: number;
    readonly score: number;
    readonly isOver: boolean;
  };
  overlayIsOn(): boolean;
  /** What the placement linter has to say of all that was seen so far. */
  lint(): string[];
  readonly game: Phaser.Game;
}

declare global {
  interface Window {
    __demo?: DemoHook;
  }
}

export function installTestHook(game: Phaser.Game, overlay: AdOverlay, ads: () => readonly PlacedAd[]): void {
  let forgotten = 0;
  window.__demo = {
    game,
    scenes: () => game.scene.getScenes(true).map((scene) => scene.sys.settings.key),
    get seed() {
      return visit.seed;
    },
    set seed(seed) {
      visit.seed = seed;
    },
    ads: () =>
      ads().map((ad) => {
        const state = adState(ad);
        return {
          name: ad.sprite.name,
          state: state.kind,
          percentage: ad.measurement?.percentageInView ?? 0,
          blockers: (ad.measurement?.blockingSprites ?? []).map((object) => object.name || object.type),
          error: ad.error?.code ?? null,
          shows: ad.mediaType ?? ad.fallback,
          at: middleOf(ad.sprite as Phaser.GameObjects.Image),
          texture: (ad.sprite as Phaser.GameObjects.Image).texture.key,
        };
      }),
    log: () => overlay.log.filter(({ number }) => number > forgotten),
    clearLog: () => void (forgotten = overlay.log.at(-1)?.number ?? 0),
    ride: () => {
      const { courier, countdown, secondsLeft, score, isOver } = game.scene.getScene<GameScene>(SceneKey.GAME);
      return { x: courier.x, height: courier.height, countdown, secondsLeft, score, isOver };
    },
    overlayIsOn: () => overlay.isVisible,
    lint: () => lintPlacements(game).map(({ rule, name, sentence }) => `${name}: ${rule}: ${sentence}`),
  };
}

function middleOf(sprite: Phaser.GameObjects.Image): readonly [x: number, y: number] {
  const { main } = sprite.scene.cameras;
  let { scrollX, scrollY } = main;
  for (let object: Phaser.GameObjects.Image | Phaser.GameObjects.Container | null = sprite; object;) {
    scrollX *= object.scrollFactorX;
    scrollY *= object.scrollFactorY;
    object = object.parentContainer;
  }
  const { x, y } = sprite.getWorldTransformMatrix().transformPoint(0, 0) as Phaser.Math.Vector2;
  const matrix = (main as unknown as { matrix: Phaser.GameObjects.Components.TransformMatrix }).matrix;
  const at = matrix.transformPoint(x - scrollX, y - scrollY) as Phaser.Math.Vector2;
  return [at.x, at.y];
}
