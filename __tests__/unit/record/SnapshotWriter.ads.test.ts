import { DARKEST, FrameSnapshot, PolygonFlag } from '../../../src/measure/FrameSnapshot.js';
import { measureView } from '../../../src/measure/measureView.js';
import { ViewMeasurement } from '../../../src/measure/ViewMeasurement.js';
import {
  type DrawOp,
  type DrawState,
  type ForeignOp,
  IGNORES_TEXTURE,
  ProgramKind,
  type ProgramUse,
  type RecordedOp,
  type Shape,
} from '../../../src/record/draws/DrawOp.js';
import type { ObjectFacts } from '../../../src/record/draws/ObjectFacts.js';
import type { QuadAlpha } from '../../../src/record/draws/QuadAlpha.js';
import { sizesOf } from '../../../src/record/draws/sizesOf.js';
import { SnapshotWriter } from '../../../src/record/draws/SnapshotWriter.js';

/*
 * What a record says of an ad, as it is measured afterwards: areas, opacity, and whether they can be trusted. The screen has
 * 200 × 200 pixels, and the ad the 100 × 100 in its middle, where nothing else is said.
 */

const ALWAYS = 0x207;
const EQUAL = 0x202;
const LESS = 0x201;
const KEEP = 0x1e00;
const INCR = 0x1e02;
const ONE_MINUS_SRC_ALPHA = 0x303;
const FUNC_REVERSE_SUBTRACT = 0x800b;

type Box = readonly [left: number, bottom: number, width: number, height: number];

interface Texture {
  readonly width: number;
  readonly height: number;
}

const AD: Box = [50, 50, 100, 100];
const LEFT_HALF: Box = [50, 50, 50, 100];
const SCREEN: Box = [0, 0, 200, 200];
const ad = { name: 'ad' };
const cover = { name: 'cover' };
const camera = { name: 'camera' };
const newTexture = (): Texture => ({ width: 200, height: 200 });
/** A texture that nothing is drawn on at first. */
const SECOND = newTexture();

const TEXTURE: ProgramUse = { kind: ProgramKind.TEXTURE, isInverted: false, reachPx: 0, thickens: false };

function quad([left, bottom, width, height]: Box, effect: number): Shape {
  const [right, top] = [left + width, bottom + height];
  return {
    xy: Float64Array.of(left, bottom, right, bottom, right, top, left, top),
    uv: Float64Array.of(0, 0, 1, 0, 1, 1, 0, 1),
    colors: new Uint32Array(4).fill(0xffffffff),
    unit: 0,
    effect,
    light: null,
  };
}

const STATE: DrawState = {
  isBlending: true,
  source: 1,
  destination: ONE_MINUS_SRC_ALPHA,
  equation: 0x8006,
  hasStencilTest: false,
  stencilFunc: ALWAYS,
  stencilRef: 0,
  stencilFail: KEEP,
  stencilPass: KEEP,
  hasColor: true,
  hasScissor: false,
  scissor: [0, 0, 0, 0],
  viewport: SCREEN,
};

interface Look {
  readonly target?: Texture | null;
  /** 0xAARRGGBB, for all corners. */
  readonly color?: number;
  readonly state?: Partial<DrawState>;
  readonly program?: Partial<ProgramUse>;
  readonly camera?: object;
  readonly effect?: number;
}

function draw(owner: object | null, textures: readonly Texture[], box: Box, look: Look = {}): DrawOp {
  const shape = quad(box, look.effect ?? (textures.length === 0 ? IGNORES_TEXTURE : 0));
  if (look.color !== undefined) shape.colors.fill(look.color);
  return {
    type: 'draw',
    target: look.target ?? null,
    owner,
    camera: look.camera ?? camera,
    program: { ...TEXTURE, ...look.program },
    textures,
    sizes: sizesOf(textures),
    state: { ...STATE, ...look.state },
    shapes: [shape],
  };
}

