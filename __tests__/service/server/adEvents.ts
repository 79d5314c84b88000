import { randomUUID } from 'node:crypto';

const SESSION = randomUUID();

/** An event as a game reports it: an ad on the park's board became visible, unless said otherwise. */
export function adEvent(fields: Record<string, unknown> = {}): Record<string, unknown> & { id: string } {
  return {
    id: randomUUID(),
    sessionId: SESSION,
    kind: 'visible',
    time: 1234.5,
    adSurfaceId: 'park-board',
    adId: 'ad_park-board_1',
    serveId: 'serve_1',
    percentageInView: 100,
    visibleArea: 5000,
    totalArea: 5000,
    screenCoveragePercentage: 4.2,
    reasons: [],
    blockerCount: 0,
    ...fields,
  };
}
