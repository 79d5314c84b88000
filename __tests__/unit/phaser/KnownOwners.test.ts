import fc from 'fast-check';
import type Phaser from 'phaser';

import { KnownOwners } from '../../../src/record/frame/KnownOwners.js';
import { DrawnPlaces } from '../../../src/record/objects/DrawnPlaces.js';
import { NearQuads } from '../../../src/record/frame/NearQuads.js';

type GameObject = Phaser.GameObjects.GameObject;

const STRIDE = 7;
const SIZE = { width: 20, height: 10 };

const camera = { id: 1, visible: true, scrollX: 0, scrollY: 0, matrix: { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 } };
const scene = { sys: { settings: { visible: true, status: 5 }, cameras: { cameras: [camera] } } };

/** A sprite of 20 × 10 in the middle of which (x, y) lies, as far as it is looked at. */
function sprite(x: number, y: number, more: object = {}): GameObject {
  const { width, height } = SIZE;
  const frame = { x: 0, y: 0, cutWidth: width, cutHeight: height, realWidth: width, realHeight: height };
  const place = { x, y, rotation: 0, scaleX: 1, scaleY: 1, scrollFactorX: 1, scrollFactorY: 1 };
  const origin = { _displayOriginX: width / 2, _displayOriginY: height / 2, flipX: false, flipY: false };
  const drawn = { displayList: { scene }, parentContainer: null, renderFlags: 15, cameraFilter: 0, isCropped: false };
  return { frame, ...place, ...origin, ...drawn, ...more } as unknown as GameObject;
}

/** Whose the quads are of which these are the middles, in their order. */
function ownersOf(owners: KnownOwners, middles: readonly (readonly [number, number])[]): (GameObject | null)[] {
  const near = NearQuads.alone();
  near.begin();
  const entries = middles.map(([x, y]) => {
    const corners = [[-10, -5], [-10, 5], [10, 5], [10, -5]] as const; // prettier-ignore
    const numbers = new Float32Array(4 * STRIDE);
    corners.forEach(([dx, dy], i) => numbers.set([x + dx, y + dy], i * STRIDE));
    return near.write(new Uint32Array(numbers.buffer), 1, false);
  });
  owners.place();
  return entries.map((entry) => owners.ownerOf(near, entry));
}

/** Whose a quad with these corners is. */
function ownerOf(owners: KnownOwners, corners: readonly (readonly [number, number])[]): GameObject | null {
  const near = NearQuads.alone();
  near.begin();
  const numbers = new Float32Array(4 * STRIDE);
  corners.forEach((corner, i) => numbers.set(corner, i * STRIDE));
  const entry = near.write(new Uint32Array(numbers.buffer), 1, false);
  owners.place();
  return owners.ownerOf(near, entry);
}

