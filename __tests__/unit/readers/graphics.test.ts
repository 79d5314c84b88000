import fc from 'fast-check';
import { readGraphics } from '../../../src/phaser/reading/readers/graphics.js';
import { Command } from '../../../src/phaser/reading/readers/GraphicsRecorder.js';
import { type PaintOptions, type Painting, paint, placed } from './painting.js';

const COLOR = 0x00ff00;
const opaque = [Command.FILL_STYLE, COLOR, 1];
const rectangle = (x: number, y: number, width: number, height: number) => [Command.FILL_RECT, x, y, width, height];
const line = (width: number, alpha = 1) => [Command.LINE_STYLE, width, COLOR, alpha];
const path = (...points: readonly number[]) => {
  const commands: number[] = [Command.BEGIN_PATH, Command.MOVE_TO, points[0]!, points[1]!];
  for (let i = 2; i < points.length; i += 2) commands.push(Command.LINE_TO, points[i]!, points[i + 1]!);
  return commands;
};
const arc = (x: number, y: number, radius: number, from: number, to: number, anticlockwise = false) => [
  Command.ARC,
  x,
  y,
  radius,
  from,
  to,
  anticlockwise,
  0,
];

function draw(commands: readonly unknown[], options: PaintOptions = {}, fields: object = {}): Painting {
  return paint(readGraphics, { ...placed, commandBuffer: commands, ...fields }, options);
}

test('an empty command buffer paints nothing', () => {
  expect(draw([]).snapshot.count).toBe(0);
});

test('a filled rectangle is painted where it was put, in the place, turn and size of the object', () => {
  const painting = draw(
    [...opaque, ...rectangle(10, 0, 20, 10)],
    {},
    { x: 100, y: 50, rotation: Math.PI / 2, scaleX: 2 },
  );
  expect(painting.at(95, 75)).toBe(1);
  expect(painting.at(95, 65)).toBe(0);
  expect(painting.at(105, 75)).toBe(0);
});

test('opacity is that of the object times that of the style in force', () => {
  const commands = [Command.FILL_STYLE, COLOR, 0.5, ...rectangle(0, 0, 10, 10), ...opaque, ...rectangle(20, 0, 10, 10)];
  const painting = draw(commands, {}, { alpha: 0.8 });
  expect(painting.at(5, 5)).toBeCloseTo(0.4);
  expect(painting.at(25, 5)).toBeCloseTo(0.8);
});

test('a gradient gives each corner its own opacity', () => {
  const gradient = [Command.GRADIENT_FILL_STYLE, 0, 1, 0, 1, COLOR, COLOR, COLOR, COLOR];
  const painting = draw([...gradient, ...rectangle(0, 0, 100, 100)]);
  expect(painting.at(25.5, 50)).toBeCloseTo(0.255, 2);
  expect(painting.at(75.5, 50)).toBeCloseTo(0.755, 2);
});

test("on Canvas a fill without style has the colour of the background last filled, the camera's or the game's", () => {
  const scene = { sys: { game: { config: { transparent: false, backgroundColor: { color: 0, alpha: 255 } } } } };
  const shade = (transparent: boolean, alpha: number) => ({
    scene,
    transparent,
    backgroundColor: { color: COLOR, alpha },
  });
  const object = { ...placed, commandBuffer: rectangle(0, 0, 100, 100) };
  const opacityUnder = (camera: object) => paint(readGraphics, object, { isWebGL: false, camera }).at(50, 50);
  expect(opacityUnder(shade(false, 51))).toBeCloseTo(0.2);
  expect(opacityUnder(shade(true, 0))).toBe(1);
  expect(opacityUnder(shade(false, 102))).toBeCloseTo(0.4);
});

test('Canvas knows no gradients: the style before it stays in force', () => {
  const gradient = [Command.GRADIENT_FILL_STYLE, 0, 0, 0, 0, COLOR, COLOR, COLOR, COLOR];
  const painting = draw([...opaque, ...gradient, ...rectangle(0, 0, 100, 100)], { isWebGL: false });
  expect(painting.at(50, 50)).toBe(1);
});

