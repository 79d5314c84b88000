import { type After, after } from '../waiting.js';
import { IndexedDbKeyStore, type KeyStore } from './KeyStore.js';

/** What the client needs of the world around it, handed in so that tests can turn the clock. */
export interface ClientEnvironment {
  /** A monotonic clock, in milliseconds. All lifetimes and deadlines are counted on it. */
  now(): number;
  /** The wall clock, in milliseconds since 1970. Only for what leaves the machine, and as a hint. */
  wallNow(): number;
  readonly after: After;
  /** Uniform in `[0, 1)`. */
  random(): number;
  /** Cryptographically random. */
  randomBytes(length: number): Uint8Array;
  /** False when the device says it is offline. A hint: some devices say online for ever. */
  isOnline(): boolean;
  /** Host and origin of the page; null outside of a browser. */
  readonly page: { readonly hostname: string; readonly origin: string } | null;
  /** Reports when the page is shown, hidden, and when the network comes back; the returned function stops it. */
  watchPage(watcher: PageWatcher): () => void;
  /** The storage of this tab, or null where it is denied. */
  openTabStorage(): TabStorage | null;
  /** WebCrypto; null where the page is not secure. */
  subtle(): SubtleCrypto | null;
  /** Where keys stay for later pages of this origin, or null where there is no such place. */
  openKeyStore(): KeyStore | null;
  /** A channel to the other tabs of this origin (not to this page), or null where there is none. */
  openChannel(name: string, onMessage: (message: unknown) => void): TabChannel | null;
  /** Opens an empty popup; null where that is not allowed. To be called while the player's press is fresh. */
  openPopup(): Popup | null;
  /** For mistakes of the developer; `error` is what their own code has thrown. */
  warn(message: string, error?: unknown): void;
  /** For oddities that are no faults; only with the option `debug`. */
  note(message: string): void;
}

export interface PageWatcher {
  visible(): void;
  hidden(): void;
  online(): void;
  /** The page goes, or is kept by the browser without running; follows `hidden`. */
  leaving?(): void;
}

/** A window this page has opened. */
export interface Popup {
  go(url: string): void;
  readonly isClosed: boolean;
  close(): void;
  /** Listens to messages of the popup's pages of this origin; the returned function stops it. */
  listen(origin: string, onMessage: (message: unknown) => void): () => void;
}

export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface TabChannel {
  post(message: string): void;
  close(): void;
}

/** The real world: a browser, as far as there is one. Reads every global when used, none when imported. */
export function browserEnvironment(): ClientEnvironment {
  const hasDocument = typeof document !== 'undefined';
  const { location } = globalThis as { location?: Location };
  return {
    now: () => performance.now(),
    wallNow: () => Date.now(),
    after,
    random: () => Math.random(),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    // Node has a navigator that says nothing of the network.
    isOnline: () => (globalThis as { navigator?: { onLine?: boolean } }).navigator?.onLine !== false,
    page: location === undefined ? null : { hostname: location.hostname, origin: location.origin },
    watchPage: hasDocument ? watchDocument : () => () => undefined,
    openTabStorage() {
      try {
        return hasDocument ? sessionStorage : null;
      } catch {
        // A sandboxed frame throws on the mere access.
        return null;
      }
    },
    // Missing on http: pages, whatever the type says.
    subtle: () => (globalThis.crypto as { subtle?: SubtleCrypto }).subtle ?? null,
    openKeyStore: () =>
      (globalThis as { indexedDB?: IDBFactory }).indexedDB === undefined ? null : new IndexedDbKeyStore(),
    openChannel: (name, onMessage) =>
      hasDocument && typeof BroadcastChannel !== 'undefined' ? openBroadcast(name, onMessage) : null,
    openPopup: () => (hasDocument ? openWindow() : null),
    warn: (message, ...error) => console.warn(message, ...error),
    // Not `debug`, which browsers hide unless they are told not to.
    note: (message) => console.info(message),
  };
}

function watchDocument(watcher: PageWatcher): () => void {
  const onVisibility = (): void => (document.visibilityState === 'hidden' ? watcher.hidden() : watcher.visible());
  const onHide = (): void => {
    watcher.hidden();
    watcher.leaving?.();
  };
  const onShow = (): void => watcher.visible();
  const onOnline = (): void => watcher.online();
  document.addEventListener('visibilitychange', onVisibility);
  // A page that closes while visible fires only pagehide in some browsers; one restored from the back/forward cache
  // fires pageshow.
  window.addEventListener('pagehide', onHide);
  window.addEventListener('pageshow', onShow);
  window.addEventListener('online', onOnline);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    window.removeEventListener('pagehide', onHide);
    window.removeEventListener('pageshow', onShow);
    window.removeEventListener('online', onOnline);
  };
}

function openWindow(): Popup | null {
  const opened = window.open('', '', 'popup,width=480,height=720');
  if (opened === null) return null;
  return {
    go: (url) => opened.location.replace(url),
    get isClosed() {
      return opened.closed;
    },
    close: () => opened.close(),
    listen(origin, onMessage) {
      const listener = (event: MessageEvent<unknown>): void => {
        if (event.source === opened && event.origin === origin) onMessage(event.data);
      };
      window.addEventListener('message', listener);
      return () => window.removeEventListener('message', listener);
    },
  };
}

function openBroadcast(name: string, onMessage: (message: unknown) => void): TabChannel | null {
  try {
    // The channel also reaches other clients of this page, which are sessions of their own; the time the page was
    // opened tells pages apart.
    const pageId = performance.timeOrigin;
    const channel = new BroadcastChannel(name);
    channel.onmessage = (event: MessageEvent<unknown>) => {
      const data = event.data as { pageId?: unknown; message?: unknown } | null;
      if (typeof data === 'object' && data !== null && data.pageId !== pageId) onMessage(data.message);
    };
    return { post: (message) => channel.postMessage({ pageId, message }), close: () => channel.close() };
  } catch {
    return null;
  }
}
