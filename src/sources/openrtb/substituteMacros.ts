import { replaceWithin } from '../../report/trackerMacros.js';
import { MAX_TRACKER_LENGTH } from '../../service/AdWarnings.js';

/** The values of an auction's macros (OpenRTB 2.6 §4.4). A value that is left out is not known here: its macro vanishes. */
export interface AuctionValues {
  readonly AUCTION_ID: string;
  readonly AUCTION_IMP_ID: string;
  readonly AUCTION_BID_ID?: string | undefined;
  readonly AUCTION_SEAT_ID?: string | undefined;
  readonly AUCTION_AD_ID?: string | undefined;
  readonly AUCTION_PRICE?: string | undefined;
  readonly AUCTION_CURRENCY?: string | undefined;
}

/** The most characters of a value. Longer ones are no prices or ids, and an address may name each of them a thousand times. */
export const MAX_VALUE_LENGTH = 256;

/** Only known when the tracker is fetched. */
const LATE = 'AUCTION_IMP_TS';

/** As they are written: also with what is around the name percent-encoded. */
const MACRO = /(?:\$|%24)(?:\{|%7B)(AUCTION_[A-Z_]+)(?:(?::|%3A)([A-Z0-9]+))?(?:\}|%7D)/gi;

/**
 * Fills the macros of an address: `${AUCTION_PRICE}`, and Base64 as `${AUCTION_PRICE:B64}`. Values are percent-encoded,
 * so that an id cannot change the address around it. Macros without a known value vanish, as §4.4 wants it, and those whose value
 * is longer than {@link MAX_VALUE_LENGTH}. An address that is too long to be called, or gets so, is not filled further.
 */
export function substituteMacros(address: string, values: AuctionValues): string {
  const known = values as unknown as Readonly<Record<string, string | undefined>>;
  return replaceWithin(MAX_TRACKER_LENGTH, address, MACRO, (macro, written, coding) => {
    const name = written!.toUpperCase();
    if (name === LATE) return macro;
    const value = known[name] ?? '';
    if (value.length > MAX_VALUE_LENGTH) return '';
    if (coding === undefined) return encoded(value);
    // Other codings need a key agreed with the exchange.
    return coding.toUpperCase() === 'B64' ? encoded(base64Of(value)) : '';
  });
}

function encoded(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // Half a surrogate pair.
    return '';
  }
}

function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
