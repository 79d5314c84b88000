import type * as Phaser from 'phaser';

import { type PressPhase, pressedPoint } from '../../../src/meter/pressedPoint.js';

jest.mock('../../../src/page/canvasPoint.js', () => ({
  canvasPoint: (_game: unknown, x: number, y: number) => ({ x: x - 100, y: y - 50 }),
}));

/** A page with a canvas at 100, 50, and what else there is. */
function onPage() {
  const [other, parent] = [{ name: 'other' }, { name: 'parent' }];
  const page = { locked: null as object | null, at: null as object | null };
  const canvas = {
    isConnected: true,
    ownerDocument: {
      elementsFromPoint: () => [],
      get pointerLockElement() {
        return page.locked;
      },
    },
    getRootNode: () => ({
      elementFromPoint: (x: number, y: number) => {
        if (!Number.isFinite(x + y)) throw new TypeError('The provided double value is non-finite.');
        return x >= 100 && y >= 50 ? (page.at ?? canvas) : null;
      },
    }),
  };
  const input: { mouse: object | null; touch: object | null } = { mouse: { target: canvas }, touch: null };
  const pointer = { x: 7, y: 9, identifier: 5, downElement: canvas as object, upElement: canvas as object, event: { clientX: 130, clientY: 90 } as object }; // prettier-ignore
  const point = (phase: PressPhase = 'press') =>
    pressedPoint({ canvas, input } as unknown as Phaser.Game, pointer as unknown as Phaser.Input.Pointer, phase);
  return { canvas, input, page, pointer, other, parent, point };
}

const PLACE = { x: 30, y: 40 };

describe('E1: a press on the canvas', () => {
  it('is where the browser says, whatever place Phaser remembers', () => {
    const { input, point } = onPage();
    expect(point()).toEqual(PLACE);
    // The canvas counts by itself.
    input.mouse = null;
    expect(point()).toEqual(PLACE);
  });

  it.each<[PressPhase, 'downElement' | 'upElement']>([
    ['press', 'downElement'],
    ['release', 'upElement'],
  ])('is none when the %s is on another element', (phase, which) => {
    const { pointer, other, point } = onPage();
    pointer[which] = other;
    expect(point(phase)).toBeNull();
    expect(point(phase === 'press' ? 'release' : 'press')).toEqual(PLACE);
  });

  it('is none where something of the page lies over the canvas, nor beside it', () => {
    const { page, pointer, other, point } = onPage();
    page.at = other;
    expect(point()).toBeNull();
    page.at = null;
    pointer.event = { clientX: 99, clientY: 90 };
    expect(point()).toBeNull();
  });

  it.each(['mouse', 'touch'] as const)('may be on what the game has its %s input from', (kind) => {
    const { page, pointer, input, parent, point } = onPage();
    page.at = pointer.downElement = parent;
    expect(point()).toBeNull();
    input.mouse = null;
    expect(point()).toBeNull();
    input[kind] = { target: parent };
    expect(point()).toEqual(PLACE);
  });

  it('is of no element at all on nothing, though the game has no input from anything', () => {
    const { pointer, input, point } = onPage();
    input.mouse = {};
    pointer.downElement = undefined as unknown as object;
    expect(point()).toBeNull();
    input.mouse = { target: null };
    pointer.downElement = null as unknown as object;
    expect(point()).toBeNull();
  });

  it('is where the game has its pointer while that is locked', () => {
    const { page, other, point } = onPage();
    page.locked = page.at = other;
    expect(point()).toEqual({ x: 7, y: 9 });
  });

  it('is where the game has its pointer in a wrapper that lays nothing out', () => {
    const { canvas, point } = onPage();
    Reflect.deleteProperty(canvas.ownerDocument, 'elementsFromPoint');
    expect(point()).toEqual({ x: 7, y: 9 });
  });

  it('is none once the canvas was taken off the page', () => {
    const { canvas, point } = onPage();
    canvas.isConnected = false;
    expect(point('release')).toBeNull();
  });

  it('of one finger among several is where that finger is, and nowhere when the event does not tell of it', () => {
    const { pointer, point } = onPage();
    const finger = (identifier: number, clientX: number) => ({ identifier, clientX, clientY: 90 });
    pointer.event = { changedTouches: [finger(4, 300), finger(5, 130), finger(6, 400)] };
    expect(point()).toEqual(PLACE);
    pointer.event = { changedTouches: [finger(4, 300)] };
    expect(point()).toBeNull();
  });
});
