import { type ConsentRules, readConsent } from './consentRules.js';
import { AdsError, isAdsError } from './errors.js';
import type { AdsErrorCode } from './errors.js';
import { isLoopbackHost } from './hosts.js';
import { type MixRules, readFrequency, readSeparation } from './mixRules.js';
import { type AdsSettings, DEFAULT_BASE_URL, type TokenProvider } from './options.js';
import { type Fallback, type FallbackChooser, readFallback, readLabel, readRefresh } from './placementRules.js';
import type { AdService } from './service/AdService.js';
import { TEST_ANSWERS, type TestAnswer } from './testAnswers.js';

/** {@link AdsOptions}, checked, filled with the defaults and frozen. Holds no secret. */
export interface ResolvedOptions extends ConsentRules, MixRules {
  /** `none`: no account service, ads come from `source`. */
  readonly credentialKind: 'token' | 'signed' | 'plain' | 'none';
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly blockingOpacity: number;
  /** Lower case; null for every https host. */
  readonly creativeHosts: readonly string[] | null;
  /** Lower case; null for every https host. */
  readonly clickHosts: readonly string[] | null;
  readonly placeholder: string | null;
  readonly fallback: Fallback | FallbackChooser;
  /** Null: an ad stays for good. */
  readonly refreshMs: number | null;
  readonly label: string | true | null;
  readonly persistSession: 'none' | 'tab';
  readonly sessionBinding: 'none' | 'dpop';
  readonly reporting: boolean;
  /** As given: read by `resolveStandards`, where standards are known. */
  readonly standards: unknown;
  readonly evidenceRatio: number;
  readonly beforeReport: AdsSettings['beforeReport'] | null;
  readonly debug: boolean;
  /** Null: it is loaded when the game begins. */
  readonly meter: NonNullable<AdsSettings['meter']> | null;
  /** Null for the service of contract v1. */
  readonly source: AdService | null;
  /** Null when it is off. */
  readonly testMode: TestAnswer | null;
}

/** The credentials behind {@link ResolvedOptions}. */
export type RawCredentials =
  | { readonly kind: 'token'; readonly apiKey: string; readonly getToken: TokenProvider }
  | { readonly kind: 'signed' | 'plain'; readonly apiKey: string; readonly privateKey: string };

// Kept beside the options and not on them, so that printing, serialising or walking them finds no secret.
const credentials = new WeakMap<ResolvedOptions, RawCredentials | null>();

// prettier-ignore
const known = [
  'apiKey', 'privateKey', 'getToken', 'allowPlainPrivateKey', 'baseUrl', 'timeoutMs', 'blockingOpacity',
  'creativeHosts', 'clickHosts', 'placeholder', 'fallback', 'refresh', 'label', 'persistSession', 'sessionBinding',
  'reporting', 'standards', 'evidenceRatio', 'beforeReport', 'consent', 'waitForConsent', 'underAge', 'frequency',
  'separateAdvertisers', 'debug', 'meter', 'source', 'testMode',
] as const;
type OptionName = (typeof known)[number];
type Given = Partial<Record<OptionName, unknown>>;

/**
 * Checks the options once and fills in every default. Options that came out of here pass through unchanged.
 * @param warn called for option names that do not exist
 * @throws AdsError `config/…` naming the option; never with a value of it
 */
export function resolveOptions(raw: unknown, warn: (message: string) => void = consoleWarn): ResolvedOptions {
  if (typeof raw !== 'object' || raw === null) {
    throw new AdsError('config/missing', `Expected the options to be an object, got ${kindOf(raw)}`);
  }
  if (credentials.has(raw as ResolvedOptions)) return raw as ResolvedOptions;
  try {
    return resolve(raw, warn);
  } catch (error) {
    // The error of a getter is left out: its text is the game's.
    throw isAdsError(error) ? error : new AdsError('config/option', 'An option could not be read: its getter throws');
  }
}