/** A rectangle of one colour; without a look it is white. */
const fill = (owner: object | null, box: Box, look: Look = {}): DrawOp => draw(owner, [], box, look);
/** All of a texture, where it was drawn. */
const show = (texture: Texture, look: Look = {}): DrawOp => draw(null, [texture], SCREEN, look);
const onStencil = (box: Box, look: Look = {}): DrawOp =>
  fill(null, box, { ...look, state: { hasStencilTest: true, stencilFail: INCR, stencilPass: INCR, hasColor: false } });
const BESIDE_STENCIL = { hasStencilTest: true, stencilFunc: EQUAL };
const ERASES = { source: 0, equation: FUNC_REVERSE_SUBTRACT };
const clear = (target: Texture | null = null, other: object = {}): RecordedOp => ({
  type: 'clear',
  target,
  state: STATE,
  clearsColor: true,
  clearsStencil: false,
  ...other,
});
const copy = (from: Texture | null, target: Texture, [x, y, width, height]: Box = SCREEN, toX = x, toY = y): RecordedOp => ({ type: 'copy', target, from, toX, toY, x, y, width, height }); // prettier-ignore
const foreign = (state: Partial<DrawState> = {}): ForeignOp => ({
  type: 'foreign',
  target: null,
  owner: cover,
  camera,
  state: { ...STATE, ...state },
  place: [1, 0, 0, 1, 0, 0],
});

const opaque = { lookup: { kind: 'opaque', brightest: 1 }, u: 0, v: 0, du: 1, dv: 1, isRepeated: false };

interface World {
  readonly facts?: Partial<ObjectFacts>;
  readonly texturesHaveStencil?: boolean;
  /** What is found out about every texture that was not drawn on. */
  readonly alpha?: 'opaque' | 'unknown';
}

function write(
  ops: readonly RecordedOp[],
  { facts = {}, texturesHaveStencil = true, alpha = 'opaque' }: World = {},
): FrameSnapshot {
  const snapshot = new FrameSnapshot();
  snapshot.reset(200, 200);
  const own: ObjectFacts = {
    adOf: (owner) => (owner === ad ? 0 : -1),
    isFriendly: () => false,
    isDistorted: () => false,
    wholeOf: () => null,
    lightOn: () => 1,
    isHalf: () => true,
    paintForeign: () => undefined,
    ...facts,
  };
  const shown = { ...opaque, lookup: { ...opaque.lookup, kind: alpha } };
  const textures = { lookup: () => shown, lookupTile: () => shown } as unknown as QuadAlpha;
  const writer = new SnapshotWriter(snapshot, textures, own, texturesHaveStencil);
  writer.write(ops, 200, { minX: 0, minY: 0, maxX: 200, maxY: 200 });
  return snapshot;
}

/** What is seen of the ad; null where its picture, or that of what covers it, is unknown. */
function seen(ops: readonly RecordedOp[], world?: World) {
  const snapshot = write(ops, world);
  return Array.from({ length: snapshot.viewCount }, (_, i) => {
    const view = snapshot.views[i]!;
    const measurement = new ViewMeasurement();
    measureView(snapshot, view, { blockingOpacity: 0.5, maxSamples: 65_536 }, measurement);
    const { totalArea, onScreenArea, visibleArea, unmeasurable } = measurement;
    if (unmeasurable) return null;
    const [total, onScreen, visible] = [totalArea, onScreenArea, visibleArea].map(Math.round);
    return { total, onScreen, visible, opacity: view.opacity };
  });
}

const WHOLE = { total: 10_000, onScreen: 10_000, visible: 10_000, opacity: 1 };
const HALF_COVERED = { ...WHOLE, visible: 5_000 };
const HALF_CUT = { ...HALF_COVERED, onScreen: 5_000 };

/** The figures of the one view of the ad. */
function one(ops: readonly RecordedOp[], world?: World) {
  const views = seen(ops, world);
  expect(views).toHaveLength(1);
  return views[0];
}

