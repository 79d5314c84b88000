import * as fc from 'fast-check';

import { DARKEST, DARKNESS_SHIFT, PolygonFlag } from '../../../src/measure/FrameSnapshot.js';
import { measureView } from '../../../src/measure/measureView.js';
import { resolveBlockers } from '../../../src/measure/resolveBlockers.js';
import { ViewMeasurement } from '../../../src/measure/ViewMeasurement.js';
import { everyPixel } from './support/everyPixel.js';
import { alphaMap, FrameBuilder, rectangle, regular, turned } from './support/FrameBuilder.js';

const options = { blockingOpacity: 0.5 };
const adShape = rectangle(100, 100, 200, 120);

function resolved(frame: FrameBuilder): { owners: unknown[]; out: ViewMeasurement } {
  const out = new ViewMeasurement();
  measureView(frame.snapshot, frame.view, options, out);
  return { owners: resolveBlockers(frame.snapshot, frame.view, options, out), out };
}

const frame = (): FrameBuilder => new FrameBuilder().ad(adShape);
const speck = alphaMap(16, 16, (column, row) => (column === 3 && row === 12 ? 1 : 0));

test('everything that takes area is a blocker, each object once, in draw order, topmost last', () => {
  const scene = frame()
    .paint(rectangle(90, 90, 30, 30), { owner: 'tree' })
    .paint(rectangle(250, 150, 20, 20), { owner: 'bird' })
    .paint(rectangle(130, 110, 30, 30), { owner: 'cloud' })
    .paint(rectangle(200, 150, 20, 20), { owner: 'tree' });
  expect(resolved(scene).owners).toEqual(['bird', 'cloud', 'tree']);
});

test('an object wholly beneath another opaque one still blocks', () => {
  const scene = frame()
    .paint(rectangle(120, 120, 10, 10), { owner: 'small' })
    .paint(rectangle(110, 110, 50, 50), { owner: 'large' });
  expect(resolved(scene).owners).toEqual(['small', 'large']);
});

test('what only touches, is transparent there, or lies beneath the ad is none', () => {
  const scene = new FrameBuilder()
    .paint(rectangle(0, 0, 900, 900), { owner: 'beneath' })
    .ad(adShape)
    .paint(rectangle(300, 100, 50, 50), { owner: 'neighbour' })
    .paint(rectangle(120, 120, 50, 50), { owner: 'invisible', opacity: 0 })
    .paint(rectangle(120, 120, 50, 50), { owner: 'clear', map: alphaMap(4, 4, () => 0) })
    .paint(rectangle(120, 120, 50, 50), { owner: 'faint', opacity: 0.3 })
    .paint(rectangle(280, 200, 50, 50), { owner: 'car' });
  expect(resolved(scene).owners).toEqual(['car']);
});

test('when nothing of a pixel is lost there are none', () => {
  const scene = frame().paint(rectangle(299.5, 150, 40, 1.5), { owner: 'edge' });
  const { owners, out } = resolved(scene);
  expect(owners).toEqual([]);
  expect(out.isFullyVisible).toBe(true);
});

test('many parts of one object below a pixel each add up', () => {
  const scene = frame();
  for (let i = 0; i < 30; i++) scene.paint(rectangle(110 + 5 * i, 130, 0.9, 0.9), { owner: 'text' });
  expect(resolved(scene).owners).toEqual(['text']);
});

test('slivers, specks and hairlines that no pixel shows block nothing, however many', () => {
  const scene = frame().paint(rectangle(60, 110, 40.3, 100), { owner: 'panel' });
  for (let i = 0; i < 30; i++) scene.paint(rectangle(110 + 5 * i, 130, 0.4, 0.4), { owner: 'text' });
  const { owners, out } = resolved(scene);
  expect(owners).toEqual([]);
  expect(out).toMatchObject({ isFullyVisible: true, lostArea: 0 });
});

test('a sliver of more than half a pixel blocks, and beside a real blocker a thinner one does not', () => {
  expect(resolved(frame().paint(rectangle(60, 110, 40.7, 100), { owner: 'panel' })).owners).toEqual(['panel']);
  const scene = frame()
    .paint(rectangle(60, 110, 40.3, 100), { owner: 'panel' })
    .paint(rectangle(150, 150, 20, 20), { owner: 'car' });
  expect(resolved(scene).owners).toEqual(['car']);
});

