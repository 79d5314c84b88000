import { readBitmapText, readDynamicBitmapText } from '../../../src/phaser/reading/readers/bitmapText.js';
import { readBlitter } from '../../../src/phaser/reading/readers/blitter.js';
import { readExtern } from '../../../src/phaser/reading/readers/extern.js';
import { readMesh } from '../../../src/phaser/reading/readers/mesh.js';
import { readNineSlice } from '../../../src/phaser/reading/readers/nineSlice.js';
import { readParticleEmitter } from '../../../src/phaser/reading/readers/particleEmitter.js';
import { readPointLight } from '../../../src/phaser/reading/readers/pointLight.js';
import { readRope } from '../../../src/phaser/reading/readers/rope.js';
import { readShader } from '../../../src/phaser/reading/readers/shader.js';
import { readSpine } from '../../../src/phaser/reading/readers/spine.js';
import { readTileSprite } from '../../../src/phaser/reading/readers/tileSprite.js';
import { readVideo } from '../../../src/phaser/reading/readers/video.js';
import { PolygonFlag } from '../../../src/viewability/FrameSnapshot.js';
import { paint, placed } from './painting.js';

const source = { width: 64, height: 64, resolution: 1 };
const frame = {
  source,
  x: 0,
  y: 0,
  width: 20,
  height: 20,
  halfWidth: 10,
  halfHeight: 10,
  cutX: 0,
  cutY: 0,
  cutWidth: 20,
  cutHeight: 20,
  realWidth: 20,
  realHeight: 20,
  customPivot: false,
  u0: 0,
  v0: 0,
  u1: 1,
  v1: 1,
};
const corners = { alphaTopLeft: 1, alphaTopRight: 1, alphaBottomLeft: 1, alphaBottomRight: 1, tintTopLeft: 0xffffff };
const onCanvas = { isWebGL: false };
const leftHalf = { width: 2, height: 1, alpha: Uint8Array.of(255, 0) };

describe('bitmap text', () => {
  const glyph = (changes: object = {}) => ({
    width: 10,
    height: 10,
    xOffset: 0,
    yOffset: 0,
    xAdvance: 12,
    kerning: {},
    u0: 0,
    v0: 0,
    u1: 0.1,
    v1: 0.1,
    ...changes,
  });
  const characters = [
    { x: 0, y: 0, w: 10, h: 10, code: 65, glyph: glyph() },
    { x: 12, y: 0, w: 10, h: 10, code: 32, glyph: glyph() },
    { x: 24, y: 0, w: 10, h: 10, code: 65, glyph: glyph() },
  ];
  const text = {
    ...placed,
    ...corners,
    frame,
    fontSize: 10,
    dropShadowX: 0,
    dropShadowY: 0,
    dropShadowColor: 0,
    dropShadowAlpha: 0.5,
    _bounds: {
      characters,
      wrappedText: '',
      local: { x: 0, y: 0, width: 34, height: 10 },
      lines: { longest: 34, lengths: [34] },
    },
  };

  test('is its characters, not its box: gaps and spaces stay clear', () => {
    const painting = paint(readBitmapText, text);
    expect(painting.at(5, 5)).toBe(1);
    expect(painting.at(11, 5)).toBe(0);
    expect(painting.at(17, 5)).toBe(0);
    expect(painting.at(29, 5)).toBe(1);
  });

  test('has a shadow as strong as the shadow’s alpha, in WebGL only', () => {
    const shadowed = { ...text, dropShadowX: 0, dropShadowY: 20 };
    expect(paint(readBitmapText, shadowed).at(5, 25)).toBeCloseTo(0.5);
    expect(paint(readBitmapText, shadowed, onCanvas).at(5, 25)).toBe(0);
  });

  test('takes corner alphas in WebGL and its one alpha on Canvas', () => {
    const faded = { ...text, ...corners, alphaTopLeft: 0, alphaTopRight: 0, alphaBottomLeft: 0, alphaBottomRight: 0 };
    expect(paint(readBitmapText, faded).at(5, 5)).toBe(0);
    expect(paint(readBitmapText, faded, onCanvas).at(5, 5)).toBe(1);
  });

  const dynamic = {
    ...text,
    text: 'AA\nA',
    letterSpacing: 0,
    maxWidth: 0,
    _align: 0,
    fontData: { size: 10, lineHeight: 15, chars: { 65: glyph() } },
    scrollX: 0,
    scrollY: 0,
    cropWidth: 0,
    cropHeight: 0,
    displayCallback: null,
  };

  test('that scrolls is laid out line by line, less its scroll', () => {
    const painting = paint(readDynamicBitmapText, { ...dynamic, scrollX: 5 });
    expect(painting.at(2, 5)).toBe(1);
    expect(painting.at(6, 5)).toBe(0);
    expect(painting.at(10, 5)).toBe(1);
    expect(painting.at(2, 20)).toBe(1);
    expect(painting.at(10, 20)).toBe(0);
  });

  test('that is cropped ends at the crop', () => {
    const painting = paint(readDynamicBitmapText, { ...dynamic, cropWidth: 6, cropHeight: 100 });
    expect(painting.at(5, 5)).toBe(1);
    expect(painting.at(7, 5)).toBe(0);
    expect(painting.at(14, 5)).toBe(0);
  });

  test('whose characters a callback moves is unmeasurable within its bounds', () => {
    const { snapshot, at } = paint(readDynamicBitmapText, { ...dynamic, displayCallback: () => undefined });
    expect(at(11, 5)).toBe(1);
    expect(snapshot.flags[0]! & PolygonFlag.UNMEASURABLE).toBeTruthy();
  });
});

