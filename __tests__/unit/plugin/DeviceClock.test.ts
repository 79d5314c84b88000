import fc from 'fast-check';
import { DeviceClock } from '../../../src/plugin/DeviceClock.js';

/** What happens to a device between two looks at the clock, in milliseconds. */
const moment = fc.record({
  awakeMs: fc.nat(100_000),
  sleptMs: fc.oneof(fc.constant(0), fc.integer({ min: 1_000, max: 1e8 })),
  setBackMs: fc.oneof(fc.constant(0), fc.integer({ min: 1_000, max: 1e8 })),
});

describe('DeviceClock', () => {
  it('goes by the time awake and asleep, whether or not the monotonic clock does; a clock that is set back changes nothing', () => {
    fc.assert(
      fc.property(fc.array(moment), fc.boolean(), (moments, standsStill) => {
        let [monotonic, wall, lived, slept] = [5, 1.7e12, 5, 0];
        const clock = new DeviceClock({ now: () => monotonic, wallNow: () => wall });
        expect(clock.now()).toBe(5);
        for (const { awakeMs, sleptMs, setBackMs } of moments) {
          monotonic += awakeMs + (standsStill ? 0 : sleptMs);
          wall += awakeMs + sleptMs;
          lived += awakeMs + sleptMs;
          if (standsStill) slept += sleptMs;
          expect([clock.now(), clock.sleptMs]).toEqual([lived, slept]);
          wall -= setBackMs;
          expect([clock.now(), clock.sleptMs]).toEqual([lived, slept]);
        }
      }),
    );
  });

  it('takes clocks that come apart by less than a second for one', () => {
    let wall = 1.7e12;
    const clock = new DeviceClock({ now: () => 7, wallNow: () => wall });
    clock.now();
    for (const ahead of [999, -999, 500]) {
      wall = 1.7e12 + ahead;
      expect([clock.now(), clock.sleptMs]).toEqual([7, 0]);
    }
  });
});
