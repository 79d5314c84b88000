import type { AdsError } from '../errors.js';

/** Why a video could not be shown, as VAST numbers it (VAST 4.3 §2.3.6.3). */
export function vastErrorOf({ code }: AdsError): number {
  if (code === 'ad/duration') return 202;
  if (code === 'ad/dimensions') return 203;
  if (code === 'ad/timeout') return 402;
  if (code.startsWith('net/') || code === 'ad/http-status' || code === 'ad/redirect' || code === 'ad/cors') return 401;
  return code.startsWith('ad/') ? 405 : 900;
}