describe('a blitter', () => {
  const bob = (changes: object = {}) => ({
    x: 0,
    y: 0,
    frame,
    alpha: 1,
    tint: 0xffffff,
    flipX: false,
    flipY: false,
    ...changes,
  });
  const blitter = { ...placed, x: 100, y: 100, renderList: [bob(), bob({ x: 50, alpha: 0.5 })] };

  test('paints its bobs at their places, with their alpha times its own', () => {
    const painting = paint(readBlitter, { ...blitter, alpha: 0.5 });
    expect(painting.at(110, 110)).toBeCloseTo(0.5);
    expect(painting.at(160, 110)).toBeCloseTo(0.25);
    expect(painting.at(130, 110)).toBe(0);
  });

  test('is neither scaled nor turned', () => {
    const painting = paint(readBlitter, { ...blitter, scaleX: 3, scaleY: 3, rotation: 1 });
    expect(painting.at(119, 119)).toBe(1);
    expect(painting.at(121, 121)).toBe(0);
  });

  test('forgets a bob that was destroyed after it was drawn', () => {
    expect(paint(readBlitter, { ...blitter, renderList: [bob({ frame: undefined })] }).snapshot.count).toBe(0);
  });
});

describe('a particle emitter', () => {
  const particle = { x: 40, y: 0, rotation: 0, scaleX: 2, scaleY: 1, alpha: 0.5, tint: 0xffffff, frame };
  const emitter = { ...placed, x: 100, y: 100, alive: [particle], viewBounds: null };

  test('paints each living particle about its middle, at both alphas', () => {
    const painting = paint(readParticleEmitter, { ...emitter, alpha: 0.5 });
    expect(painting.at(140, 100)).toBeCloseTo(0.25);
    expect(painting.at(159, 109)).toBeCloseTo(0.25);
    expect(painting.at(161, 100)).toBe(0);
  });

  test('scales a particle once with itself', () => {
    const painting = paint(readParticleEmitter, { ...emitter, scaleX: 2 });
    expect(painting.at(180, 100)).toBeCloseTo(0.5);
    expect(painting.at(219, 100)).toBeCloseTo(0.5);
    expect(painting.at(221, 100)).toBe(0);
  });

  test('paints nothing while its view bounds are out of the camera’s view', () => {
    const out = { x: 5000, y: 0, width: 10, height: 10 };
    expect(paint(readParticleEmitter, { ...emitter, viewBounds: out }).snapshot.count).toBe(0);
    expect(paint(readParticleEmitter, { ...emitter, viewBounds: { ...out, x: 0 } }).snapshot.count).toBe(1);
  });

  test('passes over particles far from any ad', () => {
    expect(paint(readParticleEmitter, emitter, { near: [0, 0, 50, 50] }).snapshot.count).toBe(0);
    expect(paint(readParticleEmitter, emitter, { near: [0, 0, 125, 95] }).snapshot.count).toBe(1);
  });
});

