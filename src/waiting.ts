import { AdsError } from './errors.js';

/** Calls back once after `ms`; the returned function cancels. */
export type After = (ms: number, callback: () => void) => () => void;

/** {@link After} by the timers of this page. */
export const after: After = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

/** Of a call whose signal was aborted. */
export function abortFault(): AdsError {
  return new AdsError('net/aborted', 'The call was cancelled');
}

export function timeoutFault(): AdsError {
  return new AdsError('net/timeout', 'The service did not answer in time');
}

export function destroyedFault(): AdsError {
  return new AdsError('lifecycle/destroyed', 'The client has been destroyed');
}

interface Bounds {
  readonly clock: { readonly after: After };
  readonly ms: number;
  /** The fault when the time is over. */
  readonly late: () => AdsError;
  /** Of whoever called: its abort ends the work with `net/aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Of this package: its abort ends the work with its reason. */
  readonly end?: AbortSignal | undefined;
}

/**
 * Settles like `work`, or rejects as soon as one of its bounds is reached, whether or not the work minds its signal. That is
 * aborted at a bound, and when the work fails, which stops what is still running of it.
 */
export async function bounded<T>(
  { clock, ms, late, signal, end }: Bounds,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw abortFault();
  end?.throwIfAborted();
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(abortFault());
  const onEnd = (): void => controller.abort(end!.reason);
  const cancelTimer = clock.after(ms, () => controller.abort(late()));
  signal?.addEventListener('abort', onAbort);
  end?.addEventListener('abort', onEnd);
  try {
    return await untilAborted(work(controller.signal), controller.signal);
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', onAbort);
    end?.removeEventListener('abort', onEnd);
  }
}

/**
 * Settles like `ask`, a request whose answer nobody reads, and gives the body up as it begins: it may have no end, and
 * browsers take in tens of megabytes of what a page may not read, which it cannot cancel either.
 */
export async function unread<T>(ask: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal | null): Promise<T> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal!.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);
  try {
    return await ask(controller.signal);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    controller.abort();
  }
}

/** Settles like `work`, or rejects with the signal's reason as soon as it is aborted. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