function resolve(raw: object, warn: (message: string) => void): ResolvedOptions {
  const given = readOptions(raw, warn);
  const testMode = readTestMode(given.testMode);
  const source = readSource(given.source);
  const needsNone = (source !== null || testMode !== null) && given.apiKey === undefined;
  const secrets = needsNone ? null : readCredentials(given);
  const resolved: ResolvedOptions = Object.freeze({
    credentialKind: secrets?.kind ?? 'none',
    baseUrl: readBaseUrl(given.baseUrl),
    timeoutMs: readNumber(given, 'timeoutMs', 10_000, 1, 120_000, 'config/timeout'),
    blockingOpacity: readNumber(given, 'blockingOpacity', 0.5, Number.MIN_VALUE, 1, 'config/option'),
    creativeHosts: readHosts(given, 'creativeHosts'),
    clickHosts: readHosts(given, 'clickHosts'),
    placeholder: readPlaceholder(given.placeholder),
    fallback: given.fallback === undefined ? 'placeholder' : readFallback(given.fallback, wrongOption),
    label: given.label === undefined ? null : readLabel(given.label, wrongOption),
    refreshMs: given.refresh === undefined ? null : readRefresh(given.refresh, wrongOption),
    persistSession: readOneOf(given, 'persistSession', ['none', 'tab']),
    sessionBinding: readOneOf(given, 'sessionBinding', ['none', 'dpop']),
    standards: given.standards,
    evidenceRatio: readRatio(given.evidenceRatio),
    beforeReport: readBeforeReport(given.beforeReport),
    consent: readConsent(given.consent),
    waitForConsent: readBoolean(given, 'waitForConsent'),
    underAge: readBoolean(given, 'underAge'),
    frequency: readFrequency(given.frequency),
    separateAdvertisers: readSeparation(given.separateAdvertisers),
    // Test ads never reach the counters of a real service.
    reporting: readBoolean(given, 'reporting', true) && secrets !== null && testMode === null,
    debug: readBoolean(given, 'debug'),
    meter: readMeter(given.meter),
    source,
    testMode,
  });
  credentials.set(resolved, secrets);
  return resolved;
}

/** The secrets of resolved options, for the one place that makes the authorizer. Not part of the public surface. */
export function credentialsOf(options: ResolvedOptions): RawCredentials {
  const secrets = credentials.get(options);
  if (secrets === undefined) throw new AdsError('config/missing', 'These options were not resolved by resolveOptions');
  if (secrets === null) throw new AdsError('config/missing', 'These options have no credentials');
  return secrets;
}

/** Reads every option once: a getter or proxy that throws, or answers differently each time, does no harm later. */
function readOptions(raw: object, warn: (message: string) => void): Given {
  const given: Given = {};
  for (const name of known) given[name] = (raw as Given)[name];
  for (const name of Object.keys(raw)) {
    if (!(known as readonly string[]).includes(name)) warn(unknownOptionMessage(name));
  }
  return given;
}

function readCredentials(given: Given): RawCredentials {
  const { apiKey, privateKey, getToken } = given;
  if (!isHeaderText(apiKey, 256)) {
    throw new AdsError(
      'config/api-key',
      `Expected \`apiKey\` to be 1–256 visible ASCII characters, got ${kindOf(apiKey)}`,
    );
  }
  const allowPlain = readBoolean(given, 'allowPlainPrivateKey');
  if (getToken !== undefined) {
    if (privateKey !== undefined) {
      throw new AdsError('config/ambiguous-credentials', 'Both `privateKey` and `getToken` are given');
    }
    if (typeof getToken !== 'function') {
      throw new AdsError('config/token-provider', `Expected \`getToken\` to be a function, got ${kindOf(getToken)}`);
    }
    return { kind: 'token', apiKey, getToken: getToken as TokenProvider };
  }
  if (!isHeaderText(privateKey, 4096)) {
    throw new AdsError(
      'config/private-key',
      `Expected \`privateKey\` to be 1–4096 visible ASCII characters, got ${kindOf(privateKey)}`,
    );
  }
  if (privateKey === apiKey) throw new AdsError('config/private-key', '`privateKey` is the API key');
  return { kind: allowPlain ? 'plain' : 'signed', apiKey, privateKey };
}

/** Both keys travel in headers or quoted strings, where only visible ASCII is safe. */
function isHeaderText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength && /^[\x21-\x7e]+$/.test(value);
}

