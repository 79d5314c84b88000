import { AdsError, type AdsErrorCode, isAdsError } from '../errors.js';
import { writeJson } from '../writeJson.js';
import type { Authorizer } from './credentials.js';
import { decodeFault } from './decode.js';
import type { DpopProver } from './DpopProver.js';
import type { ClientEnvironment } from './environment.js';
import { type Http, type HttpAnswer, isSuccess } from './http.js';
import type { Operation } from './operations.js';
import { present } from './present.js';
import { MAX_RETRIES, retryWait } from './retry.js';
import { serviceFault } from './serviceFault.js';

/** After the service has refused the application itself, no request is sent for this long. */
const REFUSAL_PAUSE_MS = 300_000;

export interface CallInput {
  /** When the call must be over, on the monotonic clock. */
  readonly deadline: number;
  /** Fills `{adSurfaceId}` of the operation's path. */
  readonly adSurfaceId?: string;
  /** Sent as JSON. */
  readonly body?: object;
  /**
   * Lets the request outlive the page. It is sent as `text/plain` that holds its headers and its body, so that it needs no
   * preflight: a page that is going does not live to see that answered. One try, whatever its result.
   */
  readonly outlivesPage?: boolean;
  /** Called once the proof is there and the request is about to go out; waits for what it returns. */
  readonly leaves?: (() => Promise<void> | undefined) | undefined;
  /** The player's access token. */
  readonly bearer?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes calls of contract v1: proves the application, repeats what may be repeated, keeps the pauses the service asks
 * for, and turns every refusal into a typed error.
 */
export class Requester {
  readonly #baseUrl: string;
  readonly #http: Http;
  readonly #authorizer: Authorizer;
  readonly #environment: ClientEnvironment;
  readonly #prover: DpopProver | null;
  /** By operation name: no request before this time. */
  readonly #pausedUntil = new Map<string, number>();
  /** The whole service asked for a pause (503 with `Retry-After`). */
  #servicePausedUntil = 0;
  #refusal: { readonly code: AdsErrorCode; readonly until: number } | null = null;

  /**
   * @param baseUrl without a slash at its end
   * @param prover makes tokens bound to a key; null: they are not
   */
  constructor(
    baseUrl: string,
    http: Http,
    authorizer: Authorizer,
    environment: ClientEnvironment,
    prover: DpopProver | null = null,
  ) {
    this.#baseUrl = baseUrl;
    this.#prover = prover;
    this.#http = http;
    this.#authorizer = authorizer;
    this.#environment = environment;
  }