test('a concave path leaves its notch clear', () => {
  const painting = draw([...opaque, ...path(0, 0, 100, 0, 50, 40, 100, 100, 0, 100), Command.FILL_PATH]);
  expect(painting.at(20, 50)).toBe(1);
  expect(painting.at(80, 40)).toBe(0);
});

test('a full circle is painted to its rim in a few convex pieces', () => {
  const painting = draw([...opaque, Command.BEGIN_PATH, ...arc(100, 100, 50, 0, 2 * Math.PI), Command.FILL_PATH]);
  expect(painting.at(100, 51)).toBe(1);
  expect(painting.at(100, 49)).toBe(0);
  expect(painting.at(137, 137)).toBe(0);
  expect(painting.at(133, 133)).toBe(1);
  expect(painting.snapshot.count).toBeLessThanOrEqual(5);
});

test('an arc runs the way it is told to', () => {
  const quarter = (anticlockwise: boolean) =>
    draw([...opaque, ...path(100, 100), ...arc(100, 100, 50, 0, Math.PI / 2, anticlockwise), Command.FILL_PATH]);
  expect(quarter(false).at(120, 120)).toBe(1);
  expect(quarter(false).at(80, 80)).toBe(0);
  expect(quarter(true).at(120, 120)).toBe(0);
  expect(quarter(true).at(80, 80)).toBe(1);
});

test('a stroke lies half to each side of its line', () => {
  const painting = draw([...line(10), ...path(10, 50, 90, 50), Command.STROKE_PATH]);
  expect(painting.at(50, 45.5)).toBe(1);
  expect(painting.at(50, 54.5)).toBe(1);
  expect(painting.at(50, 44)).toBe(0);
  expect(painting.at(8, 50)).toBe(0);
});

test('WebGL cuts the corner of a stroke off, Canvas draws it to its point', () => {
  const corner = [...line(20), ...path(0, 50, 100, 50, 100, 150), Command.STROKE_PATH];
  expect(draw(corner).at(108, 42)).toBe(0);
  expect(draw(corner).at(103, 45)).toBe(1);
  expect(draw(corner, { isWebGL: false }).at(108, 42)).toBe(1);
});

test('on Canvas a translucent stroke is nowhere darker than its style, and has its width all along', () => {
  const bow = fc.record({
    points: fc.integer({ min: 3, max: 120 }),
    radiusX: fc.integer({ min: 5, max: 200 }),
    radiusY: fc.integer({ min: 5, max: 200 }),
    sweep: fc.double({ min: 0.2, max: 2 * Math.PI, noNaN: true }),
    width: fc.integer({ min: 1, max: 80 }),
    isClosed: fc.boolean(),
    x: fc.double({ min: -1.3, max: 1.3, noNaN: true }),
    y: fc.double({ min: -1.3, max: 1.3, noNaN: true }),
  });
  fc.assert(
    fc.property(bow, ({ points, radiusX, radiusY, sweep, width, isClosed, x, y }) => {
      const outline = Array.from({ length: points }, (_, i) => [
        300 + radiusX * Math.cos((sweep * i) / points),
        300 + radiusY * Math.sin((sweep * i) / points),
      ]);
      const commands = [...line(width, 0.5), ...path(...outline.flat())];
      const close = isClosed ? [Command.CLOSE_PATH] : [];
      const painting = draw([...commands, ...close, Command.STROKE_PATH], { isWebGL: false });
      const px = 300 + x * radiusX + Math.SQRT2 / 100;
      const py = 300 + y * radiusY + Math.E / 1000;
      const opacity = painting.at(px, py);
      const segments = outline.map((from, i) => [from, outline[(i + 1) % points]!] as const);
      const isOnLine = (isClosed ? segments : segments.slice(0, -1)).some(([from, to]) => {
        const length = Math.hypot(to[0]! - from[0]!, to[1]! - from[1]!);
        const along = ((px - from[0]!) * (to[0]! - from[0]!) + (py - from[1]!) * (to[1]! - from[1]!)) / length;
        const beside = ((px - from[0]!) * (to[1]! - from[1]!) - (py - from[1]!) * (to[0]! - from[0]!)) / length;
        return along >= 0 && along <= length && Math.abs(beside) < width / 2;
      });
      expect([0, 0.5]).toContain(Math.round(opacity * 1e6) / 1e6);
      if (isOnLine) expect(opacity).toBeCloseTo(0.5);
    }),
    { numRuns: 100 },
  );
});

