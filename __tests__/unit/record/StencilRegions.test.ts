import { ClipRegion } from '../../../src/geometry/ClipRegion.js';
import type { DrawState } from '../../../src/record/draws/DrawOp.js';
import { StencilRegions } from '../../../src/record/draws/StencilRegions.js';

/** Numbers of the context. */
const EQUAL = 0x202;
const NOTEQUAL = 0x205;
const KEEP = 0x1e00;
const REPLACE = 0x1e01;
const INCR = 0x1e02;
const DECR = 0x1e03;
const INCR_WRAP = 0x8507;
const DECR_WRAP = 0x8508;
const ALWAYS = 0x207;

const BOUNDS = { minX: 0, minY: 0, maxX: 100, maxY: 100 };

function state(stencilFunc: number, stencilRef: number, stencilPass = KEEP): DrawState {
  return {
    isBlending: true,
    source: 1,
    destination: 0x303,
    equation: 0x8006,
    hasStencilTest: true,
    stencilFunc,
    stencilRef,
    stencilFail: KEEP,
    stencilPass,
    hasColor: true,
    hasScissor: false,
    scissor: [0, 0, 0, 0],
    viewport: [0, 0, 100, 100],
  };
}

function box(minX: number, minY: number, maxX: number, maxY: number): ClipRegion {
  const region = new ClipRegion();
  region.addPiece([minX, minY, maxX, minY, maxX, maxY, minX, maxY], 0, 4);
  return region;
}

function areaOf(region: ClipRegion | null): number {
  if (region === null) return NaN;
  let area = 0;
  for (let i = 0; i < region.pieceCount; i++) {
    const from = region.start[i]!;
    const length = (region.start[i + 1]! - from) / 2;
    for (let k = 0; k < length; k++) {
      const [a, b] = [from + 2 * k, from + 2 * ((k + 1) % length)];
      area += (region.xy[a]! * region.xy[b + 1]! - region.xy[b]! * region.xy[a + 1]!) / 2;
    }
  }
  return Math.abs(area);
}

