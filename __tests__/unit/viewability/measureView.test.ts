import * as fc from 'fast-check';

import { evenly } from '../../helpers/evenly.js';
import { FragmentSet } from '../../../src/geometry/FragmentSet.js';
import { DARKEST, DARKNESS_SHIFT, PolygonFlag } from '../../../src/measure/FrameSnapshot.js';
import { collectVisibleFragments } from '../../../src/measure/collectVisibleFragments.js';
import { measureView } from '../../../src/measure/measureView.js';
import { whyUnseenAt } from '../../../src/measure/whyUnseenAt.js';
import { ViewMeasurement } from '../../../src/measure/ViewMeasurement.js';
import { everyPixel } from './support/everyPixel.js';
import { alphaMap, FrameBuilder, type Paint, rectangle, regular, turned } from './support/FrameBuilder.js';

const options = { blockingOpacity: 0.5 };

function measure(frame: FrameBuilder, maxSamples?: number): ViewMeasurement {
  const out = new ViewMeasurement();
  measureView(frame.snapshot, frame.view, maxSamples === undefined ? options : { ...options, maxSamples }, out);
  return out;
}

const adShape = rectangle(100, 100, 300, 200);
const frame = (): FrameBuilder => new FrameBuilder().ad(adShape);

const ring = alphaMap(32, 32, (column, row) => {
  const distance = Math.hypot(column - 15.5, row - 15.5);
  return distance < 15 && distance > 8 ? 1 : 0;
});
/** With rounded corners. */
const panel = alphaMap(32, 32, (column, row) => {
  const beyond = (at: number): number => Math.max(Math.abs(at - 15.5) - 8, 0);
  return Math.hypot(beyond(column), beyond(row)) < 8 ? 1 : 0;
});
const border = alphaMap(32, 32, (column, row) => (column < 2 || row < 2 || column > 29 || row > 29 ? 1 : 0));