describe('an ad on the screen', () => {
  it.each<[what: string, ops: RecordedOp[], figures: object | null]>([
    ['lies under nothing', [fill(ad, AD)], WHOLE],
    ['lies over what was drawn before', [fill(cover, AD), fill(ad, AD)], WHOLE],
    ['lies under what is drawn after it', [fill(ad, AD), fill(cover, LEFT_HALF)], HALF_COVERED],
    ['is drawn in two quads', [fill(ad, LEFT_HALF), fill(ad, [100, 50, 50, 100])], WHOLE],
    ['is cut by a scissor', [fill(ad, AD, { state: { hasScissor: true, scissor: LEFT_HALF } })], HALF_CUT],
    ['is cut by a viewport', [fill(ad, AD, { state: { viewport: [0, 0, 100, 200] } })], HALF_CUT],
    ['is not cut by a scissor that is off', [fill(ad, AD, { state: { scissor: LEFT_HALF } })], WHOLE],
    ['is beside the screen in part', [fill(ad, [-50, 50, 100, 100])], HALF_CUT],
    ['is drawn in a blend mode of its own', [fill(ad, AD, { state: { source: 1, destination: 1 } })], null],
    ['is drawn by a shader of the game', [fill(ad, AD, { program: { kind: ProgramKind.FOREIGN } })], null],
    [
      'lies under a shader of the game',
      [fill(ad, AD), fill(cover, AD, { program: { kind: ProgramKind.FOREIGN } })],
      null,
    ],
    ['is cleared away', [fill(ad, AD), clear()], null],
    [
      'is cleared away in part',
      [fill(ad, AD), clear(null, { state: { ...STATE, hasScissor: true, scissor: LEFT_HALF } })],
      null,
    ],
    ['is drawn after a clear', [clear(), fill(ad, AD)], WHOLE],
    [
      'lies beside what is cleared',
      [fill(ad, AD), clear(null, { state: { ...STATE, hasScissor: true, scissor: [0, 0, 40, 200] } })],
      WHOLE,
    ],
    ['stays when a texture is cleared', [fill(ad, AD), clear(newTexture())], WHOLE],
    [
      'stays when the stencil alone is cleared',
      [fill(ad, AD), clear(null, { clearsColor: false, clearsStencil: true })],
      WHOLE,
    ],
  ])('%s', (_what, ops, figures) => {
    expect(one(ops)).toEqual(figures);
  });

  it('has one view for each camera, and for each time it is drawn apart from itself', () => {
    const other = fill(ad, AD, { camera: { name: 'minimap' } });
    expect(seen([fill(ad, LEFT_HALF), fill(ad, AD), other])).toHaveLength(2);
    expect(seen([fill(ad, AD), fill(cover, LEFT_HALF), fill(ad, AD)])).toHaveLength(2);
  });

  it('is as opaque as its mean corner, by the byte that was drawn', () => {
    const opacityOf = (...ops: DrawOp[]) => one(ops)?.opacity;
    expect(opacityOf(fill(ad, AD, { color: 0xccffffff }))).toBeCloseTo(204 / 255, 2);
    expect(opacityOf(fill(ad, LEFT_HALF, { color: 0xccffffff }), fill(ad, [100, 50, 50, 100]))).toBeCloseTo(
      229.5 / 255,
      2,
    );
    expect(opacityOf(fill(ad, AD, { color: 0x7fffffff }))).toBeCloseTo(0.5, 2);
  });

  it('of a byte that opacities around one half share, is below it where the game says so', () => {
    const opacities = [true, false].map((isHalf) => one([fill(ad, AD, { color: 0x7fffffff })], { facts: { isHalf: () => isHalf } })!.opacity); // prettier-ignore
    expect(opacities.map((opacity) => opacity >= 0.5)).toEqual([true, false]);
    const apart = one([fill(ad, AD, { color: 0x80ffffff })], { facts: { isHalf: () => false } })!.opacity;
    expect(apart).toBeGreaterThanOrEqual(0.5);
  });

  it('loses light by its tint and by the lights of its scene', () => {
    const picture = newTexture();
    const opacityOf = (look: Look, lightOn = 1) => one([draw(ad, [picture], AD, look)], { facts: { lightOn: () => lightOn } })?.opacity; // prettier-ignore
    const tinted = opacityOf({ color: 0xff000080 })!;
    expect(tinted).toBeGreaterThan(0);
    expect(tinted).toBeLessThan(0.3);
    expect(opacityOf({ color: 0xffffffff })).toBe(1);
    expect(opacityOf({ program: { kind: ProgramKind.LIT } }, 0.25)).toBe(0.25);
    expect(opacityOf({}, 0.25)).toBe(1);
  });

  it('that is drawn only in part is as large as the whole picture', () => {
    const whole = { u0: 0, v0: 0, u1: 2, v1: 1 };
    expect(one([fill(ad, LEFT_HALF)], { facts: { wholeOf: (owner) => (owner === ad ? whole : null) } })).toEqual(
      HALF_CUT,
    );
  });

  it.each<[what: string, facts: Partial<ObjectFacts>]>([
    ['the ad', { isDistorted: (owner) => owner === ad }],
    ['what lies near it', { isDistorted: (owner) => owner === cover }],
  ])('is unknown where an effect of the game was left out of %s', (_what, facts) => {
    const near: Box = [160, 50, 10, 100];
    expect(one([fill(ad, AD), fill(cover, near)], { facts })).toBeNull();
    expect(one([fill(ad, AD), fill(cover, near)])).toEqual(WHOLE);
  });

  it('hides under nothing that is friendly, nor under what draws nothing', () => {
    const friendly = { isFriendly: (owner: object) => owner === cover };
    expect(one([fill(ad, AD), fill(cover, AD)], { facts: friendly })).toEqual(WHOLE);
    expect(one([fill(ad, AD), fill(cover, AD, { color: 0x00ffffff })])).toEqual(WHOLE);
    expect(one([fill(ad, AD), fill(cover, AD, { state: { hasScissor: true, scissor: [0, 0, 0, 0] } })])).toEqual(WHOLE);
  });
});

