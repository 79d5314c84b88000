import * as v from 'valibot';

import { writeJson } from '../writeJson.js';
import { MAX_SESSION_MS, playerSchema, tokenSchema } from './decode.js';
import type { TabStorage } from './environment.js';

const text = (maxLength: number) => v.pipe(v.string(), v.maxLength(maxLength));
/** Times by the wall clock: the monotonic one starts anew with each page. */
const schema = v.union([
  v.object({
    kind: v.literal('session'),
    mark: text(32),
    refreshToken: tokenSchema,
    player: playerSchema,
    endsAt: v.number(),
  }),
  v.object({
    kind: v.literal('request'),
    mark: text(32),
    requestId: v.pipe(text(1_024), v.minLength(1)),
    bindingCode: text(20),
    confirmUrl: text(2_048),
    holdMs: v.pipe(v.number(), v.minValue(0), v.maxValue(60_000)),
    endsAt: v.number(),
    intervalMs: v.pipe(v.number(), v.minValue(1_000), v.maxValue(3_600_000)),
  }),
]);
/** What one page of a tab leaves to the next. */
export type StoredSession = v.InferOutput<typeof schema>;

/** What the clients of this page with one key share: what an ended one has left, and those that are not ended. */
interface PageClients {
  left: StoredSession | null;
  readonly clients: Map<SessionStore, () => void>;
}

/** In memory, where no copy of the tab finds a session that is left. */
const pages = new WeakMap<TabStorage, Map<string, PageClients>>();

/**
 * Keeps a session in the tab's storage while its page is hidden or gone, and only then. A client that ends while its page goes
 * on leaves it to the next one, or to one that has begun and has none: frameworks mount a game anew, React even begins the
 * second game before it ends the first. A page takes the entry out when it starts: a tab the player duplicates while playing
 * therefore finds nothing. The copy of a hidden tab finds the session and takes it over: see {@link UserSession}. So no two
 * tabs hold one session, which the service would take for a theft.
 */
export class SessionStore {
  readonly #storage: TabStorage;
  readonly #key: string;
  readonly #page: PageClients;
  /** What this client has written. Another one of the page may have written since. */
  #saved: string | null = null;

  constructor(storage: TabStorage, key: string) {
    this.#storage = storage;
    this.#key = key;
    const ofPage = pages.get(storage) ?? new Map<string, PageClients>();
    pages.set(storage, ofPage);
    this.#page = ofPage.get(key) ?? { left: null, clients: new Map<SessionStore, () => void>() };
    ofPage.set(key, this.#page);
  }

  /** @param onLeft another client of the page has left something to {@link take} */
  join(onLeft: () => void): void {
    this.#page.clients.set(this, onLeft);
  }

  /** The client ends. Others of the page that have a session of their own let this one go. */
  leave(session: StoredSession | null): void {
    const page = this.#page;
    const { clients } = page;
    clients.delete(this);
    if (session === null) return;
    page.left = session;
    for (const onLeft of [...clients.values()]) {
      onLeft();
      // Taken: the next one would find what this one keeps in the storage.
      if ((page.left as StoredSession | null) === null) return;
    }
    if (clients.size > 0) page.left = null;
  }

  /** Storage that is full or denied loses the session at the next reload, which is no fault. */
  save(session: StoredSession): void {
    const entry = writeJson(session);
    try {
      this.#storage.setItem(this.#key, entry);
      this.#saved = entry;
    } catch {
      this.clear();
    }
  }

  /** Reads and removes. Null when there is nothing, or nothing usable. */
  take(wallNow: number): StoredSession | null {
    const { left } = this.#page;
    this.#page.left = null;
    if (left !== null) return left.endsAt > wallNow ? left : null;
    try {
      const entry = this.#storage.getItem(this.#key);
      this.#storage.removeItem(this.#key);
      if (entry === null || entry.length > 16_384) return null;
      const result = v.safeParse(schema, JSON.parse(entry));
      if (!result.success) return null;
      // A clock that was turned must not make a session longer than any session is.
      const { endsAt } = result.output;
      return endsAt > wallNow && endsAt <= wallNow + MAX_SESSION_MS ? result.output : null;
    } catch {
      return null;
    }
  }

  /** Removes what this client has left; what another game of the page has left stays. */
  clear(): void {
    try {
      if (this.#storage.getItem(this.#key) === this.#saved) this.#storage.removeItem(this.#key);
    } catch {
      // Storage that cannot be written holds nothing of ours.
    }
  }
}