test.each<[string, (reach: number) => number[]]>([
  ['left', (reach) => rectangle(60, 110, 40 + reach, 100)],
  ['right', (reach) => rectangle(300 - reach, 110, 40, 100)],
  ['top', (reach) => rectangle(110, 60, 150, 40 + reach)],
  ['bottom', (reach) => rectangle(110, 220 - reach, 150, 40)],
])('beside a real blocker, on the %s, a sliver blocks from half a pixel on', (_, sliver) => {
  const car = rectangle(150, 150, 20, 20);
  for (const reach of [0.3, 0.7]) {
    const scene = frame().paint(sliver(reach), { owner: 'panel' }).paint(car, { owner: 'car' });
    expect(resolved(scene).owners).toEqual(reach > 0.5 ? ['panel', 'car'] : ['car']);
  }
});

test('slivers within a veil that blocks nothing are as thin as without, however few points are looked at first', () => {
  const scene = frame().paint(adShape, { owner: 'veil', opacity: 0.1 });
  for (let i = 0; i < 16; i++) scene.paint(rectangle(110.45 + i, 110, 0.25, 100), { owner: `hair ${i}` });
  scene.paint(rectangle(150, 150, 20, 20), { owner: 'car' });
  const out = new ViewMeasurement();
  measureView(scene.snapshot, scene.view, options, out);
  for (const maxSamples of [100, 1000, 65_536])
    expect(resolveBlockers(scene.snapshot, scene.view, { ...options, maxSamples }, out)).toEqual(['car']);
});

test('of a pixel on the edge of an ad only the part that is ad counts', () => {
  const half = (x: number): FrameBuilder => {
    const scene = new FrameBuilder().ad(rectangle(100.5, 100, 199, 120));
    return scene
      .paint(rectangle(x, 110, 0.5, 100), { owner: 'edge' })
      .paint(rectangle(150, 150, 9, 9), { owner: 'car' });
  };
  for (const x of [100.5, 299]) expect(resolved(half(x)).owners).toEqual(['edge', 'car']);
  for (const x of [100, 299.5]) expect(resolved(half(x)).owners).toEqual(['car']);
});

test('what makes no difference but rounding is never named, even where it tips the scales', () => {
  const scene = frame()
    .paint(adShape, { owner: 'smoke', opacity: 0.495 })
    .paint(adShape, { owner: 'breath', opacity: 0.015 });
  expect(resolved(scene).owners).toEqual(['smoke']);
});

test('where edges are not smoothed the centres of pixels decide about slivers', () => {
  const onCentres = frame().paint(rectangle(60, 110, 40.6, 100), { owner: 'panel' });
  const besides = frame().paint(rectangle(60, 110, 40.45, 100), { owner: 'panel' });
  onCentres.snapshot.pixelPoints = besides.snapshot.pixelPoints = 1;
  expect(resolved(onCentres).owners).toEqual(['panel']);
  expect(resolved(besides).owners).toEqual([]);
});

test('of what was drawn apart the centres of pixels decide, however finely the screen smooths edges', () => {
  const [flags, owner] = [PolygonFlag.CENTRED, 'panel'];
  expect(resolved(frame().paint(rectangle(60, 110, 40.6, 100), { owner, flags })).owners).toEqual(['panel']);
  expect(resolved(frame().paint(rectangle(60, 110, 40.45, 100), { owner, flags })).owners).toEqual([]);
});

test('several objects that each take less than a pixel are represented by the one that takes most', () => {
  const scene = frame()
    .paint(rectangle(120, 120, 0.3, 0.9), { owner: 'less' })
    .paint(rectangle(140, 120, 0.9, 0.9), { owner: 'most' });
  expect(resolved(scene).owners).toEqual(['most']);
});

test('hairlines of many objects that darken a row of pixels only together are blockers, all of them', () => {
  const scene = frame();
  const owners = Array.from({ length: 12 }, (_, i) => `hair ${i}`);
  owners.forEach((owner, i) => scene.paint(rectangle(130 + 0.08 * i, 110, 0.06, 40), { owner }));
  expect(resolved(scene).owners).toEqual(owners);
});

