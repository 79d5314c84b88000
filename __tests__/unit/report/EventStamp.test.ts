import { createHash } from 'node:crypto';
import { EventStamp } from '../../../src/report/EventStamp.js';
import type { AdEvent, AdFact } from '../../../src/report/AdEvent.js';
import { canonicalJson } from '../../../src/writeJson.js';

const SUMMARY = { kind: 'summary', placementId: 'p', verdicts: {}, timeInViewMs: 0, longestInViewMs: 0, maxPercentageInView: 0, measurableMs: 0, unmeasurableMs: 0, reasonsMs: {}, timeline: [] } as const; // prettier-ignore

describe('an event', () => {
  let now = 0;
  let ids = 0;
  let stamp: EventStamp;

  beforeEach(() => {
    now = 5_000;
    ids = 0;
    stamp = new EventStamp({ now: () => now, wallNow: () => 1_700_000_000_000.4 + now, newId: () => `id-${ids++}` });
  });

  const make = (fact: AdFact): AdEvent => {
    const event = stamp.stamp(fact);
    stamp.keep(event);
    return event;
  };
  const hashOf = (event: AdEvent) => createHash('sha256').update(canonicalJson(event)).digest('hex');

  it('tells the session, the time since it began and the wall time, and cannot be changed', () => {
    now += 1_234.56;
    const event = make({ kind: 'click', adId: 'a' });
    expect(event).toEqual({ id: 'id-1', sessionId: 'id-0', kind: 'click', adId: 'a', time: 1_234.6, wallTime: 1_700_000_006_235 }); // prettier-ignore
    expect(Object.isFrozen(event)).toBe(true);
  });

  it('follows the one before it in its placement, and is counted among those of its kind', () => {
    const first = make({ kind: 'loaded', placementId: 'p' });
    const other = make({ kind: 'loaded', placementId: 'q' });
    const second = make({ kind: 'click', placementId: 'p' });
    const third = make({ kind: 'click', placementId: 'p' });
    const fourth = make({ kind: 'click', placementId: 'p' });
    const all = [first, other, second, third, fourth];
    expect(all.map(({ sequence }) => sequence)).toEqual([0, 0, 1, 2, 3]);
    expect(all.map(({ ordinal }) => ordinal)).toEqual([1, 1, 1, 2, 3]);
    expect(all.map(({ previousHash }) => previousHash)).toEqual([
      undefined,
      undefined,
      hashOf(first),
      hashOf(second),
      hashOf(third),
    ]);
  });

  it('that is not kept leaves no hole in the chain', () => {
    const first = make({ kind: 'loaded', placementId: 'p' });
    stamp.stamp({ kind: 'click', placementId: 'p' });
    expect(make({ kind: 'click', placementId: 'p' })).toMatchObject({ sequence: 1, ordinal: 1, previousHash: hashOf(first) }); // prettier-ignore
  });

  it('that is passed over ends the chain only if it is the last of its placement', () => {
    make({ kind: 'loaded', placementId: 'p' });
    stamp.passOver(stamp.stamp({ kind: 'click', placementId: 'p' }));
    stamp.passOver(stamp.stamp({ ...SUMMARY, isFinal: false }));
    stamp.passOver(stamp.stamp({ kind: 'click' }));
    expect(stamp.stamp({ ...SUMMARY, isFinal: true })).toMatchObject({ sequence: 1, ordinal: 1 });
    stamp.passOver(stamp.stamp({ ...SUMMARY, isFinal: true }));
    expect(stamp.stamp({ kind: 'click', placementId: 'p' })).toMatchObject({ sequence: 0, ordinal: 1 });
  });

  it('after the last of its placement finds nothing of it kept: a game that plays for days holds no ended placements', () => {
    make({ kind: 'loaded', placementId: 'p' });
    expect(make({ ...SUMMARY, isFinal: false }).sequence).toBe(1);
    expect(make({ ...SUMMARY, isFinal: true, finishReason: 'destroyed' })).toMatchObject({ sequence: 2, ordinal: 2 });
    expect(stamp.stamp({ kind: 'loaded', placementId: 'p' })).toMatchObject({ sequence: 0, ordinal: 1 });
  });

  it('hashes the same after a way through JSON and a change of the order of its keys', () => {
    const event = make({ kind: 'error', errorCode: 'ä"\\\u2028', placementId: 'p' });
    const shuffled = Object.fromEntries(Object.entries(JSON.parse(JSON.stringify(event)) as object).reverse());
    expect(canonicalJson(shuffled)).toBe(canonicalJson(event));
    expect(canonicalJson({ b: [1, { z: undefined, y: null }], a: 'x' })).toBe('{"a":"x","b":[1,{"y":null}]}');
  });
});