test('on Canvas a circle is stroked in one piece per segment', () => {
  const circle = [...line(4, 0.5), Command.BEGIN_PATH, ...arc(100, 100, 50, 0, 2 * Math.PI), Command.STROKE_PATH];
  const painting = draw(circle, { isWebGL: false });
  expect(painting.snapshot.count).toBeLessThanOrEqual(101);
  expect(painting.at(150.3, 100.1)).toBeCloseTo(0.5);
  expect(painting.at(150.3, 99.9)).toBeCloseTo(0.5);
});

test('on Canvas a stroked arc ends at right angles', () => {
  const bow = [...line(20, 0.5), Command.BEGIN_PATH, ...arc(100, 100, 50, 0, Math.PI), Command.STROKE_PATH];
  const painting = draw(bow, { isWebGL: false });
  expect(painting.snapshot.count).toBeLessThanOrEqual(101);
  expect(painting.at(58, 102)).toBeCloseTo(0.5);
  expect(painting.at(42, 98)).toBe(0);
});

test('WebGL leaves corners of a stroke up to two pixels wide open', () => {
  const corner = (width: number) => draw([...line(width), ...path(0, 50, 100, 50, 100, 150), Command.STROKE_PATH]);
  expect(corner(2).snapshot.count).toBe(2);
  expect(corner(3).snapshot.count).toBe(4);
});

test('the matrix of the buffer applies until it is restored', () => {
  const commands = [
    ...opaque,
    Command.SAVE,
    Command.TRANSLATE,
    100,
    0,
    Command.ROTATE,
    Math.PI / 2,
    Command.SCALE,
    2,
    1,
    ...rectangle(0, 0, 20, 10),
    Command.RESTORE,
    ...rectangle(0, 0, 20, 10),
  ];
  const painting = draw(commands);
  expect(painting.at(95, 35)).toBe(1);
  expect(painting.at(95, 41)).toBe(0);
  expect(painting.at(15, 5)).toBe(1);
});

test('two subpaths are two fills in WebGL; on Canvas the inner one, drawn the other way around, is a hole', () => {
  const ring = [
    ...opaque,
    Command.BEGIN_PATH,
    Command.MOVE_TO,
    150,
    100,
    ...arc(100, 100, 50, 0, 2 * Math.PI),
    Command.MOVE_TO,
    120,
    100,
    ...arc(100, 100, 20, 0, -2 * Math.PI, true),
    Command.FILL_PATH,
  ];
  expect(draw(ring).at(100, 100)).toBe(1);
  expect(draw(ring, { isWebGL: false }).at(100, 100)).toBe(0);
  expect(draw(ring, { isWebGL: false }).at(135, 100)).toBe(1);
});

test('on Canvas the middle of a pentagram is filled, and its notches are not', () => {
  const star = [...opaque, ...path(50, 0, 20, 95, 98, 38, 2, 38, 80, 95), Command.FILL_PATH];
  const painting = draw(star, { isWebGL: false });
  expect(painting.at(50, 50)).toBe(1);
  expect(painting.at(50, 10)).toBe(1);
  expect(painting.at(50, 90)).toBe(0);
});

test('a buffer changed in place is drawn as it is now', () => {
  const object = { ...placed, commandBuffer: [...opaque, ...rectangle(0, 0, 10, 10)] };
  expect(paint(readGraphics, object).at(5, 5)).toBe(1);
  object.commandBuffer[4] = 100;
  expect(paint(readGraphics, object).at(5, 5)).toBe(0);
  expect(paint(readGraphics, object).at(105, 5)).toBe(1);
  object.commandBuffer.length = 0;
  expect(paint(readGraphics, object).snapshot.count).toBe(0);
});

test('what cannot touch an ad is left out', () => {
  const commands = [...opaque, ...rectangle(0, 0, 10, 10), ...rectangle(100, 0, 10, 10)];
  expect(draw(commands, { near: [90, 0, 200, 50] }).snapshot.count).toBe(1);
  expect(draw(commands, { near: [300, 300, 400, 400] }).snapshot.count).toBe(0);
});