test('where only several together block, those that add a tenth of opacity are named, fainter ones are not', () => {
  const scene = frame()
    .paint(rectangle(100, 100, 80, 120), { owner: 'smoke', opacity: 0.35 })
    .paint(rectangle(120, 100, 80, 120), { owner: 'fog', opacity: 0.35 })
    .paint(rectangle(110, 100, 80, 120), { owner: 'haze', opacity: 0.05 })
    .paint(rectangle(250, 100, 40, 120), { owner: 'elsewhere', opacity: 0.35 });
  expect(resolved(scene).owners).toEqual(['smoke', 'fog']);
});

test('one that is fainter than a tenth is named where the ad would be seen without it', () => {
  const scene = frame()
    .paint(rectangle(100, 100, 80, 120), { owner: 'smoke', opacity: 0.46 })
    .paint(rectangle(100, 100, 80, 120), { owner: 'haze', opacity: 0.09 });
  expect(resolved(scene).owners).toEqual(['smoke', 'haze']);
});

test('particles of one object that block only together make that object a blocker', () => {
  const scene = frame();
  for (let i = 0; i < 10; i++) scene.paint(regular(200, 160, 20 + i, 8, i), { owner: 'emitter', opacity: 0.08 });
  expect(resolved(scene).owners).toEqual(['emitter']);
});

test('painters that are no objects take area and are not named', () => {
  const { owners, out } = resolved(frame().effect(rectangle(0, 0, 900, 900), 0.8));
  expect(owners).toEqual([]);
  expect(out.visibleArea).toBe(0);
  const both = frame()
    .effect(rectangle(90, 90, 30, 30))
    .paint(rectangle(120, 120, 9, 9), { owner: 'tree' });
  expect(resolved(both).owners).toEqual(['tree']);
});

test('the ad drawn again by a later camera takes area but is not its own blocker', () => {
  const scene = frame();
  scene.paint(rectangle(120, 120, 50, 50), { owner: scene.adObject });
  const { owners, out } = resolved(scene);
  expect(owners).toEqual([]);
  expect(out.lostArea).toBeCloseTo(2500, 6);
});

test('what covers only the later picture of an ad is no blocker of the earlier one', () => {
  const scene = frame().paint(rectangle(180, 120, 40, 40), { owner: 'beneath the later picture' });
  scene.paint(rectangle(120, 120, 100, 50), { owner: scene.adObject });
  scene.paint(rectangle(130, 130, 20, 20), { owner: 'on the later picture' });
  scene.paint(rectangle(210, 130, 20, 20), { owner: 'on both' });
  expect(resolved(scene).owners).toEqual(['on both']);
});

test('an ad too faint to be seen has none', () => {
  const scene = frame().paint(rectangle(120, 120, 50, 50), { owner: 'tree' });
  scene.view.opacity = 0.3;
  expect(resolved(scene).owners).toEqual([]);
});

test('one opaque cell of a mostly clear texture makes its object a blocker', () => {
  const { owners, out } = resolved(frame().paint(rectangle(100, 100, 200, 120), { owner: 'web', map: speck }));
  expect(owners).toEqual(['web']);
  expect(out.isFullyVisible).toBe(false);
});

test('objects over the clear texels of the ad do not block', () => {
  const disc = alphaMap(32, 32, (column, row) => (Math.hypot(column - 15.5, row - 15.5) < 15 ? 1 : 0));
  const scene = new FrameBuilder()
    .ad(adShape, [adShape], { map: disc })
    .paint(rectangle(95, 95, 20, 15), { owner: 'corner' })
    .paint(rectangle(190, 150, 20, 20), { owner: 'middle' });
  expect(resolved(scene).owners).toEqual(['middle']);
});

