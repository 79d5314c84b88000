import * as fc from 'fast-check';

import { PolygonFlag } from '../../../src/measure/FrameSnapshot.js';
import { isLitOnGround } from '../../../src/measure/isLitOnGround.js';
import { measureView } from '../../../src/measure/measureView.js';
import { ViewMeasurement } from '../../../src/measure/ViewMeasurement.js';
import { FrameBuilder, rectangle } from './support/FrameBuilder.js';

const place = rectangle(20, 20, 40, 30);
const light = { opacity: 0.3, flags: PolygonFlag.ADDS };

function adOf(alpha: number, frame = new FrameBuilder(200, 100)): FrameBuilder {
  frame.ad(place);
  Object.assign(frame.view, { alpha, opacity: alpha });
  return frame;
}

test.each<[string, FrameBuilder, boolean]>([
  ['an ad that lets light through', adOf(0.8), false],
  ['an ad that lets light through, below a pane', adOf(0.8).paint(place, { opacity: 0.3 }), false],
  ['an opaque ad, below a light', adOf(1).paint(place, light), false],
  ['an ad that lets light through, above a light', adOf(0.8, new FrameBuilder(200, 100).paint(place, light)), false],
  ['an ad that lets light through, below a light', adOf(0.8).paint(place, light), true],
  ['an opaque ad above a light, and one that lets light through below it', adOf(1, adOf(0.8).paint(place, light)), true],
  ['an ad that lets light through above a light, and an opaque one below it', adOf(0.8, adOf(1).paint(place, light)), false],
])('%s: what is below is asked for: %p', (_, { snapshot }, isAsked) => {
  expect(isLitOnGround(snapshot)).toBe(isAsked);
}); // prettier-ignore

test('where what is below is not asked for, it changes nothing of what an ad shows', () => {
  const cover = fc.record({ opacity: fc.constantFrom(1, 0.4, 0.3), flags: fc.constantFrom(0, PolygonFlag.ADDS) });
  const ads = fc.array(fc.tuple(fc.constantFrom(1, 0.8), fc.array(cover, { maxLength: 2 })), {
    minLength: 1,
    maxLength: 3,
  });
  const figures = (all: typeof ads extends fc.Arbitrary<infer T> ? T : never, ground: number) => {
    const frame = new FrameBuilder(200, 100);
    frame.snapshot.ground = ground;
    for (const [alpha, covers] of all) {
      adOf(alpha, frame);
      for (const paint of covers) frame.paint(place, paint);
    }
    const { snapshot } = frame;
    const measured = snapshot.views.map((view) => {
      const out = new ViewMeasurement();
      measureView(snapshot, view, { blockingOpacity: 0.5 }, out);
      return out;
    });
    return { isAsked: isLitOnGround(snapshot), measured };
  };
  fc.assert(
    fc.property(ads, (all) => {
      const dark = figures(all, 0);
      const bright = figures(all, 1);
      expect(bright.isAsked).toBe(dark.isAsked);
      if (!dark.isAsked) expect(bright.measured).toEqual(dark.measured);
    }),
    { numRuns: 100 },
  );
});