  /**
   * The JSON body of a successful answer; repeats a repeatable operation after faults that may pass. A repetition that runs
   * out of time fails with the fault before it, which tells more.
   */
  async call(operation: Operation, input: CallInput): Promise<unknown> {
    let before: AdsError | null = null;
    for (let attempt = 0; ; attempt++) {
      try {
        return bodyOf(operation, await this.exchange(operation, input));
      } catch (error) {
        if (before !== null && isAdsError(error, 'net/timeout')) throw before;
        const waitMs = this.#waitBefore(attempt, operation, error);
        if (waitMs === null || this.#environment.now() + waitMs >= input.deadline) throw error;
        // Only an AdsError is repeated.
        before = error as AdsError;
        await this.#wait(waitMs, input.signal);
      }
    }
  }

  /**
   * Makes one authorised request. Any answer is returned, except refusals of the application itself, which are thrown. A wrong
   * clock is corrected and a refused application token renewed, once each.
   */
  async exchange(operation: Operation, input: CallInput): Promise<HttpAnswer> {
    let mayCorrectClock = true;
    let mayRenew = true;
    for (;;) {
      this.#refuseDuringPause(operation);
      const { answer, proof } = await this.#send(operation, input);
      // A service that does not know this `text/plain` form refuses it; that is no refusal of the application.
      if (input.outlivesPage) return answer;
      this.#obeyPause(operation, answer);
      if (!mayRefuseApplication(answer)) return answer;
      const fault = serviceFault(operation, answer);
      if (fault.code === 'service/clock-skew' && mayCorrectClock) {
        mayCorrectClock = false;
        const { serverTimeSeconds } = decodeFault(answer.body);
        if (serverTimeSeconds !== undefined) {
          this.#prover?.correctClock(serverTimeSeconds);
          if (this.#authorizer.correctClock?.(serverTimeSeconds) || this.#prover !== null) continue;
        }
      }
      // A gateway that refuses a token does so without the service's error word.
      const isProofRefused = answer.status === 401 && fault.code === 'service/refused';
      if ((isProofRefused || fault.code === 'config/credentials-rejected') && mayRenew) {
        mayRenew = false;
        if (this.#authorizer.renew?.(proof)) continue;
      }
      if (fault.code === 'config/credentials-rejected' || fault.code === 'config/origin-not-allowed') {
        this.#refusal = { code: fault.code, until: this.#environment.now() + REFUSAL_PAUSE_MS };
        throw fault;
      }
      return answer;
    }
  }

  async #send(operation: Operation, input: CallInput) {
    const path = operation.path.replace('{adSurfaceId}', () => encodeURIComponent(input.adSurfaceId ?? ''));
    const url = this.#baseUrl + path;
    const { method } = operation;
    const { outlivesPage = false, signal } = input;
    const write = (): string | undefined => input.body && writeJson(input.body);
    const headers: Record<string, string> = {};
    // Inside of `text/plain`, the service knows what the body is.
    if (input.body !== undefined && !outlivesPage) headers['Content-Type'] = 'application/json';
    // A page that is going does not live until a proof is made; its reports need no player.
    const bearer = this.#prover !== null && outlivesPage ? undefined : input.bearer;
    const authorization = bearer === undefined ? undefined : `${this.#prover === null ? 'Bearer' : 'DPoP'} ${bearer}`;
    if (authorization !== undefined) headers['Authorization'] = authorization;
    if (this.#prover !== null && (bearer !== undefined || operation.asksForTokens)) {
      headers['DPoP'] = await this.#prover.proofFor({ method, url, accessToken: bearer });
    }
    // The host is signed too, so that a captured request is worth nothing at another one that knows the same key.
    const { host: authority, pathname } = new URL(url);
    const signed = { method, authority, path: pathname, query: '', body: write(), authorization };
    const proof = await this.#authorizer.headersFor(signed, this.#timeLeft(input));
    Object.assign(headers, proof);
    await input.leaves?.();
    // A token, which may be waited for, covers no body: that says when it leaves.
    const body = this.#authorizer.isReady === undefined ? signed.body : write();
    const timeoutMs = this.#timeLeft(input);
    const sent = outlivesPage
      ? {
          headers: { 'Content-Type': 'text/plain;charset=UTF-8' },
          body: writeJson({ headers, body }),
          outlivesPage,
        }
      : { headers, body, signal };
    return { answer: await this.#http.send({ method, path, timeoutMs, ...sent }), proof };
  }

  #timeLeft({ deadline }: CallInput): number {
    return Math.max(1, deadline - this.#environment.now());
  }

  /** How long to wait before the next attempt; null when there is none. */
  #waitBefore(attempt: number, operation: Operation, error: unknown): number | null {
    if (!operation.repeatable || attempt >= MAX_RETRIES || this.#http.isBlocked()) return null;
    if (!isAdsError(error) || !error.retryable) return null;
    if (error.code === 'config/token-provider') return null;
    return error.retryAfterMs ?? retryWait(attempt, this.#environment.random());
  }

  /** Never resolves when the signal is aborted, which ends the call. */
  #wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const cancelTimer = this.#environment.after(ms, resolve);
      // The listener stays: the signal belongs to this call alone, and ends with it.
      signal?.addEventListener('abort', cancelTimer);
    });
  }

  #obeyPause(operation: Operation, answer: HttpAnswer): void {
    if (answer.status !== 429 && answer.status !== 503) return;
    const { retryAfterMs } = serviceFault(operation, answer);
    if (retryAfterMs === undefined) return;
    const until = this.#environment.now() + retryAfterMs;
    if (answer.status === 503) this.#servicePausedUntil = until;
    else this.#pausedUntil.set(operation.name, until);
  }

  #refuseDuringPause(operation: Operation): void {
    const now = this.#environment.now();
    const refuseUntil = (until: number, code: AdsErrorCode, why: string, status?: number): void => {
      if (now >= until) return;
      throw new AdsError(code, `${operation.name}: ${why}`, present({ status, retryAfterMs: until - now }));
    };
    if (this.#refusal !== null) {
      refuseUntil(this.#refusal.until, this.#refusal.code, 'the service has refused this application');
    }
    const ownPause = this.#pausedUntil.get(operation.name) ?? 0;
    refuseUntil(ownPause, 'service/rate-limited', 'the service asked for a pause', 429);
    refuseUntil(this.#servicePausedUntil, 'service/unavailable', 'the service asked for a pause', 503);
  }
}

/** `invalid_client` has status 400, too (RFC 6749 §5.2). Other errors with this status are about the call alone. */
function mayRefuseApplication({ status, body }: HttpAnswer): boolean {
  return status === 401 || status === 403 || (status === 400 && decodeFault(body).error === 'invalid_client');
}

/** @throws AdsError for a refusal, and for an empty answer to a question */
function bodyOf(operation: Operation, answer: HttpAnswer): unknown {
  if (!isSuccess(answer)) throw serviceFault(operation, answer);
  if (answer.body !== undefined || operation.mayBeEmpty) return answer.body;
  const { status } = answer;
  throw new AdsError('response/not-json', `${operation.name}: the service answered ${status} with nothing`, { status });
}