test('blockers are there exactly when area is lost, and are those that take pixels', () => {
  const ring = alphaMap(16, 16, (column, row) => (Math.abs(Math.hypot(column - 7.5, row - 7.5) - 5) < 2 ? 1 : 0));
  const painter = fc.record({
    x: fc.integer({ min: 80, max: 320 }),
    y: fc.integer({ min: 80, max: 240 }),
    width: fc.integer({ min: 3, max: 90 }),
    height: fc.integer({ min: 3, max: 90 }),
    angle: fc.integer({ min: 0, max: 6 }),
    opacity: fc.constantFrom(1, 0.7, 0.4, 0.2),
    textured: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(painter, { maxLength: 5 }), (painters) => {
      const scene = frame();
      painters.forEach(({ x, y, width, height, angle, opacity, textured }, i) => {
        scene.paint(turned(x, y, width, height, angle), {
          owner: `painter ${i}`,
          opacity,
          ...(textured ? { map: ring } : {}),
        });
      });
      const { owners, out } = resolved(scene);
      expect(owners.length > 0).toBe(out.lostArea >= 1);
      expect(owners).toEqual([...owners].sort());
      // Sampling coarser than a pixel may miss a few pixels; what takes many must be named.
      for (const [owner, pixels] of everyPixel(scene.snapshot, scene.view).taken) {
        if (pixels > 40) expect(owners).toContain(owner);
      }
    }),
    { numRuns: 40 },
  );
});

test('lights too faint to wash the ad out alone are blockers together, and those far from it are not', () => {
  const flags = PolygonFlag.ADDS;
  const scene = frame().paint(rectangle(250, 120, 40, 40), { owner: 'lone', opacity: 0.3, flags });
  for (const owner of ['red', 'green', 'blue'])
    scene.paint(rectangle(120, 120, 40, 40), { owner, opacity: 0.2, flags });
  expect(resolved(scene).owners).toEqual(['red', 'green', 'blue']);
});

test('objects apart from each other are blockers exactly where each takes pixels by itself, be it by panes or lights', () => {
  const sheet = fc.record({
    x: fc.integer({ min: 0, max: 9 }),
    width: fc.integer({ min: 2, max: 9 }),
    owner: fc.constantFrom(0, 1, 2),
    opacity: fc.constantFrom(0.2, 0.35, 0.6),
    flags: fc.constantFrom(0, PolygonFlag.ADDS, DARKEST << DARKNESS_SHIFT),
  });
  const measured = (sheets: readonly (typeof sheet extends fc.Arbitrary<infer T> ? T : never)[]) => {
    const scene = new FrameBuilder(100, 100).ad(rectangle(0, 0, 60, 4));
    for (const { x, width, owner, opacity, flags } of sheets)
      scene.paint(rectangle(20 * owner + x, 0, width, 4), { owner: `object ${owner}`, opacity, flags });
    return resolved(scene);
  };
  fc.assert(
    fc.property(fc.array(sheet, { minLength: 2, maxLength: 9 }), (sheets) => {
      const takers = [0, 1, 2].filter((it) => measured(sheets.filter(({ owner }) => owner === it)).out.lostArea > 0);
      expect([...measured(sheets).owners].sort()).toEqual(takers.map((it) => `object ${it}`));
    }),
    { numRuns: 150 },
  );
});

test('what dims an ad to less than half with its own mask blocks it, alone or together', () => {
  const masked = (): FrameBuilder => {
    const scene = new FrameBuilder();
    const mask = scene.mask([{ points: rectangle(0, 0, 900, 900), paint: { opacity: 0.7 } }]);
    return scene.ad(adShape, undefined, { mask });
  };
  expect(resolved(masked().paint(adShape, { owner: 'shade', opacity: 0.35 })).owners).toEqual(['shade']);
  const besides = masked()
    .paint(adShape, { owner: 'shade', opacity: 0.35 })
    .paint(adShape, { owner: 'haze', opacity: 0.15 });
  expect(resolved(besides).owners).toEqual(['shade']);
  const both = masked().paint(adShape, { owner: 'smoke', opacity: 0.2 }).paint(adShape, { owner: 'fog', opacity: 0.2 });
  expect(resolved(both).owners).toEqual(['smoke', 'fog']);
});

test.each([
  ['of one object', 'left', 'left'],
  ['of two', 'left', 'right'],
])('pictures %s that are dimmed by one mask at once are no darker than the mask', (_, one, other) => {
  const scene = frame().paint(rectangle(250, 150, 20, 20), { owner: 'car' });
  const mask = scene.mask([{ points: rectangle(0, 0, 900, 900), paint: { opacity: 0.4 } }]);
  for (const owner of [one, other]) scene.paint(rectangle(110, 110, 60, 60), { owner, mask });
  const { owners, out } = resolved(scene);
  expect(owners).toEqual(['car']);
  expect(out.lostArea).toBeCloseTo(400, 6);
});

