import { AdsError, isAdsError } from '../errors.js';
import type { CreativeEnvironment } from './CreativeEnvironment.js';
import { untilAborted } from './untilAborted.js';

/**
 * Ends `work` with the signal or the deadline, whichever comes first, whether or not the work listens to it.
 * @param discard called with the result of work that nobody waits for any more
 */
export async function withDeadline<T>(
  ms: number,
  environment: CreativeEnvironment,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  discard: (value: T) => void = () => undefined,
): Promise<T> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(outer.reason);
  const cancelTimer = environment.after(ms, () =>
    controller.abort(new AdsError('ad/timeout', `The creative was not ready within ${ms} ms`)),
  );
  outer.addEventListener('abort', onAbort, { once: true });
  if (outer.aborted) onAbort();
  const working = work(controller.signal);
  try {
    return await untilAborted(working, controller.signal);
  } catch (error) {
    working.then(discard, () => undefined);
    // Stops what is still running, such as a download whose first bytes were refused.
    controller.abort(error);
    throw isAdsError(error) ? error : new AdsError('ad/decode', 'The creative could not be read', { cause: error });
  } finally {
    cancelTimer();
    outer.removeEventListener('abort', onAbort);
  }
}
