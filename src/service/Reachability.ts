import { AdsError } from '../errors.js';
import { isLoopbackHost } from '../hosts.js';
import { requiresLeave } from '../requiresLeave.js';
import { abortFault, bounded, timeoutFault, unread } from '../waiting.js';
import type { ClientEnvironment } from './environment.js';

/** After this many failures in a row that the browser does not explain, something on this device blocks the service. */
const BLOCKED_AFTER = 3;

/** How long the probe whether a host answers at all may take. */
const PROBE_TIMEOUT_MS = 2_000;

/** Finds out why nothing comes back from a service, as far as a page can know: a browser does not tell it. */
export class Reachability {
  readonly #baseUrl: string;
  readonly #environment: ClientEnvironment;
  #unexplainedFailures = 0;
  #hostAnswers: boolean | null = null;
  #pageHidesWhy: boolean | null = null;

  constructor(baseUrl: string, environment: ClientEnvironment) {
    this.#baseUrl = baseUrl;
    this.#environment = environment;
  }

  /** True after {@link BLOCKED_AFTER} unexplained failures in a row. */
  get isBlocked(): boolean {
    return this.#unexplainedFailures >= BLOCKED_AFTER;
  }

  /** Forgets past failures: the service has answered, or the network has changed. */
  reset(): void {
    this.#unexplainedFailures = 0;
    this.#hostAnswers = null;
  }

  /** @param isLeftAlone no other request may look into the failure, which says nothing about the network */
  async faultOf(error: unknown, signal: AbortSignal, isLeftAlone = false): Promise<AdsError> {
    const environment = this.#environment;
    const { origin, hostname } = new URL(this.#baseUrl);
    if (signal.aborted) return abortFault();
    if (!environment.isOnline()) return new AdsError('net/offline', 'The device is offline');
    const socketCode = socketCodeOf(error);
    if (socketCode !== null) {
      const hint = `Is it running at ${origin}?`;
      return new AdsError('net/unreachable', `The service cannot be reached (${socketCode})`, { hint });
    }
    if (isLeftAlone) return new AdsError('net/unreachable', 'The browser did not send the request');
    // Whether the host answers a `no-cors` request tells a missing header from a missing service.
    if (environment.page !== null && environment.page.origin !== origin) {
      this.#hostAnswers ??= await this.#probe(signal);
    }
    const isBlocked = ++this.#unexplainedFailures >= BLOCKED_AFTER;
    if (this.#hostAnswers === true) {
      return new AdsError('net/blocked-or-cors', 'The browser did not let the page have the answer');
    }
    if (this.#hostAnswers === false) this.#pageHidesWhy ??= await requiresLeave(signal);
    const question = `Is it running at ${origin}?`;
    // Nothing comes between a page and its own machine: there, the service is down.
    if (this.#pageHidesWhy !== true && (!isBlocked || isLoopbackHost(hostname))) {
      return new AdsError('net/unreachable', 'The service cannot be reached', { hint: question });
    }
    return new AdsError('net/blocked-or-cors', 'Nothing comes back from the service', {
      hint: `${question} If so, an ad blocker holds it back, or it lacks the Access-Control-Allow-Origin header.`,
    });
  }

  async #probe(signal: AbortSignal): Promise<boolean> {
    const bounds = { clock: this.#environment, ms: PROBE_TIMEOUT_MS, late: timeoutFault, signal };
    const ask = (cut: AbortSignal): Promise<unknown> =>
      fetch(this.#baseUrl, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal: cut });
    try {
      await bounded(bounds, (end) => unread(ask, end));
      return true;
    } catch {
      return false;
    }
  }
}

/** The operating system's word for a failed connection, where the runtime gives one. */
function socketCodeOf(error: unknown): string | null {
  let current = error;
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
    const { code, cause } = current as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code)) return code;
    current = cause;
  }
  return null;
}
