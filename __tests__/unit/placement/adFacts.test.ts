import fc from 'fast-check';

import type { FriendlyObstruction } from '../../../src/meter/FriendlyObstructions.js';
import { factOf, maxFactBytes } from '../../../src/placement/adFacts.js';
import type { PlacedAd } from '../../../src/placement/PlacedAd.js';
import type { SessionFact } from '../../../src/report/AdEvent.js';
import { EventStamp } from '../../../src/report/EventStamp.js';
import { MAX_EVENT_BYTES } from '../../../src/report/limits.js';

const PLACEMENT_ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const bytesOf = (value: object): number => new TextEncoder().encode(JSON.stringify(value)).length;
const placed = (adSurfaceId: unknown, adId: unknown, serveId: unknown) =>
  ({ surface: { adSurfaceId }, ad: { adId, serveId } }) as unknown as PlacedAd;
const obstructions = (count: number): FriendlyObstruction[] =>
  Array.from({ length: count }, (_, i) => ({ purpose: 'OTHER', reason: `reason ${i}` }));

/** A fact that takes all the room it is given. */
function factOfBytes(kind: string, bytes: number): SessionFact {
  const filler = 'x'.repeat(bytes - bytesOf({ kind, isFinal: false, filler: '' }));
  return { kind, isFinal: false, filler } as unknown as SessionFact;
}

const name = fc.oneof(fc.constant(undefined), fc.string({ minLength: 1, maxLength: 100, unit: 'binary' }));

it('a fact that fills its room makes an event the reporter takes, with little room left, at any time of any placement', () => {
  fc.assert(
    fc.property(
      name,
      name,
      name,
      fc.nat(20),
      fc.constantFrom('summary', 'viewable'),
      fc.boolean(),
      (surface, ad, serve, count, kind, isLate) => {
        // prettier-ignore
        const now = isLate ? 86_400_000.1 : 0;
        let ids = 0;
        const stamp = new EventStamp({
          now: () => (ids === 0 ? 0 : now),
          wallNow: () => 1_800_000_000_000,
          newId: () => `0f8fad5b-d9cb-469f-a165-${String(++ids).padStart(12, '0')}`,
        });
        const placedAd = placed(surface, ad, serve);
        const friendly = obstructions(count);
        const fact = factOfBytes(
          kind,
          maxFactBytes(placedAd, PLACEMENT_ID, friendly) - bytesOf({ isFinal: false }) - 1,
        );
        for (let i = 0; i < 12; i++) stamp.keep(stamp.stamp(factOf(placedAd, PLACEMENT_ID, fact, friendly)));
        const bytes = bytesOf(stamp.stamp(factOf(placedAd, PLACEMENT_ID, fact, friendly)));
        expect(bytes).toBeLessThanOrEqual(MAX_EVENT_BYTES);
        expect(bytes).toBeGreaterThan(MAX_EVENT_BYTES - 300);
      },
    ),
  );
});

it.each<[string, number, number | undefined]>([
  ['summary', 0, undefined],
  ['summary', 1, undefined],
  ['summary', 8, undefined],
  ['summary', 9, 9],
  ['viewable', 20, 20],
])('a %s tells the declared obstructions, of %p at most eight, and then how many there are', (kind, count, told) => {
  const friendly = obstructions(count);
  const fact = factOf(placed('s', 'a', 'v'), PLACEMENT_ID, { kind } as SessionFact, friendly);
  expect(fact).toEqual({
    kind,
    placementId: PLACEMENT_ID,
    adSurfaceId: 's',
    adId: 'a',
    serveId: 'v',
    ...(count === 0 ? {} : { friendlyObstructions: friendly.slice(0, 8) }),
    ...(told === undefined ? {} : { friendlyObstructionCount: told }),
  });
});

it.each(['impression', 'click', 'visible', 'loaded'])('a fact of kind %s tells no obstructions', (kind) => {
  const fact = factOf(placed('', 7, null), PLACEMENT_ID, { kind } as SessionFact, obstructions(3));
  // Nor names that are none.
  expect(fact).toEqual({ kind, placementId: PLACEMENT_ID });
  const without = factOf({ surface: null, ad: null } as PlacedAd, PLACEMENT_ID, { kind } as SessionFact, []);
  expect(without).toEqual({ kind, placementId: PLACEMENT_ID });
});