function readBaseUrl(value: unknown): string {
  if (value === undefined) return DEFAULT_BASE_URL;
  const url = typeof value === 'string' ? parseUrl(value) : null;
  if (url === null) {
    throw new AdsError('config/base-url', `Expected \`baseUrl\` to be an absolute URL, got ${kindOf(value)}`);
  }
  const secure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (!secure) throw new AdsError('config/base-url', '`baseUrl` must be https: (http: only for localhost)');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new AdsError('config/base-url', '`baseUrl` must not have user information, a query or a fragment');
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function readNumber(
  given: Given,
  name: OptionName,
  fallback: number,
  min: number,
  max: number,
  code: AdsErrorCode,
): number {
  const value = given[name];
  if (value === undefined) return fallback;
  if (typeof value === 'number' && value >= min && value <= max) return value;
  const range = min < 1 ? `above 0 and at most ${max}` : `from ${min} to ${max}`;
  throw new AdsError(code, `Expected \`${name}\` to be a number ${range}, got ${kindOf(value)}`);
}

function readBoolean(given: Given, name: OptionName, fallback = false): boolean {
  const value = given[name];
  if (value === undefined) return fallback;
  if (typeof value === 'boolean') return value;
  throw new AdsError('config/option', `Expected \`${name}\` to be true or false, got ${kindOf(value)}`);
}

function readRatio(value: unknown): number {
  if (value === undefined) return 0.01;
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw new AdsError('config/option', `Expected \`evidenceRatio\` to be a number from 0 to 1, got ${kindOf(value)}`);
}

function readHosts(given: Given, name: 'creativeHosts' | 'clickHosts'): readonly string[] | null {
  const value = given[name];
  if (value === undefined) return null;
  const isHost = (host: unknown): host is string => typeof host === 'string' && /^[a-z0-9.-]+(:\d+)?$/i.test(host);
  if (!Array.isArray(value) || !value.every(isHost)) {
    throw new AdsError('config/option', `Expected \`${name}\` to be an array of host names such as cdn.example.com`);
  }
  return Object.freeze(value.map((host) => host.toLowerCase()));
}

function readPlaceholder(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && value !== '') return value;
  throw new AdsError('config/option', `Expected \`placeholder\` to be the key of a texture, got ${kindOf(value)}`);
}

function readBeforeReport(value: unknown): ResolvedOptions['beforeReport'] {
  if (value === undefined) return null;
  if (typeof value === 'function') return value as NonNullable<AdsSettings['beforeReport']>;
  throw new AdsError('config/option', `Expected \`beforeReport\` to be a function, got ${kindOf(value)}`);
}

/** One of a few words; the first is the default. */
function readOneOf<const T extends string>(given: Given, name: OptionName, words: readonly [T, ...T[]]): T {
  const value = given[name];
  if (value === undefined) return words[0];
  if (words.includes(value as T)) return value as T;
  const expected = words.map((word) => `'${word}'`).join(' or ');
  throw new AdsError('config/option', `Expected \`${name}\` to be ${expected}, got ${kindOf(value)}`);
}

function wrongOption(name: string, expected: string): AdsError {
  return new AdsError('config/option', `Expected \`${name}\` to be ${expected}`);
}

function readSource(value: unknown): AdService | null {
  if (value === undefined) return null;
  const { getAd, getAdSurfaces } = (typeof value === 'object' && value !== null ? value : {}) as Partial<AdService>;
  if (typeof getAd === 'function' && typeof getAdSurfaces === 'function') return value as AdService;
  throw new AdsError('config/option', 'Expected `source` to be an object with the methods getAdSurfaces and getAd');
}

function readMeter(value: unknown): ResolvedOptions['meter'] {
  if (value === undefined) return null;
  const { of } = (typeof value === 'object' && value !== null ? value : {}) as Partial<
    NonNullable<AdsSettings['meter']>
  >;
  if (typeof of === 'function') return value as NonNullable<AdsSettings['meter']>;
  throw new AdsError('config/option', 'Expected `meter` to be GameMeter, as the package exports it');
}

function readTestMode(value: unknown): TestAnswer | null {
  if (value === undefined || value === false) return null;
  if (value === true) return 'ad';
  if ((TEST_ANSWERS as readonly unknown[]).includes(value)) return value as TestAnswer;
  throw new AdsError('config/option', `Expected \`testMode\` to be true or one of ${TEST_ANSWERS.join(', ')}`);
}

/** Names the type, and the value only where it cannot be a secret. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === '') return 'an empty string';
  if (typeof value === 'string') return 'another string';
  return Array.isArray(value) ? 'an array' : value === undefined ? 'undefined' : `a value of type ${typeof value}`;
}

function unknownOptionMessage(name: string): string {
  const printable = name.replace(/[^\w.-]/g, '?').slice(0, 40);
  const nearest = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .reduce((best, next) => (next.distance < best.distance ? next : best));
  const hint = nearest.distance <= Math.max(2, name.length / 2) ? ` Did you mean \`${nearest.candidate}\`?` : '';
  return `phaser-inview: there is no option \`${printable}\`.${hint}`;
}

/** Optimal string alignment distance: insertions, deletions, replacements, and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = [...Array(b.length + 1).keys()];
  for (let i = 1; i <= Math.min(a.length, 64); i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) best = Math.min(best, beforeLast[j - 2]! + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

function consoleWarn(message: string): void {
  console.warn(message);
}
