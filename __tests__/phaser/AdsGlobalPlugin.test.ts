import { inspect } from 'node:util';
import Phaser from 'phaser';

import { AdsGlobalPlugin } from '../../src/plugin/AdsGlobalPlugin.js';
import { AdsScenePlugin } from '../../src/plugin/AdsScenePlugin.js';
import { FakeWorld } from './support/FakeWorld.js';
import { OPTIONS, pluginIn, TestGame } from './support/TestGame.js';
import { withCode } from '../helpers/withCode.js';

afterEach(() => TestGame.endAll());
// Phaser warns of a second game's global plugin; that it works all the same is what is tested here.
beforeEach(() => jest.spyOn(console, 'warn').mockImplementation());

const PLACE = { x: 200, y: 150, width: 200, height: 100 };
const SCENE_ENTRY = { key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' };

describe('AdsGlobalPlugin', () => {
  it('is started by the game config and found by its key and by the game', async () => {
    const test = await TestGame.start();
    const plugin = test.game.plugins.get('AdsGlobalPlugin') as unknown as AdsGlobalPlugin;
    expect(plugin).toBeInstanceOf(AdsGlobalPlugin);
    expect(AdsGlobalPlugin.of(test.game)).toBe(plugin);
    expect(test.scene().ads.client).toBe(plugin.client);
    expect(test.scene().ads.delivery).toBe(plugin.delivery);
    expect(test.world.clients).toHaveLength(1);
  });

  it('makes a client of its options that knows no player yet, and ends it with the game', async () => {
    const test = await TestGame.start({
      plugins: {
        global: [{ key: 'AdsGlobalPlugin', plugin: AdsGlobalPlugin, start: true, data: OPTIONS }],
        scene: [SCENE_ENTRY],
      },
    });
    const plugin = AdsGlobalPlugin.of(test.game);
    const changed = jest.fn();
    const unheard = jest.fn();
    expect(plugin.on('sessionchange', changed).on('sessionchange', unheard).off('sessionchange', unheard)).toBe(plugin);
    expect(plugin.session.player).toBeNull();
    const { client } = plugin;
    test.destroy();
    const ended = expect.objectContaining({ state: 'destroyed' }) as unknown;
    expect(changed.mock.calls).toEqual([[expect.objectContaining({ session: ended })]]);
    expect(unheard).not.toHaveBeenCalled();
    await expect(client.getAdSurfaces()).rejects.toMatchObject({ code: 'lifecycle/destroyed' });
    expect(() => plugin.client).toThrow(withCode('lifecycle/destroyed'));
    expect(() => AdsGlobalPlugin.of(test.game)).toThrow(withCode('lifecycle/destroyed'));
  });

  it('shows the keys to nobody who prints it, serialises it or walks through it', async () => {
    const test = await TestGame.start({
      plugins: {
        global: [{ key: 'AdsGlobalPlugin', plugin: AdsGlobalPlugin, start: true, data: OPTIONS }],
        scene: [SCENE_ENTRY],
      },
    });
    const plugin = AdsGlobalPlugin.of(test.game);
    for (const thing of [plugin, plugin.client, plugin.session, plugin.core.options]) {
      const text = JSON.stringify(thing) + inspect(thing, { depth: 12, showHidden: true });
      for (const key of [OPTIONS.apiKey, OPTIONS.privateKey]) expect(text).not.toContain(key);
    }
  });

  it('is found among other plugins that the game runs', async () => {
    class Score extends Phaser.Plugins.BasePlugin {}
    const world = new FakeWorld();
    const own = { key: 'AdsGlobalPlugin', plugin: pluginIn(world), start: true, data: OPTIONS };
    const test = await TestGame.start({
      plugins: { global: [{ key: 'Score', plugin: Score, start: true }, own], scene: [SCENE_ENTRY] },
    });
    expect(test.game.plugins.plugins.map(({ key }) => key)).toEqual(['Score', 'AdsGlobalPlugin']);
    expect(AdsGlobalPlugin.of(test.game)).toBe(test.game.plugins.get('AdsGlobalPlugin'));
    expect(test.scene().ads.client).toBe(world.clients[0]);
  });

  it('B47 is asked for by name when it is not installed', async () => {
    const test = await TestGame.start({ plugins: { scene: [SCENE_ENTRY] } });
    const place = () => test.scene().ads.place('a', PLACE);
    expect(place).toThrow(withCode('config/not-installed'));
    expect(test.scene().children).toHaveLength(0);
    // As Phaser leaves it when the options of the config are refused.
    expect(() => new AdsGlobalPlugin(test.game.plugins).client).toThrow(withCode('config/not-installed'));
  });

  it.each([
    ['B39 no data', undefined, 'config/missing'],
    ['B40 no apiKey', { privateKey: 'k' }, 'config/api-key'],
    ['B43 a plain http service', { ...OPTIONS, baseUrl: 'http://ads.example.com' }, 'config/base-url'],
  ])('refuses to start with wrong options: %s', (_, data, code) => {
    const game = { config: {}, plugins: { plugins: [] as unknown[], game: {} } };
    game.plugins.game = game;
    expect(() => AdsGlobalPlugin.install(game as never, data as never)).toThrow(withCode(code));
    expect(game.plugins.plugins).toEqual([]);
  });

  it('is installed by hand where there is no config entry, once', async () => {
    const test = await TestGame.start({ plugins: { scene: [SCENE_ENTRY] } });
    const world = new FakeWorld();
    const installed = pluginIn(world).install(test.game, OPTIONS);
    expect(AdsGlobalPlugin.install(test.game, OPTIONS)).toBe(installed);
    expect(test.game.plugins.get('AdsGlobalPlugin')).toBe(installed);
    expect(test.game.plugins.isActive('AdsGlobalPlugin')).toBe(true);
    await expect(test.scene().ads.place('a', PLACE).ready).resolves.toBe('shown');
    test.destroy();
    expect(world.clients.map(({ isDestroyed }) => isDestroyed)).toEqual([true]);
  });

  it('works under HEADLESS, where Phaser drops the global plugins of the config', async () => {
    const test = await TestGame.start({ type: Phaser.HEADLESS });
    expect(test.world.clients).toHaveLength(0);
    const ad = test.scene().ads.place('a', PLACE);
    await expect(ad.ready).resolves.toBe('shown');
    test.step(2);
    expect(test.world.clients).toHaveLength(1);
    test.destroy();
    expect(test.world.clients[0]!.isDestroyed).toBe(true);
  });
});

describe('F69 two games on one page', () => {
  it('have sessions, options and creatives of their own, and end on their own', async () => {
    const first = await TestGame.start();
    const second = await TestGame.start();
    const [firstAd, secondAd] = [first, second].map((test) => test.scene().ads.place('a', PLACE));
    await expect(Promise.all([firstAd!.ready, secondAd!.ready])).resolves.toEqual(['shown', 'shown']);
    expect(first.world.clients).toHaveLength(1);
    expect(second.world.clients).toHaveLength(1);
    expect(first.scene().ads.client).not.toBe(second.scene().ads.client);
    first.destroy();
    expect(first.world.clients[0]!.isDestroyed).toBe(true);
    expect(second.world.clients[0]!.isDestroyed).toBe(false);
    expect(secondAd!.state).toBe('shown');
    second.step(2);
    expect(secondAd!.measurement?.isVisible).toBe(true);
  });

  it("start by the second game's own data, even when Phaser hands over the first one's", async () => {
    await TestGame.start({ data: { blockingOpacity: 0.1 } });
    const second = await TestGame.start({ data: { blockingOpacity: 0.9 } });
    const plugin = second.game.plugins.get('AdsGlobalPlugin') as unknown as AdsGlobalPlugin;
    expect(plugin.core.options.blockingOpacity).toBe(0.9);
    expect(AdsGlobalPlugin.of(second.game)).toBe(plugin);
  });
});

describe('F70 a plugin that is loaded twice', () => {
  it('joins the one that runs: one client, one store', async () => {
    const test = await TestGame.start();
    let Copy!: typeof AdsGlobalPlugin;
    jest.isolateModules(() => {
      ({ AdsGlobalPlugin: Copy } = jest.requireActual<typeof import('../../src/plugin/AdsGlobalPlugin.js')>(
        '../../src/plugin/AdsGlobalPlugin',
      ));
    });
    expect(Copy).not.toBe(AdsGlobalPlugin);
    expect(Copy.of(test.game)).toBe(AdsGlobalPlugin.of(test.game));
    test.game.plugins.install('SecondCopy', Copy, true, undefined, OPTIONS);
    const second = test.game.plugins.get('SecondCopy') as unknown as AdsGlobalPlugin;
    expect(second.client).toBe(AdsGlobalPlugin.of(test.game).client);
    expect(test.world.clients).toHaveLength(1);
  });

  it("is found in the config of a later game by the first one's scene plugin", async () => {
    const first = await TestGame.start();
    const second = await TestGame.start();
    first.destroy();
    await expect(second.scene().ads.place('a', PLACE).ready).resolves.toBe('shown');
  });
});
