import type {
  ClientEnvironment,
  PageWatcher,
  Popup,
  TabChannel,
  TabStorage,
} from '../../../src/service/environment.js';
import type { KeyStore } from '../../../src/service/KeyStore.js';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** Tabs of one browser: what one posts, the others get. */
export class FakeTabs {
  readonly listeners = new Map<(message: unknown) => void, FakeWorld>();
}

/** An environment whose time stands still until a test moves it. */
export class FakeWorld implements ClientEnvironment {
  monotonic = 1_000;
  wall = Date.UTC(2026, 10, 21);
  online = true;
  randomValue = 0.5;
  page: { hostname: string; origin: string } | null = { hostname: 'localhost', origin: 'http://localhost:9000' };
  readonly storage = new FakeStorage();
  /** Keys that lie with this browser; tests hand them to the next page. */
  keys: KeyStore | null = new FakeKeyStore();
  readonly warnings: string[] = [];
  readonly notes: string[] = [];
  readonly #timers = new Set<Timer>();
  readonly #watchers = new Set<PageWatcher>();
  readonly #tabs: FakeTabs;
  #nonce = 0;

  readonly #settle: () => Promise<void>;

  /** @param settleWith lets run what is ready between two timers */
  constructor(tabs = new FakeTabs(), settleWith = settle) {
    this.#tabs = tabs;
    this.#settle = settleWith;
  }

  now = (): number => this.monotonic;
  wallNow = (): number => this.wall;
  random = (): number => this.randomValue;
  isOnline = (): boolean => this.online;
  warn = (message: string): void => void this.warnings.push(message);
  note = (message: string): void => void this.notes.push(message);
  openTabStorage = (): TabStorage => this.storage;
  subtle = (): SubtleCrypto | null => globalThis.crypto.subtle;
  openKeyStore = (): KeyStore | null => this.keys;

  randomBytes = (length: number): Uint8Array => new Uint8Array(length).fill(++this.#nonce);

  after = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.monotonic + ms, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  watchPage = (watcher: PageWatcher): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** What the next popup is; null: blocked. */
  popup: Popup | null = null;
  openPopup = (): Popup | null => this.popup;

  openChannel = (_name: string, onMessage: (message: unknown) => void): TabChannel => {
    const { listeners } = this.#tabs;
    const listener = (message: unknown): void => onMessage(message);
    listeners.set(listener, this);
    return {
      post: (message) => {
        // As a BroadcastChannel that was closed.
        if (!listeners.has(listener)) throw new DOMException('Channel is closed', 'InvalidStateError');
        listeners.forEach((world, hear) => world !== this && hear(message));
      },
      close: () => listeners.delete(listener),
    };
  };

  /** Timers, page watchers and channels still held. */
  get leftovers(): number {
    return (
      this.#timers.size +
      this.#watchers.size +
      [...this.#tabs.listeners.values()].filter((world) => world === this).length
    );
  }

  tell(event: keyof PageWatcher): void {
    for (const watcher of [...this.#watchers]) watcher[event]?.();
  }

  /** Lets both clocks run, ringing every timer at its time. */
  async advance(ms: number): Promise<void> {
    const end = this.monotonic + ms;
    await this.#settle();
    for (;;) {
      const next = [...this.#timers].reduce<Timer | null>((a, b) => (a === null || b.at < a.at ? b : a), null);
      if (next === null || next.at > end) break;
      this.#timers.delete(next);
      this.#moveTo(Math.max(this.monotonic, next.at));
      next.callback();
      await this.#settle();
    }
    this.#moveTo(end);
    await this.#settle();
  }

  /** The device sleeps: neither timers nor the monotonic clock run, the wall clock does. */
  sleep(ms: number): void {
    this.wall += ms;
  }

  #moveTo(time: number): void {
    this.wall += time - this.monotonic;
    this.monotonic = time;
  }
}

/** A window the page has opened; tests say what it tells. */
export class FakePopup implements Popup {
  url = '';
  isClosed = false;
  readonly listeners = new Map<(message: unknown) => void, string>();
  go(url: string): void {
    this.url = url;
  }
  close(): void {
    this.isClosed = true;
  }
  listen(origin: string, onMessage: (message: unknown) => void): () => void {
    this.listeners.set(onMessage, origin);
    return () => this.listeners.delete(onMessage);
  }
  say(message: unknown): void {
    for (const listener of [...this.listeners.keys()]) listener(message);
  }
}

export class FakeKeyStore implements KeyStore {
  readonly pairs = new Map<string, CryptoKeyPair>();
  get = (name: string): Promise<CryptoKeyPair | null> => Promise.resolve(this.pairs.get(name) ?? null);
  keep = (name: string, pair: CryptoKeyPair): Promise<CryptoKeyPair> => {
    if (!this.pairs.has(name)) this.pairs.set(name, pair);
    return Promise.resolve(this.pairs.get(name)!);
  };
}

export class FakeStorage implements TabStorage {
  readonly entries = new Map<string, string>();
  getItem = (key: string): string | null => this.entries.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.entries.set(key, value);
  removeItem = (key: string): void => void this.entries.delete(key);
}

/** Lets everything that is ready run, also streams of answers. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 6; i++) await new Promise((resolve) => setImmediate(resolve));
}
