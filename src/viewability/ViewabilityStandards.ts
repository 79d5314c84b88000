import { AdsError } from '../errors.js';
import { writeJson } from '../writeJson.js';

/**
 * When an impression counts as viewable. All conditions must hold in every frame of the continuous time; a condition
 * that is left out is not asked for.
 */
export interface ViewabilityStandard {
  /** Names it in reports: lower case letters, digits and hyphens, at most 40. */
  readonly id: string;
  /** At least this percentage of the ad's pixels is in view, 0–100, above 0. */
  readonly minPercentageInView: number;
  /** At least this long without a break, in milliseconds, 0–3600000. */
  readonly minDurationMs: number;
  /** The whole ad takes at least this percentage of the canvas, 0–100. */
  readonly minScreenPercentage?: number;
  /** The whole ad takes at least this many CSS pixels². */
  readonly minAreaPx?: number;
  /**
   * The steepest angle the ad may be seen at, in degrees, 0–90. In two dimensions a picture that is turned away by an angle
   * is squeezed in one direction to the cosine of that angle.
   */
  readonly maxAngleDeg?: number;
  /** The window must have the focus. */
  readonly requiresFocus?: boolean;
}

const IIG_DISPLAY = standard({
  id: 'iig-display',
  minPercentageInView: 50,
  minDurationMs: 1_000,
  minScreenPercentage: 1.5,
  maxAngleDeg: 55,
  requiresFocus: true,
});
const MRC_DISPLAY = standard({ id: 'mrc-display', minPercentageInView: 50, minDurationMs: 1_000, requiresFocus: true });
const FULL_VIEW = standard({ id: 'full-view', minPercentageInView: 100, minDurationMs: 1_000 });

/** The standards known by name. The option `standards` switches on those that are not in {@link DEFAULT_STANDARDS}. */
export const VIEWABILITY_STANDARDS = Object.freeze({
  /** IAB / IAB Tech Lab / MRC Intrinsic In-Game measurement guidelines (2022), display. */
  IIG_DISPLAY,
  /** The same guidelines for moving pictures, with the duration of MRC's rule for video. */
  IIG_VIDEO: standard({ ...IIG_DISPLAY, id: 'iig-video', minDurationMs: 2_000 }),
  /** MRC viewable impression, display. */
  MRC_DISPLAY,
  /** MRC viewable impression, video. */
  MRC_VIDEO: standard({ ...MRC_DISPLAY, id: 'mrc-video', minDurationMs: 2_000 }),
  /** MRC's rule for large display ads (970×250 and up). Whoever counts by it has to say so. */
  MRC_LARGE_DISPLAY: standard({
    id: 'mrc-large-display',
    minPercentageInView: 30,
    minDurationMs: 1_000,
    minAreaPx: 242_500,
    requiresFocus: true,
  }),
  /** Fully visible in the sense of `checkAdFullVisibility`, for a second. */
  FULL_VIEW,
});

/** Applied side by side unless the option `standards` says otherwise. The first one leads: time in view is counted by it. */
export const DEFAULT_STANDARDS: readonly ViewabilityStandard[] = Object.freeze([IIG_DISPLAY, MRC_DISPLAY, FULL_VIEW]);

/** The most standards that can be applied side by side. */
const MAX_STANDARDS = 8;

/**
 * Checks the option `standards`: ids of known standards, and custom standards.
 * @throws AdsError `config/standards` naming the entry
 */
export function resolveStandards(given: unknown): readonly ViewabilityStandard[] {
  if (given === undefined || given === null) return DEFAULT_STANDARDS;
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_STANDARDS) {
    throw new AdsError('config/standards', `Expected \`standards\` to be an array of 1–${MAX_STANDARDS} standards`);
  }
  const resolved = given.map((entry: unknown, i) => readStandard(entry, `standards[${i}]`));
  const ids = new Set(resolved.map(({ id }) => id));
  if (ids.size < resolved.length) throw new AdsError('config/standards', 'Two of the `standards` have the same id');
  return Object.freeze(resolved);
}

/** Cosine of the steepest angle, rounded in favour of an ad at exactly that angle; 0 when every angle will do. */
export function minSqueezeRatioOf({ maxAngleDeg }: ViewabilityStandard): number {
  if (maxAngleDeg === undefined) return 0;
  return Math.floor(Math.cos((maxAngleDeg * Math.PI) / 180) * 10_000 + 1e-6) / 10_000;
}

/** What each field may be. */
const FIELDS: Readonly<
  Record<keyof ViewabilityStandard, readonly [isRight: (value: unknown) => boolean, expected: string]>
> = {
  id: [(id) => typeof id === 'string' && /^[a-z][a-z0-9-]{0,39}$/.test(id), 'lower case letters, digits and hyphens'],
  minPercentageInView: [within(Number.MIN_VALUE, 100), 'a number above 0 and at most 100'],
  minDurationMs: [within(0, 3_600_000), 'a number of milliseconds from 0 to 3600000'],
  minScreenPercentage: [within(0, 100), 'a number from 0 to 100'],
  minAreaPx: [within(0, Number.MAX_SAFE_INTEGER), 'a number of CSS pixels² from 0'],
  maxAngleDeg: [within(0, 90), 'a number of degrees from 0 to 90'],
  requiresFocus: [(value) => typeof value === 'boolean', 'true or false'],
};
const REQUIRED = ['id', 'minPercentageInView', 'minDurationMs'];

function within(min: number, max: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && value >= min && value <= max;
}

function readStandard(entry: unknown, where: string): ViewabilityStandard {
  const published = Object.values(VIEWABILITY_STANDARDS);
  if (typeof entry === 'string') {
    const known = published.find(({ id }) => id === entry);
    if (known !== undefined) return known;
    const ids = published.map(({ id }) => id);
    throw new AdsError('config/standards', `${where} is none of the known standards: ${ids.join(', ')}`);
  }
  const copy = copyOf(entry, where);
  for (const name of Object.keys(copy)) {
    if (Object.hasOwn(FIELDS, name)) continue;
    throw new AdsError('config/standards', `${where} has a condition that does not exist; it would not be applied`);
  }
  for (const [name, [isRight, expected]] of Object.entries(FIELDS)) {
    if (name in copy ? isRight(copy[name]) : !REQUIRED.includes(name)) continue;
    throw new AdsError('config/standards', `Expected \`${where}.${name}\` to be ${expected}`);
  }
  const known = published.find(({ id }) => id === copy['id']);
  if (known !== undefined && writeJson(sorted(known)) !== writeJson(sorted(copy))) {
    throw new AdsError('config/standards', `${where} has the id of a published standard and other figures`);
  }
  return standard(copy as unknown as ViewabilityStandard);
}

function copyOf(entry: unknown, where: string): Record<string, unknown> {
  try {
    if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
      return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
    }
  } catch {
    // The error below reports it.
  }
  throw new AdsError('config/standards', `Expected \`${where}\` to be the id of a standard, or a standard`);
}

function sorted(fields: object): [string, unknown][] {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
}

function standard(figures: ViewabilityStandard): ViewabilityStandard {
  return Object.freeze({ ...figures });
}