describe('the stencil', () => {
  const cut: DrawOp[] = [onStencil(LEFT_HALF), fill(ad, AD, { state: BESIDE_STENCIL })];
  const clearStencil = (other: object = {}): RecordedOp =>
    clear(null, { clearsColor: false, clearsStencil: true, ...other });
  const [mask, masked] = cut as [DrawOp, DrawOp];

  it.each<[what: string, ops: RecordedOp[], figures: object | null]>([
    ['cuts an ad', [mask, masked], HALF_CUT],
    ['cuts nothing that does not test it', [mask, fill(ad, AD)], WHOLE],
    ['cuts what covers the ad', [mask, fill(ad, AD), fill(cover, AD, { state: BESIDE_STENCIL })], HALF_COVERED],
    ['is empty after a clear', [mask, clearStencil(), masked], WHOLE],
    [
      'is empty where it was cleared',
      [mask, clearStencil({ state: { ...STATE, hasScissor: true, scissor: LEFT_HALF } }), masked],
      WHOLE,
    ],
    [
      'stays where it was not cleared',
      [mask, clearStencil({ state: { ...STATE, hasScissor: true, scissor: [0, 0, 40, 200] } }), masked],
      HALF_CUT,
    ],
    ['stays where only colours are cleared', [mask, clear(), masked], HALF_CUT],
    [
      'is another number after a clear to it',
      [mask, clearStencil({ stencilValue: 1 }), masked],
      { ...WHOLE, onScreen: 0, visible: 0 },
    ],
    ['is unknown after a clear of some bits', [mask, clearStencil({ stencilValue: NaN }), masked], null],
    ['that is unknown does not matter without a test', [clearStencil({ stencilValue: NaN }), fill(ad, AD)], WHOLE],
    ['that is unknown does not matter where everything passes', [clearStencil({ stencilValue: NaN }), fill(ad, AD, { state: { hasStencilTest: true, stencilFunc: ALWAYS } })], WHOLE], // prettier-ignore
    ['is unknown after what the game itself draws on it', [foreign({ hasColor: false }), masked], null],
    [
      'tested in an unknown way makes the ad unknown',
      [mask, fill(ad, AD, { state: { hasStencilTest: true, stencilFunc: LESS } })],
      null,
    ],
    [
      'is unknown where a shader decides what is left out',
      [{ ...mask, program: { ...TEXTURE, discards: true }, shapes: faint(mask) }, masked],
      null,
    ],
    [
      'is known where such a shader is given an opaque shape',
      [{ ...mask, program: { ...TEXTURE, discards: true } }, masked],
      HALF_CUT,
    ],
    [
      'is unknown where an unknown shader draws on it',
      [{ ...mask, program: { ...TEXTURE, kind: ProgramKind.WITHIN } }, masked],
      null,
    ],
  ])('%s', (_what, ops, figures) => {
    expect(one(ops)).toEqual(figures);
  });

  function faint({ shapes: [shape] }: DrawOp): Shape[] {
    return [{ ...shape!, colors: new Uint32Array(4).fill(0x80ffffff) }];
  }

  it('of a texture, where it shares one with the screen, makes what tests it unknown', () => {
    const target = newTexture();
    const ops = [onStencil(LEFT_HALF, { target }), fill(ad, AD, { target, state: BESIDE_STENCIL }), show(target)];
    expect([true, false].map((texturesHaveStencil) => one(ops, { texturesHaveStencil }))).toEqual([HALF_CUT, null]);
  });
});

