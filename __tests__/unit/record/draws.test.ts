import fc from 'fast-check';

import { blendOf } from '../../../src/record/draws/blendOf.js';
import { type DrawnVertices, layoutBy, meets, readShape } from '../../../src/record/draws/DrawnVertices.js';
import type { DrawState, PointLight } from '../../../src/record/draws/DrawOp.js';
import { lightDisc } from '../../../src/record/draws/lightDisc.js';
import { vignetteMap } from '../../../src/record/draws/vignetteMap.js';
import { wholeShape } from '../../../src/record/draws/wholeShape.js';
import { Blend } from '../../../src/textures/Blend.js';

const TEXTURED = { inPosition: 0, inTexCoord: 8, inTexId: 16, inTintEffect: 20, inTint: 24 };
const LIGHT = { inPosition: 0, inLightPosition: 8, inLightRadius: 16, inLightAttenuation: 20, inLightColor: 24 };

function vertices(
  names: Readonly<Record<string, number>>,
  words: number,
  rows: readonly (readonly number[])[],
  more: Partial<DrawnVertices> = {},
): DrawnVertices {
  const f32 = Float32Array.from(rows.flat());
  const layout = layoutBy(4 * words, (name) => names[name] ?? -1);
  return {
    f32,
    u32: new Uint32Array(f32.buffer),
    layout,
    toTarget: [1, 0, 0, 0, 1, 0],
    rounds: false,
    lightZoom: null,
    unitAt: (at) => f32[at + layout.unit]!,
    effectAt: (at) => f32[at + layout.effect]!,
    ...more,
  };
}

const number = fc.integer({ min: -40, max: 40 });
const matrix = fc.tuple(number, number, number, number, number, number);
const window = { left: -20, bottom: -10, right: 30, top: 25 };

describe('vertices', () => {
  it('meet a window unless all of them lie beyond one side of it', () => {
    fc.assert(
      fc.property(matrix, fc.array(fc.tuple(number, number), { minLength: 3, maxLength: 4 }), (m, points) => {
        const drawn = vertices({ inPosition: 4 }, 3, [[9, 0, 0], ...points.map(([x, y]) => [9, x, y])], {
          toTarget: m,
        });
        const xs = points.map(([x, y]) => m[0] * x + m[1] * y + m[2]);
        const ys = points.map(([x, y]) => m[3] * x + m[4] * y + m[5]);
        const isBeyond =
          Math.max(...xs) < window.left ||
          Math.min(...xs) > window.right ||
          Math.max(...ys) < window.bottom ||
          Math.min(...ys) > window.top;
        const corners = points.map((_, i) => i + 1);
        expect(meets(drawn, corners, window)).toBe(!isBeyond);
      }),
      { numRuns: 2_000 },
    );
  });

  it('that touch the rim of a window meet it, and so do those whose place is unknown', () => {
    for (const [x, y] of [[-20, 0], [30, 0], [0, -10], [0, 25], [NaN, NaN]] as const) {
      expect([x, y, meets(vertices({ inPosition: 0 }, 2, [[x, y]]), [0], window)]).toEqual([x, y, true]);
    }
  }); // prettier-ignore

  it('make a shape of the corners that are asked for, in their order, in pixels of the target', () => {
    fc.assert(
      fc.property(
        matrix,
        fc.array(fc.tuple(number, number, number, number), { minLength: 4, maxLength: 4 }),
        fc.boolean(),
        (m, rows, rounds) => {
          const toTarget = m.map((part) => part / 4);
          const drawn = vertices(TEXTURED, 7, rows.map(([x, y, u, v], i) => [x, y, u / 8, v / 8, 3 + i, 1 + i, 0]), { toTarget, rounds }); // prettier-ignore
          rows.forEach((_, i) => (drawn.u32[7 * i + 6] = 0xff000000 + i));
          const order = [2, 0, 3];
          const shape = readShape(drawn, order);
          const placeOf = (i: number): number[] => {
            const [x, y] = rows[i]!;
            const place = [0, 3].map((k) => toTarget[k]! * x + toTarget[k + 1]! * y + toTarget[k + 2]!);
            return rounds ? place.map((value) => Math.floor(value + 0.5)) : place;
          };
          expect([...shape.xy]).toEqual(order.flatMap(placeOf));
          expect([...shape.uv]).toEqual(order.flatMap((i) => [rows[i]![2] / 8, rows[i]![3] / 8]));
          expect([...shape.colors]).toEqual(order.map((i) => 0xff000000 + i));
          expect(shape).toMatchObject({ unit: 5, effect: 3, light: null });
        },
      ),
    );
  });

  it('without colours are white and opaque, without texture coordinates at its corner', () => {
    const shape = readShape(vertices({ inPosition: 0 }, 2, [[1, 2], [3, 4], [5, 6]], { unitAt: () => 0, effectAt: () => 0 }), [0, 1, 2]); // prettier-ignore
    expect([[...shape.colors], [...shape.uv]]).toEqual([Array(3).fill(0xffffffff), Array(6).fill(0)]);
  });

  it('of a point light tell where it is, how far it reaches, and the light it adds', () => {
    const row = [0, 0, 4, 6, 10, 0.5, 1, 0.5, 0.25, 0.5];
    const toTarget = [2, 0, 1, 0, 3, 2];
    const known = { unitAt: () => 0, effectAt: () => 0, toTarget };
    const lit = vertices(LIGHT, 10, [row, row.map(() => 7)], { ...known, lightZoom: 2 });
    const light = { x: 9, y: 20, radius: 20, attenuation: 0.5, red: 0.5, green: 0.25, blue: 0.125 };
    expect(readShape(lit, [0, 1]).light).toEqual(light);
    expect(readShape(vertices(LIGHT, 10, [row], known), [0]).light).toBeNull();
  });
});

