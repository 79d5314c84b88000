import { quoteForeign } from '../quoteForeign.js';
import { isObject, listOf } from './foreignValues.js';

const MAX_MESSAGES = 20;

/**
 * What an exchange says of an auction besides its bids: the reason for no bid (OpenRTB 2.6, `nbr`), and what Prebid
 * Server puts into `ext.errors` and `ext.warnings`, by bidder. At most {@link MAX_MESSAGES}, each cut.
 */
export function exchangeMessages(response: unknown): string[] {
  if (!isObject(response)) return [];
  const messages: string[] = [];
  const { nbr, ext } = response;
  if (typeof nbr === 'number') messages.push(`The exchange does not bid, no-bid reason ${nbr} (OpenRTB 2.6, nbr)`);
  for (const kind of ['errors', 'warnings'] as const) {
    const byBidder = isObject(ext) ? ext[kind] : undefined;
    if (!isObject(byBidder)) continue;
    for (const [bidder, list] of Object.entries(byBidder)) {
      for (const entry of listOf(list)) {
        const text = isObject(entry) ? entry['message'] : entry;
        if (typeof text !== 'string' || text === '') continue;
        // Stops here, however many there are in an answer: each one is searched for what is private.
        if (messages.length === MAX_MESSAGES) return messages;
        const what = kind === 'errors' ? 'an error' : 'a warning';
        messages.push(`The exchange tells of ${what}, ${quoteForeign(bidder, 40)}: ${quoteForeign(text)}`);
      }
    }
  }
  return messages;
}
