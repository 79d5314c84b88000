/** How an ad came to its end. */
export type AdEnd = 'destroyed' | 'unobserved' | 'scene-ended' | 'game-ended';

/** Which ad a fact is about, as far as that is known. */
interface AdNames {
  /** Absent for a sprite the game made itself. */
  readonly adSurfaceId?: string;
  /** Absent while no ad is served. */
  readonly adId?: string;
  readonly serveId?: string;
  /** One served ad in one placement; its events form a chain, see `EventStamp`. */
  readonly placementId?: string;
}

/** What the player saw of an ad at a change. */
interface SeenFigures {
  /** 0–100. */
  readonly percentageInView: number;
  /** Canvas pixels². */
  readonly visibleArea: number;
  /** Canvas pixels². */
  readonly totalArea: number;
  /** 0–100. */
  readonly screenCoveragePercentage: number;
  /** Why not all of it is in view, in OMID's words. */
  readonly reasons: readonly string[];
  /** Game objects that take visible area away. */
  readonly blockerCount: number;
}

/** Something that happened to an ad. Says nothing about who plays. */
export type AdFact = AdNames &
  (
    | { readonly kind: 'loaded' | 'noFill' | 'click' }
    | ({ readonly kind: 'visible' | 'blocked' } & SeenFigures)
    | { readonly kind: 'error'; readonly errorCode: string }
    | { readonly kind: 'finish'; readonly finishReason: AdEnd }
  );

/** A fact as it is sent, as often as it takes: frozen when recorded, so that a repeated one is the same to the byte. */
export type AdEvent = AdFact & {
  /** Unique for ever; the service counts by it. */
  readonly id: string;
  /** One run of one game. */
  readonly sessionId: string;
  /** Milliseconds since the session began, on the monotonic clock. */
  readonly time: number;
  /** The wall clock then, in milliseconds since 1970. Never rewritten, however late the event is sent. */
  readonly wallTime: number;
  /** 0, 1, 2… within the placement. */
  readonly sequence?: number;
  /** Hexadecimal SHA-256 of the canonical JSON of the placement's previous event; absent for the first. */
  readonly previousHash?: string;
  /** Counts the events of its kind in the placement, from 1. */
  readonly ordinal?: number;
};