describe('an ad on a texture', () => {
  const target = newTexture();
  const onTarget = fill(ad, AD, { target });
  const coverOnTarget = fill(cover, LEFT_HALF, { target });

  it.each<[what: string, ops: RecordedOp[], figures: object | null]>([
    ['is seen where the texture is shown', [onTarget, show(target)], WHOLE],
    ['lies under what is drawn on the texture after it', [onTarget, coverOnTarget, show(target)], HALF_COVERED],
    ['lies over what was drawn on it before', [coverOnTarget, onTarget, show(target)], WHOLE],
    ['lies under what is drawn on the screen after it', [onTarget, show(target), fill(cover, LEFT_HALF)], HALF_COVERED],
    ['lies over what was drawn on the screen before', [fill(cover, AD), onTarget, show(target)], WHOLE],
    ['is not there before the texture is shown', [onTarget, fill(cover, AD), show(target)], WHOLE],
    ['fades with the texture', [onTarget, show(target, { color: 0xccffffff })], { ...WHOLE, opacity: 204 / 255 }],
    ['hides under an opaque cover though the texture is faint', [onTarget, coverOnTarget, show(target, { color: 0xccffffff })], { ...HALF_COVERED, opacity: 204 / 255 }], // prettier-ignore
    ['is in other colours where the texture is tinted', [onTarget, show(target, { color: 0xff8080ff })], null],
    [
      'is as it was where a shader copies the texture',
      [onTarget, show(target, { program: { kind: ProgramKind.COPY } })],
      WHOLE,
    ],
    [
      'is unknown where a shader changes colours',
      [onTarget, show(target, { program: { kind: ProgramKind.RECOLOUR } })],
      null,
    ],
    ['is unknown behind an unknown effect', [onTarget, show(target, { program: { kind: ProgramKind.WITHIN } })], null],
    ['is unknown behind a blend mode', [onTarget, show(target, { state: { source: 1, destination: 1 } })], null],
    [
      'is cut by what cuts the texture',
      [onTarget, show(target, { state: { hasScissor: true, scissor: LEFT_HALF } })],
      HALF_CUT,
    ],
    ['stays when the texture is cleared after it was shown', [onTarget, show(target), clear(target)], WHOLE],
    ['is copied from one texture to another', [onTarget, copy(target, SECOND), show(SECOND)], WHOLE],
    ['is cut where a part is copied', [onTarget, copy(target, SECOND, LEFT_HALF), show(SECOND)], HALF_CUT],
    ['moves with the part that is copied', [onTarget, copy(target, SECOND, AD, -50, 50), show(SECOND)], HALF_CUT],
  ])('%s', (_what, ops, figures) => {
    const result = one(ops);
    if (figures === null || result === null) expect(result).toBe(figures);
    else
      expect(result).toEqual({
        ...figures,
        opacity: expect.closeTo((figures as { opacity: number }).opacity, 2) as number,
      });
  });

  it('that is shown twice has one view, and its copy covers it', () => {
    expect(one([onTarget, show(target), show(target)])).toEqual({ ...WHOLE, visible: 0 });
  });

  it('is gone after all of the texture was cleared or overwritten, and hides nothing more', () => {
    const gone: RecordedOp[] = [clear(target), copy(SECOND, target)];
    for (const op of gone) {
      expect(seen([onTarget, op, show(target)])).toEqual([]);
      expect(one([fill(ad, AD), coverOnTarget, op, show(target)])).toEqual(WHOLE);
    }
    const kept: RecordedOp[] = [
      clear(target, { clearsColor: false, clearsStencil: true }),
      clear(target, { state: { ...STATE, hasScissor: true, scissor: [0, 0, 200, 199] } }),
      clear(target, { state: { ...STATE, hasScissor: true, scissor: [0, 0, 199, 200] } }),
      clear(target, { state: { ...STATE, hasScissor: true, scissor: [1, 0, 200, 200] } }),
      clear(target, { state: { ...STATE, hasScissor: true, scissor: [0, 1, 200, 200] } }),
      copy(SECOND, target, [0, 0, 199, 200]),
      copy(SECOND, target, [0, 0, 200, 199]),
      copy(SECOND, target, [0, 0, 300, 300], 1, 0),
      copy(SECOND, target, [0, 0, 300, 300], 0, 1),
    ];
    for (const op of kept) expect(one([onTarget, op, show(target)])).toEqual(WHOLE);
    const all: RecordedOp[] = [
      clear(target, { state: { ...STATE, hasScissor: true, scissor: SCREEN } }),
      copy(SECOND, target, [0, 0, 300, 300], -1, -1),
    ];
    for (const op of all) expect(seen([onTarget, op, show(target)])).toEqual([]);
  });

  it('through many textures is followed, and through endless ones unknown', () => {
    const chain = (length: number): RecordedOp[] => {
      const textures = Array.from({ length }, newTexture);
      const steps = textures.slice(1).map((texture, i) => show(textures[i]!, { target: texture }));
      return [fill(ad, AD), fill(cover, LEFT_HALF, { target: textures[0]! }), ...steps, show(textures.at(-1)!)];
    };
    expect(one(chain(20))).toEqual(HALF_COVERED);
    expect(one(chain(40))).toBeNull();
  });

  it('lies over an ad on the screen, which a faint texture hides by its opacity and the cover on it', () => {
    const views = (color: number) =>
      seen([fill(below, AD), onTarget, coverOnTarget, show(target, { color })], {
        facts: { adOf: (owner) => [below, ad].indexOf(owner as typeof ad) },
      });
    const below = { name: 'below' };
    expect(views(0xffffffff).map((view) => view?.visible)).toEqual([0, 5_000]);
    expect(views(0x40ffffff).map((view) => view?.visible)).toEqual([10_000, 5_000]);
    expect(views(0xc0ffffff).map((view) => view?.visible)).toEqual([0, 5_000]);
  });
});

