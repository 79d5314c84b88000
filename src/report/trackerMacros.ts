import type { ConsentSignals } from '../consentRules.js';

/** Macros as they are written: also with `$`, `{` and `}` percent-encoded. */
const MACRO = /(?:\$|%24)(?:\{|%7B)([A-Z][A-Z0-9_]*)(?:\}|%7D)/gi;
/** The macros of VAST, which are written in capitals. */
const VAST_MACRO = /(?:\[|%5[Bb])([A-Z0-9]+)(?:\]|%5[Dd])/g;
/** Four times what an address may have before: room for the longest consent string more than once. */
const MAX_FILLED_LENGTH = 65_536;

/** Fills what is known once the event has happened: `${AUCTION_IMP_TS}`, in milliseconds since 1970, and VAST's time. */
export function fillFiringTime(address: string, wallTimeMs: number): string {
  const time = Math.round(wallTimeMs);
  return fillVast(
    fill(address, (name) => (name === 'AUCTION_IMP_TS' ? String(time) : undefined)),
    {
      TIMESTAMP: new Date(time).toISOString(),
      CACHEBUSTING: String(10_000_000 + (time % 90_000_000)),
    },
  );
}

/** Fills the VAST code that says why an ad could not be shown. */
export function fillErrorCode(address: string, code: number): string {
  return fillVast(address, { ERRORCODE: String(code) });
}

/** Fills the VAST code that says why a measuring script was not run: this package runs none. */
export function fillVerificationReason(address: string): string {
  return fillVast(address, { REASON: '2' });
}

/**
 * Fills the macros about the player's choices with what holds right now. What is not known becomes empty.
 * @see https://github.com/InteractiveAdvertisingBureau/GDPR-Transparency-and-Consent-Framework, "macros"
 */
export function fillConsent(address: string, signals: ConsentSignals): string {
  const { gdprApplies, tcString = '', addtlConsent = '', gppString = '', gppSections = [], usPrivacy = '' } = signals;
  const gdpr = gdprApplies === undefined ? '' : String(Number(gdprApplies));
  const filled = fill(address, (name) => {
    if (name === 'GDPR') return gdpr;
    if (/^GDPR_CONSENT(_\d+)?$/.test(name)) return tcString;
    if (name === 'ADDTL_CONSENT') return addtlConsent;
    if (/^GPP_STRING(_\d+)?$/.test(name)) return gppString;
    if (name === 'GPP_SID') return gppSections.join(',');
    return name === 'US_PRIVACY' ? usPrivacy : undefined;
  });
  const regulations = [...(gdprApplies === true ? ['gdpr'] : []), ...(signals.underAge === true ? ['coppa'] : [])];
  return fillVast(filled, { GDPRCONSENT: tcString, REGULATIONS: regulations.join(',') });
}

/** @param valueOf undefined for a macro that is left as it is */
function fill(address: string, valueOf: (name: string) => string | undefined): string {
  return replaceWithin(MAX_FILLED_LENGTH, address, MACRO, (macro, name) => {
    const value = valueOf(name!.toUpperCase());
    return value === undefined ? macro : encodeURIComponent(value);
  });
}

function fillVast(address: string, values: Readonly<Record<string, string>>): string {
  return replaceWithin(MAX_FILLED_LENGTH, address, VAST_MACRO, (macro, name) =>
    Object.hasOwn(values, name!) ? encodeURIComponent(values[name!]!) : macro,
  );
}

/**
 * Replaces the macros of an address until it has more than `maxLength` characters, with which no server takes it; the others then
 * stay. An address of a few kilobytes may name a long value a thousand times.
 */
export function replaceWithin(
  maxLength: number,
  address: string,
  macros: RegExp,
  valueOf: (macro: string, ...groups: (string | undefined)[]) => string,
): string {
  let growth = 0;
  return address.replace(macros, (macro: string, ...rest: unknown[]) => {
    const offset = rest.at(-2) as number;
    if (offset + growth > maxLength) return macro;
    const value = valueOf(macro, ...(rest.slice(0, -2) as (string | undefined)[]));
    growth += value.length - macro.length;
    return value;
  });
}
