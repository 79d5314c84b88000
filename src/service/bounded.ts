import { AdsError } from '../errors.js';

/** Of a call whose signal was aborted. */
export function abortFault(): AdsError {
  return new AdsError('net/aborted', 'The call was cancelled');
}

export function destroyedFault(): AdsError {
  return new AdsError('lifecycle/destroyed', 'The client has been destroyed');
}

interface Bounds {
  /** Calls back once after `ms`; the returned function cancels. */
  readonly clock: { after(ms: number, callback: () => void): () => void };
  readonly ms: number;
  /** The fault when the time is over. */
  readonly late: () => AdsError;
  /** Its abort ends the work with `net/aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the work when it is aborted, with its reason; also aborted by the other two ends. */
  readonly controller?: AbortController;
}

/** Settles like `work`, or rejects as soon as one of its bounds is reached, whether or not the work minds its signal. */
export async function bounded<T>(
  { clock, ms, late, signal, controller = new AbortController() }: Bounds,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw abortFault();
  const onAbort = (): void => controller.abort(abortFault());
  const cancelTimer = clock.after(ms, () => controller.abort(late()));
  signal?.addEventListener('abort', onAbort);
  const cutOff = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as AdsError));
  });
  try {
    return await Promise.race([work(controller.signal), cutOff]);
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', onAbort);
  }
}
