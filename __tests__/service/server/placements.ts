import { createHash, randomUUID } from 'node:crypto';

/** Facts of one event: its kind and what belongs to the kind. */
export interface Fact {
  readonly kind: string;
  readonly [member: string]: unknown;
}

export type ReportedEvent = Fact & { readonly id: string; readonly placementId: string; readonly sequence: number };

export const SEEN = {
  percentageInView: 80,
  visibleArea: 4000,
  totalArea: 5000,
  screenCoveragePercentage: 4.2,
  reasons: ['obstructed'],
  blockerCount: 1,
};

export const IMPRESSION: Fact = { kind: 'impression', ...SEEN };

export const VIEWABLE: Fact = {
  kind: 'viewable',
  ...SEEN,
  standard: 'iig-display',
  rule: { minPercentageInView: 50, minScreenCoveragePercentage: 1.5, durationMs: 1000 },
  durationMs: 1000,
};

/** A video of six seconds has played so far. */
export const video = (kind: string): Fact => ({ kind, ...SEEN, videoDurationMs: 6000 });

export const SUMMARY: Fact = {
  kind: 'summary',
  isFinal: true,
  finishReason: 'scene-ended',
  verdicts: { 'iig-display': 'viewable', 'full-view': 'notViewable' },
  timeInViewMs: 5200,
  longestInViewMs: 3100,
  maxPercentageInView: 80,
  measurableMs: 6000,
  unmeasurableMs: 250,
  reasonsMs: { obstructed: 700, clipped: 100 },
  timeline: [
    [0, 0],
    [400, 80],
    [3500, 20],
    [6250, 0],
  ],
};

/**
 * The events of one placement as a game reports them, with the evidence that ties them together, written independently
 * of the service and of the client.
 *
 * @param common members of every event, for instance another surface.
 */
export function placement(facts: readonly Fact[], common: Record<string, unknown> = {}): ReportedEvent[] {
  const [placementId, sessionId, serveId] = [randomUUID(), randomUUID(), `serve_${randomUUID()}`];
  const ordinals = new Map<string, number>();
  const events: ReportedEvent[] = [];
  for (const [sequence, fact] of facts.entries()) {
    const ordinal = (ordinals.get(fact.kind) ?? 0) + 1;
    ordinals.set(fact.kind, ordinal);
    const before = events.at(-1);
    events.push({
      id: randomUUID(),
      sessionId,
      placementId,
      sequence,
      ...(before === undefined ? {} : { previousHash: hashOf(before) }),
      ordinal,
      time: 1000 + sequence * 250,
      wallTime: Date.now() - 10_000 + sequence * 250,
      adSurfaceId: 'park-board',
      adId: 'ad_park-board_1',
      serveId,
      ...common,
      ...fact,
    });
  }
  return events;
}

export function hashOf(event: unknown): string {
  return createHash('sha256').update(sorted(event)).digest('hex');
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** The books of an outbox that balance, unless said otherwise. */
export function ledgerOf(fields: Record<string, unknown> = {}) {
  return {
    outboxId: randomUUID(),
    revision: 1,
    created: 10,
    accepted: 5,
    duplicate: 1,
    rejected: 1,
    dropped: { overflow: 1, tooOld: 0, tooLarge: 0, corrupt: 0, storageLost: 0 },
    pending: 2,
    ...fields,
  };
}
