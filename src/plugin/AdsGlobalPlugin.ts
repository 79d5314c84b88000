import type * as Phaser from 'phaser';

import type { ConsentSignals } from '../consentRules.js';
import { AdsError } from '../errors.js';
import type { AdsPluginOptions } from '../options.js';
import { resolveOptions } from '../resolveOptions.js';
import type { ServiceClient } from '../service/ServiceClient.js';
import type { SessionEventMap } from '../service/SessionChanges.js';
import type { SessionSnapshot } from '../service/SessionSnapshot.js';
import type { TestAds } from '../sources/TestAds.js';
import { AdsCore } from './AdsCore.js';
import { type AdsEnvironment, browserAdsEnvironment } from './AdsEnvironment.js';
import type { Delivery } from '../placement/Delivery.js';
import { isDestroyed } from '../meter/isDestroyed.js';
import { sealed, unsealed } from './sealedData.js';

const DEFAULT_KEY = 'AdsGlobalPlugin';

/** An entry of `plugins.global` in the game config. */
interface ConfigEntry {
  readonly key?: string | null;
  readonly plugin?: unknown;
  readonly mapping?: string | null;
  readonly data?: unknown;
}

type PluginClass = new (pluginManager: Phaser.Plugins.PluginManager) => AdsGlobalPlugin;

/**
 * Credentials or source of ads, the player's session and the client of one game; its options, {@link AdsPluginOptions},
 * are the `data` of the config entry.
 *
 * ```ts
 * plugins: { global: [{ key: 'AdsGlobalPlugin', plugin: AdsGlobalPlugin, start: true, data: { apiKey, getToken, baseUrl } }] }
 * ```
 *
 * Phaser itself starts it only in the first game of a page and not under HEADLESS. {@link AdsScenePlugin} makes up for
 * that from the config of its own game; `AdsGlobalPlugin.of(game)` does the same at any time after boot. Without a
 * config entry, {@link AdsGlobalPlugin.install} is the way.
 */
export class AdsGlobalPlugin {
  /** Tells the class apart even when it comes from a second copy of this package. */
  static readonly isAdsGlobalPlugin = true;

  readonly isAdsGlobalPlugin = true;
  readonly #pluginManager: Phaser.Plugins.PluginManager;
  #core: AdsCore | null = null;
  #isDestroyed = false;

  constructor(pluginManager: Phaser.Plugins.PluginManager) {
    this.#pluginManager = pluginManager;
  }

  /**
   * The plugin of a game, started from the game's config if Phaser has not done so.
   * @throws AdsError `config/not-installed`, or `config/…` for options it cannot start with
   */
  static of(game: Phaser.Game): AdsGlobalPlugin {
    const running = findRunning(game);
    if (running !== null) return running;
    const entry = findConfigEntry(game);
    if (entry === null) throw new AdsError('config/not-installed', 'AdsGlobalPlugin is not installed in this game');
    return startIn(game, entry.plugin as PluginClass, entry);
  }

  /**
   * Starts the plugin in a game that has no config entry for it. A game that has the plugin already keeps it.
   * @throws AdsError `config/…`
   */
  static install(game: Phaser.Game, data: AdsPluginOptions): AdsGlobalPlugin {
    return findRunning(game) ?? startIn(game, this, { key: DEFAULT_KEY, data });
  }

  /**
   * Called by Phaser with the `data` of the config entry.
   * @throws AdsError `config/…`
   */
  init(data: unknown): void {
    const { game } = this.#pluginManager;
    // A second copy of this package on the page, or a second entry, joins what is there.
    const running = findRunning(game, this);
    // Phaser remembers the data of the first game of the page for all later ones; each game's own config is right.
    const own = findConfigEntry(game);
    const given = unsealed(own?.data ?? data);
    sealEntries(game, this, own?.key);
    this.#core = running?.core ?? new AdsCore(game, resolveOptions(given), this.createEnvironment());
  }

  /** Called by Phaser. There is nothing to start: requests begin when they are asked for. */
  start(): void {
    // Part of what Phaser expects of a plugin.
  }

  /** Called by Phaser when the game stops the plugin. The session goes on: ads in running scenes need it. */
  stop(): void {
    // Part of what Phaser expects of a plugin.
  }

  /** Called by Phaser with the end of the game. */
  destroy(): void {
    this.#isDestroyed = true;
    this.#core?.destroy();
  }

  /**
   * The client of the ad service: surfaces, ads, connect, login, logout.
   * @throws AdsError `config/missing` in a game that has a `source` and no credentials
   */
  get client(): ServiceClient {
    return this.core.client;
  }

  /** How the reports of this game fare: whether they outlive the page, and where each has gone. */
  get delivery(): Delivery {
    return this.core.delivery;
  }

  /** What is known of the player's consent; a new frozen object after each change. */
  get consent(): ConsentSignals {
    return this.core.consent.signals;
  }

