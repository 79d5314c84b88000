import { AdsError } from '../errors.js';

/** Of a call whose signal was aborted. */
export function abortFault(): AdsError {
  return new AdsError('net/aborted', 'The call was cancelled');
}