describe('of shapes that fill whole pixels', () => {
  const [width, height] = [12, 9];
  const place = fc
    .tuple(fc.nat(width), fc.nat(height), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
    .map(([x, y, w, h]) => [x - 2, y - 2, w, h] as const);
  type Place = typeof place extends fc.Arbitrary<infer T> ? T : never;
  interface Sheet {
    readonly place: Place;
    readonly owner: string | undefined;
    readonly opacity: number;
  }
  const sheet: fc.Arbitrary<Sheet> = fc.record({
    place,
    owner: fc.constantFrom('tree', 'bird', 'cloud', 'car', 'ad', undefined),
    opacity: fc.constantFrom(1, 0.7, 0.45, 0.45, 0.3, 0.2, 0.09, 0.03, 0.01),
  });
  const parts = fc.record({
    sheets: fc.array(sheet, { minLength: 1, maxLength: 7 }),
    window: fc.option(fc.record({ place, strength: fc.constantFrom(1, 0.85) })),
    at: fc.constantFrom([0, 0], [100, 60]),
    pixelPoints: fc.constantFrom(1, 4, 8),
    blockingOpacity: fc.constantFrom(0.5, 0.5, 0.3, 0.8),
  });
  const covers = ([left, top, w, h]: Place, x: number, y: number): boolean =>
    x >= left && x < left + w && y >= top && y < top + h;

  /** What each owner takes of the ad, pixel by pixel, as the rules for blockers say. */
  function taken({ sheets, window, blockingOpacity }: typeof parts extends fc.Arbitrary<infer T> ? T : never) {
    const counts = new Map<string | undefined, number>();
    const limit = blockingOpacity - 1e-6;
    for (let x = 0; x < width; x++)
      for (let y = 0; y < height; y++) {
        const over = sheets.filter(({ place }) => covers(place, x, y));
        const mask = window === null ? 1 : covers(window.place, x, y) ? window.strength : 0;
        if (mask === 0 || over.some(({ owner }) => owner === 'ad')) continue;
        const keeps = new Map<string | undefined, number>();
        for (const { owner, opacity } of over) keeps.set(owner, (keeps.get(owner) ?? 1) * (1 - opacity));
        const light = [...keeps.values()].reduce((product, keep) => product * keep, mask);
        const isBlocking = (keep: number): boolean => 1 - keep * mask >= limit;
        const alone = [...keeps].filter(([, keep]) => isBlocking(keep));
        const together = [...keeps].filter(
          ([, keep]) => keep <= 0.98 && (keep <= 0.9 + 1e-6 || light / keep > 1 - limit),
        );
        const takers = alone.length > 0 ? alone : 1 - light >= limit ? together : [];
        for (const [owner] of takers) counts.set(owner, (counts.get(owner) ?? 0) + 1);
      }
    return counts;
  }

  test('blockers are exactly those that take a pixel, alone or together, by the draw order of their last sheets', () => {
    fc.assert(
      fc.property(parts, (scene) => {
        const { sheets, window, at, pixelPoints, blockingOpacity } = scene;
        const shape = ([x, y, w, h]: Place): number[] => rectangle(x + at[0], y + at[1], w, h);
        const built = new FrameBuilder(400, 400);
        built.snapshot.pixelPoints = pixelPoints;
        const mask = window
          ? built.mask([{ points: shape(window.place), paint: { opacity: window.strength } }])
          : undefined;
        built.ad(shape([0, 0, width, height]), undefined, mask === undefined ? {} : { mask });
        for (const { place, owner, opacity } of sheets) {
          if (owner === undefined) built.effect(shape(place), opacity);
          else built.paint(shape(place), owner === 'ad' ? { owner: built.adObject, opacity: 1 } : { owner, opacity });
        }
        const { snapshot, view } = built;
        const out = new ViewMeasurement();
        measureView(snapshot, view, { blockingOpacity }, out);
        const counts = taken(scene);
        const last = (owner: string): number => sheets.map((one) => one.owner).lastIndexOf(owner);
        const named = [...counts.keys()].filter((owner) => owner !== undefined).sort((a, b) => last(a) - last(b));
        expect(resolveBlockers(snapshot, view, { blockingOpacity }, out)).toEqual(named);
      }),
      { numRuns: 150 },
    );
  });
});
