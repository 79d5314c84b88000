import { sha256 } from '@noble/hashes/sha2';
import { abortFault } from '../waiting.js';
import type { ConnectRequest } from './decode.js';
import type { ClientEnvironment, Popup } from './environment.js';
import type { FirstGrant } from './decode.js';
import type { PollAnswer, SessionCalls } from './SessionCalls.js';
import { base64url } from './signing.js';

/** What a connect request says so that it can be answered in a popup (PKCE, RFC 7636). */
export interface PopupChallenge {
  readonly challenge: string;
  readonly state: string;
}

/** The session's requests as the service takes them. */
export interface PlainSessionCalls extends Omit<SessionCalls, 'connect' | 'letGo'> {
  connect(email: string, challenge: PopupChallenge | null): Promise<ConnectRequest>;
  /** The tokens for a code; `'refused'` when the service calls it worthless. */
  exchange(code: string, verifier: string): Promise<FirstGrant | 'refused'>;
}

type Answer = { readonly code: string } | 'declined' | 'closed';

/** How often the client checks whether the player has closed the popup: no event tells that. */
const LOOK_MS = 500;
/** An answer may still be on its way for this long after the end of its request. */
const LATE_ANSWER_MS = 5_000;

/**
 * Lets the player answer a connect request in a popup of the web app, where game and web app share the browser. All the
 * time, it can also be answered by e-mail: a popup that is closed without an answer changes nothing.
 */
export class PopupSignIn {
  readonly #plain: PlainSessionCalls;
  readonly #environment: ClientEnvironment;
  #open: OpenPopup | null = null;
  /** Number of the last connect: when an earlier one is answered, its popup is not wanted any more. */
  #turn = 0;

  constructor(plain: PlainSessionCalls, environment: ClientEnvironment) {
    this.#plain = plain;
    this.#environment = environment;
  }

  /** The session's requests, with the popup in between. */
  get calls(): SessionCalls {
    const plain = this.#plain;
    const letGo = (requestId: string): void => {
      if (this.#open?.requestId === requestId) this.close();
    };
    return {
      ...plain,
      connect: (email, wantsPopup) => this.#connect(email, wantsPopup),
      poll: (requestId, holdMs, signal) =>
        this.#open?.requestId === requestId
          ? this.#poll(this.#open, holdMs, signal)
          : plain.poll(requestId, holdMs, signal),
      cancel: (requestId) => {
        letGo(requestId);
        return plain.cancel(requestId);
      },
      letGo,
    };
  }

  /** Closes the popup, if there is one. */
  close(): void {
    this.#open?.end();
    this.#open = null;
  }

  async #connect(email: string, wantsPopup: boolean): Promise<ConnectRequest> {
    this.close();
    const turn = ++this.#turn;
    // Before anything is waited for: browsers open popups only as long as the player's click is fresh.
    const popup = wantsPopup ? this.#environment.openPopup() : null;
    if (popup === null) return this.#plain.connect(email, null);
    const verifier = base64url(this.#environment.randomBytes(32));
    const state = base64url(this.#environment.randomBytes(16));
    try {
      const request = await this.#plain.connect(email, { challenge: base64url(sha256(verifier)), state });
      if (request.popupUrl === '' || turn !== this.#turn) popup.close();
      else this.#open = new OpenPopup(popup, request, verifier, state, this.#environment);
      return request;
    } catch (error) {
      popup.close();
      throw error;
    }
  }

  async #poll(open: OpenPopup, holdMs: number, signal: AbortSignal): Promise<PollAnswer> {
    const answer = await open.answer(signal);
    if (answer === 'declined') return { verdict: 'access_denied' };
    if (answer !== 'closed') {
      // Rejects when it does not get through: the next poll finds the same answer.
      const grant = await open.exchange(() => this.#plain.exchange(answer.code, open.verifier));
      if (grant !== 'refused') return { grant };
    }
    // A request that was left meanwhile is not polled.
    if (this.#open !== open) throw abortFault();
    this.#open = null;
    return this.#plain.poll(open.requestId, holdMs, signal);
  }
}

/** One popup, from its opening to its answer. */
class OpenPopup {
  readonly requestId: string;
  readonly verifier: string;
  readonly #popup: Popup;
  readonly #unlisten: () => void;
  #cancelTimer: () => void;
  #answer: Answer | null = null;
  readonly #waiters = new Set<() => void>();
  #wasClosed = false;
  #exchange: Promise<FirstGrant | 'refused'> | null = null;

  constructor(
    popup: Popup,
    { requestId, popupUrl, expiresInMs }: ConnectRequest,
    verifier: string,
    state: string,
    environment: ClientEnvironment,
  ) {
    this.requestId = requestId;
    this.verifier = verifier;
    this.#popup = popup;
    this.#unlisten = popup.listen(new URL(popupUrl).origin, (data) => {
      const answer = readAnswer(data, state);
      if (answer !== null) this.end(answer);
    });
    popup.go(popupUrl);
    const endsAt = environment.now() + expiresInMs + LATE_ANSWER_MS;
    const look = (): void => {
      // Closed at two checks in a row: the popup's last message may still be on its way when it closes.
      if (this.#wasClosed || environment.now() >= endsAt) this.end();
      else this.#cancelTimer = environment.after(LOOK_MS, look);
      this.#wasClosed = popup.isClosed;
    };
    this.#cancelTimer = environment.after(LOOK_MS, look);
  }

  /** @throws AdsError `net/aborted` */
  answer(signal: AbortSignal): Promise<Answer> {
    if (this.#answer !== null) return Promise.resolve(this.#answer);
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        if (this.#answer !== null) resolve(this.#answer);
        else reject(abortFault());
      };
      this.#waiters.add(settle);
      signal.addEventListener('abort', settle);
    });
  }

  /**
   * One exchange at a time: on phones the page wakes, and polls anew, as its popup closes. If the service answers two
   * exchanges, it takes the later one for the session's, whichever answer arrives first.
   */
  exchange(send: () => Promise<FirstGrant | 'refused'>): Promise<FirstGrant | 'refused'> {
    this.#exchange ??= send().finally(() => (this.#exchange = null));
    return this.#exchange;
  }

  /** Closes the popup and gives everything back; everyone who still waits gets the answer, or `'closed'`. */
  end(answer: Answer = 'closed'): void {
    this.#answer ??= answer;
    this.#cancelTimer();
    this.#unlisten();
    this.#popup.close();
    for (const settle of [...this.#waiters]) settle();
  }
}

/** Null for a message that is no answer to this request: any page may send messages. */
function readAnswer(data: unknown, state: string): Answer | null {
  const { state: told, code, error } = (data ?? {}) as Record<string, unknown>;
  if (told !== state) return null;
  if (error === 'access_denied') return 'declined';
  return typeof code === 'string' && /^[\x21-\x7e]{1,512}$/.test(code) ? { code } : null;
}
