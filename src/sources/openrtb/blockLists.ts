import { AdsError } from '../../errors.js';
import { parseUrl } from '../../hosts.js';
import { type Fields, listOf, textOf } from './foreignValues.js';

/** What may not be advertised, and how not. Requests ask for it, and bids are checked for it. */
export interface BlockLists {
  /**
   * Categories that are not wanted, as the exchange numbers them (IAB content taxonomy): `IAB7` stands for `IAB7-39`, too.
   * @default []
   */
  readonly bcat?: readonly string[];
  /**
   * Domains of advertisers that are not wanted, each standing for its subdomains too.
   * @default []
   */
  readonly badv?: readonly string[];
  /**
   * Attributes of creatives that are not wanted (AdCOM 1.0, list "Creative Attributes"), such as 8 for pop-ups.
   * @default []
   */
  readonly battr?: readonly number[];
  /**
   * Also refuses bids that do not say whose they are, if `badv` is given, or what they advertise, if `bcat` is given. A
   * category of another taxonomy than that of `bcat` (`IAB7` or numbers) does not say it.
   * @default false
   */
  readonly blockUnknown?: boolean;
}

const MAX_TOLD = 10;
/** A bid that names more domains, categories or attributes than this is not looked through: it may be of anything. */
const MAX_WORDS = 1_000;
/** Categories of the first IAB taxonomy; later ones have numbers, which say nothing of these. */
const FIRST_TAXONOMY = /^IAB/i;

/** @throws AdsError `config/option` */
export function readBlockLists(options: BlockLists): Required<BlockLists> {
  const { bcat = [], badv = [], battr = [], blockUnknown = false } = options;
  const isTexts = (list: unknown): boolean =>
    Array.isArray(list) && list.every((entry) => typeof entry === 'string' && entry !== '');
  if (!isTexts(bcat) || !isTexts(badv) || !Array.isArray(battr) || !battr.every(Number.isInteger)) {
    const what = 'expected `bcat` and `badv` to be lists of texts, and `battr` a list of numbers';
    throw new AdsError('config/option', `OpenRtbAds: ${what}`);
  }
  if (typeof blockUnknown !== 'boolean') {
    throw new AdsError('config/option', 'OpenRtbAds: expected `blockUnknown` to be true or false');
  }
  const [categories, domains] = [wordsOf(bcat), wordsOf(badv).map(domainOf)];
  return { bcat: categories, badv: domains, battr: [...(battr as readonly number[])], blockUnknown };
}

/** Whether a bid is on a block list, even if its exchange let it pass. */
export function isBlocked(bid: Fields, { bcat, badv, battr, blockUnknown }: Required<BlockLists>): boolean {
  const words = badv.length === 0 ? [] : wordsOf(bid['adomain'], MAX_WORDS + 1);
  const categories = bcat.length === 0 ? [] : wordsOf(bid['cat'], MAX_WORDS + 1);
  const attributes = battr.length === 0 ? [] : wordsOf(bid['attr'], MAX_WORDS + 1);
  if ([words, categories, attributes].some(({ length }) => length > MAX_WORDS)) return true;
  const domains = words.map(domainOf);
  const isComparable = (category: string): boolean =>
    bcat.some((blocked) => FIRST_TAXONOMY.test(blocked) === FIRST_TAXONOMY.test(category));
  const isUnknown = (badv.length > 0 && domains.length === 0) || (bcat.length > 0 && !categories.some(isComparable));
  if (blockUnknown && isUnknown) return true;
  return (
    domains.some((domain) => badv.some((blocked) => domain === blocked || domain.endsWith(`.${blocked}`))) ||
    categories.some((category) => bcat.some((blocked) => isWithin(category, blocked))) ||
    attributes.some((attribute) => battr.includes(Number(attribute)))
  );
}

/** `IAB7-39` is within `IAB7`, `IAB77` is not. */
function isWithin(category: string, blocked: string): boolean {
  return `${category}-`.toUpperCase().startsWith(`${blocked}-`.toUpperCase());
}

/** Whose ad it is: at most ten domains, lower case. */
export function domainsOf(bid: Fields): readonly string[] {
  return wordsOf(bid['adomain'], MAX_TOLD).map(domainOf);
}

/** What it advertises: at most ten categories. */
export function categoriesOf(bid: Fields): readonly string[] {
  return wordsOf(bid['cat'], MAX_TOLD);
}

/**
 * All words, or the first so many. Some bidders, and some games, write a list into one text, which is not divided further than
 * needed: a bid of one megabyte may have half a million words.
 */
function wordsOf(list: unknown, most = Infinity): readonly string[] {
  const words: string[] = [];
  for (const entry of listOf(list)) {
    for (const [part] of (textOf(entry) ?? '').matchAll(/[^,;]+/g)) {
      if (words.length >= most) return words;
      const word = part.trim().slice(0, 253);
      if (word !== '') words.push(word);
    }
  }
  return words;
}

/** Bidders also write whole addresses, and letters beyond ASCII either as they are or as Punycode. */
function domainOf(text: string): string {
  const given = text.toLowerCase().replace(/^[a-z]+:\/\//, '');
  // A text that is no host is compared as it is.
  const host = parseUrl(`https://${given}`)?.hostname ?? given;
  return host.replace(/^www\./, '').replace(/\.$/, '');
}
