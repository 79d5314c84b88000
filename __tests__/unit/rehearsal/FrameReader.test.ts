import * as fc from 'fast-check';
import type * as Phaser from 'phaser';

import { type FrameSnapshot, PolygonFlag } from '../../../src/measure/FrameSnapshot.js';
import { openPage, type PageCover } from '../../../src/page/PageView.js';
import { type DrawnFrame, FrameReader } from '../../../src/rehearsal/FrameReader.js';

const game = (more: object = {}, config: object = {}): Phaser.Game =>
  ({
    scale: { baseSize: { width: 80, height: 60 } },
    renderer: {},
    config: {
      backgroundColor: { alpha: 255, color: 0x000000 },
      clearBeforeRender: true,
      transparent: false,
      ...config,
    },
    ...more,
  }) as unknown as Phaser.Game;
const attributes = (of: object | null) => ({ getContextAttributes: () => of });
const SMOOTH = attributes({ antialias: true });
const ads = ['one', 'two'].map((name) => ({ scene: { sys: { cameras: { main: `the camera of ${name}` } } } }));
const ADS = ads as unknown as Phaser.GameObjects.GameObject[];
const PAGE = openPage(80, 60);

/** A reader of frames in which one polygon is drawn, and then, perhaps, something fails. */
function readerOf(read: () => boolean, friendly = new Map<unknown, unknown>()): FrameReader {
  const frameOf = (_game: unknown, snapshot: FrameSnapshot): DrawnFrame => ({
    read: () => {
      snapshot.addPolygon([0, 0, 9, 0, 9, 9], 0, 3);
      return read();
    },
    readUndrawn: () => void read(),
  });
  return new FrameReader(null!, new Map(), { frameOf }, friendly);
}
const fail = (): never => {
  throw new Error('a library has changed what Phaser draws with');
};

afterEach(() => jest.restoreAllMocks());

describe('a frame that cannot be read', () => {
  it.each([
    ['now', () => false, 0],
    ['ever', fail, 1],
  ])('%s leaves all ads unmeasurable, and is told once at most', (_when, read, told) => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const reader = readerOf(read);
    for (let frames = 0; frames < 3; frames++) {
      const { viewCount, views, count } = reader.read(game(), ADS, PAGE);
      expect([viewCount, count]).toEqual([2, 0]);
      expect(views.map(({ ad, camera, unmeasurable }) => ({ ad, camera, unmeasurable }))).toEqual([
        { ad: 0, camera: 'the camera of one', unmeasurable: true },
        { ad: 1, camera: 'the camera of two', unmeasurable: true },
      ]);
      reader.readUndrawn(game(), ADS[0]!, null!, PAGE);
    }
    expect(log).toHaveBeenCalledTimes(told);
  });

  it.each([
    ['nothing draws', { renderer: null }],
    ['the context is lost', { renderer: { contextLost: true } }],
    ['the browser alone knows that it is', { renderer: { gameContext: { isContextLost: () => true } } }],
    ['the browser alone knows that it is in WebGL', { renderer: { gl: { ...SMOOTH, isContextLost: () => true } } }],
  ])('is not asked for where %s', (_why, more) => {
    const { viewCount, count } = readerOf(fail).read(game(more), ADS, PAGE);
    expect([viewCount, count]).toEqual([0, 0]);
  });
});

describe('a frame', () => {
  it.each([
    ['with a context that cannot be asked, as in old browsers', { gameContext: {} }],
    ['with a context that is there', { gl: { ...SMOOTH, isContextLost: () => false } }],
  ])('is read %s', (_how, renderer) => {
    expect(readerOf(() => true).read(game({ renderer }), ADS, PAGE).count).toBe(1);
  });

  it.each([
    ['its centre alone where edges are not smoothed', { gl: attributes({ antialias: false }) }, 1],
    ['several points where WebGL smooths them', { gl: SMOOTH }, 4],
    ['several points where WebGL does not say', { gl: attributes(null) }, 4],
    ['more points in 2D, which smooths them more finely', { gameContext: {} }, 8],
  ])('has pixels whose colour is made by %s', (_which, renderer, points) => {
    const { pixelPoints } = readerOf(() => true).read(game({ renderer }), ADS, PAGE);
    expect(pixelPoints).toBe(points);
  });

  it('has views of ads that a camera did not draw, where anything is drawn', () => {
    const asked: unknown[] = [];
    const frameOf = (): DrawnFrame => ({
      read: () => true,
      readUndrawn: (ad, camera) => void asked.push([ad, camera]),
    });
    const reader = new FrameReader(null!, new Map(), { frameOf });
    const camera = {} as Phaser.Cameras.Scene2D.Camera;
    reader.readUndrawn(game({ renderer: null }), ADS[0]!, camera, PAGE);
    expect(asked).toEqual([]);
    reader.readUndrawn(game(), ADS[1]!, camera, PAGE);
    expect(asked).toEqual([[ADS[1], camera]]);
  });

  it('is on what the game clears the canvas with; what is not known may be white', () => {
    const config = fc.record({
      backgroundColor: fc.record({ alpha: fc.constantFrom(255, 254), color: fc.constantFrom(0x000000, 0x336699) }),
      clearBeforeRender: fc.boolean(),
      transparent: fc.boolean(),
    });
    fc.assert(
      fc.property(config, (of) => {
        const isCleared = of.clearBeforeRender && !of.transparent && of.backgroundColor.alpha === 255;
        const light = of.backgroundColor.color === 0 ? 0 : 0.4;
        const { ground } = readerOf(() => true).read(game({}, of), ADS, PAGE);
        expect(ground).toBeCloseTo(isCleared ? light : 1, 9);
      }),
    );
  });

  it('lies below what the page lays over the canvas, but for what is friendly', () => {
    const [friend, form] = [{}, {}];
    const cover = (minX: number, more: Partial<PageCover>): PageCover => {
      const box = { minX, minY: 2, maxX: minX + 9, maxY: 7 };
      return { ...box, shape: null, opacity: 1, isCertain: true, owner: null, element: null!, ...more };
    };
    const covers = [
      cover(10, { opacity: 0.25 }),
      cover(20, { opacity: 0 }),
      cover(30, { owner: friend as never }),
      cover(40, { owner: form as never, isCertain: false, opacity: 0.1, shape: Float64Array.of(40, 2, 49, 2, 49, 7) }),
      cover(50, { shape: Float64Array.of(50, 2, 59, 2, 59, 7) }),
    ];
    const reader = readerOf(() => true, new Map([[friend, true]]));
    const snapshot = reader.read(game(), ADS, { ...PAGE, covers, unsure: true });
    const painted = Array.from({ length: snapshot.count }, (_, i) => {
      const isUnknown = (snapshot.flags[i]! & PolygonFlag.UNMEASURABLE) !== 0;
      const opacity = isUnknown ? 'unknown' : snapshot.opacity[i];
      return [
        ...snapshot.box.subarray(4 * i, 4 * i + 4),
        snapshot.length[i],
        opacity,
        snapshot.owners[snapshot.owner[i]!],
      ];
    });
    expect(painted).toEqual([
      [0, 0, 9, 9, 3, 1, undefined],
      [10, 2, 19, 7, 4, 0.25, undefined],
      [40, 2, 49, 7, 4, 'unknown', form],
      [50, 2, 59, 7, 3, 1, undefined],
      [0, 0, 80, 60, 4, 'unknown', undefined],
    ]);
  });
});
