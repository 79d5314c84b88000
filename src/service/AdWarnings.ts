/** The kind of part that could not be used; see {@link AdWarning}. */
export type AdWarningCode = keyof typeof MESSAGES;

/**
 * Parts of an answer that could not be used: the ad is shown without them. All parts of one code make one warning. It holds
 * none of the foreign text itself.
 */
export interface AdWarning {
  readonly code: AdWarningCode;
  /** How many there were, 1 or more. */
  readonly count: number;
  /** Where the first of them stood, as a JSON path such as `$.seatbid[0].bid[0].adm.eventtrackers[2]`. */
  readonly path: string;
  /** For people. */
  readonly message: string;
}

/** The most characters the address of a tracker may have. */
export const MAX_TRACKER_LENGTH = 16_384;
/** The most trackers one served ad may have, of all events together. */
export const MAX_TRACKERS = 100;

const MESSAGES = {
  'bid/unusable': 'bid not taken: another surface, no price, no image, or a billing address that cannot be called',
  'bid/blocked': 'bid not taken: its advertiser, category or kind is blocked, or it says too little of them',
  'bid/floor': 'bid not taken: it is below the floor of the surface',
  'bid/mix':
    'bid not taken: its advertiser was seen often enough or hangs next to it, the player has reported it, or its creative may not come from there',
  'bid/limit': 'bid not looked at: there are too many',
  'tracker/address': `tracker not called: expected an https address on a public host, of at most ${MAX_TRACKER_LENGTH} characters`,
  'tracker/script': 'tracker not called: it is a script, and scripts are never run',
  'tracker/event': 'tracker not called: its event is not measured',
  'tracker/limit': `tracker not called: an ad may have ${MAX_TRACKERS}`,
  'field/unusable': 'field left out: it is of another type or size than it may be',
} as const;

/** Collects warnings: one per code, however many there are. */
export class AdWarnings {
  readonly #found = new Map<AdWarningCode, { path: string; count: number }>();

  add(code: AdWarningCode, path: string, count = 1): void {
    const known = this.#found.get(code);
    if (known === undefined) this.#found.set(code, { path, count });
    else known.count += count;
  }

  addAll(others: readonly AdWarning[]): void {
    for (const { code, path, count } of others) this.add(code, path, count);
  }

  /** Frozen. */
  get list(): readonly AdWarning[] {
    const entries = [...this.#found];
    return Object.freeze(entries.map(([code, found]) => Object.freeze({ code, ...found, message: MESSAGES[code] })));
  }

  /** As a part of an ad: nothing when there are none. */
  get asField(): { readonly warnings?: readonly AdWarning[] } {
    return this.#found.size === 0 ? {} : { warnings: this.list };
  }
}

/** One line for the console. */
export function describeWarning({ count, message, path }: AdWarning): string {
  return `${count} × ${message} (${path})`;
}
