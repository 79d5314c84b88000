import { type ConsentRules, readConsent } from './consentRules.js';
import { AdsError, isAdsError } from './errors.js';
import { hasUserInfo, isSecure, parseUrl } from './hosts.js';
import { type MixRules, readFrequency, readSeparation } from './mixRules.js';
import { type AdsSettings, DEFAULT_BASE_URL, type TokenProvider } from './options.js';
import { type Fallback, type FallbackChooser, readFallback, readLabel, readRefresh } from './placementRules.js';
import type { AdService } from './service/AdService.js';
import { TEST_ANSWERS, type TestAnswer } from './testAnswers.js';
import { warnOfUnknownOptions } from './warnOfUnknownOptions.js';

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
export function resolveOptions(raw: unknown, warn = (message: string): void => console.warn(message)): ResolvedOptions {
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
  const given: Given = {};
  // Each once: a getter or proxy that throws, or answers differently each time, does no harm later.
  for (const name of known) given[name] = (raw as Given)[name];
  warnOfUnknownOptions('the plugin', raw, known, warn);
  const asked = read(given, 'testMode', isTestMode, `true or one of ${TEST_ANSWERS.join(', ')}`, false);
  const testMode = asked === true ? 'ad' : asked || null;
  const source = read(given, 'source', isSource, 'an object with the methods getAdSurfaces and getAd', null);
  const needsNone = (source !== null || testMode !== null) && given.apiKey === undefined;
  const secrets = needsNone ? null : readCredentials(given);
  const resolved: ResolvedOptions = Object.freeze({
    credentialKind: secrets?.kind ?? 'none',
    baseUrl: readBaseUrl(given.baseUrl),
    timeoutMs: read(given, 'timeoutMs', numberIn(1, 120_000), 'a number from 1 to 120000', 10_000),
    blockingOpacity: read(
      given,
      'blockingOpacity',
      numberIn(Number.MIN_VALUE, 1),
      'a number above 0 and at most 1',
      0.5,
    ),
    creativeHosts: readHosts(given, 'creativeHosts'),
    clickHosts: readHosts(given, 'clickHosts'),
    placeholder: read(given, 'placeholder', isText, 'the key of a texture', null),
    fallback: given.fallback === undefined ? 'placeholder' : readFallback(given.fallback, wrongOption),
    label: given.label === undefined ? null : readLabel(given.label, wrongOption),
    refreshMs: given.refresh === undefined ? null : readRefresh(given.refresh, wrongOption),
    persistSession: read(given, 'persistSession', oneOf('none', 'tab'), "'none' or 'tab'", 'none'),
    sessionBinding: read(given, 'sessionBinding', oneOf('none', 'dpop'), "'none' or 'dpop'", 'none'),
    standards: given.standards,
    evidenceRatio: read(given, 'evidenceRatio', numberIn(0, 1), 'a number from 0 to 1', 0.01),
    beforeReport: read(given, 'beforeReport', isFunction, 'a function', null),
    consent: readConsent(given.consent),
    waitForConsent: readBoolean(given, 'waitForConsent'),
    underAge: readBoolean(given, 'underAge'),
    frequency: readFrequency(given.frequency),
    separateAdvertisers: readSeparation(given.separateAdvertisers),
    // Test ads never reach the counters of a real service.
    reporting: readBoolean(given, 'reporting', true) && secrets !== null && testMode === null,
    debug: readBoolean(given, 'debug'),
    meter: read(given, 'meter', isMeter, 'GameMeter, as the package exports it', null),
    source,
    testMode,
  });
  credentials.set(resolved, secrets);
  return resolved;
}

/** The secrets of resolved options, for the one place that makes the authorizer. Not part of the public surface. */
export function credentialsOf(options: ResolvedOptions): RawCredentials {
  const secrets = credentials.get(options) ?? null;
  if (secrets === null) throw new AdsError('config/missing', 'These options have no credentials');
  return secrets;
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
  const url = parseUrl(value);
  if (url === null) {
    throw new AdsError('config/base-url', `Expected \`baseUrl\` to be an absolute URL, got ${kindOf(value)}`);
  }
  if (!isSecure(url)) throw new AdsError('config/base-url', '`baseUrl` must be https: (http: only for localhost)');
  if (hasUserInfo(url) || url.search !== '' || url.hash !== '') {
    throw new AdsError('config/base-url', '`baseUrl` must not have user information, a query or a fragment');
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** The value of an option, or what holds when it is left out. */
function read<T, A>(
  given: Given,
  name: OptionName,
  isRight: (value: unknown) => value is T,
  expected: string,
  absent: A,
): T | A {
  const value = given[name];
  if (value === undefined) return absent;
  if (isRight(value)) return value;
  const code = name === 'timeoutMs' ? 'config/timeout' : 'config/option';
  throw new AdsError(code, `Expected \`${name}\` to be ${expected}, got ${kindOf(value)}`);
}

function readBoolean(given: Given, name: OptionName, absent = false): boolean {
  return read(given, name, isBoolean, 'true or false', absent);
}

function readHosts(given: Given, name: 'creativeHosts' | 'clickHosts'): readonly string[] | null {
  const hosts = read(given, name, areHosts, 'host names such as cdn.example.com, in an array', null);
  return hosts === null ? null : Object.freeze(hosts.map((host) => host.toLowerCase()));
}

function areHosts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((host) => typeof host === 'string' && /^[a-z0-9.-]+(:\d+)?$/i.test(host));
}

function numberIn(min: number, max: number): (value: unknown) => value is number {
  return (value): value is number => typeof value === 'number' && value >= min && value <= max;
}

function oneOf<const T extends string>(...words: T[]): (value: unknown) => value is T {
  return (value): value is T => words.includes(value as T);
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isFunction = (value: unknown): value is (...given: unknown[]) => unknown => typeof value === 'function';
const isTestMode = (value: unknown): value is boolean | TestAnswer => isBoolean(value) || oneOf(...TEST_ANSWERS)(value);

const isSource = (value: unknown): value is AdService => hasMethods(value, 'getAd', 'getAdSurfaces');
const isMeter = (value: unknown): value is NonNullable<AdsSettings['meter']> => hasMethods(value, 'of');

function hasMethods(value: unknown, ...names: string[]): boolean {
  return names.every((name) => isFunction((value as Record<string, unknown> | null)?.[name]));
}

function wrongOption(name: string, expected: string): AdsError {
  return new AdsError('config/option', `Expected \`${name}\` to be ${expected}`);
}

/** Names the type, and the value only where it cannot be a secret. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === '') return 'an empty string';
  if (typeof value === 'string') return 'another string';
  return Array.isArray(value) ? 'an array' : value === undefined ? 'undefined' : `a value of type ${typeof value}`;
}
