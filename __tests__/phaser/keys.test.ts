import fc from 'fast-check';
import Phaser from 'phaser';

import { AdsGlobalPlugin } from '../../src/plugin/AdsGlobalPlugin.js';
import { AdsScenePlugin } from '../../src/plugin/AdsScenePlugin.js';
import type { AdsEnvironment } from '../../src/plugin/AdsEnvironment.js';
import { sealed, unsealed } from '../../src/plugin/sealedData.js';
import { ServiceClient } from '../../src/service/ServiceClient.js';
import { findTexts } from '../helpers/findTexts.js';
import { FakeWorld as ClientWorld } from '../unit/service/FakeWorld.js';
import { FakeWorld } from './support/FakeWorld.js';
import { pluginIn, TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());
beforeEach(() => jest.spyOn(console, 'warn').mockImplementation());

const SECRETS = {
  privateKey: 'canary-private-key',
  apiKey: 'canary-api-key',
  email: 'canary@example.com',
  password: 'canary-password',
};
const { privateKey, apiKey } = SECRETS;
const DATA = { privateKey, apiKey, baseUrl: 'https://ads.example/api', reporting: false, evidenceRatio: 0.25 };
const SCENE = [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' }];

/** Phaser's plugins of the page, also those it has not started. */
const CACHE = Phaser.Plugins.PluginCache as unknown as {
  getCustom(key: string): { data: unknown } | undefined;
  hasCustom(key: string): boolean;
  removeCustom(key: string): void;
};

const secretsIn = (thing: unknown): string[] => findTexts(thing, Object.values(SECRETS));

/** The plugin with the real client of the service. */
function realPlugin(): typeof AdsGlobalPlugin {
  const world = new FakeWorld();
  return class extends AdsGlobalPlugin {
    protected override createEnvironment(): AdsEnvironment {
      return { ...world.environment, createClient: (options) => new ServiceClient(options, new ClientWorld()) };
    }
  };
}

function global(plugin: typeof AdsGlobalPlugin, more: object = {}) {
  return { key: 'AdsGlobalPlugin', plugin, start: true, data: { ...DATA }, ...more };
}

test('the walk finds a secret wherever it is', () => {
  const hidden = Object.defineProperty({}, 'hidden', { value: [new Map([[Symbol('a'), new Set([privateKey])]])] });
  expect(secretsIn({ hidden })).toEqual(['.hidden.hidden.0<value><entry>: canary-private-key']);
});

describe('R1: no key, token, password or e-mail address can be reached from the game', () => {
  test.each([
    ['started by Phaser', { global: [global(realPlugin())], scene: SCENE }, Phaser.CANVAS],
    ['mapped', { global: [global(realPlugin(), { mapping: 'adService' })], scene: SCENE }, Phaser.CANVAS],
    ['started by the first scene', { global: [global(realPlugin(), { start: false })], scene: SCENE }, Phaser.CANVAS],
    ['under HEADLESS', { global: [global(realPlugin())], scene: SCENE }, Phaser.HEADLESS],
  ])('%s', async (_way, plugins, type) => {
    CACHE.removeCustom('AdsGlobalPlugin');
    const test = await TestGame.start({ plugins, type });
    const { client } = test.scene().ads;
    // Nobody answers here; what a client keeps of an answer is looked at in Node.
    await expect(client.connect(SECRETS.email)).rejects.toThrow();
    const login = client.login(SECRETS.email, SECRETS.password).catch(() => undefined);
    expect(secretsIn(test.game)).toEqual([]);
    await login;
    test.step(3);
    expect(secretsIn(test.game)).toEqual([]);
    const cached = CACHE.getCustom('AdsGlobalPlugin')?.data;
    expect(secretsIn(cached)).toEqual([]);
    // Phaser caches nothing under HEADLESS.
    if (type === Phaser.HEADLESS) expect(CACHE.hasCustom('AdsGlobalPlugin')).toBe(false);
    else expect(cached).toMatchObject({ evidenceRatio: 0.25 });
  });

  test('when the game has Phaser install it', async () => {
    const test = await TestGame.start({ plugins: { scene: SCENE } });
    test.game.plugins.install('late ads', realPlugin(), true, undefined, DATA);
    expect(test.scene().ads.client).toBeDefined();
    expect(secretsIn(test.game)).toEqual([]);
    expect(secretsIn(CACHE.getCustom('late ads')!.data)).toEqual([]);
    expect(CACHE.getCustom('late ads')!.data).toMatchObject({ evidenceRatio: 0.25 });
  });

  test('when it is installed by hand', async () => {
    CACHE.removeCustom('AdsGlobalPlugin');
    const test = await TestGame.start({ plugins: { scene: SCENE } });
    realPlugin().install(test.game, DATA);
    expect(test.scene().ads.client).toBeDefined();
    expect(secretsIn(test.game)).toEqual([]);
    expect(CACHE.hasCustom('AdsGlobalPlugin')).toBe(false);
  });

  test('and the plugin, stopped, started and run under another name, and scenes that restart go on with them', async () => {
    const world = new FakeWorld();
    const test = await TestGame.start({ world, plugins: { global: [global(pluginIn(world))], scene: SCENE } });
    const { plugins } = test.game;
    const { ads } = test.scene();
    plugins.stop('AdsGlobalPlugin');
    plugins.start('AdsGlobalPlugin');
    test.scene().scene.restart();
    test.step(3);
    await expect(test.scene().ads.place('a', { x: 9, y: 9, width: 9, height: 9 }).ready).resolves.toBe('shown');
    const another = plugins.start('AdsGlobalPlugin', 'another') as unknown as AdsGlobalPlugin;
    expect(another.client).toBe(ads.client);
    expect(plugins.plugins.map(({ key }) => key)).toEqual(['AdsGlobalPlugin', 'another']);
    expect(CACHE.hasCustom('another')).toBe(false);
    // All else that was given stays where it was.
    expect((plugins.plugins[0] as unknown as { data: unknown }).data).toMatchObject({ evidenceRatio: 0.25 });
    expect(secretsIn(test.game)).toEqual([]);
  });

  test('and one config makes a second game', async () => {
    const first = new FakeWorld();
    const plugins = { global: [global(pluginIn(first))], scene: SCENE };
    await TestGame.start({ plugins });
    const second = await TestGame.start({ plugins });
    expect(second.scene().ads.client).toBeDefined();
    expect(first.clients).toHaveLength(2);
    expect(plugins.global[0]!.data).toEqual(DATA);
    expect(secretsIn(second.game)).toEqual([]);
  });
});

describe('what is taken out of the game', () => {
  test('can be put back, however often it was taken out, and what the game has made stays as it is', () => {
    const options = fc.record(
      { privateKey: fc.string(), apiKey: fc.string(), label: fc.string() },
      { requiredKeys: [] },
    );
    const given = fc.oneof(options, fc.constantFrom(undefined, null, 'text', 7));
    fc.assert(
      fc.property(given, fc.integer({ min: 0, max: 3 }), (data, times) => {
        const before = JSON.stringify(data);
        let kept: unknown = data;
        for (let i = 0; i < times; i++) kept = sealed(kept);
        expect(unsealed(kept)).toBe(data);
        expect(JSON.stringify(data)).toBe(before);
        if (times > 0 && typeof data === 'object' && data !== null) {
          expect(kept).toEqual('label' in data ? { label: data.label } : {});
        }
      }),
    );
  });

  test("is the ad plugin's: other plugins of the game keep theirs, and every entry all else", async () => {
    class Analytics extends Phaser.Plugins.BasePlugin {
      given: unknown;
      override init(data: unknown): void {
        this.given = data;
      }
    }
    const data = { apiKey: 'analytics', privateKey: 'of another service' };
    const other = { key: 'analytics', plugin: Analytics, start: false, data };
    // An object that only looks like the plugin is none.
    const odd = { key: 'odd', plugin: { isAdsGlobalPlugin: true }, start: false, data };
    const own = global(realPlugin(), { mapping: 'adService' });
    for (const type of [Phaser.CANVAS, Phaser.HEADLESS]) {
      const test = await TestGame.start({ type, plugins: { global: [odd, other, own] as never, scene: SCENE } });
      expect(test.scene().ads.client).toBeDefined();
      const { installGlobalPlugins: entries } = test.game.config as unknown as { installGlobalPlugins: unknown[] };
      expect(entries).toEqual([odd, other, { ...own, data: { ...DATA, apiKey: undefined, privateKey: undefined } }]);
      if (type === Phaser.CANVAS) expect((test.game.plugins.start('analytics') as Analytics).given).toBe(data);
      test.destroy();
    }
  });

  test('leaves the plugin where Phaser would have put it: under its key, and in scenes to come under its name there', async () => {
    const own = global(realPlugin(), { key: 'my ads', mapping: 'adService' });
    for (const type of [Phaser.CANVAS, Phaser.HEADLESS]) {
      const test = await TestGame.start({ type, plugins: { global: [own], scene: SCENE } });
      const plugin = AdsGlobalPlugin.of(test.game);
      expect(plugin.core).toBe(AdsGlobalPlugin.of(test.game).core);
      expect(test.game.plugins.get('my ads')).toBe(plugin);
      const later = test.game.scene.add('later', { key: 'later' }, true) as unknown as { adService: unknown };
      expect(later.adService).toBe(plugin);
      expect(test.game.plugins.plugins).toHaveLength(1);
      test.destroy();
    }
  });
});