describe('a tile sprite', () => {
  const sprite = {
    ...placed,
    ...corners,
    width: 100,
    height: 20,
    originX: 0,
    originY: 0,
    flipX: false,
    flipY: false,
    isCropped: false,
    displayFrame: frame,
    tilePositionX: 0,
    tilePositionY: 0,
    tileScaleX: 1,
    tileScaleY: 1,
  };

  test('repeats its frame across', () => {
    const painting = paint(readTileSprite, sprite, { map: leftHalf });
    for (const start of [0, 20, 40, 80]) {
      expect(painting.at(start + 5, 10)).toBe(1);
      expect(painting.at(start + 15, 10)).toBe(0);
    }
    expect(painting.at(101, 10)).toBe(0);
  });

  test('moves the pattern by its tile position and stretches it by its tile scale', () => {
    expect(paint(readTileSprite, { ...sprite, tilePositionX: 10 }, { map: leftHalf }).at(5, 10)).toBe(0);
    expect(paint(readTileSprite, { ...sprite, tileScaleX: 2 }, { map: leftHalf }).at(15, 10)).toBe(1);
  });

  test('is mirrored in place by a flip', () => {
    const painting = paint(readTileSprite, { ...sprite, width: 30, flipX: true }, { map: leftHalf });
    expect(painting.at(25, 10)).toBe(1);
    expect(painting.at(15, 10)).toBe(0);
    expect(painting.at(5, 10)).toBe(1);
  });

  test('is measured by a pattern of its own once its texture is gone, though Phaser hands canvases on', () => {
    const fillCanvas = { width: 32, height: 32 };
    const removed = { ...sprite, displayFrame: { ...frame, source: null }, fillCanvas, fillPattern: {} };
    const next = { ...removed };
    const asked: unknown[] = [];
    for (const one of [removed, removed, next]) paint(readTileSprite, one, { map: leftHalf, asked });
    expect(asked[0]).not.toBe(removed.displayFrame);
    expect(asked[1]).toBe(asked[0]);
    expect(asked[2]).not.toBe(asked[0]);
  });
});

