import { AdsError, type AdsErrorCode } from '../../errors.js';

/** What the numbers of VAST's errors say (VAST 4.3 §2.3.6.3). */
export const VastError = {
  NO_XML: 100,
  WRONG_SCHEMA: 101,
  WRONG_VERSION: 102,
  WRONG_AD_TYPE: 200,
  NOT_LINEAR: 201,
  TOO_LONG: 202,
  WRAPPER: 300,
  /** Also for an address that does not answer. */
  WRAPPER_TIMEOUT: 301,
  TOO_MANY_WRAPPERS: 302,
  NO_AD: 303,
  NO_MEDIA: 403,
  CONDITIONAL: 408,
  UNDEFINED: 900,
} as const;

/** Why a video cannot be shown, by VAST's number. */
export class VastFault extends Error {
  constructor(
    readonly number: number,
    message: string,
    private readonly code: AdsErrorCode = 'response/schema',
  ) {
    super(message);
  }

  toAdsError(): AdsError {
    const hint = `VAST error ${this.number}. Is it a video of at most 60 s, as MP4 or WebM, of at most 4 MiB?`;
    return new AdsError(this.code, this.message, { path: '$.adm', hint });
  }
}
