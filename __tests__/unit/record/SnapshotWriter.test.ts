import { FrameSnapshot, PolygonFlag } from '../../../src/measure/FrameSnapshot.js';
import {
  type DrawOp,
  IGNORES_TEXTURE,
  ProgramKind,
  type RecordedOp,
  type Shape,
} from '../../../src/record/draws/DrawOp.js';
import type { QuadAlpha } from '../../../src/record/draws/QuadAlpha.js';
import { sizesOf } from '../../../src/record/draws/sizesOf.js';
import type { ObjectFacts } from '../../../src/record/draws/ObjectFacts.js';
import { SnapshotWriter } from '../../../src/record/draws/SnapshotWriter.js';

/** Numbers of the context. */
const EQUAL = 0x202;
const ALWAYS = 0x207;
const KEEP = 0x1e00;
const INCR = 0x1e02;

const SCREEN = { minX: 0, minY: 0, maxX: 200, maxY: 200 };

/** No ads; what is friendly is told. */
const factsOf = (friendly: readonly object[] = []): ObjectFacts => ({
  adOf: () => -1,
  isFriendly: (owner) => friendly.includes(owner),
  isDistorted: () => false,
  wholeOf: () => null,
  lightOn: () => 1,
  isHalf: () => true,
  paintForeign: () => undefined,
});

/** Nothing here has a texture that must be looked at. */
const noTextures = {} as QuadAlpha;

interface Texture {
  width: number;
  height: number;
}

/** x, y, width, height in pixels of a target. */
type Box = [number, number, number, number];