describe('an ad under polygons of one opacity', () => {
  test('is fully visible when nothing is drawn later', () => {
    expect(measure(frame())).toMatchObject({
      totalArea: 60_000,
      onScreenArea: 60_000,
      visibleArea: 60_000,
      meanTransmittance: 1,
      isFullyVisible: true,
    });
  });

  test('loses exactly what opaque polygons cover', () => {
    const out = measure(
      frame()
        .paint(rectangle(50, 50, 100, 100))
        .paint(rectangle(120, 120, 60, 60)),
    );
    expect(out.visibleArea).toBeCloseTo(60_000 - 2500 - (3600 - 900), 6);
    expect(out.lostArea).toBeCloseTo(5200, 6);
    expect(out.isFullyVisible).toBe(false);
  });

  test('keeps its total area when only a part is on screen, and is then not fully visible', () => {
    const out = measure(new FrameBuilder().ad(adShape, [rectangle(100, 100, 120, 200)]));
    expect(out).toMatchObject({ totalArea: 60_000, onScreenArea: 24_000, visibleArea: 24_000, isFullyVisible: false });
  });

  test('is not fully visible when it is too small for a pixel', () => {
    expect(measure(new FrameBuilder().ad(rectangle(100, 100, 0.9, 0.9))).isFullyVisible).toBe(false);
    expect(measure(new FrameBuilder().ad(rectangle(100, 100, 1, 1))).isFullyVisible).toBe(true);
  });

  test('has nothing on screen when no piece is left', () => {
    const out = measure(new FrameBuilder().ad(adShape, []));
    expect(out).toMatchObject({ totalArea: 60_000, onScreenArea: 0, visibleArea: 0, isFullyVisible: false });
  });

  test('is not touched by painters beneath it or neighbours that share an edge', () => {
    const below = new FrameBuilder().paint(rectangle(0, 0, 500, 500)).ad(adShape);
    below
      .paint(rectangle(400, 100, 100, 200))
      .paint(rectangle(0, 0, 100, 100))
      .paint(rectangle(100, 300, 300, 9));
    expect(measure(below)).toMatchObject({ visibleArea: 60_000, isFullyVisible: true });
  });

  test('is covered by its own picture in a later camera, as the player sees that one', () => {
    const twice = frame();
    twice.paint(rectangle(120, 120, 50, 50), { owner: twice.adObject });
    expect(measure(twice).visibleArea).toBe(57_500);
  });

  test('counts a loss below one pixel as none, and one of a pixel as a loss', () => {
    expect(measure(frame().paint(rectangle(399.1, 150, 50, 1))).isFullyVisible).toBe(true);
    expect(measure(frame().paint(rectangle(399, 150, 50, 1))).isFullyVisible).toBe(false);
    expect(measure(new FrameBuilder().ad(adShape, [rectangle(100, 100, 299.999, 200)])).isFullyVisible).toBe(true);
    expect(measure(new FrameBuilder().ad(adShape, [rectangle(100, 100, 299, 200)])).isFullyVisible).toBe(false);
  });

  test('is blocked where accumulated opacity reaches a half, and light passes by the product', () => {
    const out = measure(
      frame()
        .paint(rectangle(100, 100, 200, 200), { opacity: 0.3 })
        .paint(rectangle(200, 100, 200, 200), { opacity: 0.3 }),
    );
    expect(out.visibleArea).toBeCloseTo(40_000, 5);
    expect(out.meanTransmittance).toBeCloseTo((40_000 * 0.7 + 20_000 * 0.49) / 60_000, 6);
    const lighter = measure(frame().paint(adShape, { opacity: 0.3 }).paint(adShape, { opacity: 0.28 }));
    expect(lighter.isFullyVisible).toBe(true);
  });

  test('lets light through a painter that blocks by itself without being opaque', () => {
    const out = measure(frame().paint(adShape, { opacity: 0.75 }));
    expect(out.visibleArea).toBe(0);
    expect(out.meanTransmittance).toBeCloseTo(0.25, 6);
  });

  test('is not fully visible while its own opacity is below the blocking opacity', () => {
    const faint = frame();
    faint.view.opacity = 0.49;
    expect(measure(faint)).toMatchObject({ transparent: true, isFullyVisible: false });
  });

  test.each([
    ['leaves less of each texel than the blocking opacity', 0.6, () => 0.8, true],
    ['leaves enough of each texel', 0.7, () => 0.8, false],
    ['leaves enough of its strongest texels', 0.6, (x: number) => (x < 2 ? 1 : 0.8), false],
  ] as const)(
    'whose picture lets light through is transparent when fading %s: %d',
    (_name, opacity, texel, transparent) => {
      const faint = new FrameBuilder().ad(adShape, [adShape], { map: alphaMap(4, 4, texel) });
      faint.view.opacity = opacity;
      expect(measure(faint)).toMatchObject({ transparent, isFullyVisible: !transparent });
      const fragments = new FragmentSet();
      collectVisibleFragments(faint.snapshot, faint.view, options, fragments);
      expect(fragments.count === 0).toBe(transparent);
      const press = whyUnseenAt(faint.snapshot, faint.view, 250.5, 200.5, options);
      expect(press).toBe(transparent ? 'transparent' : null);
    },
  );

  test('is unmeasurable when something unknown takes a pixel of it, but not when it only touches', () => {
    const flags = PolygonFlag.UNMEASURABLE;
    expect(measure(frame().paint(rectangle(350, 150, 20, 20), { flags, opacity: 0.2 }))).toMatchObject({
      unmeasurable: true,
      isFullyVisible: false,
      visibleArea: 59_600,
    });
    expect(measure(frame().paint(rectangle(400, 100, 20, 20), { flags }))).toMatchObject({
      unmeasurable: false,
      isFullyVisible: true,
    });
  });

  test('is measurable where something later hides what is unknown, and not where something earlier does', () => {
    const flags = PolygonFlag.UNMEASURABLE;
    const hidden = frame()
      .paint(rectangle(350, 150, 20, 20), { flags })
      .paint(rectangle(340, 140, 40, 40));
    expect(measure(hidden)).toMatchObject({ unmeasurable: false, visibleArea: 58_400 });
    const above = frame()
      .paint(rectangle(340, 140, 40, 40))
      .paint(rectangle(350, 150, 20, 20), { flags });
    expect(measure(above)).toMatchObject({ unmeasurable: true, visibleArea: 58_400 });
    const partly = frame()
      .paint(rectangle(350, 150, 20, 20), { flags })
      .paint(rectangle(340, 140, 29, 40));
    expect(measure(partly).unmeasurable).toBe(true);
    const faint = frame()
      .paint(rectangle(350, 150, 20, 20), { flags })
      .paint(adShape, { opacity: 0.4 });
    expect(measure(faint).unmeasurable).toBe(true);
  });

  test('is unmeasurable from just a pixel on, and blocked from just a half of opacity on', () => {
    const flags = PolygonFlag.UNMEASURABLE;
    expect(measure(frame().paint(rectangle(399, 150, 50, 1), { flags })).unmeasurable).toBe(true);
    expect(measure(frame().paint(rectangle(399.01, 150, 50, 1), { flags })).unmeasurable).toBe(false);
    // Together they leave exactly a half.
    const half = frame().paint(adShape, { opacity: 0.2 }).paint(adShape, { opacity: 0.375 });
    expect(measure(half)).toMatchObject({ visibleArea: 0, isFullyVisible: false });
    const faint = frame();
    faint.view.opacity = 0.5;
    expect(measure(faint)).toMatchObject({ transparent: false, isFullyVisible: true });
  });

  test('is never larger on the screen than in all', () => {
    const out = measure(new FrameBuilder().ad(adShape, [rectangle(100, 100, 300 + 1e-7, 200)]));
    expect(out.totalArea).toBeGreaterThanOrEqual(out.onScreenArea);
  });

  test('counts area once where its own shapes overlap', () => {
    const twice = frame();
    const { snapshot, view } = twice;
    const other = new FrameBuilder();
    const double = other.snapshot.addView();
    Object.assign(double, view, { shapeFrom: 0, shapeTo: 2, pieceFrom: 2, pieceTo: 4 });
    for (let i = 0; i < 4; i++) {
      const index = other.snapshot.addPolygon(rectangle(i % 2 ? 200 : 100, 100, 200, 100), 0, 4);
      if (i < 2) other.snapshot.flags[index] = 0;
    }
    other.view = double;
    other.paint(rectangle(200, 100, 100, 50));
    expect(snapshot.count).toBe(2);
    expect(measure(other)).toMatchObject({ totalArea: 30_000, onScreenArea: 30_000, visibleArea: 25_000 });
  });

  const painter = fc.record({
    x: evenly(50, 450),
    y: evenly(50, 350),
    width: evenly(1, 250),
    height: evenly(1, 250),
    angle: evenly(0, 6.3),
    opacity: fc.oneof(fc.constant(1), evenly(0.02, 1)),
  });
  type Painter = typeof painter extends fc.Arbitrary<infer T> ? T : never;
  const painted = (painters: readonly Painter[], base = frame()): FrameBuilder => {
    for (const { x, y, width, height, angle, opacity } of painters) {
      base.paint(turned(x, y, width, height, angle), { opacity });
    }
    return base;
  };

  test('never shows more when something is painted over it', () => {
    fc.assert(
      fc.property(fc.array(painter, { maxLength: 6 }), painter, (painters, more) => {
        const before = measure(painted(painters));
        const after = measure(painted([...painters, more]));
        expect(after.visibleArea).toBeLessThanOrEqual(before.visibleArea + 1e-4);
        expect(after.meanTransmittance).toBeLessThanOrEqual(before.meanTransmittance + 1e-8);
      }),
    );
  });

  test('shows the same in whatever order it is covered', () => {
    fc.assert(
      fc.property(fc.array(painter, { maxLength: 6 }), (painters) => {
        const forward = measure(painted(painters));
        const backward = measure(painted([...painters].reverse()));
        expect(backward.visibleArea).toBeCloseTo(forward.visibleArea, 3);
        expect(backward.meanTransmittance).toBeCloseTo(forward.meanTransmittance, 6);
      }),
    );
  });

  test('agrees with counting points, however translucent its covers are', () => {
    fc.assert(
      fc.property(fc.array(painter, { maxLength: 7 }), (painters) => {
        const scene = painted(painters);
        const out = measure(scene);
        const counted = everyPixel(scene.snapshot, scene.view);
        expect(Math.abs(out.visibleArea - counted.visible) / 60_000).toBeLessThan(0.006);
        expect(Math.abs(out.meanTransmittance - counted.light / counted.onScreen)).toBeLessThan(0.006);
      }),
      { numRuns: 15 },
    );
  });

  test('hands out the visible fragments, whose area is the visible area', () => {
    const scene = painted([
      { x: 150, y: 150, width: 100, height: 60, angle: 0.4, opacity: 1 },
      { x: 300, y: 220, width: 90, height: 90, angle: 1, opacity: 0.8 },
    ]);
    const fragments = new FragmentSet();
    collectVisibleFragments(scene.snapshot, scene.view, options, fragments);
    fragments.sumUp();
    expect(fragments.area).toBeCloseTo(measure(scene).visibleArea, 6);
    expect(fragments.count).toBeGreaterThan(2);
  });

  test.each([
    ['texels', { map: ring }],
    ['two translucent covers', { opacity: 0.4 }],
  ])('hands out rows of pixels where %s decide', (_name, look) => {
    const scene = frame();
    scene.paint(rectangle(150, 120, 100, 100), look);
    scene.paint(rectangle(150, 120, 80, 60), look);
    const fragments = new FragmentSet();
    collectVisibleFragments(scene.snapshot, scene.view, options, fragments);
    fragments.sumUp();
    expect(Math.abs(fragments.area - measure(scene).visibleArea) / measure(scene).visibleArea).toBeLessThan(0.01);
    for (let i = 0; i < fragments.count; i++) expect(fragments.length[i]).toBe(4);
  });

  test('keeps the light that very many covers let through which block by themselves', () => {
    const veils = frame().paint(adShape, { opacity: 0.75 });
    for (let i = 0; i < 40; i++) veils.paint(rectangle(110 + 7 * i, 120, 5, 50), { opacity: 0.2 });
    const out = measure(veils);
    const counted = everyPixel(veils.snapshot, veils.view);
    expect(out.visibleArea).toBe(0);
    expect(Math.abs(out.meanTransmittance - counted.light / counted.onScreen)).toBeLessThan(0.01);
  });

  test('drawn apart, loses the pixels whose centres lie where thin panes of glass overlap, be that finer than a pixel', () => {
    const flags = PolygonFlag.CENTRED;
    const overlap = evenly(0.1, 0.9);
    const side = fc.constantFrom(24, 60);
    fc.assert(
      fc.property(side, overlap, evenly(0, 1), fc.option(evenly(10, 13)), fc.nat(1), (size, by, x, opaque, isLevel) => {
        const scene = new FrameBuilder().ad(rectangle(100, 100, size, size), undefined, { flags });
        // They end where the ad does.
        const pane = (at: number, thick: number): number[] =>
          isLevel ? rectangle(90, at, 10 + size, thick) : rectangle(at, 90, thick, 10 + size);
        if (opaque !== null) scene.paint(pane(90, opaque), { flags });
        for (let at = 105 + x; at < 90 + size; at += 15) {
          for (const place of [at, at + 5 - by]) scene.paint(pane(place, 5), { opacity: 0.4, flags });
        }
        expect(measure(scene).visibleArea).toBeCloseTo(everyPixel(scene.snapshot, scene.view).visible, 6);
      }),
    );
  });

  test.each([
    ['large', 300, 0],
    ['large', 300, 0.25],
    ['small', 60, 0],
    ['small', 60, 0.25],
  ])('%s, shows through panes finer than pixels where their edges are smoothed', (_size, width, from) => {
    // The ad itself may have been drawn apart.
    for (const flags of [0, PolygonFlag.CENTRED]) {
      const blinds = new FrameBuilder().ad(rectangle(100, 100, width, 50), undefined, { flags });
      for (let x = 100 + from; x < 100 + width; x++) {
        for (let twice = 0; twice < 2; twice++) blinds.paint(rectangle(x, 100, 0.5, 50), { opacity: 0.45 });
      }
      const out = measure(blinds);
      expect(out.visibleArea / out.totalArea).toBeCloseTo(1, 2);
      expect(Math.abs(out.meanTransmittance - (1 + 0.55 ** 2) / 2)).toBeLessThan(0.01);
    }
  });

  test('is measured within a percent under hundreds of translucent particles', () => {
    const cloud = frame();
    // Points are counted here; smoothed pixels have the mean of several.
    cloud.snapshot.pixelPoints = 1;
    for (let i = 0; i < 300; i++) {
      cloud.paint(regular(110 + ((i * 73) % 280), 110 + ((i * 41) % 180), 12, 6, i), { opacity: 0.2 });
    }
    const out = measure(cloud);
    const counted = everyPixel(cloud.snapshot, cloud.view);
    expect(Math.abs(out.visibleArea - counted.visible) / 60_000).toBeLessThan(0.01);
    expect(Math.abs(out.meanTransmittance - counted.light / counted.onScreen)).toBeLessThan(0.01);
  });
});

