import Phaser from 'phaser';

import { AdsGlobalPlugin } from '../../../src/plugin/AdsGlobalPlugin.js';
import { AdsScenePlugin } from '../../../src/plugin/AdsScenePlugin.js';
import type { AdsEnvironment } from '../../../src/plugin/AdsEnvironment.js';
import { FakeWorld } from './FakeWorld.js';
import '../../../src/plugin/augment.js';

export const OPTIONS = {
  apiKey: 'test-api-key',
  privateKey: 'test-private-key',
  baseUrl: 'https://ads.example.com/api',
};

const FRAME_MS = 16;

/** The global plugin in a world made of memory. */
export function pluginIn(world: FakeWorld): typeof AdsGlobalPlugin {
  return class extends AdsGlobalPlugin {
    protected override createEnvironment(): AdsEnvironment {
      return world.environment;
    }
  };
}

export interface TestGameOptions {
  readonly world?: FakeWorld;
  /** Options beside the credentials. */
  readonly data?: object;
  readonly scene?: Phaser.Types.Scenes.SceneType | Phaser.Types.Scenes.SceneType[];
  readonly type?: number;
  readonly plugins?: Phaser.Types.Core.PluginObject;
  readonly physics?: Phaser.Types.Core.PhysicsConfig;
}

/** A real game on the Canvas renderer, whose frames are made by hand. */
export class TestGame {
  private static readonly running = new Set<TestGame>();
  private time = 0;

  private constructor(
    readonly game: Phaser.Game,
    readonly world: FakeWorld,
  ) {}

  static async start(options: TestGameOptions = {}): Promise<TestGame> {
    const world = options.world ?? new FakeWorld();
    const game = new Phaser.Game({
      type: options.type ?? Phaser.CANVAS,
      width: 400,
      height: 300,
      banner: false,
      autoFocus: false,
      audio: { noAudio: true },
      scene: options.scene ?? { key: 'main', create: () => undefined },
      ...(options.physics === undefined ? {} : { physics: options.physics }),
      plugins: options.plugins ?? {
        global: [
          { key: 'AdsGlobalPlugin', plugin: pluginIn(world), start: true, data: { ...OPTIONS, ...options.data } },
        ],
        scene: [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' }],
      },
    });
    await new Promise<void>((resolve) => game.events.once('ready', resolve));
    game.loop.stop();
    // On a busy machine the time between two frames made by hand would count as time in view.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const test = new TestGame(game, world);
    TestGame.running.add(test);
    test.step(2);
    return test;
  }

  /** Ends every game a test has left running. */
  static endAll(): void {
    for (const test of [...TestGame.running]) test.destroy();
  }

  /** A scene by its key; the first one without. */
  scene(key?: string): Phaser.Scene {
    return key === undefined ? this.game.scene.scenes[0]! : this.game.scene.getScene(key);
  }

  step(count = 1): void {
    for (let i = 0; i < count; i++) {
      this.time += FRAME_MS;
      if (this.game.config.renderType === Phaser.HEADLESS) this.game.headlessStep(this.time, FRAME_MS);
      else this.game.step(this.time, FRAME_MS);
    }
  }

  /** Lets time pass without a frame. */
  skip(ms: number): void {
    this.time += ms;
  }

  /** Lets everything that waits for answers from memory go on. */
  async settle(): Promise<void> {
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 0));
  }

  /** Frames for so long, in milliseconds, with everything that waits for its turn. */
  async play(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += FRAME_MS) {
      this.step();
      await Promise.resolve();
      this.world.pass(FRAME_MS);
      // Committed reports are announced.
      if (passed % 256 === 0) await this.settle();
    }
    this.step();
    await this.settle();
  }

  /** Keys of the creatives that are textures now. */
  creativeKeys(): string[] {
    return this.game.textures.getTextureKeys().filter((key) => key.startsWith('phaser-inview:creative:'));
  }

  destroy(): void {
    if (!TestGame.running.delete(this)) return;
    this.game.destroy(true);
    this.step();
  }
}

/** Every registration in Phaser's emitters that a game with ads could leave behind, by emitter and event. */
export function countListeners(game: Phaser.Game): Record<string, number> {
  const counts: Record<string, number> = {};
  const count = (name: string, emitter: Phaser.Events.EventEmitter | null | undefined): void => {
    for (const event of emitter?.eventNames() ?? []) {
      counts[`${name}:${String(event)}`] = emitter!.listenerCount(event);
    }
  };
  count('game', game.events);
  count('textures', game.textures);
  count('scale', game.scale);
  count('renderer', game.renderer);
  for (const scene of game.scene.scenes) {
    count(`scene ${scene.sys.settings.key}`, scene.sys.events);
    count(`input ${scene.sys.settings.key}`, scene.input);
  }
  return counts;
}
