import * as fc from 'fast-check';

import { PolygonFlag } from '../../../src/measure/FrameSnapshot.js';
import { measureView } from '../../../src/measure/measureView.js';
import { ViewMeasurement } from '../../../src/measure/ViewMeasurement.js';
import { whyUnseenAt } from '../../../src/measure/whyUnseenAt.js';
import { everyPixel, opacityAt } from './support/everyPixel.js';
import { alphaMap, FrameBuilder, type Paint, rectangle, turned } from './support/FrameBuilder.js';

/**
 * Where all covers end between pixels, areas, samples and a look at each pixel must say the same: so a plain count of pixels
 * tells exactly what is seen.
 */
const runs = (numRuns: number) => ({ numRuns: process.env.DEEP ? 20 * numRuns : numRuns });

type Box = [x: number, y: number, width: number, height: number];
const boxOf = (least: number): fc.Arbitrary<Box> =>
  fc.tuple(fc.nat(70), fc.nat(50), fc.integer({ min: least, max: 40 }), fc.integer({ min: least, max: 30 }));
const box = boxOf(1);
const size = fc.tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 55 }));

interface Look {
  /** Which of seven texels in turn are opaque; null for a polygon without texels. */
  readonly cells: readonly boolean[] | null;
  readonly mask: { readonly at: Box; readonly inverted: boolean } | null;
  readonly isCentred: boolean;
}
const plain: Look = { cells: null, mask: null, isCentred: false };
const cells = fc.array(fc.boolean(), { minLength: 7, maxLength: 7 });
const look: fc.Arbitrary<Look> = fc.record({
  cells: fc.option(cells),
  mask: fc.option(fc.record({ at: box, inverted: fc.boolean() })),
  isCentred: fc.boolean(),
});
const anyLook = fc.oneof(fc.constant(plain), look);

/** A texel for each pixel. */
function dressed(frame: FrameBuilder, [x, y, width, height]: Box, { cells, mask, isCentred }: Look): Paint {
  const at = (column: number, row: number): number => Number(cells?.[(column + 3 * row) % 7]);
  return {
    ...(cells === null ? {} : { map: { ...alphaMap(width, height, at), isPixelated: true }, uv: [1, 0, 0, 1, -x, -y] }),
    ...(mask === null ? {} : { mask: frame.mask([{ points: rectangle(...mask.at) }], mask.inverted) }),
    flags: isCentred ? PolygonFlag.CENTRED : 0,
  };
}

interface Ad {
  readonly at: Box;
  readonly clip: Box | null;
  readonly own: Look;
}
/** The ad, as much of it as its clip leaves. */
function framed(points: 1 | 4 | 8, { at, clip, own }: Ad): FrameBuilder {
  const frame = new FrameBuilder();
  frame.snapshot.pixelPoints = points;
  const [x, y, width, height] = at;
  const [cx, cy, cw, ch] = clip ?? at;
  const [left, top] = [Math.max(x, cx), Math.max(y, cy)];
  const piece: Box = [left, top, Math.min(x + width, cx + cw) - left, Math.min(y + height, cy + ch) - top];
  const paint = dressed(frame, at, own);
  frame.ad(rectangle(...at), piece[2] > 0 && piece[3] > 0 ? [rectangle(...piece)] : [], paint);
  if (paint.uv) for (let i = frame.view.shapeFrom; i < frame.view.pieceTo; i++) frame.snapshot.uv.set(paint.uv, 6 * i);
  return frame;
}

/** Reused from frame to frame, as games do. */
const out = new ViewMeasurement();
function measure({ snapshot, view }: FrameBuilder, blockingOpacity = 0.5): ViewMeasurement {
  measureView(snapshot, view, { blockingOpacity }, out);
  return out;
}

const points = fc.constantFrom<(1 | 4 | 8)[]>(1, 4, 8);
const covers = fc.array(fc.tuple(box, anyLook), { maxLength: 5 });