describe('an ad under texels, gradients and masks', () => {
  const within = (scene: FrameBuilder, percentagePoints: number, maxSamples?: number): ViewMeasurement => {
    const out = measure(scene, maxSamples);
    const counted = everyPixel(scene.snapshot, scene.view);
    expect(Math.abs(out.onScreenArea - counted.onScreen) / counted.onScreen).toBeLessThan(percentagePoints / 100);
    expect(Math.abs(out.visibleArea - counted.visible) / counted.onScreen).toBeLessThan(percentagePoints / 100);
    expect(Math.abs(out.meanTransmittance - counted.light / counted.onScreen)).toBeLessThan(percentagePoints / 100);
    return out;
  };

  test('loses what the texels cover, not their holes', () => {
    within(frame().paint(rectangle(150, 120, 160, 160), { map: ring }), 0.7);
    within(frame().paint(rectangle(150, 120, 60, 60), { map: ring }), 0.1);
    within(frame().paint(rectangle(150, 120, 160, 160), { map: ring }), 0.05, 65_536);
  });

  test('is fully visible through the hole of a frame around it, at any size', () => {
    expect(measure(frame().paint(rectangle(60, 70, 380, 260), { map: border })).isFullyVisible).toBe(true);
    expect(measure(frame().paint(rectangle(-500, -500, 1800, 1600), { map: border })).isFullyVisible).toBe(true);
  });

  test('is not touched by clear texels, nor by a textured object without opacity', () => {
    const clear = alphaMap(8, 8, () => 0);
    expect(measure(frame().paint(adShape, { map: clear }).paint(adShape, { map: ring, opacity: 0 }))).toMatchObject({
      visibleArea: 60_000,
      meanTransmittance: 1,
      isFullyVisible: true,
    });
  });

  test('notices one opaque cell in an otherwise clear texture, wherever it falls', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }), (column, row) => {
        const speck = alphaMap(32, 32, (c, r) => (c === column && r === row ? 1 : 0));
        const out = measure(frame().paint(rectangle(100, 100, 300, 200), { map: speck }));
        expect(out.isFullyVisible).toBe(false);
        expect(out.lostArea).toBeGreaterThan(20);
        expect(out.lostArea).toBeLessThan(60);
      }),
      { numRuns: 30 },
    );
  });

  test('notices a textured object of a few pixels over a large ad', () => {
    for (let i = 0; i < 40; i++) {
      const scene = new FrameBuilder(2000, 2000).ad(rectangle(0, 0, 1600, 900));
      scene.paint(turned(100 + i * 31.3, 80 + i * 17.9, 5, 4, i), { map: alphaMap(4, 4, () => 0.9) });
      const out = measure(scene);
      expect(out.isFullyVisible).toBe(false);
      expect(out.lostArea).toBeGreaterThan(10);
      expect(out.lostArea).toBeLessThan(35);
    }
  });

  test('adds texels to opaque and translucent covers', () => {
    const scene = frame()
      .paint(turned(180, 180, 90, 70, 0.5))
      .paint(rectangle(150, 120, 160, 160), { map: ring, opacity: 0.4 })
      .paint(turned(260, 200, 200, 60, 1), { opacity: 0.35 });
    within(scene, 0.7);
  });

  test('follows a gradient', () => {
    const scene = frame().paint(adShape, { opacity: -100 / 300, gradient: [1 / 300, 0] });
    const out = within(scene, 0.7);
    expect(out.visibleArea).toBeGreaterThan(29_000);
    expect(out.visibleArea).toBeLessThan(31_000);
  });

  test('repeats a texture where it is wrapped and clamps it where it is not', () => {
    const stripes = alphaMap(2, 1, (column) => column);
    const uv = [0.05, 0, 0, 0.05, 0.3, 0];
    within(frame().paint(adShape, { map: stripes, uv, flags: PolygonFlag.REPEAT }), 1);
    within(frame().paint(adShape, { map: stripes, uv }), 1);
    expect(measure(frame().paint(adShape, { map: stripes, uv }), 65_536).visibleArea).toBe(0);
  });

  test('is lit through a picture that is turned, repeated or not, smooth or not, as every pixel says', () => {
    const picture = alphaMap(5, 7, (column, row) => ((2 * column + 3 * row) % 5) / 4);
    fc.assert(
      fc.property(evenly(0, 6.3), evenly(0.05, 0.3), evenly(-9, 9), fc.nat(3), (angle, zoom, from, kind) => {
        const [a, b] = [zoom * Math.cos(angle), zoom * Math.sin(angle)];
        const flags = kind % 2 === 1 ? PolygonFlag.REPEAT : 0;
        const map = { ...picture, isPixelated: kind > 1 };
        const scene = new FrameBuilder().ad(rectangle(10, 10, 60, 50));
        scene.paint(rectangle(0, 0, 90, 80), { map, uv: [a, b, -b, a, from, 3], flags });
        const { light, onScreen } = everyPixel(scene.snapshot, scene.view);
        expect(measure(scene).meanTransmittance).toBeCloseTo(light / onScreen, 4);
      }),
      { numRuns: 48 },
    );
  });

  test('is only covered where a mask lets its painter show', () => {
    const masked = new FrameBuilder();
    const hole = masked.mask([
      { points: regular(250, 200, 60, 24) },
      { points: rectangle(300, 100, 50, 50), paint: { opacity: 0.4 } },
    ]);
    masked.ad(adShape).paint(rectangle(0, 0, 500, 500), { mask: hole });
    within(masked, 0.7);
    const inverted = new FrameBuilder();
    const keep = inverted.mask([{ points: regular(250, 200, 60, 24) }], true);
    inverted.ad(adShape).paint(rectangle(0, 0, 500, 500), { mask: keep });
    within(inverted, 0.7);
  });

  test('is only covered where each of two masks lets its painter show', () => {
    const builder = frame();
    const outer = builder.mask([{ points: rectangle(100, 100, 180, 200), paint: { opacity: 0.8 } }]);
    const mask = builder.mask([{ points: rectangle(220, 100, 180, 200), paint: { opacity: 0.8 } }], false, outer);
    builder.paint(rectangle(100, 100, 300, 200), { mask });
    const out = measure(builder);
    expect(out.visibleArea / out.totalArea).toBeCloseTo(0.8, 2);
  });

  test('is only covered where the parts of a mask, each too faint for itself, lie over each other', () => {
    const builder = frame();
    const faint = (x: number) => ({ points: rectangle(x, 100, 180, 200), paint: { opacity: 0.4 } });
    const mask = builder.mask([faint(100), faint(220)]);
    const out = measure(builder.paint(rectangle(100, 100, 300, 200), { mask }));
    expect(out.visibleArea / out.totalArea).toBeCloseTo(0.8, 2);
  });

  test('is sampled at every pixel centre when small, and agrees with the pixels but for smooth edges', () => {
    const scene = new FrameBuilder().ad(rectangle(10, 10, 60, 50)).paint(turned(40, 30, 44, 44, 0.7), { map: ring });
    const out = measure(scene);
    const counted = everyPixel(scene.snapshot, scene.view);
    expect(Math.abs(out.visibleArea - counted.visible)).toBeLessThan(0.005 * 3000);
  });

  test('loses as much to a picture between pixels as to the same one on whole pixels', () => {
    const bars = alphaMap(60, 40, (column) => (column % 10 < 4 ? 1 : 0));
    const visible = (away: number): number =>
      measure(new FrameBuilder().ad(rectangle(0, 0, 80, 60)).paint(rectangle(10 + away, 10, 60, 40), { map: bars }))
        .visibleArea;
    expect(visible(0)).toBeCloseTo(4800 - 6 * 4 * 40, 6);
    for (const away of [0.2, 0.35, 0.5, 0.65]) {
      expect(Math.abs(visible(away) - visible(0))).toBeLessThan(0.005 * 4800);
    }
  });

  test.each([
    ['bars of 0.7', (column: number) => (column % 8 < 2 ? 0.7 : 0), 0.75],
    ['hatching of 0.6', (column: number) => (column % 2 === 0 ? 0.6 : 0), 0.5],
    ['chequers of 0.6', (column: number, row: number) => ((column + row) % 2 === 0 ? 0.6 : 0), 0.5],
    ['solid bars', (column: number) => (column % 8 < 2 ? 1 : 0), 0.75],
  ])('loses to %s what their texels take, however large it is', (_name, at, share) => {
    const { snapshot, view } = frame().paint(adShape, { map: alphaMap(300, 200, at) });
    // Samples of one look may fall in step with a pattern.
    let seen = 0;
    for (let pass = 0; pass < 16; pass++) {
      const out = new ViewMeasurement();
      measureView(snapshot, view, options, out, pass);
      seen += out.visibleArea / out.totalArea / 16;
    }
    expect(Math.abs(seen - share)).toBeLessThan(0.01);
  });

  test('is sampled between the pixels when tiny', () => {
    const scene = new FrameBuilder().ad(rectangle(10, 10, 8, 6)).paint(rectangle(12, 11, 5, 5), { map: ring });
    const fine = everyPixel(scene.snapshot, scene.view, 0.5, 20);
    expect(Math.abs(measure(scene).visibleArea - fine.visible) / 48).toBeLessThan(0.02);
  });

  test('is gone, without a rest of noise, where texels and polygons together cover all of it', () => {
    const full = alphaMap(4, 4, () => 0.95);
    const scene = frame()
      .paint(rectangle(90, 90, 160, 220))
      .paint(turned(300, 200, 320, 320, 0.3), { map: full });
    expect(measure(scene).visibleArea).toBe(0);
  });

  test('is gone, too, where an edge of a polygon runs aslant below texels that cover a part of it', () => {
    const full = alphaMap(4, 4, () => 0.95);
    fc.assert(
      fc.property(evenly(185, 390), evenly(185, 390), (upper, lower) => {
        const scene = frame().paint([90, 90, upper, 90, lower, 310, 90, 310]);
        expect(measure(scene.paint(rectangle(180, 90, 230, 220), { map: full })).visibleArea).toBe(0);
      }),
    );
  });
});

