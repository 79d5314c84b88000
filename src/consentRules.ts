import { AdsError } from './errors.js';

/**
 * What the law and the player say about ads, in the words of the industry. What is left out is not known. Strings are
 * handed on as they are, never taken apart.
 */
export interface ConsentSignals {
  /** Whether the GDPR applies (IAB TCF). */
  readonly gdprApplies?: boolean;
  /** The TC string of TCF v2, at most 16384 characters. */
  readonly tcString?: string;
  /** The vendors of Google's list that the player has said yes to, beside the TC string ("Additional Consent", `addtlConsent`). */
  readonly addtlConsent?: string;
  /** The string of the Global Privacy Platform, at most 16384 characters. */
  readonly gppString?: string;
  /** The sections of the GPP string that apply, such as 7 for US national. */
  readonly gppSections?: readonly number[];
  /** The four letters of US Privacy (CCPA), such as `1YNN`, where somebody still asks for them. */
  readonly usPrivacy?: string;
  /** Global Privacy Control: the browser asks not to sell or share data. */
  readonly globalPrivacyControl?: boolean;
  /**
   * The player is a child (COPPA), or the game is made for children: no identifier of a user or device is sent, ads are
   * contextual only. The option `underAge` sets it for the whole game.
   */
  readonly underAge?: boolean;
}

/** Where signals come from; `ConsentSource` is the one for pages with a consent manager. */
export interface ConsentProvider {
  /** What is known now. */
  readonly signals: ConsentSignals;
  /**
   * Whether the signals are the player's decision, or it is known that none is needed. With `waitForConsent`, nothing is asked
   * of third parties before.
   */
  readonly isDecided: boolean;
  /** Calls back after every change; the returned function ends that. */
  watch(onChange: () => void): () => void;
}

/** The checked options about consent. */
export interface ConsentRules {
  /** Null: nobody has said where signals come from. */
  readonly consent: ConsentProvider | ConsentSignals | null;
  readonly waitForConsent: boolean;
  readonly underAge: boolean;
}

/** The most characters of a string of TCF or GPP. */
const MAX_CONSENT_LENGTH = 16_384;
const MAX_SECTIONS = 100;

/** What each signal is read as; undefined: it is left out. */
const READERS: { readonly [Name in keyof ConsentSignals]-?: (value: unknown) => ConsentSignals[Name] } = {
  gdprApplies: flagOf,
  tcString: consentStringOf,
  addtlConsent: consentStringOf,
  gppString: consentStringOf,
  gppSections: (value) => readSections(value) ?? undefined,
  usPrivacy: (value) => (typeof value === 'string' && /^1[YN-]{3}$/i.test(value) ? value : undefined),
  globalPrivacyControl: flagOf,
  // Whatever stands for a yes: a child is not to be taken for a grown-up over a wrong type.
  underAge: (value) => (value ? true : undefined),
};

/**
 * A frozen copy of signals that may come from anywhere: fields that are not of the types above are left out.
 * @param warn called with the names of what was left out although it says something: it may be a no
 * @returns null for what is no object
 */
export function readSignals(value: unknown, warn?: (message: string) => void): ConsentSignals | null {
  // An object with `watch` is a provider: taken for signals, it would be the word of a player who has said nothing yet.
  if (typeof value !== 'object' || value === null || 'watch' in value) return null;
  const given = value as Readonly<Record<string, unknown>>;
  const signals: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(READERS)) {
    const signal = read(given[name]);
    if (signal !== undefined) signals[name] = signal;
  }
  if (warn !== undefined) {
    const names = Object.keys(given).filter((name) => !(name in signals) && saysSomething(name, given[name]));
    if (names.length > 0)
      warn(`phaser-inview: consent signals that are not understood: ${names.join(', ').slice(0, 200)}`);
  }
  return Object.freeze(signals);
}

/** What is empty says nothing, and a list of sections may name none. Under an unknown name everything counts. */
function saysSomething(name: string, value: unknown): boolean {
  return name in READERS ? Boolean(value) && !Array.isArray(value) : value !== undefined;
}

/** Some consent managers write 0 and 1. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 0 || value === 1 ? value === 1 : undefined;
}

function consentStringOf(value: unknown): string | undefined {
  return isConsentString(value) ? value : undefined;
}

/** Base64url, with the dots and tildes between its parts. */
export function isConsentString(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_CONSENT_LENGTH && /^[\w.~+/=-]+$/.test(value);
}

/** Numbers of sections; -1 stands for "none applies". Null for anything but a list of them. */
export function readSections(value: unknown): readonly number[] | null {
  if (!Array.isArray(value) || value.length > MAX_SECTIONS) return null;
  // `Number` would run what an object has as `valueOf`, or throw where that is no function.
  const plain = (value as unknown[]).filter((section) => typeof section === 'number' || typeof section === 'string');
  const numbers = plain.map(Number).filter((section) => Number.isInteger(section) && section > 0);
  return numbers.length === 0 ? null : Object.freeze(numbers);
}

/** @throws AdsError `config/option` */
export function readConsent(value: unknown): ConsentRules['consent'] {
  if (value === undefined || value === null) return null;
  try {
    const { watch, isDecided } = value as Partial<ConsentProvider>;
    const isProvider = typeof watch === 'function' && typeof isDecided === 'boolean';
    if (isProvider || readSignals(value) !== null) return value;
  } catch {
    // The error is thrown below.
  }
  throw new AdsError('config/option', 'Expected `consent` to be a ConsentSource or an object of consent signals');
}