test('an ad is measured to the pixel, whatever decides: polygons, texels, masks, or where they were drawn', () => {
  const crowd = fc.record({ count: fc.constantFrom(0, 0, 0, 20, 120), isTextured: fc.boolean() });
  const scene = fc.record({ points, size, clip: fc.option(box), own: anyLook, covers, crowd });
  const opaque = { ...plain, cells: Array<boolean>(7).fill(true) };
  fc.assert(
    fc.property(scene, ({ points, size, clip, own, covers, crowd }) => {
      const at: Box = [10, 8, ...size];
      const frame = framed(points, { at, clip, own });
      for (const [at, look] of covers) frame.paint(rectangle(...at), dressed(frame, at, look));
      for (let i = 0; i < crowd.count; i++) {
        const at: Box = [10 + ((7 * i) % 23), 8 + ((5 * i) % 11), 1, 1];
        frame.paint(rectangle(...at), dressed(frame, at, crowd.isTextured ? opaque : plain));
      }
      const { onScreen, visible, light } = everyPixel(frame.snapshot, frame.view);
      const whole = framed(points, { at, clip: null, own: { ...own, mask: null } });
      const total = everyPixel(whole.snapshot, whole.view).onScreen;
      measure(frame);
      expect(out.totalArea).toBeCloseTo(total, 4);
      expect(out.onScreenArea).toBeCloseTo(onScreen, 4);
      expect(out.visibleArea).toBeCloseTo(visible, 4);
      expect(out.lostArea).toBeCloseTo(onScreen - visible, 4);
      expect(out.meanTransmittance).toBeCloseTo(onScreen === 0 ? 0 : light / onScreen, 5);
      // An ad cut by just one pixel may count either way.
      if (total - onScreen !== 1) expect(out.isFullyVisible).toBe(visible === total && total > 0);
    }),
    runs(120),
  );
});

const opacity = fc.constantFrom(1, 0.75, 0.5, 0.4, 0.25, 0.1);
const blocking = fc.constantFrom(0.5, 0.3, 0.8, 1);

test('an ad under panes of glass is measured to the pixel, whatever opacity blocks', () => {
  // What is thinner is looked at pixel by pixel, as below.
  const panes = fc.array(fc.tuple(boxOf(7), opacity), { maxLength: 7 });
  fc.assert(
    fc.property(points, size, panes, blocking, (points, size, all, blocking) => {
      const frame = framed(points, { at: [10, 8, ...size], clip: null, own: plain });
      for (const [at, opacity] of all) frame.paint(rectangle(...at), { opacity });
      const { onScreen, visible, light } = everyPixel(frame.snapshot, frame.view, blocking);
      measure(frame, blocking);
      expect(out.visibleArea).toBeCloseTo(visible, 4);
      expect(out.meanTransmittance).toBeCloseTo(light / onScreen, 5);
    }),
    runs(150),
  );
});

test('under glass and pictures together the light is exact, and so is what lies within an even patch', () => {
  const panes = fc.array(fc.tuple(box, opacity, anyLook), { maxLength: 6 });
  const slope = fc.constantFrom(0, 0.01, -0.02);
  const gradient = fc.option(fc.tuple(slope, slope));
  fc.assert(
    fc.property(points, size, anyLook, panes, fc.constantFrom(0, 12, 40), gradient, (points, size, own, all, crowd, gradient) => {
      const frame = framed(points, { at: [10, 8, ...size], clip: null, own });
      // Of smaller ads samples lie between pixels, where a gradient is another.
      if (gradient !== null && size[0] >= 32) frame.paint(rectangle(0, 0, 90, 60), { gradient, opacity: 0.3 });
      for (const [at, opacity, look] of all) frame.paint(rectangle(...at), { opacity, ...dressed(frame, at, look) });
      for (let i = 0; i < crowd; i++) frame.paint(rectangle(10 + ((7 * i) % 23), 8 + ((5 * i) % 11), 2, 3), { opacity: 0.3 });
      const { snapshot, view } = frame;
      const { onScreen, light } = everyPixel(snapshot, view);
      measure(frame);
      expect(out.meanTransmittance).toBeCloseTo(onScreen === 0 ? 0 : light / onScreen, 4);
      const [least, most] = patches(frame);
      expect(out.visibleArea).toBeGreaterThan(least - 1e-3);
      expect(out.visibleArea).toBeLessThan(most + 1e-3);
    }),
    runs(60),
  );
}); // prettier-ignore

