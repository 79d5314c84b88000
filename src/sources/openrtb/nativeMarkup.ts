import { AdsError } from '../../errors.js';
import { MAX_ANSWER_BYTES } from '../../service/http.js';
import { parseJsonText } from '../../service/json.js';
import { type Fields, isAbsent, isObject } from './foreignValues.js';

/** JSON in a string, inside of `{ native: … }`, inside of a list: real answers stack two or three. */
const MAX_WRAPPINGS = 5;

/**
 * The native object of a bid (Native 1.2 §5). It should be a string of JSON in `adm`; exchanges also send it as an object,
 * encoded twice, with a byte order mark, inside of `{ native: … }` (1.0), or as `adm_native`.
 * @returns null for markup of another kind, such as HTML or VAST
 * @throws AdsError `response/too-large`
 */
export function nativeMarkup(bid: Fields): Fields | null {
  let markup = isAbsent(bid['adm']) ? bid['adm_native'] : bid['adm'];
  for (let i = 0; i < MAX_WRAPPINGS; i++) {
    if (typeof markup === 'string') {
      if (markup.length > MAX_ANSWER_BYTES) throw new AdsError('response/too-large', 'The markup of a bid is too long');
      markup = parse(markup);
    } else if (Array.isArray(markup)) {
      markup = markup[0];
    } else if (isObject(markup) && (isObject(markup['native']) || typeof markup['native'] === 'string')) {
      markup = markup['native'];
    } else break;
  }
  return isObject(markup) ? markup : null;
}

/** Null for a text that is no JSON: HTML or VAST, most likely. */
function parse(text: string): unknown {
  try {
    return parseJsonText(text.trim(), 'all');
  } catch {
    return null;
  }
}