describe('an ad under thin covers that let light through', () => {
  /** A frame of bars around an opaque panel, as an outlined rectangle is drawn. */
  const outlined = (width: number): FrameBuilder => {
    const scene = new FrameBuilder().ad(rectangle(0, 0, 80, 40)).paint(rectangle(15, 8, 50, 24));
    const half = width / 2;
    return scene
      .paint(rectangle(15, 8 - half, 50, width), { opacity: 0.6 })
      .paint(rectangle(15, 32 - half, 50, width), { opacity: 0.6 });
  };

  test('loses only pixels that keep less than half of their light as drawn', () => {
    // Three quarters of a pixel on either side of the edge: 0.55 of the light is left.
    expect(measure(outlined(1.5)).visibleArea / 3200).toBeCloseTo((3200 - 1200) / 3200, 1);
    // One and a half: a whole pixel keeps 0.4, the next one 0.7.
    const seen = measure(outlined(3)).visibleArea;
    expect(seen).toBeGreaterThan(3200 - 1200 - 2 * 1.5 * 50);
    expect(seen).toBeLessThan(3200 - 1200 - 2 * 0.5 * 50);
  });
});

describe('an ad under what adds light', () => {
  const ADDS = { opacity: 0.2, flags: PolygonFlag.ADDS };
  const BLACK = DARKEST << DARKNESS_SHIFT;
  const half = rectangle(100, 100, 150, 200);

  test('is washed out by the sum of lights too faint to do so alone', () => {
    expect(measure(frame().paint(half, ADDS).paint(half, ADDS))).toMatchObject({
      visibleArea: 60_000,
      isFullyVisible: true,
    });
    // Three times 0.2 is more than half, and one minus 0.8 to the power of three is less.
    const out = measure(frame().paint(half, ADDS).paint(half, ADDS).paint(half, ADDS));
    expect(out.visibleArea).toBeCloseTo(30_000, 6);
    expect(out.meanTransmittance).toBeCloseTo(0.7, 6);
    expect(out.isFullyVisible).toBe(false);
  });

  describe('that lets what lies below it through', () => {
    const faintOn = (paint: Paint | null, ground = 0): FrameBuilder => {
      const builder = new FrameBuilder();
      builder.snapshot.ground = ground;
      if (paint !== null) builder.paint(adShape, paint);
      builder.ad(adShape);
      Object.assign(builder.view, { alpha: 0.6, opacity: 0.6 });
      return builder.paint(half, ADDS).paint(half, ADDS);
    };

    test.each<[what: string, builder: FrameBuilder, area: number]>([
      ['on black', faintOn({ flags: BLACK }), 60_000],
      ['on white', faintOn({}), 30_000],
      ['on an empty canvas that is black', faintOn(null), 60_000],
      ['on an empty canvas that is white', faintOn(null, 1), 30_000],
      ['on black over white', faintOn({ flags: BLACK }, 1), 60_000],
      ['on a veil over black that is too faint', faintOn({ opacity: 0.1 }), 60_000],
    ])('%s', (_what, builder, area) => {
      const out = measure(builder);
      expect(out.visibleArea).toBeCloseTo(area, 6);
      expect(out.unmeasurable).toBe(false);
    });

    test('is unmeasurable on something unknown, but not beside it', () => {
      expect(measure(faintOn({ flags: PolygonFlag.UNMEASURABLE })).unmeasurable).toBe(true);
      const beside = new FrameBuilder().paint(rectangle(0, 0, 50, 50), { flags: PolygonFlag.UNMEASURABLE }).ad(adShape);
      Object.assign(beside.view, { alpha: 0.6, opacity: 0.6 });
      expect(measure(beside.paint(half, ADDS)).unmeasurable).toBe(false);
    });
  });

  test('loses nothing to light for which a dark shade has made room, all of it above a bright one', () => {
    const shaded = (flags: number): number =>
      measure(frame().paint(half, { opacity: 0.4, flags }).paint(half, ADDS)).visibleArea;
    expect(shaded(BLACK)).toBeCloseTo(60_000, 6);
    expect(shaded(0)).toBeCloseTo(30_000, 6);
  });

  test('loses a share of what is left to a shade above the light', () => {
    const below = frame().paint(half, ADDS).paint(half, { opacity: 0.4 });
    expect(measure(below).visibleArea).toBeCloseTo(30_000, 6);
    const faint = frame().paint(half, ADDS).paint(half, { opacity: 0.35 });
    expect(measure(faint).visibleArea).toBeCloseTo(60_000, 6);
  });

  test('shows the same under one light as under a cover that is as opaque as the light is bright', () => {
    const levels = fc.integer({ min: 1, max: 255 }).map((level) => level / 255);
    fc.assert(
      fc.property(levels, (opacity) => {
        const lit = measure(frame().paint(half, { opacity, flags: PolygonFlag.ADDS }));
        const covered = measure(frame().paint(half, { opacity }));
        expect(lit.visibleArea).toBeCloseTo(covered.visibleArea, 6);
        expect(lit.meanTransmittance).toBeCloseTo(covered.meanTransmittance, 6);
      }),
    );
  });
});