  /**
   * Sets what the player has consented to, for games in wrappers that know it themselves. It replaces what was known before,
   * also from a `ConsentSource`, and holds from the next ad request and tracker on; nothing waits for consent any more.
   * Signals that are not understood are left out, and the console names them: with `waitForConsent`, everything waits for
   * others then.
   * @throws AdsError `arg/option`
   */
  setConsent(signals: ConsentSignals): void {
    this.core.consent.set(signals);
  }

  /** In test mode, this sets how ads answer and fail. Otherwise null. */
  get testAds(): TestAds | null {
    return this.core.testAds;
  }

  /** The player's session as it stands. */
  get session(): SessionSnapshot {
    return this.client.session;
  }

  on<K extends keyof SessionEventMap>(event: K, handler: (payload: SessionEventMap[K]) => void): this {
    this.client.on(event, handler);
    return this;
  }

  off<K extends keyof SessionEventMap>(event: K, handler: (payload: SessionEventMap[K]) => void): this {
    this.client.off(event, handler);
    return this;
  }

  /** What the scenes share. For the scene plugin. @internal */
  get core(): AdsCore {
    if (this.#isDestroyed) throw new AdsError('lifecycle/destroyed', 'The game has been destroyed');
    if (this.#core === null) throw new AdsError('config/not-installed', 'AdsGlobalPlugin has not been started');
    return this.#core;
  }

  /** The world around the plugin. A subclass may hand in another one, for instance in tests. */
  protected createEnvironment(): AdsEnvironment {
    return browserAdsEnvironment();
  }
}

/** Phaser's own list of the running plugins of a game is the one place every copy of this package can see. */
function findRunning(game: Phaser.Game, except: AdsGlobalPlugin | null = null): AdsGlobalPlugin | null {
  if (isDestroyed(game)) throw new AdsError('lifecycle/destroyed', 'The game has been destroyed');
  for (const { plugin } of game.plugins.plugins) {
    const candidate = plugin as unknown as AdsGlobalPlugin;
    if (candidate !== except && candidate.isAdsGlobalPlugin) return candidate;
  }
  return null;
}

function findConfigEntry(game: Phaser.Game): ConfigEntry | null {
  const entries = (game.config as unknown as { installGlobalPlugins?: ConfigEntry[] }).installGlobalPlugins;
  return entries?.find(({ plugin }) => isPluginClass(plugin)) ?? null;
}

function isPluginClass(plugin: unknown): boolean {
  return typeof plugin === 'function' && (plugin as { isAdsGlobalPlugin?: unknown }).isAdsGlobalPlugin === true;
}

/**
 * Takes the keys out of what Phaser keeps: its config, the entry of the running plugin, and its plugin cache under `cachedKey`,
 * or else under the key the plugin runs as. The game's own config objects stay as they are: another game may be made of them.
 */
function sealEntries(game: Phaser.Game, plugin: AdsGlobalPlugin, cachedKey?: string | null): void {
  const config = game.config as unknown as { installGlobalPlugins?: readonly ConfigEntry[] | undefined };
  config.installGlobalPlugins = config.installGlobalPlugins?.map((entry) =>
    isPluginClass(entry.plugin) ? { ...entry, data: sealed(entry.data) } : entry,
  );
  const plugins = game.plugins as unknown as Omit<Phaser.Plugins.PluginManager, 'plugins'> & {
    plugins: RunningEntry[];
  };
  const running = plugins.plugins.find((entry) => entry.plugin === plugin);
  if (running === undefined) return;
  running.data = sealed(running.data);
  if (running.key !== (cachedKey ?? running.key)) return;
  // Phaser's cache can only be written by putting the plugin into it anew, which takes it off this list.
  const { key, mapping, data } = running;
  const place = plugins.plugins.indexOf(running);
  plugins.removeGlobalPlugin(key);
  plugins.plugins.splice(place, 0, running);
  plugins.install(key, plugin.constructor, false, mapping!, data);
}

/** Phaser's entry of a running plugin; Phaser's types say that it holds the class and no data. */
interface RunningEntry {
  readonly key: string;
  readonly plugin: unknown;
  readonly mapping?: string | null;
  data?: unknown;
}

/** Does what Phaser's plugin manager does, which refuses a key that another game of the page has used. */
function startIn(game: Phaser.Game, Plugin: PluginClass, entry: ConfigEntry): AdsGlobalPlugin {
  const plugin = new Plugin(game.plugins);
  plugin.init(entry.data);
  plugin.start();
  const { mapping } = entry;
  const running = { key: entry.key ?? DEFAULT_KEY, plugin, active: true, mapping, data: sealed(entry.data) };
  game.plugins.plugins.push(running as unknown as Phaser.Types.Plugins.GlobalPlugin);
  // Phaser caches an entry even if it has not started it, except under HEADLESS.
  if (entry.plugin !== undefined && game.renderer !== null) sealEntries(game, plugin);
  return plugin;
}
