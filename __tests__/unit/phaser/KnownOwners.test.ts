import type Phaser from 'phaser';

import { KnownOwners } from '../../../src/record/frame/KnownOwners.js';
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

describe('whose a quad is', () => {
  const ad = sprite(50, 50);

  it('is told by where the known ones are now, mirrored or not', () => {
    const [a, b] = [sprite(60, 50), sprite(90, 80, { flipX: true, flipY: true })];
    const owners = new KnownOwners();
    owners.note(ad, [ad, a, b]);
    expect(ownersOf(owners, [[60, 50], [90, 80]])).toEqual([a, b]); // prettier-ignore
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
  });
});