describe('an ad with texels of its own', () => {
  const disc = alphaMap(64, 64, (column, row) => (Math.hypot(column - 31.5, row - 31.5) < 30 ? 1 : 0));
  const discArea = Math.PI * 30 ** 2 * (60_000 / 64 ** 2);
  const round = (paint: Paint = {}): FrameBuilder => new FrameBuilder().ad(adShape, [adShape], { map: disc, ...paint });

  test('consists of its opaque texels only', () => {
    const out = measure(round());
    expect(Math.abs(out.totalArea - discArea) / discArea).toBeLessThan(0.01);
    expect(out.onScreenArea).toBe(out.totalArea);
    expect(out.isFullyVisible).toBe(true);
  });

  test('loses nothing to what covers its clear corners', () => {
    expect(
      measure(
        round()
          .paint(rectangle(90, 90, 40, 30))
          .paint(rectangle(380, 280, 40, 40)),
      ).isFullyVisible,
    ).toBe(true);
  });

  test('loses what covers its opaque part', () => {
    const scene = round().paint(rectangle(200, 50, 300, 170));
    const out = measure(scene);
    const counted = everyPixel(scene.snapshot, scene.view);
    expect(Math.abs(out.visibleArea - counted.visible) / counted.onScreen).toBeLessThan(0.01);
    expect(measure(round().paint(rectangle(240, 190, 3, 3))).isFullyVisible).toBe(false);
    expect(measure(round().paint(rectangle(0, 0, 900, 900))).visibleArea).toBe(0);
  });

  test('is clipped only when opaque texels are cut off', () => {
    const clipped = new FrameBuilder().ad(adShape, [rectangle(100, 100, 150, 200)], { map: disc });
    const out = measure(clipped);
    expect(Math.abs(out.totalArea - discArea) / discArea).toBeLessThan(0.02);
    expect(Math.abs(out.onScreenArea - discArea / 2) / discArea).toBeLessThan(0.01);
    expect(out.isFullyVisible).toBe(false);
    const margin = new FrameBuilder().ad(adShape, [rectangle(102, 100, 298, 200)], { map: disc });
    expect(measure(margin).isFullyVisible).toBe(true);
  });

  test('shows nothing where all that is on screen of it lies between the points that are looked at', () => {
    for (const at of [100.05, 100.55]) {
      const sliver = rectangle(at, 100, 0.4, 200);
      for (const shape of [adShape, sliver]) {
        const out = measure(new FrameBuilder().ad(shape, [sliver], { map: border }));
        expect(out).toMatchObject({ onScreenArea: 0, visibleArea: 0, isFullyVisible: false });
      }
    }
  });

  test.each([100, 3])('loses what its bitmap mask and a cover %i wide dim to less than half together', (width) => {
    const scene = new FrameBuilder();
    const mask = scene.mask([{ points: rectangle(0, 0, 900, 900), paint: { opacity: 0.7 } }]);
    scene.ad(rectangle(100, 100, 200, 120), undefined, { mask });
    const uncovered = measure(scene);
    expect(uncovered.visibleArea / uncovered.totalArea).toBeCloseTo(1, 6);
    scene.paint(rectangle(100, 100, width, 120), { owner: 'shade', opacity: 0.35 });
    const { visibleArea, totalArea, isFullyVisible } = measure(scene);
    expect(visibleArea / totalArea).toBeCloseTo(1 - width / 200, 2);
    expect(isFullyVisible).toBe(false);
  });

  test.each([
    ['leaves a pixel three quarters of its light', 0, true],
    ['with a shade over it leaves barely more than half', 0.3, false],
    ['with a shade over it leaves less than half', 0.4, false],
  ])('a sliver that %s: fully visible only beyond doubt', (_, shade, isFullyVisible) => {
    const scene = new FrameBuilder();
    scene.ad(rectangle(100, 100, 60, 40));
    scene.paint(rectangle(100, 100, 60, 0.3), { owner: 'sliver' });
    if (shade > 0) scene.paint(rectangle(100, 100, 60, 40), { owner: 'shade', opacity: shade });
    expect(measure(scene).isFullyVisible).toBe(isFullyVisible);
  });

  test('is dimmed by its bitmap mask, also where nothing covers it', () => {
    const masked = new FrameBuilder();
    const mask = masked.mask([{ points: rectangle(0, 0, 1000, 1000), paint: { opacity: 0.75 } }]);
    const out = measure(masked.ad(adShape, undefined, { mask }));
    expect(out.visibleArea).toBeCloseTo(60_000, 3);
    expect(out.meanTransmittance).toBeCloseTo(0.75, 5);
    // Half of it is still the ad, and no longer seen.
    masked.snapshot.opacity[masked.snapshot.masks[mask]!.from] = 0.5;
    expect(measure(masked)).toMatchObject({ onScreenArea: 60_000, visibleArea: 0 });
  });

  test('is reduced on screen, not in total, by a bitmap mask', () => {
    const scene = new FrameBuilder();
    const mask = scene.mask([{ points: rectangle(100, 100, 150, 200) }]);
    const out = measure(scene.ad(adShape, [adShape], { mask }));
    expect(out.totalArea).toBeCloseTo(60_000, 6);
    expect(Math.abs(out.onScreenArea - 30_000)).toBeLessThan(150);
    expect(out.isFullyVisible).toBe(false);
  });

  test.each([
    [160, 28],
    [320, 50],
    [728, 90],
    [300, 250],
  ])('is measured within a third of a percent at whatever height a panel slides over %i × %i', (width, height) => {
    for (let step = 0; step < 16; step++) {
      const banner = new FrameBuilder().ad(rectangle(100, 100, width, height));
      const bottom = 100 + (height * (step + 0.37)) / 16;
      banner.paint(rectangle(95 + 0.7 * step, bottom - 1.2 * height, width + 20, 1.2 * height), { map: panel });
      const counted = everyPixel(banner.snapshot, banner.view);
      expect((100 * Math.abs(measure(banner).visibleArea - counted.visible)) / (width * height)).toBeLessThan(1 / 3);
    }
  });
});

