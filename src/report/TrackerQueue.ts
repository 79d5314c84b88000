import { type After, unread } from '../waiting.js';

/** What the queue needs of the world. */
export interface TrackerEnvironment {
  fetch(url: string, init: RequestInit): Promise<unknown>;
  readonly after: After;
  /** False when the device says it is offline. */
  isOnline(): boolean;
  /** Whether nothing may leave yet, because the player has not decided about consent. */
  isHeld(): boolean;
  /** Tells when the page is hidden and shown again, until the returned function is called. */
  watchPage(watcher: { hidden(): void; visible(): void; online(): void }): () => void;
}

const PARALLEL = 4;
const MAX_WAITING = 128;
const TIMEOUT_MS = 10_000;
/** How often it is looked whether the device is back online. */
const OFFLINE_MS = 5_000;

/**
 * What a tracker sees of the player: the address, the browser's name, the origin of the page. No cookies are sent. No answer
 * is read, so the tracker's host need not allow anything (CORS). The call outlives the page.
 */
const REQUEST: RequestInit = Object.freeze({
  method: 'GET',
  mode: 'no-cors',
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'follow',
  referrerPolicy: 'strict-origin',
  keepalive: true,
} as const);

interface Call {
  readonly url: string;
  readonly mustArrive: boolean;
}

/**
 * Fetches trackers outside of the frame that asked for them: four at a time, ten seconds each, at most 128 waiting. Further
 * calls are dropped; a call that must arrive takes the place of one that need not. While the page is hidden, it may end at any
 * moment: all are fetched at once. Never throws.
 */
export class TrackerQueue {
  #waiting: Call[] = [];
  /** Calls that must arrive, and found the device offline. */
  readonly #offline = new Set<Call>();
  #running = 0;
  #isDestroyed = false;
  #isHidden = false;
  /** A game without trackers watches nothing. */
  #unwatch: (() => void) | null = null;
  readonly #timers = new Set<() => void>();

  constructor(private readonly environment: TrackerEnvironment) {}

  /** Calls that have not begun. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * @param mustArrive repeats a call made while the device was offline, once it is back. Other failures do not tell whether the
   *   call has arrived: where a page or an answer asks for isolation (COEP, CORP) every call arrives and fails
   */
  send(url: string, mustArrive = false): void {
    this.#enqueue({ url, mustArrive });
  }

  /** Starts waiting calls, as many as may be under way. To be called when calls are no longer held back. */
  resume(): void {
    while ((this.#isHidden || this.#running < PARALLEL) && !this.environment.isHeld()) {
      const call = this.#waiting.shift();
      if (call === undefined) return;
      this.#running++;
      void this.#run(call).finally(() => {
        this.#running--;
        this.resume();
      });
    }
  }

  /** Sends all that wait now, unless they are held back. Nothing is timed or repeated any more. */
  destroy(): void {
    this.#isDestroyed = true;
    this.#unwatch?.();
    for (const cancel of this.#timers) cancel();
    const waiting = [...this.#offline, ...this.#waiting.splice(0)];
    this.#offline.clear();
    if (this.environment.isHeld()) return;
    for (const { url } of waiting) void this.#fetch(url, null).catch(() => undefined);
  }

  #enqueue(call: Call): void {
    if (this.#isDestroyed || (this.#waiting.length >= MAX_WAITING && !(call.mustArrive && this.#makeRoom()))) return;
    this.#waiting.push(call);
    this.#unwatch ??= this.environment.watchPage({
      hidden: () => this.#turn(true),
      visible: () => this.#turn(false),
      online: () => undefined,
    });
    if (this.#isHidden) this.resume();
    else this.#after(0, () => this.resume());
  }

  #turn(isHidden: boolean): void {
    this.#isHidden = isHidden;
    this.resume();
  }

  /** Removes the newest call that need not arrive; false when there is none. */
  #makeRoom(): boolean {
    const at = this.#waiting.map(({ mustArrive }) => mustArrive).lastIndexOf(false);
    if (at >= 0) this.#waiting.splice(at, 1);
    return at >= 0;
  }

  async #run(call: Call): Promise<void> {
    const controller = new AbortController();
    const wasOnline = this.environment.isOnline();
    const cancelTimer = this.#after(TIMEOUT_MS, () => controller.abort());
    try {
      await this.#fetch(call.url, controller.signal);
    } catch {
      const mayRepeat = call.mustArrive && !wasOnline && this.#offline.size < MAX_WAITING;
      if (mayRepeat && !this.#isDestroyed) this.#waitUntilOnline(call);
    } finally {
      cancelTimer();
    }
  }

  #waitUntilOnline(call: Call): void {
    this.#offline.add(call);
    this.#after(OFFLINE_MS, () => {
      this.#offline.delete(call);
      if (this.environment.isOnline()) this.#enqueue(call);
      else this.#waitUntilOnline(call);
    });
  }

  async #fetch(url: string, signal: AbortSignal | null): Promise<void> {
    await unread((cut) => this.environment.fetch(url, { ...REQUEST, signal: cut }), signal);
  }

  #after(ms: number, callback: () => void): () => void {
    const cancel = this.environment.after(ms, () => {
      this.#timers.delete(forget);
      callback();
    });
    const forget = (): void => {
      this.#timers.delete(forget);
      cancel();
    };
    this.#timers.add(forget);
    return forget;
  }
}