describe('whose a quad is', () => {
  const ad = sprite(50, 50);

  it('is told by where the known ones are now, mirrored or not', () => {
    const [a, b] = [sprite(60, 50), sprite(90, 80, { flipX: true, flipY: true })];
    const owners = new KnownOwners();
    owners.note(ad, [ad, a, b]);
    expect(ownersOf(owners, [[60, 50], [90, 80]])).toEqual([a, b]); // prettier-ignore
    expect(ownersOf(owners, [[60, 51], [91, 80]])).toEqual([null, null]); // prettier-ignore
    Object.assign(a, { x: 63 });
    expect(ownersOf(owners, [[63, 50], [90, 80], [60, 50]])).toEqual([a, b, null]); // prettier-ignore
  });

  it('is not told of two in one place, nor of a second quad where one is known', () => {
    const owners = new KnownOwners();
    owners.note(ad, [sprite(60, 50), sprite(60, 50)]);
    expect(ownersOf(owners, [[60, 50]])).toEqual([null]);
    const only = sprite(60, 50);
    owners.note(ad, [only]);
    expect(ownersOf(owners, [[60, 50], [60, 50]])).toEqual([only, null]); // prettier-ignore
  });

  it('is told of what lies just over the ad', () => {
    const cover = sprite(50, 50);
    const owners = new KnownOwners();
    owners.note(ad, [ad, cover]);
    expect(ownersOf(owners, [[50, 50]])).toEqual([cover]);
  });

  it.each([
    ['hidden', { renderFlags: 14 }],
    ['taken off the display list', { displayList: null }],
    ['ignored by the camera', { cameraFilter: 1 }],
    ['cropped', { isCropped: true }],
    ['no picture', { frame: undefined }],
  ])('is not that of one that is %s', (_, more) => {
    const owners = new KnownOwners();
    owners.note(ad, [sprite(60, 50, more)]);
    expect(ownersOf(owners, [[60, 50]])).toEqual([null]);
  });

  it('is told as the renderers draw it: trimmed, mirrored, turned, in containers, by a camera that moved', () => {
    const part = (most: number) => fc.integer({ min: 0, max: most });
    const looks = fc.record({
      frame: fc.record({ x: part(5), y: part(5), cutWidth: part(9).map((n) => n + 6), cutHeight: part(9).map((n) => n + 6), realWidth: fc.constant(20), realHeight: fc.constant(30), customPivot: fc.boolean() }),
      flipX: fc.boolean(),
      flipY: fc.boolean(),
      _displayOriginX: part(20),
      _displayOriginY: part(30),
      rotation: part(6),
      scaleX: part(3).map((n) => n + 0.5),
      scaleY: part(3).map((n) => n + 0.75),
      x: part(400),
      y: part(300),
      scrollFactorX: fc.constantFrom(0, 0.5, 1),
      scrollFactorY: fc.constantFrom(0, 0.25, 1),
    }); // prettier-ignore
    fc.assert(
      fc.property(looks, fc.boolean(), part(3), part(7), (look, isHeld, from, moved) => {
        const view = { a: 1.5, b: 0.25, c: -0.5, d: 1.25, e: 7, f: -3 };
        const seen = { ...camera, scrollX: 30, scrollY: -20, matrix: view };
        const on = { displayList: { scene: { sys: { ...scene.sys, cameras: { cameras: [seen] } } } } };
        const around = { a: 0.5, b: 0.75, c: -1, d: 1, e: 40, f: 10 };
        const held = { x: 40, y: 10, renderFlags: 15, cameraFilter: 0, getWorldTransformMatrix: () => around };
        const [outer, inner] = [
          { scrollFactorX: 0.5, scrollFactorY: 0.25 },
          { scrollFactorX: 0.25, scrollFactorY: 0.5 },
        ];
        const parentContainer = { ...held, ...inner, ...on, parentContainer: { ...held, ...outer, ...on, parentContainer: null } }; // prettier-ignore
        const picture = sprite(0, 0, { ...look, ...on, parentContainer: isHeld ? parentContainer : null });

        // As a picture is mirrored: about its own middle, or about a pivot of its own.
        const { frame, _displayOriginX: originX, _displayOriginY: originY } = look;
        const mirrored = (at: number, isFlipped: boolean, size: number, origin: number): number =>
          !isFlipped ? at - origin : frame.customPivot ? origin - at : size - at - origin;
        const [cos, sin] = [Math.cos(look.rotation), Math.sin(look.rotation)];
        const corners = [[0, 0], [0, 1], [1, 1], [1, 0]].map(([u, v]): [number, number] => {
          const localX = look.scaleX * mirrored(frame.x + u! * frame.cutWidth, look.flipX, frame.realWidth, originX);
          const localY = look.scaleY * mirrored(frame.y + v! * frame.cutHeight, look.flipY, frame.realHeight, originY);
          const [px, py] = [look.x + cos * localX - sin * localY, look.y + sin * localX + cos * localY];
          const { a, b, c, d, e, f } = isHeld ? around : { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
          const [byX, byY] = isHeld ? [0.125, 0.125] : [1, 1];
          const x = a * px + c * py + e - 30 * look.scrollFactorX * byX;
          const y = b * px + d * py + f + 20 * look.scrollFactorY * byY;
          return [view.a * x + view.c * y + view.e, view.b * x + view.d * y + view.f];
        }); // prettier-ignore
        const turned = [...corners.slice(from), ...corners.slice(0, from)];
        const owners = new KnownOwners();
        owners.note(ad, [picture]);
        expect(ownerOf(owners, turned)).toBe(picture);
        turned[moved >> 1]![moved & 1]! += 1;
        expect(ownerOf(owners, turned)).toBeNull();
      }),
    );
  });

  it('is nobody’s who is seen by no camera that shows anything', () => {
    const cameras = { cameras: [{ ...camera, visible: false }] };
    const owners = new KnownOwners();
    owners.note(ad, [sprite(60, 50, { displayList: { scene: { sys: { ...scene.sys, cameras } } } })]);
    expect(ownersOf(owners, [[60, 50]])).toEqual([null]);
  });

  it('is not told in a container of another make, and nothing fails', () => {
    const parentContainer = { displayList: { scene }, renderFlags: 15, cameraFilter: 0, x: 5, y: 0 };
    const owners = new KnownOwners();
    owners.note(ad, [sprite(60, 50, { parentContainer })]);
    expect(ownersOf(owners, [[65, 50]])).toEqual([null]);
  });

  it('is nobody’s once they are let go of', () => {
    const owners = new KnownOwners();
    owners.note(ad, [sprite(60, 50)]);
    owners.forget(ad);
    expect(ownersOf(owners, [[60, 50]])).toEqual([null]);
    owners.note(ad, [sprite(60, 50)]);
    owners.release();
    expect(ownersOf(owners, [[60, 50]])).toEqual([null]);
    // At once, and not only when they are looked for anew: a destroyed object must not be told.
    for (const letGo of ['forget', 'release'] as const) {
      owners.note(ad, [sprite(60, 50)]);
      const near = NearQuads.alone();
      near.begin();
      const corners = [[50, 45], [50, 55], [70, 55], [70, 45]]; // prettier-ignore
      const numbers = new Float32Array(4 * STRIDE);
      corners.forEach((corner, i) => numbers.set(corner, i * STRIDE));
      const entry = near.write(new Uint32Array(numbers.buffer), 1, false);
      owners.place();
      owners[letGo](ad);
      expect(owners.ownerOf(near, entry)).toBeNull();
      expect(ownersOf(owners, [[60, 50]])).toEqual([null]);
    }
  });
});

describe('objects noted where they are drawn', () => {
  /** A sprite in a container in a container. */
  const scattered = () => {
    const outer = sprite(100, 30);
    const inner = sprite(10, 20, { parentContainer: outer, displayList: null });
    return { outer, inner, held: sprite(5, 7, { parentContainer: inner, displayList: null }), free: sprite(1, 2) };
  };
  type Name = keyof ReturnType<typeof scattered>;

  it.each<[string, Name, object, boolean]>([
    ['nothing has become of them', 'held', {}, true],
    ['one is turned, which moves it nowhere', 'free', { rotation: 1 }, true],
    ['one has moved across', 'free', { x: 3 }, false],
    ['one has moved down', 'held', { y: 8 }, false],
    ['what holds one has moved', 'inner', { y: 21 }, false],
    ['what holds that has moved', 'outer', { x: 101 }, false],
    ['a camera ignores one', 'free', { cameraFilter: 1 }, false],
    ['a camera ignores what holds one', 'outer', { cameraFilter: 2 }, false],
    ['one is hidden', 'held', { renderFlags: 14 }, false],
    ['what holds one is hidden', 'outer', { renderFlags: 14 }, false],
    ['one is taken off the display list', 'free', { displayList: null }, false],
    ['its scene sleeps', 'free', { displayList: { scene: { sys: { settings: { visible: true, status: 7 } } } } }, false],
    ['its scene is hidden', 'free', { displayList: { scene: { sys: { settings: { visible: false, status: 5 } } } } }, false],
  ])('are there as long as %s', (_what, name, change, areThere) => {
    const objects = scattered();
    const places = new DrawnPlaces();
    const noted = [objects.held, objects.free];
    places.note(noted);
    expect(places.areOf(noted)).toBe(true);
    Object.assign(objects[name], change);
    expect(places.areOf(noted)).toBe(areThere);
    // What is not drawn has no place to be in still.
    places.note(noted);
    const isDrawn = !('renderFlags' in change) && !('displayList' in change);
    expect(places.areOf(noted)).toBe(isDrawn);
  }); // prettier-ignore
});
