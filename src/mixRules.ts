import { AdsError } from './errors.js';

/** Keeps the counts of a day; such as `localStorage`. */
export type CountStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** How often one advertiser may be seen. The plugin itself counts the impressions of this player in this browser. */
export interface FrequencyRule {
  /** At most so many on one page, 1–1000000. */
  readonly perPage?: number;
  /** At most so many in a day (UTC), 1–1000000; over several pages only with a `storage`. */
  readonly perDay?: number;
  /**
   * Where the counts of a day are kept, such as `localStorage`: advertisers and numbers, nothing of the player. Writing
   * there may need the player's consent. Left out, or where it fails, a day ends with the page.
   */
  readonly storage?: CountStorage;
}

/** The checked rules. */
export interface MixRules {
  readonly frequency: FrequencyRule | null;
  /** The neighbours of each surface, by id; true: all surfaces are neighbours of each other; false: none are. */
  readonly separateAdvertisers: boolean | Readonly<Record<string, readonly string[]>>;
}

const MAX_COUNT = 1_000_000;

/** @throws AdsError `config/option` */
export function readFrequency(value: unknown): FrequencyRule | null {
  if (value === undefined) return null;
  const { perPage, perDay, storage, ...others } = (
    typeof value === 'object' && value !== null ? value : { perDay: 0 }
  ) as FrequencyRule;
  const isCount = (count: unknown): boolean =>
    count === undefined || (Number.isInteger(count) && Number(count) >= 1 && Number(count) <= MAX_COUNT);
  const isStorage = storage === undefined || typeof (storage as { getItem?: unknown } | null)?.getItem === 'function';
  // A copy, so that it stays as it was given. An unknown name is refused, as it would limit nothing.
  if (isCount(perPage) && isCount(perDay) && isStorage && Object.keys(others).length === 0)
    return Object.freeze({ perPage, perDay, storage } as FrequencyRule);
  throw new AdsError('config/option', 'Expected `frequency` to be { perPage, perDay, storage } with numbers from 1 on');
}

/** @throws AdsError `config/option` */
export function readSeparation(value: unknown): MixRules['separateAdvertisers'] {
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  const copy: Record<string, unknown> = { ...(value as object) };
  const areLists = typeof value === 'object' && value !== null && Object.values(copy).every(Array.isArray);
  if (areLists) {
    for (const id of Object.keys(copy)) copy[id] = [...(copy[id] as string[])];
    return copy as Record<string, string[]>;
  }
  throw new AdsError('config/option', 'Expected `separateAdvertisers` to be true, false or { surface: [neighbours] }');
}
