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
/** A bid that names more domains or categories than this is not looked through: it may be of anything. */
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
  const words = badv.length === 0 ? [] : wordsOf(bid['adomain']);
  const categories = bcat.length === 0 ? [] : wordsOf(bid['cat']);
  if (words.length > MAX_WORDS || categories.length > MAX_WORDS) return true;
  const domains = words.map(domainOf);
  const isComparable = (category: string): boolean =>
    bcat.some((blocked) => FIRST_TAXONOMY.test(blocked) === FIRST_TAXONOMY.test(category));
  const isUnknown = (badv.length > 0 && domains.length === 0) || (bcat.length > 0 && !categories.some(isComparable));
  if (blockUnknown && isUnknown) return true;
  return (
    domains.some((domain) => badv.some((blocked) => domain === blocked || domain.endsWith(`.${blocked}`))) ||
    categories.some((category) => bcat.some((blocked) => isWithin(category, blocked))) ||
    wordsOf(bid['attr']).some((attribute) => battr.includes(Number(attribute)))
  );
}

/** `IAB7-39` is within `IAB7`, `IAB77` is not. */
function isWithin(category: string, blocked: string): boolean {
  return `${category}-`.toUpperCase().startsWith(`${blocked}-`.toUpperCase());
}

/** Whose ad it is: at most ten domains, lower case. */
export function domainsOf(bid: Fields): readonly string[] {
  return wordsOf(bid['adomain']).slice(0, MAX_TOLD).map(domainOf);
}

/** What it advertises: at most ten categories. */
export function categoriesOf(bid: Fields): readonly string[] {
  return wordsOf(bid['cat']).slice(0, MAX_TOLD);
}

/** All words, however many: a blocked one may be the last. Some bidders, and some games, write a list into one text. */
function wordsOf(list: unknown): readonly string[] {
  return listOf(list).flatMap((entry) => (textOf(entry) ?? '').split(/[,;]/).map((word) => word.trim().slice(0, 253)).filter(Boolean)); // prettier-ignore
}

/** Bidders also write whole addresses, and letters beyond ASCII either as they are or as Punycode. */
function domainOf(text: string): string {
  const given = text.toLowerCase().replace(/^[a-z]+:\/\//, '');
  // A text that is no host is compared as it is.
  const host = parseUrl(`https://${given}`)?.hostname ?? given;
  return host.replace(/^www\./, '').replace(/\.$/, '');
}