/** How many pixels are seen for sure, and at most: those that have no neighbour like them may count in part. */
function patches({ snapshot, view }: FrameBuilder): [least: number, most: number] {
  const seen = new Map<number, boolean>();
  const [left, top, right, bottom] = snapshot.box.subarray(4 * view.pieceFrom);
  for (let y = top!; y < bottom!; y++) {
    for (let x = left!; x < right!; x++) {
      if (opacityAt(snapshot, view.pieceFrom, x + 0.5, y + 0.5, true) < 0.5) continue;
      let light = 1;
      for (let i = view.pieceTo; i < snapshot.count; i++) {
        if ((snapshot.flags[i]! & PolygonFlag.PAINTED) !== 0) light *= 1 - opacityAt(snapshot, i, x + 0.5, y + 0.5, false);
      }
      seen.set(1000 * y + x, light > 0.5 + 1e-6);
    }
  }
  let [least, most] = [0, 0];
  for (const [k, isSeen] of seen) {
    const near = [-1001, -1000, -999, -1, 1, 999, 1000, 1001].map((by) => seen.get(k + by) ?? isSeen);
    if (near.every((other) => other === isSeen)) {
      if (isSeen) least++;
      else most--;
    }
    most++;
  }
  return [least, most];
} // prettier-ignore

test('an ad between pixels loses its part of each pixel that is covered', () => {
  // Of less of a pixel than a quarter nobody may see anything.
  const part = fc.integer({ min: 2, max: 6 }).map((eighths) => eighths / 8);
  // Of smaller ads samples lie between pixels.
  const ad = fc.tuple(part, part, fc.integer({ min: 34, max: 60 }), fc.integer({ min: 12, max: 50 }), part, part);
  const pictures = fc.array(fc.tuple(box, fc.boolean()), { minLength: 1, maxLength: 4 });
  const solid = alphaMap(1, 1, () => 1);
  const smooth = fc.constantFrom<(4 | 8)[]>(4, 8);
  fc.assert(
    fc.property(smooth, ad, pictures, fc.boolean(), fc.boolean(), (points, [u, v, width, height, s, t], all, isFaint, isCentred) => {
      const at: Box = [10 + u, 8 + v, width + s - u, height + t - v];
      const frame = framed(points, { at, clip: null, own: { ...plain, isCentred } });
      if (isFaint) frame.paint(rectangle(0, 0, 100, 100), { map: alphaMap(1, 1, () => 0.2) });
      for (const [place, isPicture] of all) frame.paint(rectangle(...place), isPicture || isCentred ? { map: solid } : {});
      // What was drawn apart has each pixel whole or not at all.
      const shareOf = (share: number, from: number, pixel: number): number =>
        isCentred ? Number(share > 0.5 || (share === 0.5 && from > pixel)) : Math.max(0, share);
      let lost = 0;
      for (let y = 8; y < 8 + 60; y++) {
        for (let x = 10; x < 10 + 70; x++) {
          if (!all.some(([[left, top, w, h]]) => x >= left && x < left + w && y >= top && y < top + h)) continue;
          const across = Math.min(x + 1, at[0] + at[2]) - Math.max(x, at[0]);
          const down = Math.min(y + 1, at[1] + at[3]) - Math.max(y, at[1]);
          lost += shareOf(across, at[0], x) * shareOf(down, at[1], y);
        }
      }
      measure(frame);
      expect(out.totalArea).toBeCloseTo(at[2] * at[3], 6);
      // Less than that goes unnoticed.
      // Figures are of its area, which its pixels exceed, or fall short of, by at most a tenth.
      if (lost >= 3 && isCentred) expect(Math.abs(out.lostArea / lost - 1)).toBeLessThan(0.1);
      else if (lost >= 3) expect(out.lostArea).toBeCloseTo(lost, 2);
      if (lost >= 3) expect(out.isFullyVisible).toBe(false);
      if (lost === 0) expect(out.isFullyVisible).toBe(true);
    }),
    runs(120),
  );
}); // prettier-ignore

