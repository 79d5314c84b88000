import { type ConsentSignals, readSignals } from '../consentRules.js';
import { AdsError } from '../errors.js';
import type { Ad } from './AdService.js';
import type { ConnectOptions } from './ConnectResult.js';

/** Checks of arguments of public functions. None of them repeats a value that may be private. */

/** @throws AdsError `arg/email` */
export function readEmail(value: unknown): string {
  if (typeof value !== 'string') throw new AdsError('arg/email', `Expected an e-mail address, got ${typeOf(value)}`);
  const address = plainEmail(value);
  // Controls are looked for before trimming: a line break is never typed by accident.
  if (/\p{Cc}/u.test(value) || address.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(address)) {
    throw new AdsError('arg/email', 'Expected one e-mail address of at most 254 characters');
  }
  return address;
}

/**
 * As a person would read it: without the invisible characters that come along with copied text, such as U+200B, and
 * with full-width and composed letters in their plain form (NFKC).
 */
function plainEmail(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
      // Once more: a letter and its accent may have had an invisible character between them.
      .normalize('NFKC')
      .trim()
  );
}

/** @throws AdsError `arg/password` */
export function readPassword(value: unknown): string {
  if (typeof value === 'string' && value.length >= 1 && value.length <= 1024) return value;
  throw new AdsError(
    'arg/password',
    `Expected a password of 1–1024 characters, got ${typeof value === 'string' ? 'one of another length' : typeOf(value)}`,
  );
}

/** @throws AdsError `arg/surface-id` */
export function readSurfaceId(value: unknown): string {
  const isId =
    typeof value === 'string' && /\S/.test(value) && value.length <= 256 && !/[\p{Cc}\p{Surrogate}]/u.test(value);
  // As a part of a path, even percent-encoded, dots alone would climb.
  if (!isId || value === '.' || value === '..') {
    throw new AdsError('arg/surface-id', `Expected an adSurfaceId of 1–256 characters, got ${typeOf(value)}`);
  }
  return value;
}

/** What asynchronous calls take. */
interface AttemptOptions extends Required<Omit<ConnectOptions, 'signal'>> {
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads each option once: they may be getters, which may throw.
 * @throws AdsError `arg/signal`, `arg/option`
 */
export function readCallOptions(options: unknown): AttemptOptions {
  let read;
  try {
    const given = (options === undefined ? {} : options) as Partial<Record<keyof AttemptOptions, unknown>>;
    const { signal, replace, popup, note, accepts, call, consent } = given;
    read = {
      signal,
      replace: replace === true,
      popup: popup === true,
      note: typeof note === 'function' ? (note as typeof ignore) : ignore,
      consent: readSignals(consent) ?? NOTHING_KNOWN,
      call: typeof call === 'function' ? (call as typeof ignore) : ignore,
      accepts: typeof accepts === 'function' ? (accepts as typeof always) : always,
    };
  } catch {
    throw new AdsError('arg/option', 'The options of the call could not be read');
  }
  const { signal } = read;
  if (signal === undefined || isAbortSignal(signal)) return { ...read, signal };
  throw new AdsError('arg/signal', `Expected \`signal\` to be an AbortSignal, got ${typeOf(signal)}`);
}

const NOTHING_KNOWN: ConsentSignals = Object.freeze({});

function ignore(_message: string): void {}

function always(_ad: Ad): boolean {
  return true;
}

/** By shape, so that a signal of another frame or realm will do. */
function isAbortSignal(value: unknown): value is AbortSignal {
  try {
    const signal = value as Partial<AbortSignal> | null;
    return typeof signal?.aborted === 'boolean' && typeof signal.addEventListener === 'function';
  } catch {
    return false;
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return value === undefined ? 'undefined' : `a value of type ${typeof value}`;
}