describe('a broken or extreme frame', () => {
  test('gives finite figures within their bounds', () => {
    const number = fc.oneof(fc.double({ min: -500, max: 1500 }), fc.constantFrom(0, NaN, 1e9, -1e9, 1e-12, 250));
    const polygon = fc.array(number, { minLength: 6, maxLength: 8 }).map((list) => list.slice(0, list.length & ~1));
    const paint = fc.record({ opacity: fc.constantFrom(0, 0.3, 0.7, 1, NaN, 5), textured: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(polygon, paint), { maxLength: 8 }),
        fc.oneof(fc.constant(adShape), polygon),
        fc.boolean(),
        (painters, shape, ownTexels) => {
          const scene = new FrameBuilder().ad(shape, [shape], ownTexels ? { map: ring } : {});
          for (const [points, { opacity, textured }] of painters) {
            scene.paint(points, textured ? { opacity, map: ring } : { opacity });
          }
          const out = measure(scene, 1024);
          for (const area of [out.totalArea, out.onScreenArea, out.visibleArea, out.lostArea, out.meanTransmittance]) {
            expect(Number.isFinite(area)).toBe(true);
            expect(area).toBeGreaterThanOrEqual(0);
          }
          expect(out.visibleArea).toBeLessThanOrEqual(out.onScreenArea);
          expect(out.meanTransmittance).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('is measured at once however large a broken transform has made the ad and its covers', () => {
    const vast = new FrameBuilder().ad(rectangle(-5e8, -5e8, 1e9, 1e9), undefined, { map: ring });
    for (let i = 0; i < 8; i++) vast.paint(turned(i * 1e8 - 4e8, i * 9e7 - 4e8, 1e7 * i + 3, 40, i), { map: border });
    const start = process.cpuUsage();
    const out = measure(vast, 1024);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000);
    expect(out.visibleArea).toBeLessThanOrEqual(out.totalArea);
  });

  test('is measured in reasonable time under thousands of slivers', () => {
    const scene = frame();
    for (let i = 0; i < 3000; i++) {
      const x = 100 + ((i * 37) % 300);
      scene.paint([x, 100, x + 0.001, 100, 100 + ((i * 61) % 300), 300], { opacity: i % 3 === 0 ? 0.3 : 1 });
    }
    const out = measure(scene);
    expect(out.visibleArea).toBeGreaterThan(59_000);
    expect(out.visibleArea).toBeLessThanOrEqual(60_000);
  });
});

describe('an ad under a crowd', () => {
  /** A disc of so many slices, as Phaser fills arcs. */
  function slices(count: number, x: number, y: number, radius: number): number[][] {
    const at = (k: number): number[] => {
      const angle = (2 * Math.PI * k) / count;
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    };
    return Array.from({ length: count }, (_, k) => [x, y, ...at(k), ...at(k + 1)]);
  }

  test.each([100, 900, 3000])('loses to a disc of %i slices the area of the disc', (count) => {
    for (const [x, y, radius] of [
      [220, 170, 60],
      [380, 200, 90.5],
      [101.3, 250, 33],
    ] as const) {
      const crowded = frame();
      for (const slice of slices(count, x, y, radius)) crowded.paint(slice);
      const whole = frame().paint(regular(x, y, radius, 64));
      expect(Math.abs(measure(crowded).lostArea - measure(whole).lostArea)).toBeLessThan(0.003 * 60_000);
    }
  });

  test('whose own texels decide loses to it what every pixel says', () => {
    const crowded = new FrameBuilder().ad(adShape, [adShape], { map: panel });
    for (const slice of slices(200, 260, 190, 70)) crowded.paint(slice);
    crowded.paint(rectangle(300, 200, 80, 60), { map: ring });
    const { onScreen, visible } = everyPixel(crowded.snapshot, crowded.view);
    expect(Math.abs(measure(crowded).visibleArea - visible)).toBeLessThan(0.005 * onScreen);
  });

  test('is as large as without it', () => {
    // Of some of these sizes samples lie a pixel and a half apart.
    for (let width = 100; width <= 140; width++) {
      const small = rectangle(96.5, 62.4, width, 0.67 * width);
      const bare = new FrameBuilder().ad(small, [small], { map: panel });
      const crowded = new FrameBuilder().ad(small, [small], { map: panel });
      for (let k = 0; k < 20; k++) crowded.paint(rectangle(100 + 3 * k, 70, 30, 30), { map: ring });
      const { totalArea } = measure(bare);
      expect(Math.abs(measure(crowded).totalArea - totalArea)).toBeLessThan(0.005 * totalArea);
    }
  });

  test('loses what lies between the samples', () => {
    const diamond = regular(300, 300, 200, 4);
    const crowded = new FrameBuilder().ad(diamond);
    // In the corners of its box, outside of it.
    for (let k = 0; k < 1200; k++) crowded.paint(rectangle(102 + (k % 40), 102 + Math.floor(k / 40), 1, 1));
    expect(measure(crowded).isFullyVisible).toBe(true);
    crowded.paint(rectangle(300.2, 300.2, 1.1, 1.1));
    expect(measure(crowded)).toMatchObject({ isFullyVisible: false, lostArea: expect.closeTo(1.21, 6) as number });
  });

  test('is unmeasurable where something unknown takes a pixel of it, too', () => {
    const flags = PolygonFlag.UNMEASURABLE;
    for (const [x, isUnknown] of [
      [350, true],
      [399, true],
      [400, false],
    ] as const) {
      const crowded = frame();
      for (const slice of slices(100, 200, 200, 60)) crowded.paint(slice);
      crowded.paint(rectangle(x, 150, 20, 20), { flags });
      expect(measure(crowded).unmeasurable).toBe(isUnknown);
    }
  });

  const tile = alphaMap(32, 32, (column, row) => (column >= 5 && column < 22 && row >= 7 && row < 23 ? 0 : 1));

  test.each([9.5, 13, 13.13, 16, 16.96, 21.05, 34, 48.3])(
    'E9: loses to a regular pattern of tiles, %f pixels each, what it loses to the pixels',
    (pitch) => {
      for (const [width, height] of [
        [339, 254],
        [192, 245],
        [479, 221],
        [640, 360],
      ] as const) {
        const large = new FrameBuilder().ad(rectangle(30.4, 22.6, width, height));
        for (let y = 20; y < 23 + height; y += pitch) {
          for (let x = 25; x < 31 + width; x += pitch) large.paint(rectangle(x, y, pitch, pitch), { map: tile });
        }
        const { visibleArea, onScreenArea } = measure(large, 2 ** 20);
        expect(Math.abs(measure(large).visibleArea - visibleArea)).toBeLessThan(0.02 * onScreenArea);
      }
    },
  );

  test('loses what covers narrower than the distance between samples hide along its sides', () => {
    const crowded = frame();
    const even = alphaMap(4, 4, () => 1);
    for (let k = 0; k < 20; k++) {
      crowded.paint(rectangle(100, 100 + 10 * k, 2, 10), { map: even });
      crowded.paint(rectangle(398, 100 + 10 * k, 2, 10), { map: even });
    }
    expect(Math.abs(measure(crowded).lostArea - 800)).toBeLessThan(250);
  });

  test('under hundreds of pictures is measured within a percent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(evenly(90, 400), evenly(90, 300), fc.integer({ min: 8, max: 60 })), {
          minLength: 17,
          maxLength: 200,
        }),
        (places) => {
          const crowded = frame();
          for (const [x, y, size] of places) crowded.paint(rectangle(x, y, size, size), { map: ring });
          const { onScreen, visible } = everyPixel(crowded.snapshot, crowded.view);
          expect(Math.abs(measure(crowded).visibleArea - visible)).toBeLessThan(0.01 * onScreen);
        },
      ),
      { numRuns: 30 },
    );
  });
});