describe('what covers an ad from a texture', () => {
  const target = newTexture();
  const under = fill(ad, AD);

  it.each<[what: string, ops: RecordedOp[], figures: object | null]>([
    ['hides it where the texture is shown', [under, fill(cover, LEFT_HALF, { target }), show(target)], HALF_COVERED],
    ['was not shown', [under, fill(cover, LEFT_HALF, { target })], WHOLE],
    ['is faint where the texture is', [under, fill(cover, AD, { target }), show(target, { color: 0x40ffffff })], WHOLE],
    ['hides itself before the texture fades', [under, fill(cover, AD, { target }), fill(cover, AD, { target }), show(target, { color: 0x70ffffff })], WHOLE], // prettier-ignore
    ['keeps its opacity where a shader ignores the vertices', [under, fill(cover, LEFT_HALF, { target }), show(target, { color: 0x40ffffff, program: { kind: ProgramKind.COPY } })], HALF_COVERED], // prettier-ignore
    ['is unknown where it is erased in part', [under, fill(cover, LEFT_HALF, { target }), fill(null, [60, 60, 10, 10], { target, state: ERASES }), show(target)], null], // prettier-ignore
    ['is known beside what is erased', [under, fill(cover, LEFT_HALF, { target }), fill(null, [0, 0, 40, 40], { target, state: ERASES }), show(target)], HALF_COVERED], // prettier-ignore
    ['is drawn after something else was erased', [under, fill(null, AD, { target, state: ERASES }), fill(cover, LEFT_HALF, { target }), show(target)], HALF_COVERED], // prettier-ignore
    ['multiplies an empty texture, which stays empty', [under, fill(cover, AD, { target, color: 0xff000000, state: { source: 0x306 } }), show(target)], WHOLE], // prettier-ignore
    ['adds to an empty texture, which shows it', [under, fill(cover, LEFT_HALF, { target, state: { destination: 0x304 } }), show(target)], HALF_COVERED], // prettier-ignore
    ['may be anywhere within what is drawn over the texture', [under, fill(cover, [0, 0, 10, 10], { target }), show(target, { program: { kind: ProgramKind.OVER } })], null], // prettier-ignore
    ['is unknown near an effect that paints around', [under, fill(cover, [155, 50, 10, 100], { target }), show(target, { program: { kind: ProgramKind.AROUND, reachPx: 20 } })], null], // prettier-ignore
    ['is out of reach of an effect that paints around', [under, fill(cover, [175, 50, 10, 100], { target }), show(target, { program: { kind: ProgramKind.AROUND, reachPx: 20 } })], WHOLE], // prettier-ignore
  ])('%s', (_what, ops, figures) => {
    expect(one(ops)).toEqual(figures);
  });

  it('is a friend where the object that shows the texture is one', () => {
    const shownBy = { ...show(target), owner: cover };
    const ops = [under, fill({ name: 'inside' }, AD, { target }), shownBy];
    expect(one(ops)).toMatchObject({ visible: 0 });
    expect(one(ops, { facts: { isFriendly: (owner) => owner === cover } })).toEqual(WHOLE);
  });

  it('lies under the veil of an effect, unless a friend shows it', () => {
    const veil = { width: 1, height: 1, values: Uint8Array.of(255) } as never;
    const veiled = { ...show(target, { program: { veil } }), owner: cover };
    const ops = [under, fill(null, [0, 0, 10, 10], { target }), veiled];
    const snapshot = write(ops);
    expect(write([under, fill(null, [0, 0, 10, 10], { target }), show(target)]).count).toBe(snapshot.count - 1);
    expect(write(ops, { facts: { isFriendly: (owner) => owner === cover } }).count).toBeLessThan(snapshot.count);
  });
});