test('so does an ad that is turned, or comes in two pieces', () => {
  const solid = alphaMap(1, 1, () => 1);
  const size = fc.tuple(fc.integer({ min: 34, max: 50 }), fc.integer({ min: 12, max: 40 }));
  const angle = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 30 }).map((tenths) => tenths / 10));
  const pictures = fc.array(box, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.constantFrom<(4 | 8)[]>(4, 8), size, angle, pictures, (points, [width, height], angle, all) => {
      const shape = angle === 0 ? rectangle(20.75, 15.25, width, height) : turned(45, 35, width, height, angle);
      const [ax, ay, bx, by, cx, cy, dx, dy] = shape as [number, number, number, number, number, number, number, number];
      const [ex, ey, fx, fy] = [(ax + bx) / 2, (ay + by) / 2, (cx + dx) / 2, (cy + dy) / 2];
      const pieces = [[ax, ay, ex, ey, fx, fy, dx, dy], [ex, ey, bx, by, cx, cy, fx, fy]];
      const frame = new FrameBuilder().ad(shape, angle === 0 ? pieces : [shape]);
      frame.snapshot.pixelPoints = points;
      const { snapshot, view } = frame;
      for (const place of all) frame.paint(rectangle(...place), { map: solid });
      let lost = 0;
      for (let y = 0.5; y < 80; y++) {
        for (let x = 0.5; x < 90; x++) {
          if (!all.some(([left, top, w, h]) => x >= left && x < left + w && y >= top && y < top + h)) continue;
          for (let k = 0; k < 16; k++) lost += opacityAt(snapshot, view.shapeFrom, x - 0.375 + (k % 4) / 4, y - 0.375 + (k >> 2) / 4, true) / 16;
        }
      }
      expect(Math.abs(measure(frame).lostArea - lost)).toBeLessThan(angle === 0 ? 3 : 2 + 0.008 * width * height);
    }),
    runs(200),
  );
}); // prettier-ignore

test('a press counts exactly where the ad is and is seen', () => {
  const panes = fc.array(fc.tuple(box, opacity, anyLook), { maxLength: 6 });
  const places = fc.array(fc.tuple(fc.nat(84), fc.nat(66)), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(points, size, fc.option(box), anyLook, panes, places, blocking, (points, size, clip, own, all, places, blockingOpacity) => {
      const frame = framed(points, { at: [10, 8, ...size], clip, own });
      for (const [at, opacity, look] of all) frame.paint(rectangle(...at), { opacity, ...dressed(frame, at, look) });
      const { snapshot, view } = frame;
      for (const [x, y] of places) {
        const opacityHere = (i: number, isOwn: boolean): number => opacityAt(snapshot, i, x + 0.5, y + 0.5, isOwn);
        let light = view.pieceTo > view.pieceFrom ? opacityHere(view.pieceFrom, true) : 0;
        const isAd = light > 0;
        for (let i = view.pieceTo; i < snapshot.count; i++) {
          if ((snapshot.flags[i]! & PolygonFlag.PAINTED) !== 0) light *= 1 - opacityHere(i, false);
        }
        const reason = isAd ? (light > 1 - blockingOpacity + 1e-6 ? null : 'obstructed') : 'clipped';
        expect(whyUnseenAt(snapshot, view, x + 0.5, y + 0.5, { blockingOpacity })).toBe(reason);
      }
    }),
    runs(150),
  );
}); // prettier-ignore

test('an ad is unmeasurable where the topmost of what hides it is unknown', () => {
  const kind = fc.constantFrom<'unknown' | number>('unknown', 1, 0.75, 0.5, 0.4, 0.1);
  fc.assert(
    fc.property(points, size, fc.array(fc.tuple(box, kind), { maxLength: 6 }), (points, size, all) => {
      const at: Box = [10, 8, ...size];
      const frame = framed(points, { at, clip: null, own: plain });
      for (const [at, kind] of all) {
        frame.paint(rectangle(...at), kind === 'unknown' ? { flags: PolygonFlag.UNMEASURABLE } : { opacity: kind });
      }
      const hiding = all.filter(([, kind]) => kind === 'unknown' || kind >= 0.5).reverse();
      let isUnknown = false;
      for (let y = 8; y < 8 + size[1]; y++) {
        for (let x = 10; x < 10 + size[0]; x++) {
          const over = hiding.find(([[left, top, w, h]]) => x >= left && x < left + w && y >= top && y < top + h);
          if (over?.[1] === 'unknown') isUnknown = true;
        }
      }
      expect(measure(frame).unmeasurable).toBe(isUnknown);
    }),
    runs(150),
  );
}); // prettier-ignore