it('a whole shape has the corners of its viewport and of its texture, and hides all it covers', () => {
  const { xy, uv, colors, unit, effect, light } = wholeShape([5, 7, 20, 10]);
  expect([...xy]).toEqual([5, 7, 25, 7, 25, 17, 5, 17]);
  expect([...uv]).toEqual([0, 0, 1, 0, 1, 1, 0, 1]);
  expect([[...colors], unit, effect, light]).toEqual([Array(4).fill(0xffffffff), 0, 0, null]);
  expect([...wholeShape([]).xy]).toEqual(Array(8).fill(0));
});

const smooth = (x: number): number => {
  const t = Math.min(1, Math.max(0, x));
  return t * t * (3 - 2 * t);
};

it('a point light hides as its shader paints it, to a fiftieth, also after many others', () => {
  const channel = fc.double({ min: 0.01, max: 3, noNaN: true });
  fc.assert(
    fc.property(
      channel,
      channel,
      channel,
      fc.double({ min: 0.05, max: 2, noNaN: true }),
      (red, green, blue, attenuation) => {
        const map = lightDisc({ red, green, blue, attenuation } as PointLight);
        expect([map.width, map.height, map.alpha.length]).toEqual([64, 64, 4096]);
        for (const [column, row] of [
          [0, 0],
          [31, 31],
          [32, 40],
          [63, 32],
          [10, 20],
          [32, 3],
        ] as const) {
          const light = smooth((1 - Math.hypot((column + 0.5) / 32 - 1, (row + 0.5) / 32 - 1)) * attenuation);
          const luma = 0.2126 * Math.min(1, light * red) + 0.7152 * Math.min(1, light * green) + 0.0722 * Math.min(1, light * blue); // prettier-ignore
          expect(Math.abs(map.alpha[64 * row + column]! - 255 * luma)).toBeLessThan(0.6 + 0.011 * 255 * luma);
        }
      },
    ),
  );
});

it('a vignette hides as its shader darkens, and is made anew when any figure of it changes', () => {
  const figure = fc.double({ min: 0.1, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.tuple(figure, figure, figure, figure, fc.integer({ min: 1, max: 4 })), fc.nat(4), (figures, at) => {
      const other = figures.map((value, i) => (i === at ? value + 1 : value)) as typeof figures;
      for (const [x, y, radius, strength, power] of [figures, other]) {
        const map = vignetteMap(x, y, radius, strength, power);
        expect([map.width, map.height, map.alpha.length]).toEqual([128, 128, 16_384]);
        for (const [column, row] of [
          [0, 0],
          [64, 64],
          [127, 30],
          [20, 90],
        ] as const) {
          const distance = Math.hypot((column + 0.5) / 128 - x, (row + 0.5) / 128 - y);
          const shade = distance > radius ? 1 : Math.max(0, Math.sin((distance / radius) * 3.14 * strength) ** power);
          expect(Math.abs(map.alpha[128 * row + column]! - 255 * shade)).toBeLessThan(0.51);
        }
        expect(vignetteMap(x, y, radius, strength, power)).toBe(map);
      }
    }),
  );
});

it('a draw is known by its blend function, whole; any other one is unknown', () => {
  const [ADD, SUBTRACT, REVERSE] = [0x8006, 0x800a, 0x800b];
  const known: [source: number, destination: number, equation: number, blend: unknown][] = [
    [0, 0x303, REVERSE, 'erase'],
    [1, 0x303, ADD, Blend.COVER],
    [1, 0x304, ADD, Blend.ADD],
    [1, 1, ADD, Blend.ADD],
    [1, 0x301, ADD, Blend.LIGHTEN],
    [0x306, 0x303, ADD, Blend.DARKEN],
  ];
  const factors = [0, 1, 0x300, 0x301, 0x302, 0x303, 0x304, 0x305, 0x306, 0x307];
  for (const source of factors)
    for (const destination of factors)
      for (const equation of [ADD, SUBTRACT, REVERSE]) {
        const state = { isBlending: true, source, destination, equation } as DrawState;
        const blend = known.find(([s, d, e]) => s === source && d === destination && e === equation)?.[3] ?? null;
        expect([source, destination, equation, blendOf(state)]).toEqual([source, destination, equation, blend]);
        expect(blendOf({ ...state, isBlending: false })).toBeNull();
      }
});