describe('a bitmap mask', () => {
  const [main, source] = [newTexture(), newTexture()];
  const masked = (isInverted = false, look: Look = {}): DrawOp =>
    draw(null, [main, source], SCREEN, { ...look, program: { kind: ProgramKind.MASK, isInverted } });
  const onMain = fill(ad, AD, { target: main });
  const onSource = fill(cover, [50, 50, 25, 100], { target: source });
  const QUARTER = { ...WHOLE, onScreen: 2_500, visible: 2_500 };
  const THREE_QUARTERS = { ...WHOLE, onScreen: 7_500, visible: 7_500 };

  it.each<[what: string, ops: RecordedOp[], figures: object | null]>([
    ['shows the ad where it is opaque', [onMain, onSource, masked()], QUARTER],
    ['that is inverted hides it there', [onMain, onSource, masked(true)], THREE_QUARTERS],
    [
      'hides nothing with what it is made of',
      [fill(ad, AD), fill(cover, [0, 0, 10, 10], { target: main }), onSource, masked()],
      WHOLE,
    ],
    [
      'cuts what covers an ad',
      [fill(ad, AD), fill(cover, AD, { target: main }), onSource, masked()],
      { ...WHOLE, visible: 7_500 },
    ],
    ['whose picture is opaque shows all', [onMain, masked()], WHOLE],
    ['that was drawn by an unknown shader makes the ad unknown', [onMain, { ...onSource, program: { ...TEXTURE, kind: ProgramKind.FOREIGN } }, masked()], null], // prettier-ignore
    [
      'in a blend mode makes the ad unknown',
      [onMain, onSource, masked(false, { state: { source: 1, destination: 1 } })],
      null,
    ],
    [
      'without a picture shows all',
      [onMain, draw(null, [main], SCREEN, { program: { kind: ProgramKind.MASK } })],
      WHOLE,
    ],
  ])('%s', (_what, ops, figures) => {
    expect(one(ops)).toEqual(figures);
  });

  it('whose picture is not known makes the ad unknown', () => {
    expect(one([onMain, masked()], { alpha: 'unknown' })).toBeNull();
  });

  it('within another shows what both leave', () => {
    const [outer, outerSource] = [newTexture(), newTexture()];
    const inner = { ...masked(), target: outer };
    const outerMask = draw(null, [outer, outerSource], SCREEN, { program: { kind: ProgramKind.MASK } });
    const onOuterSource = fill(null, [60, 50, 90, 100], { target: outerSource });
    const both = { ...WHOLE, onScreen: 1_500, visible: 1_500 };
    expect(one([onMain, onSource, inner, onOuterSource, outerMask])).toEqual(both);
  });

  it('over an ad and its cover alike leaves the cover as it is', () => {
    const faint = fill(cover, AD, { target: source, color: 0xb0ffffff });
    const onAd = fill(cover, LEFT_HALF, { target: main });
    expect(one([onMain, onAd, faint, masked()])).toMatchObject({ visible: 5_000 });
    // For an ad below, the mask lets too little of the cover through.
    expect(one([fill(ad, AD), fill(cover, AD, { target: main, color: 0xb0ffffff }), faint, masked()])).toEqual(WHOLE);
  });
});