function quad(left: number, bottom: number, width: number, height: number, effect: number): Shape {
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

function draw(target: Texture | null, owner: object | null, textures: readonly Texture[], shape: Shape): DrawOp {
  return {
    type: 'draw',
    target,
    owner,
    camera: null,
    program: { kind: ProgramKind.TEXTURE, isInverted: false, reachPx: 0, thickens: false },
    textures,
    sizes: sizesOf(textures),
    state: {
      isBlending: true,
      source: 1,
      destination: 0x303,
      equation: 0x8006,
      hasStencilTest: false,
      stencilFunc: 0,
      stencilRef: 0,
      stencilFail: KEEP,
      stencilPass: KEEP,
      hasColor: true,
      hasScissor: false,
      scissor: [0, 0, 0, 0],
      viewport: [0, 0, target?.width ?? 200, target?.height ?? 200],
    },
    shapes: [shape],
  };
}

const fill = (target: Texture | null, owner: object | null, ...box: [number, number, number, number]): DrawOp =>
  draw(target, owner, [], quad(...box, IGNORES_TEXTURE));

const show = (texture: Texture, owner: object | null, ...box: [number, number, number, number]): DrawOp =>
  draw(null, owner, [texture], quad(...box, 0));

/** The same, cut to a rectangle of its target. */
const within = (op: DrawOp, scissor: Box): DrawOp => ({ ...op, state: { ...op.state, hasScissor: true, scissor } });

/** The same, drawn on the stencil only. */
function asStencil(op: DrawOp): DrawOp {
  const tests = { hasStencilTest: true, stencilFunc: ALWAYS, stencilFail: INCR, stencilPass: INCR };
  return { ...op, state: { ...op.state, ...tests, hasColor: false } };
}

/** The same, drawn where nothing stands in the stencil. */
const behindStencil = (op: DrawOp): DrawOp => ({
  ...op,
  state: { ...op.state, hasStencilTest: true, stencilFunc: EQUAL },
});

function write(ops: readonly RecordedOp[], friendly: readonly object[] = [], hasStencils = true): FrameSnapshot {
  const snapshot = new FrameSnapshot();
  snapshot.reset(200, 200);
  new SnapshotWriter(snapshot, noTextures, factsOf(friendly), hasStencils).write(ops, 200, SCREEN);
  return snapshot;
}

/** A texture is shown by a threshold on another, and that on the screen. */
function threshold(picture: Texture): RecordedOp[] {
  const filtered = { ...picture };
  const program = { kind: ProgramKind.RECOLOUR, isInverted: false, reachPx: 0, thickens: true };
  const filter = draw(filtered, null, [picture], quad(0, 0, picture.width, picture.height, 0));
  return [{ ...filter, program }, show(filtered, null, 0, 100, 100, 100)];
}

/** The same in an alpha from 0 to 255. */
function faint(op: DrawOp, alpha: number): DrawOp {
  op.shapes[0]!.colors.fill(alpha * 2 ** 24 + 0xffffff);
  return op;
}

const ownersOf = ({ count, owner, owners }: FrameSnapshot): unknown[] =>
  Array.from({ length: count }, (_, i) => owners[owner[i]!] ?? null);

/** A game object, and one that holds others. */
const leaf = { name: 'leaf' };
const inPicture = { name: 'in the picture' };
const container = { name: 'container', localTransform: {}, list: [] };

describe('what was drawn on a texture, where that is shown', () => {
  it('lies there by the size the texture had then, whatever size it has later in the frame', () => {
    const texture = { width: 100, height: 100 };
    const ops = [fill(texture, inPicture, 0, 50, 50, 50), show(texture, null, 0, 100, 100, 100)];
    // Phaser 4 gives what it draws on another size for the next camera.
    texture.width = texture.height = 50;
    expect([...write(ops).box.subarray(0, 4)]).toEqual([0, 0, 50, 50]);
  });

  it('has the pixels whose centres lie in it, and what is drawn on the screen has its share of each', () => {
    const texture = { width: 100, height: 100 };
    const ops = [
      fill(texture, inPicture, 0, 50, 50, 50),
      show(texture, null, 0, 100, 100, 100),
      fill(null, leaf, 0, 0, 9, 9),
    ];
    const snapshot = write(ops);
    expect([0, 1].map((i) => snapshot.isCentred(i))).toEqual([true, false]);
  });

  it('hides as the object that shows the picture of it', () => {
    const texture = { width: 100, height: 100 };
    const ops = [fill(texture, inPicture, 0, 0, 50, 50), show(texture, leaf, 0, 100, 100, 100)];
    expect(ownersOf(write(ops))).toEqual([leaf]);
    expect(write(ops, [leaf]).count).toBe(0);
  });

  it('hides as itself where a camera or a container draws its children apart', () => {
    const texture = { width: 100, height: 100 };
    for (const apart of [null, container]) {
      const ops = [fill(texture, inPicture, 0, 0, 50, 50), show(texture, apart, 0, 100, 100, 100)];
      expect(ownersOf(write(ops))).toEqual([inPicture]);
    }
  });

  it('is unmeasurable behind a threshold where it is faint, and measured where it is opaque', () => {
    const texture = { width: 100, height: 100 };
    const unmeasurableOf = (alpha: number): boolean => {
      const { flags } = write([faint(fill(texture, inPicture, 0, 0, 50, 50), alpha), ...threshold(texture)]);
      return (flags[0]! & PolygonFlag.UNMEASURABLE) !== 0;
    };
    expect([102, 255].map(unmeasurableOf)).toEqual([true, false]);
  });

  it('is gone where a camera has cleared all that it shows of the texture', () => {
    const texture = { width: 200, height: 200 };
    const half: Box = [0, 0, 100, 200];
    const { state } = within(fill(texture, null, 0, 0, 200, 200), half);
    const clear: RecordedOp = { type: 'clear', target: texture, state, clearsColor: true, clearsStencil: false };
    const shown = (box: Box): unknown[] =>
      ownersOf(
        write([
          fill(texture, inPicture, 0, 0, 200, 200),
          clear,
          fill(texture, leaf, 0, 0, 50, 50),
          within(show(texture, null, 0, 0, 200, 200), box),
        ]),
      );
    expect(shown(half)).toEqual([leaf]);
    // The other half still shows what was there.
    expect(shown([0, 0, 150, 200])).toEqual([inPicture, leaf]);
  });

  it('is followed only so often: what shows a texture twice, which does so itself, and so on, is unmeasurable', () => {
    const textures = Array.from({ length: 23 }, () => ({ width: 200, height: 200 }));
    const twice = textures.flatMap((texture, i) => {
      const pass = draw(textures[i + 1] ?? null, null, [texture], quad(0, 0, 200, 200, 0));
      return [pass, pass];
    });
    const { count, flags } = write([fill(textures[0]!, inPicture, 0, 0, 200, 200), ...twice]);
    expect(count).toBeLessThan(5000);
    expect(flags[count - 1]! & PolygonFlag.UNMEASURABLE).toBe(PolygonFlag.UNMEASURABLE);
  });

  it('lies only where the stencil of the texture lets it, which the screen has nothing to do with', () => {
    const texture = { width: 100, height: 100 };
    const ops = [
      asStencil(fill(texture, null, 0, 0, 50, 100)),
      behindStencil(fill(texture, inPicture, 0, 0, 100, 100)),
      behindStencil(show(texture, null, 0, 100, 100, 100)),
      behindStencil(fill(null, leaf, 0, 0, 50, 100)),
    ];
    const { count, box } = write(ops);
    expect(Array.from(box.subarray(0, 4 * count))).toEqual([50, 0, 100, 100, 0, 100, 50, 200]);
    const unknown = write(ops, [], false);
    expect(unknown.flags[0]! & PolygonFlag.UNMEASURABLE).toBe(PolygonFlag.UNMEASURABLE);
  });
});