describe('the stencil as regions', () => {
  it('lets through what a mask drew, and by an inverted one all else', () => {
    const stencil = new StencilRegions(BOUNDS);
    stencil.draw(box(10, 10, 30, 30), state(EQUAL, 0, INCR));
    expect(areaOf(stencil.passing(state(EQUAL, 1)))).toBeCloseTo(400);
    expect(areaOf(stencil.passing(state(NOTEQUAL, 1)))).toBeCloseTo(9600);
  });

  it('counts what a mask draws twice once', () => {
    const stencil = new StencilRegions(BOUNDS);
    const twice = box(10, 10, 30, 30);
    twice.addPiece([20, 10, 40, 10, 40, 30, 20, 30], 0, 4);
    stencil.draw(twice, state(EQUAL, 0, INCR));
    expect(areaOf(stencil.passing(state(EQUAL, 1)))).toBeCloseTo(600);
  });

  it('lets through what masks in each other have in common, and what is left when the inner one ends', () => {
    const stencil = new StencilRegions(BOUNDS);
    stencil.draw(box(10, 10, 30, 30), state(EQUAL, 0, INCR));
    stencil.draw(box(20, 20, 60, 60), state(EQUAL, 1, INCR));
    expect(areaOf(stencil.passing(state(EQUAL, 2)))).toBeCloseTo(100);
    stencil.draw(box(10, 10, 30, 30), state(EQUAL, 2, DECR));
    expect(areaOf(stencil.passing(state(EQUAL, 1)))).toBeCloseTo(400);
  });

  it('keeps what is beside the part that is cleared', () => {
    const stencil = new StencilRegions(BOUNDS);
    stencil.draw(box(10, 10, 30, 30), state(EQUAL, 0, INCR));
    stencil.clear(box(0, 0, 20, 100));
    expect(areaOf(stencil.passing(state(EQUAL, 1)))).toBeCloseTo(200);
  });

  it('cuts nothing where nobody knows what stands in it, until it is cleared', () => {
    const stencil = new StencilRegions(BOUNDS);
    stencil.draw(box(10, 10, 30, 30), state(EQUAL, 0, REPLACE));
    expect(stencil.isUnknown).toBe(true);
    expect(stencil.passing(state(EQUAL, 1))).toBeNull();
    stencil.clear();
    expect(areaOf(stencil.passing(state(EQUAL, 1)))).toBe(0);
  });

  it('is unknown where it is drawn where the test fails', () => {
    const stencil = new StencilRegions(BOUNDS);
    stencil.draw(box(10, 10, 30, 30), state(EQUAL, 0, INCR));
    stencil.draw(box(20, 10, 40, 30), { ...state(EQUAL, 0, INCR), stencilFail: INCR });
    expect(stencil.isUnknown).toBe(true);
  });

  it('knows what wrapped below nothing, by the number there too, and what is counted up again', () => {
    const stencil = new StencilRegions(BOUNDS);
    const counted = (operation: number): DrawState => ({ ...state(ALWAYS, 0, operation), stencilFail: operation });
    stencil.draw(box(10, 10, 30, 30), counted(INCR_WRAP));
    stencil.draw(box(0, 0, 100, 100), counted(DECR_WRAP));
    expect(areaOf(stencil.passing(state(EQUAL, 0)))).toBeCloseTo(400);
    expect(areaOf(stencil.passing(state(EQUAL, 255)))).toBeCloseTo(9600);
    stencil.draw(box(0, 0, 100, 50), { ...state(EQUAL, 255, INCR_WRAP) });
    expect(areaOf(stencil.passing(state(EQUAL, 0)))).toBeCloseTo(5000);
    stencil.draw(box(0, 50, 100, 100), counted(INCR_WRAP));
    expect(areaOf(stencil.passing(state(EQUAL, 0)))).toBeCloseTo(10000);
    stencil.draw(box(10, 10, 30, 30), counted(INCR));
    expect([stencil.isUnknown, areaOf(stencil.passing(state(EQUAL, 1)))]).toEqual([false, 400]);
  });

  it.each<[string, Partial<DrawState>]>([
    ['cannot be counted up', { stencilPass: INCR, stencilFail: INCR }],
    ['cannot be counted down', { stencilPass: DECR, stencilFail: DECR }],
    ['is set to a large number', { stencilPass: REPLACE, stencilFail: REPLACE, stencilRef: 200 }],
  ])('is unknown where the highest value %s', (_, how) => {
    const stencil = new StencilRegions(BOUNDS);
    stencil.draw(box(10, 10, 30, 30), { ...state(ALWAYS, 0, DECR_WRAP), stencilFail: DECR_WRAP });
    stencil.draw(box(20, 10, 40, 30), { ...state(ALWAYS, 0), ...how });
    expect(stencil.isUnknown).toBe(true);
  });

  it('knows what is set to a number, also below nothing, by a shape or for a part', () => {
    const stencil = new StencilRegions(BOUNDS);
    const set = (value: number): DrawState => ({ ...state(ALWAYS, value, REPLACE), stencilFail: REPLACE });
    const areas = (): number[] => [255, 0, 1, 2].map((value) => areaOf(stencil.passing(state(EQUAL, value))));
    stencil.clear(null, 1);
    stencil.clear(box(0, 0, 100, 50), 2);
    stencil.draw(box(0, 0, 10, 10), set(0));
    stencil.draw(box(0, 0, 20, 10), { ...set(0), stencilPass: DECR_WRAP, stencilFail: DECR_WRAP });
    for (const [i, area] of [100, 0, 5100, 4800].entries()) expect(areas()[i]).toBeCloseTo(area);
    stencil.draw(box(0, 0, 100, 100), set(2));
    for (const [i, area] of [0, 0, 0, 10000].entries()) expect(areas()[i]).toBeCloseTo(area);
    expect(stencil.isUnknown).toBe(false);
  });

  it('has nothing below nothing where counting down ends there', () => {
    const stencil = new StencilRegions(BOUNDS);
    stencil.draw(box(10, 10, 30, 30), state(EQUAL, 0, INCR));
    stencil.draw(box(10, 10, 50, 30), state(EQUAL, 0, DECR));
    expect([stencil.isUnknown, areaOf(stencil.passing(state(EQUAL, 1)))]).toEqual([false, 400]);
  });

  it('knows a round window in what was filled by two triangles, whose parts meet but for rounding', () => {
    const stencil = new StencilRegions(BOUNDS);
    const counted = (operation: number): DrawState => ({
      ...state(ALWAYS, 0, operation),
      stencilFail: operation,
    });
    const all = new ClipRegion();
    all.addPiece([0, 0, 0, 100, 100, 100], 0, 3);
    all.addPiece([0, 0, 100, 100, 100, 0], 0, 3);
    stencil.draw(all, counted(INCR_WRAP));
    const round = new ClipRegion();
    const at = (i: number): number[] => [
      54 + 25 * Math.cos((i * Math.PI) / 16),
      50 + 25 * Math.sin((i * Math.PI) / 16),
    ];
    for (let i = 0; i < 32; i++) round.addPiece([54, 50, ...at(i), ...at(i + 1)], 0, 3);
    stencil.draw(round, counted(DECR_WRAP));
    expect(stencil.isUnknown).toBe(false);
    expect(areaOf(stencil.passing(state(EQUAL, 0)))).toBeCloseTo(areaOf(round));
  });
});
