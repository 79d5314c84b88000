import { AdsError } from '../errors.js';
import type { Ad } from '../service/AdService.js';
import { checkBilling } from './AdTrackers.js';

/**
 * Checks a source's answer: an ad that may be shown, or no ad. A source may be the game's own and return anything.
 * @throws AdsError `config/option` for a value that is no answer of `getAd`, `response/schema` for an ad that could never be billed
 */
export function readServedAd(answer: unknown): Ad {
  const { adId, url } = (typeof answer === 'object' && answer !== null ? answer : {}) as Partial<Ad>;
  if (typeof adId !== 'string' || typeof url !== 'string') {
    const got = answer === null ? 'null' : typeof answer;
    throw new AdsError('config/option', `Expected \`source.getAd\` to resolve to an ad, got ${got}`, {
      hint: "Return a promise of { adId, url, … }, or of { adId: '', url: '' } when there is no ad.",
    });
  }
  checkBilling(answer as Ad);
  return answer as Ad;
}
