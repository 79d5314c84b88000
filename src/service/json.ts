import { AdsError } from '../errors.js';

/** How deeply arrays and objects of an answer may be nested. */
export const MAX_JSON_DEPTH = 32;

/**
 * Parses the bytes of an untrusted answer. Accepts a byte order mark; refuses what is not strict UTF-8 JSON, is nested
 * more than {@link MAX_JSON_DEPTH} deep, holds a lone surrogate, or a key that could reach an object's prototype.
 * @throws AdsError `response/not-json`, `response/too-deep`, `response/forbidden-key`
 */
export function parseJson(bytes: ArrayBuffer | Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AdsError('response/not-json', 'The answer is not UTF-8 text');
  }
  return parseJsonText(text);
}

/**
 * {@link parseJson} for an answer that is text already, such as JSON inside of JSON.
 * @param mends what is repaired instead of refusing the answer for it: halves of surrogate pairs in texts are replaced, and
 *   with `all` forbidden keys are dropped too
 * @throws AdsError `response/not-json`, `response/too-deep`, `response/forbidden-key`
 */
export function parseJsonText(text: string, mends: 'nothing' | 'texts' | 'all' = 'nothing'): unknown {
  // Measured on the text, before parsing: a parser that recurses would overflow the stack on the value.
  if (nestingOf(text) > MAX_JSON_DEPTH) {
    throw new AdsError('response/too-deep', `The answer is nested more than ${MAX_JSON_DEPTH} levels deep`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text, mends === 'nothing' ? undefined : mends === 'texts' ? mendText : mendAll);
  } catch {
    // The parser's own message quotes the text, which may hold tokens.
    throw new AdsError('response/not-json', `The answer of ${text.length} characters is not JSON`);
  }
  inspect(value, '$');
  return value;
}

/** Cutting a text to a length, as exchanges do, cuts emoji in halves. */
function mendText(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value;
}

function mendAll(key: string, value: unknown): unknown {
  return isForbidden(key, value) ? undefined : mendText(key, value);
}

function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === 0x5c) i++;
      else if (c === 0x22) inString = false;
    } else if (c === 0x22) inString = true;
    else if (c === 0x5b || c === 0x7b) {
      if (++depth > deepest) deepest = depth;
    } else if (c === 0x5d || c === 0x7d) depth--;
  }
  return deepest;
}

function inspect(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (/\p{Surrogate}/u.test(value)) {
      throw new AdsError('response/not-json', 'The answer holds half a surrogate pair', { path });
    }
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) inspect(value[i], `${path}[${i}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      const child = (value as Record<string, unknown>)[key];
      if (isForbidden(key, child)) {
        throw new AdsError('response/forbidden-key', `The answer holds the key ${key}`, { path });
      }
      inspect(child, `${path}.${key}`);
    }
  }
}

function isForbidden(key: string, value: unknown): boolean {
  return key === '__proto__' || (key === 'constructor' && holdsPrototype(value));
}

function holdsPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