describe('an object whose own code is not run', () => {
  const paintedBy = (ops: readonly RecordedOp[], isFriendly = false): unknown[][] => {
    const calls: unknown[][] = [];
    const facts = { isFriendly: () => isFriendly, paintForeign: (...args: unknown[]) => void calls.push(args) };
    write(ops, { facts });
    return calls;
  };

  it('is painted within what it may draw on, unless it is a friend', () => {
    const op = foreign({ hasScissor: true, scissor: LEFT_HALF });
    expect(paintedBy([op])).toEqual([[op, expect.objectContaining({ minX: 50, maxX: 100, minY: 50, maxY: 150 }), -1]]);
    expect(paintedBy([op], true)).toEqual([]);
    expect(paintedBy([foreign({ hasColor: false })])).toEqual([]);
  });
});

describe('the shapes of ads alone', () => {
  const shapesOf = (ops: readonly RecordedOp[], wholeOf: ObjectFacts['wholeOf'] = () => null): number[] => {
    const snapshot = new FrameSnapshot();
    snapshot.reset(200, 200);
    const textures = { lookup: () => opaque } as unknown as QuadAlpha;
    new SnapshotWriter(snapshot, textures, { wholeOf } as ObjectFacts, true).writeShapes(ops, 200);
    const { box, count, flags } = snapshot;
    for (let i = 0; i < count; i++) expect(flags[i]! & PolygonFlag.PAINTED).toBe(0);
    return [...box.subarray(0, 4 * count)];
  };

  it('are their quads, counted from the top of the canvas, whatever cuts them', () => {
    const low: Box = [10, 20, 30, 40];
    expect(shapesOf([fill(ad, low, { state: { hasScissor: true, scissor: [0, 0, 1, 1] } })])).toEqual([
      10, 140, 40, 180,
    ]);
    expect(shapesOf([fill(ad, low)], () => ({ u0: 0, v0: 0, u1: 2, v1: 1 }))).toEqual([10, 140, 70, 180]);
  });

  it('are none of what draws no picture of its own', () => {
    const target = newTexture();
    const ops = [
      onStencil(AD),
      draw(ad, [], AD, { program: { kind: ProgramKind.MASK } }),
      { ...fill(null, [0, 0, 10, 10], { target }), owner: null },
      show(target),
      clear(),
    ];
    expect(shapesOf(ops)).toHaveLength(4);
  });
});

it('what is drawn in the dark is as dark as it was drawn', () => {
  const darkOf = (color: number) => write([fill(cover, AD, { color })]).flags[0]! >> 5;
  expect([0xff000000, 0xffffffff].map(darkOf)).toEqual([DARKEST, 0]);
});
