import { AdsError, isAdsError } from '../errors.js';
import { bounded } from '../waiting.js';
import type { CreativeEnvironment } from './CreativeEnvironment.js';

/**
 * Ends `work` with the signal or the deadline, whichever comes first, whether or not the work listens to it.
 * @param discard called with the result of work that nobody waits for any more
 */
export async function withDeadline<T>(
  ms: number,
  clock: Pick<CreativeEnvironment, 'after'>,
  end: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  discard: (value: T) => void = () => undefined,
): Promise<T> {
  const late = (): AdsError => new AdsError('ad/timeout', `The creative was not ready within ${ms} ms`);
  let working = null as Promise<T> | null;
  try {
    return await bounded({ clock, ms, late, end }, (signal) => (working = work(signal)));
  } catch (error) {
    working?.then(discard, () => undefined);
    throw isAdsError(error) ? error : new AdsError('ad/decode', 'The creative could not be read', { cause: error });
  }
}
