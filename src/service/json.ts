import { AdsError, isAdsError } from '../errors.js';

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
 * @param mends with `all` an answer is not refused for a part of it: halves of surrogate pairs in texts are replaced, forbidden
 *   keys dropped, and parts that are nested too deeply become null
 * @throws AdsError `response/not-json`, `response/too-deep`, `response/forbidden-key`
 */
export function parseJsonText(text: string, mends: 'nothing' | 'all' = 'nothing'): unknown {
  // On the text, before parsing: a parser that recurses would overflow the stack on the value.
  const shallow = cutDepths(text);
  if (mends === 'nothing' && shallow !== text) {
    throw new AdsError('response/too-deep', `The answer is nested more than ${MAX_JSON_DEPTH} levels deep`);
  }
  try {
    return JSON.parse(shallow, mends === 'nothing' ? refuse : mend);
  } catch (error) {
    // The parser's own message quotes the text, which may hold tokens.
    throw isAdsError(error)
      ? error
      : new AdsError('response/not-json', `The answer of ${text.length} characters is not JSON`);
  }
}

/** Cutting a text to a length, as exchanges do, cuts emoji in halves. */
function mend(key: string, value: unknown): unknown {
  if (isForbidden(key, value)) return undefined;
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value;
}

/** The text with `null` in place of each array or object below {@link MAX_JSON_DEPTH}; the text itself when there is none. */
function cutDepths(text: string): string {
  let depth = 0;
  let inString = false;
  let kept = '';
  /** Where the next part to keep begins. */
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === 0x5c) i++;
      else if (c === 0x22) inString = false;
    } else if (c === 0x22) inString = true;
    else if (c === 0x5b || c === 0x7b) {
      if (++depth === MAX_JSON_DEPTH + 1) kept += `${text.slice(from, i)}null`;
    } else if ((c === 0x5d || c === 0x7d) && depth-- === MAX_JSON_DEPTH + 1) from = i + 1;
  }
  // A text with a bracket that is never closed is still no JSON.
  return depth > MAX_JSON_DEPTH ? kept : kept + text.slice(from);
}

function refuse(key: string, value: unknown): unknown {
  if (isForbidden(key, value)) throw new AdsError('response/forbidden-key', `The answer holds the key ${key}`);
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) {
    throw new AdsError('response/not-json', 'The answer holds half a surrogate pair');
  }
  return value;
}

function isForbidden(key: string, value: unknown): boolean {
  if (key === '__proto__') return true;
  return key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
