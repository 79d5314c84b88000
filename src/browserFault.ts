import { AdsError } from './errors.js';

/**
 * What was added to the language from ES2019 to ES2022 (the compiler lets this package use nothing newer), and the newest of
 * the web features it needs. Browsers have all of it since Chrome and Edge 100, Firefox 97, Safari 15.4.
 */
const REQUIRED: readonly string[] = [
  'Array.prototype.flat',
  'Array.prototype.flatMap',
  'Object.fromEntries',
  'String.prototype.trimStart',
  'String.prototype.trimEnd',
  'String.prototype.matchAll',
  'Promise.allSettled',
  'Promise.any',
  'AggregateError',
  'String.prototype.replaceAll',
  'WeakRef',
  'FinalizationRegistry',
  'Array.prototype.at',
  'String.prototype.at',
  'Int8Array.prototype.at',
  'Object.hasOwn',
  'AbortSignal.prototype.reason',
  'AbortSignal.prototype.throwIfAborted',
];

/** Found out when first asked, not while the package loads. */
let missing: string | null | undefined;

/**
 * Why this browser is too old for the package: `config/browser`, which names what is missing; null when it is not. A
 * player can do nothing about it, so that a game goes on, without ads.
 */
export function browserFault(): AdsError | null {
  if (missing === undefined) missing = REQUIRED.find((name) => !isThere(name)) ?? null;
  return missing === null ? null : new AdsError('config/browser', `This browser has no ${missing}`);
}

/** Reads no value: a getter of a prototype cannot be read. */
function isThere(name: string): boolean {
  const path = name.split('.');
  const last = path.pop()!;
  let place: unknown = globalThis;
  for (const part of path) place = (place as Record<string, unknown> | undefined)?.[part];
  return place !== undefined && last in (place as object);
}