describe('what only WebGL draws', () => {
  const vertex = (vx: number, vy: number, alpha = 1) => ({ vx, vy, tu: vx / 20, tv: vy / 20, alpha });
  const face = { vertex1: vertex(0, 0), vertex2: vertex(0, 20), vertex3: vertex(20, 0) };
  const mesh = { ...placed, frame, faces: [face], hideCCW: false, viewPosition: { z: 5 } };
  const slice = [
    [0, 0],
    [0, 20],
    [20, 0],
    [0, 20],
    [20, 20],
    [20, 0],
  ].map(([vx, vy]) => ({ vx, vy, u: vx! / 20, v: vy! / 20 }));
  const nineSlice = { ...placed, frame, tint: 0xffffff, vertices: slice };
  const rope = { ...placed, frame, vertices: [0, 0, 0, 20, 20, 0], uv: [0, 0, 0, 1, 1, 0], alphas: [1, 1, 1] };
  const light = { ...placed, color: { r: 1, g: 1, b: 1 }, intensity: 1, attenuation: 1, radius: 50 };
  const shader = { ...placed, shader: {}, renderToTexture: false, width: 20, height: 20 };

  test.each([
    ['a mesh', readMesh, mesh],
    ['a nine-slice', readNineSlice, nineSlice],
    ['a rope', readRope, rope],
    ['a point light', readPointLight, light],
    ['a shader', readShader, shader],
    ['an extern', readExtern, placed],
  ])('%s paints in WebGL and nothing on Canvas', (_name, reader, object) => {
    expect(paint(reader as never, object).snapshot.count).toBeGreaterThan(0);
    expect(paint(reader as never, object, onCanvas).snapshot.count).toBe(0);
  });

  test('a mesh drops faces that turn away, if told to', () => {
    const turned = { vertex1: face.vertex1, vertex2: face.vertex3, vertex3: face.vertex2 };
    expect(paint(readMesh, { ...mesh, hideCCW: true }).snapshot.count).toBe(1);
    expect(paint(readMesh, { ...mesh, hideCCW: true, faces: [turned] }).snapshot.count).toBe(0);
    expect(paint(readMesh, { ...mesh, hideCCW: true, faces: [turned], viewPosition: { z: -5 } }).snapshot.count).toBe(
      1,
    );
  });

  test('a mesh maps the picture of its frame, a part of the texture, onto its faces', () => {
    const part = { ...frame, u0: 0, u1: 0.5 };
    expect(paint(readMesh, { ...mesh, frame: part }, { map: leftHalf }).at(2, 5)).toBe(1);
    expect(paint(readMesh, { ...mesh, frame: part }, { map: leftHalf }).at(7, 5)).toBe(0);
  });

  test('a rope fades from vertex to vertex', () => {
    const painting = paint(readRope, { ...rope, alphas: [1, 1, 0] });
    expect(painting.at(2, 5)).toBeCloseTo(0.9);
    expect(painting.at(10, 5)).toBeCloseTo(0.5);
  });

  test('a light hides most in its middle, nothing at its rim, and nothing at all when black', () => {
    const painting = paint(readPointLight, { ...light, x: 100, y: 100 });
    expect(painting.at(101, 101)).toBeGreaterThan(0.9);
    expect(painting.at(148, 101)).toBeLessThan(0.05);
    expect(painting.at(101, 101)).toBeGreaterThan(painting.at(125, 101));
    expect(paint(readPointLight, { ...light, color: { r: 0, g: 0, b: 0 } }).snapshot.count).toBe(0);
  });

  test('a shader that draws to a texture paints nothing; otherwise its quad is unmeasurable', () => {
    expect(paint(readShader, { ...shader, renderToTexture: true }).snapshot.count).toBe(0);
    expect(paint(readShader, shader).snapshot.flags[0]! & PolygonFlag.UNMEASURABLE).toBeTruthy();
  });

  test('an extern may paint anywhere', () => {
    const { snapshot, at } = paint(readExtern, { ...placed, x: 400, scaleX: 0.1 });
    expect(at(1, 1)).toBe(1);
    expect(at(799, 599)).toBe(1);
    expect(snapshot.flags[0]! & PolygonFlag.UNMEASURABLE).toBeTruthy();
  });
});

test('a video paints nothing before its first frame', () => {
  const video = { ...placed, ...corners, frame, flipX: false, flipY: false, isCropped: false };
  expect(paint(readVideo, { ...video, videoTexture: null }).snapshot.count).toBe(0);
  expect(paint(readVideo, { ...video, videoTexture: {} }).at(10, 10)).toBe(1);
});

test('a Spine skeleton is unmeasurable within the bounds of its pose', () => {
  const skeleton = {
    getBounds(offset: { set(x: number, y: number): void }, size: { set(x: number, y: number): void }) {
      offset.set(-30, -80);
      size.set(60, 100);
    },
  };
  const { snapshot, at } = paint(readSpine, { ...placed, x: 100, y: 100, width: 10, height: 10, skeleton });
  expect(at(75, 25)).toBe(1);
  expect(at(65, 25)).toBe(0);
  expect(snapshot.flags[0]! & PolygonFlag.UNMEASURABLE).toBeTruthy();
});
