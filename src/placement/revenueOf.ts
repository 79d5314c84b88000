import type { SessionFact } from '../report/AdEvent.js';
import type { Ad, AdRevenue } from '../service/AdService.js';
import { hasBilling } from './AdTrackers.js';

/**
 * What a fact has earned; null for nothing. An ad with a billing notice is paid for when the notice goes out, by the leading
 * standard; any other ad with its impression.
 */
export function revenueOf(ad: Ad, fact: SessionFact, leadingStandard: string | undefined): AdRevenue | null {
  const isEarned = hasBilling(ad)
    ? fact.kind === 'viewable' && fact.standard === leadingStandard
    : fact.kind === 'impression';
  return isEarned ? readRevenue(ad.revenue) : null;
}

/** An ad may be the game's own object and hold anything. */
function readRevenue(revenue: AdRevenue | undefined): AdRevenue | null {
  if (typeof revenue !== 'object' || revenue === null) return null;
  const { value, currency, precision, line } = revenue;
  if (typeof value !== 'number' || !(value >= 0 && value < Infinity)) return null;
  if (typeof currency !== 'string' || (precision !== 'exact' && precision !== 'estimated')) return null;
  return { value, currency, precision, ...(typeof line === 'string' ? { line } : {}) };
}
