import type Phaser from 'phaser';

import { Interruption } from '../../src/measure/Interruption.js';
import { FrameSnapshot } from '../../src/measure/FrameSnapshot.js';
import { FrameMeter } from '../../src/meter/FrameMeter.js';
import type { MeterEngine } from '../../src/meter/MeterEngine.js';
import { CanvasWatch } from '../../src/record/canvas2d/CanvasWatch.js';
import { FlatAd } from '../../src/record/frame/FlatAd.js';
import type { FrameTap } from '../../src/record/frame/FrameTap.js';
import { KnownOwners } from '../../src/record/frame/KnownOwners.js';
import { alphaMap, rectangle } from '../unit/viewability/support/FrameBuilder.js';
import { withCode } from '../helpers/withCode.js';
import { countListeners, TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

type GameObject = Phaser.GameObjects.GameObject;

/** A game whose renderer is read by an engine of the test's: what was drawn of the ads is what the test says. */
async function start() {
  const test = await TestGame.start();
  const scene = test.scene();
  const { main } = scene.cameras;
  const cover = scene.add.image(50, 50, '__WHITE');
  /** What happened, in order. */
  const log: string[] = [];
  /** How much of each ad of 100 × 50 is covered, in canvas pixels. */
  const covered = new Map<GameObject, number>();
  const draw = (snapshot: FrameSnapshot, ads: readonly GameObject[], isNamed: boolean): void => {
    ads.forEach((ad, index) => {
      const view = snapshot.addView(index, main);
      snapshot.flags[snapshot.addPolygon(rectangle(0, 60 * index, 100, 50), 0, 4)] = 0;
      view.shapeTo = view.pieceFrom = snapshot.count;
      const piece = snapshot.addPolygon(rectangle(0, 60 * index, 100, 50), 0, 4);
      view.pieceTo = snapshot.count;
      if (isNamed) snapshot.owner[piece] = snapshot.addOwner(ad);
      const width = covered.get(ad) ?? 0;
      if (width === 0) return;
      const over = snapshot.addPolygon(rectangle(0, 60 * index, width, 50), 0, 4);
      if (isNamed) snapshot.owner[over] = snapshot.addOwner(cover);
      snapshot.opacity[over] = says.opacity;
      if (!says.isLeafy) return;
      snapshot.alphaMap[over] = snapshot.addAlphaMap(LEAVES);
      snapshot.uv.set([0.96, 0, 0, 1.28, 0, 0], 6 * over);
    });
  };
  /** What the tap says of the frame; by default all ads have changed, and the snapshot must be read. */
  const says = {
    isSame: false,
    complex: [] as number[],
    flat: null as FlatAd | null,
    named: null as FrameSnapshot | null,
    /** The rehearsal cannot tell. */
    isUnknown: false,
    /** Of what covers the ads. */
    opacity: 1,
    isLeafy: false,
  };
  /** The list that was handed to the last rehearsal. */
  let rehearsed: readonly GameObject[] = [];
  let watched: readonly GameObject[] = [];
  const snapshot = new FrameSnapshot();
  const tap = {
    snapshot,
    canvasWidth: 400,
    canvasHeight: 300,
    get changed() {
      return new Uint8Array(9).fill(says.isSame ? 0 : 1);
    },
    attach: () => void log.push('attach'),
    detach: () => void log.push('detach'),
    setAds: (ads: readonly GameObject[]) => void (watched = ads),
    begin: () => void log.push('begin'),
    end: () => void log.push('end'),
    isComplex: (ad: number) => says.complex.includes(ad),
    flatOf: () => says.flat,
    read() {
      log.push('read');
      snapshot.reset(400, 300);
      draw(snapshot, watched, false);
    },
    readNamed: () => void log.push('readNamed'),
    namedFrameOf: () => says.named,
  };
  const engine: MeterEngine = {
    pixelsOf: () => CanvasWatch.shared,
    frameOf: (_game, frame) => ({
      read(ads) {
        log.push(`rehearse ${ads.map(({ name }) => name).join()}`);
        rehearsed = ads;
        draw(frame, ads, true);
        return !says.isUnknown;
      },
      readUndrawn: () => undefined,
    }),
    tapOf: () => {
      log.push('tap');
      return tap as unknown as FrameTap;
    },
  };
  const meter = FrameMeter.of(test.game, engine);
  const make = (name: string): GameObject => scene.add.image(200, 150, '__WHITE').setName(name);
  /** What happened in the next frame. */
  const frame = (): string[] => {
    log.length = 0;
    test.step();
    return [...log];
  };
  return { test, scene, main, cover, covered, log, says, tap, meter, make, frame, watched: () => watched, rehearsed: () => rehearsed }; // prettier-ignore
}

const LEAVES = alphaMap(96, 64, (column, row) => 0.5 + 0.5 * Math.sin(0.7 * column) * Math.cos(0.45 * row));

const SHORT = ['begin', 'end', 'read'];
const REHEARSED = ['begin', 'end', 'rehearse a'];

describe('where vertices are listened to', () => {
  it('an ad is measured from them, and again only when something has changed', async () => {
    const { meter, make, frame, says, covered } = await start();
    const ad = make('a');
    const areas: number[] = [];
    meter.observe(ad, ({ visibleArea }) => areas.push(visibleArea));
    expect([frame(), areas]).toEqual([SHORT, [5000]]);
    says.isSame = true;
    covered.set(ad, 20);
    expect([frame(), areas]).toEqual([
      ['begin', 'end'],
      [5000, 5000],
    ]);
    says.isSame = false;
    expect([frame(), areas]).toEqual([SHORT, [5000, 5000, 4000]]);
  });

  it('an ad is measured again when only the page or the canvas has changed, and when it is gone', async () => {
    const { meter, make, frame, says, tap } = await start();
    const ad = make('a');
    let figures: object | undefined;
    meter.observe(ad, ({ reasons, screenCoveragePercentage }) => (figures = { reasons, screenCoveragePercentage }));
    frame();
    says.isSame = true;
    tap.canvasWidth = 200;
    tap.read = () => {
      tap.snapshot.reset(200, 300);
    };
    frame();
    expect(figures).toEqual({ reasons: ['hidden'], screenCoveragePercentage: 0 });
    ad.destroy();
    frame();
    expect(figures).toEqual({ reasons: ['notFound'], screenCoveragePercentage: 0 });
  });

  it('an ad under more than quads, changed or not, is rehearsed, and no other with it', async () => {
    const { meter, make, frame, says, covered } = await start();
    const [plain, complex] = [make('plain'), make('a')];
    const areas: Record<string, number> = {};
    for (const ad of [plain, complex]) meter.observe(ad, ({ visibleArea }) => (areas[ad.name] = visibleArea));
    covered.set(complex, 30);
    says.complex = [1];
    expect(frame()).toEqual(['begin', 'end', 'read', 'read', 'rehearse a']);
    expect(areas).toEqual({ plain: 5000, a: 3500 });
    says.isSame = true;
    covered.set(complex, 40);
    expect(frame()).toEqual(REHEARSED);
    expect(areas).toEqual({ plain: 5000, a: 3000 });
    says.complex = [0, 1];
    expect(frame()).toEqual(['begin', 'end', 'rehearse plain,a']);
    says.complex = [0];
    expect(frame()).toEqual(['begin', 'end', 'rehearse plain']);
    plain.destroy();
    expect([frame(), meter.measure(plain).reasons]).toEqual([['begin', 'end'], ['notFound']]);
  });

  it('an ad under texels gets finer figures as long as nothing changes', async () => {
    const { meter, make, frame, says, covered } = await start();
    const ad = make('a');
    covered.set(ad, 100);
    says.isLeafy = true;
    meter.observe(ad, () => undefined);
    const frames = Array.from({ length: 18 }, () => {
      const happened = frame();
      says.isSame = true;
      return happened.length;
    });
    expect(frames).toEqual([...Array.from({ length: 16 }, () => 3), 2, 2]);
  });

  it('an ad of which nothing can be known is not known to be hidden, as one under a cover is', async () => {
    const { meter, make, frame, says, covered } = await start();
    const ad = make('a');
    let live: object | undefined;
    meter.observe(ad, (measurement) => (live = measurement));
    expect(meter.isHidden(ad)).toBe(false);
    says.complex = [0];
    says.isUnknown = true;
    frame();
    expect([meter.measure(ad).reasons, meter.measure(ad).isVisible, meter.isHidden(ad)]).toEqual([['hidden', 'unmeasurable'], false, false]); // prettier-ignore
    says.isUnknown = false;
    covered.set(ad, 100);
    frame();
    expect([meter.measure(ad).isVisible, meter.isHidden(ad)]).toEqual([false, true]);
    expect(meter.measure(ad)).toBe(live);
  });

  it('an ad under nothing but opaque quads needs no snapshot', async () => {
    const { meter, make, frame, says } = await start();
    let area = 0;
    meter.observe(make('a'), ({ visibleArea }) => (area = visibleArea));
    says.flat = Object.assign(new FlatAd(), { area: 5000.5, covered: 1000 });
    expect([frame(), area]).toEqual([['begin', 'end'], 4000.5]);
  });

  it('an ad that is observed in the midst of a frame is rehearsed with the others: what was noted is of fewer', async () => {
    const { meter, make, frame, scene } = await start();
    const [first, second] = [make('first'), make('second')];
    const areas: Record<string, number> = {};
    meter.observe(first, ({ visibleArea }) => (areas.first = visibleArea));
    frame();
    scene.game.events.once('prerender', () => meter.observe(second, ({ visibleArea }) => (areas.second = visibleArea)));
    expect(frame()).toEqual(['begin', 'rehearse first,second']);
    expect(areas).toEqual({ first: 5000, second: 5000 });
    expect(frame()).toEqual(['begin', 'end', 'read', 'read']);
  });

  it('the first ad of all is measured from the next frame on when the present one has begun', async () => {
    const { meter, make, frame, scene } = await start();
    const ad = make('a');
    let frames = 0;
    scene.game.events.once('prerender', () => meter.observe(ad, () => frames++));
    expect([frame(), frames]).toEqual([['tap', 'attach'], 0]);
    expect([frame(), frames]).toEqual([SHORT, 1]);
  });

  it.each(['prerender', 'postrender'])(
    'the next ad is measured from the next frame on, too, when all were let go of at the %s of the present one',
    async (event) => {
      const { meter, make, frame, scene } = await start();
      const [first, second] = [make('first'), make('second')];
      let frames = 0;
      // Whoever listens before the meter does.
      scene.game.events.once(event, () => stop());
      scene.game.events.once('postrender', () => meter.observe(second, () => frames++));
      const stop = meter.observe(first, () => frames++);
      expect([frame(), frames]).toEqual([[...(event === 'prerender' ? [] : ['begin']), 'detach', 'attach'], 0]);
      expect([frame(), frames]).toEqual([SHORT, 1]);
    },
  );

  it('the page is watched, and the frame read around objects, only while something is observed', async () => {
    const { meter, make } = await start();
    const ad = make('a');
    expect([meter.watchedPage, meter.readAround([ad])]).toEqual([null, null]);
    const stop = meter.observe(ad, () => undefined);
    expect(meter.watchedPage).not.toBeNull();
    expect(meter.readPage()).toBe(meter.watchedPage);
    expect(meter.readAround([ad])?.viewCount).toBe(1);
    stop();
    expect([meter.watchedPage, meter.readAround([ad])]).toEqual([null, null]);
  });

  it('an object that is observed twice is watched once, and each has the opacity it asked for', async () => {
    const { meter, make, frame, says, watched, covered } = await start();
    const ad = make('a');
    const areas: Record<string, number> = {};
    const stop = meter.observe(ad, ({ visibleArea }) => (areas.usual = visibleArea));
    meter.observe(ad, ({ visibleArea }) => (areas.other = visibleArea), { blockingOpacity: 1 });
    says.complex = [0];
    says.opacity = 0.7;
    covered.set(ad, 10);
    frame();
    expect([watched(), areas]).toEqual([[ad], { usual: 4500, other: 5000 }]);
    const other = make('b');
    covered.set(other, 20);
    for (const each of [other, ad]) {
      expect([{}, { blockingOpacity: 0.6 }, { blockingOpacity: 0.8 }, { blockingOpacity: 1 }].map((of) => meter.measure(each, of).visibleArea)).toEqual(each === ad ? [4500, 4500, 5000, 5000] : [4000, 4000, 5000, 5000]); // prettier-ignore
    }
    stop();
    stop();
    areas.usual = areas.other = 0;
    frame();
    expect([watched(), areas]).toEqual([[ad], { usual: 0, other: 5000 }]);
  });

  it('nothing is counted as seen of a frame that was not drawn, or of a canvas in no document', async () => {
    const { meter, make, frame, test } = await start();
    const ad = make('a');
    let reasons: readonly string[] = [];
    meter.observe(ad, (measurement) => (reasons = measurement.reasons));
    const draw = jest.spyOn(test.game.renderer, 'postRender').mockImplementation();
    expect([frame(), reasons]).toEqual([['begin', 'end'], ['hidden']]);
    draw.mockRestore();
    expect([frame(), reasons]).toEqual([SHORT, []]);
    const lost = Object.assign(test.game.renderer, { contextLost: true });
    expect([frame(), reasons]).toEqual([['begin', 'end'], ['hidden']]);
    lost.contextLost = false;
    test.game.canvas.remove();
    expect([frame(), reasons]).toEqual([['begin', 'end'], ['hidden']]);
    ad.destroy();
    expect([frame(), reasons]).toEqual([['begin', 'end'], ['notFound']]);
  });

  it('all stops with the last ad, and begins again with the next', async () => {
    const { meter, make, frame, log, test, scene, watched } = await start();
    const ad = make('a');
    const before = countListeners(test.game);
    const stop = meter.observe(ad, () => undefined);
    frame();
    stop();
    expect([log.at(-1), watched(), frame()]).toEqual(['detach', [], []]);
    expect(countListeners(test.game)).toEqual(before);
    log.length = 0;
    let frames = 0;
    meter.observe(ad, () => frames++);
    expect(log).toEqual(['attach']);
    expect([frame(), frames]).toEqual([SHORT, 1]);
    log.length = 0;
    meter.friendly.add(scene.make.image({ key: '__WHITE' }, false), 'OTHER');
    test.destroy();
    expect([log, meter.watchedPage, meter.friendly.list]).toEqual([['detach'], null, []]);
  });

  it('a frame that fails is the last: nothing is seen any more, and it is told once', async () => {
    const errors = jest.spyOn(console, 'error').mockImplementation();
    const { meter, make, frame, tap } = await start();
    const told: unknown[] = [];
    const onInterruption = (reason: Interruption, time: number): unknown => told.push(reason, time > 0);
    meter.observe(make('a'), ({ isVisible }) => told.push(isVisible), { onInterruption });
    frame();
    const cause = new Error('of a tap');
    tap.end = () => {
      throw cause;
    };
    expect([frame(), frame()]).toEqual([['begin'], []]);
    expect(told).toEqual([true, false, Interruption.UNMEASURABLE, true]);
    expect(errors.mock.calls).toEqual([[expect.objectContaining({ code: 'internal/unexpected', cause })]]);
  });

  it('a listener that fails keeps nobody else from a frame or an interruption', async () => {
    const errors = jest.spyOn(console, 'error').mockImplementation();
    const { meter, make, frame, test } = await start();
    const fail = (): never => {
      throw new Error('of a game');
    };
    const told: unknown[] = [];
    meter.observe(make('a'), fail, { onInterruption: fail });
    meter.observe(make('b'), () => told.push('frame'), { onInterruption: (reason) => told.push(reason) });
    frame();
    test.game.events.emit('pause');
    expect([told, errors.mock.calls.length]).toEqual([['frame', Interruption.GAME_PAUSED], 2]);
    frame();
    expect(told).toHaveLength(3);
  });
});

describe('the blockers of an ad, which vertices do not name', () => {
  it('are found by a rehearsal when they are asked for', async () => {
    const { meter, make, frame, cover, covered, log, says, rehearsed } = await start();
    const ad = make('a');
    covered.set(ad, 20);
    let blockers: () => readonly GameObject[] = () => [];
    meter.observe(ad, (measurement) => (blockers = () => measurement.blockingSprites));
    expect(frame()).toEqual(SHORT);
    expect([blockers(), blockers(), log]).toEqual([[cover], [cover], [...SHORT, 'rehearse a']]);
    expect(rehearsed()).toEqual([]);
    says.isSame = true;
    cover.setX(90);
    expect([frame(), blockers(), log]).toEqual([['begin', 'end', 'readNamed'], [cover], ['begin', 'end', 'readNamed', 'rehearse a']]); // prettier-ignore
    says.isSame = false;
    covered.set(ad, 30);
    frame();
    ad.destroy();
    expect([blockers().length, log]).toEqual([0, [...SHORT, 'readNamed']]);
  });

  it('are looked for among the objects found before, as long as they are asked for in each frame', async () => {
    const { meter, make, frame, cover, covered, says } = await start();
    const ad = make('a');
    covered.set(ad, 20);
    cover.setName('cover');
    let isAsking = true;
    const named: string[] = [];
    meter.observe(ad, (seen) => isAsking && named.push(...seen.blockingSprites.map(({ name }) => name)));
    const note = jest.spyOn(KnownOwners.prototype, 'note');
    expect(frame()).toEqual([...SHORT, 'rehearse a']);
    expect(note.mock.calls).toEqual([[ad, [ad, cover]]]);
    covered.set(ad, 30);
    // They are not among them.
    expect([frame(), named]).toEqual([
      [...SHORT, 'readNamed', 'rehearse a'],
      ['cover', 'cover'],
    ]);
    covered.set(ad, 40);
    says.named = new FrameSnapshot();
    says.named.reset(400, 300);
    const known = make('known');
    const view = says.named.addView(0);
    view.shapeTo = view.pieceFrom = says.named.addPolygon(rectangle(0, 0, 100, 50), 0, 4) + 1;
    view.pieceTo = says.named.addPolygon(rectangle(0, 0, 100, 50), 0, 4) + 1;
    says.named.owner[says.named.addPolygon(rectangle(0, 0, 20, 50), 0, 4)] = says.named.addOwner(known);
    expect([frame(), named]).toEqual([
      [...SHORT, 'readNamed'],
      ['cover', 'cover', 'known'],
    ]);
    isAsking = false;
    covered.set(ad, 20);
    expect(frame()).toEqual([...SHORT, 'readNamed']);
    covered.set(ad, 30);
    expect(frame()).toEqual(SHORT);
  });
});

it('the quads of a frame are named once for all ads: each quad has one owner', async () => {
  const { meter, make, frame, says, cover, covered } = await start();
  const ads = [make('a'), make('b')];
  const note = jest.spyOn(KnownOwners.prototype, 'note');
  for (const ad of ads) meter.observe(ad, ({ blockingSprites }) => blockingSprites);
  for (const width of [20, 30]) {
    for (const ad of ads) covered.set(ad, width);
    says.complex = width === 20 ? [0, 1] : [];
    const happened = frame();
    expect(happened.filter((one) => one === 'readNamed')).toHaveLength(width === 20 ? 0 : 1);
  }
  // Only what the rehearsal of one ad has found, whatever was found of all before.
  for (const [ad, owners] of note.mock.calls) expect(owners).toEqual([ad, cover]);
});

it('the present instant goes on from the frame drawn last, and stands still while a frame is measured', async () => {
  const { meter, make, test } = await start();
  const times: number[] = [];
  const pass = (ms: number): unknown => jest.mocked(performance.now).mockReturnValue(performance.now() + ms);
  let last = 0;
  meter.observe(make('a'), (_, time) => {
    pass(500);
    last = time;
    times.push(meter.presentTime() - time);
  });
  test.step();
  expect(meter.presentTime() - last).toBeCloseTo(500, 6);
  pass(40);
  expect(meter.presentTime() - last).toBeCloseTo(540, 6);
  test.step();
  expect([times, meter.presentTime() - last]).toEqual([[0, 0], expect.closeTo(500, 6)]);
  // Time of the loop, where it makes the frames: that of the browser when the frame began.
  const now = performance.now();
  const { loop } = test.game;
  for (const [isRunning, isOfLoop] of [[true, true], [true, false], [false, true]] as const) {
    jest.mocked(performance.now).mockReturnValue(now);
    const time = now - 7;
    Object.assign(loop, { running: isRunning, now: isOfLoop ? time : 3 });
    test.game.events.emit('prerender');
    test.game.renderer.emit('postrender');
    test.game.events.emit('postrender', test.game.renderer, time);
    expect(meter.presentTime() - time).toBeCloseTo(isRunning && isOfLoop ? 507 : 500, 3);
  } // prettier-ignore
  Object.assign(loop, { running: false });
});

it.each([undefined, null, 'advisible', {}])(
  '%p as the listener is refused at once, not in every frame',
  async (listener) => {
    const { meter, make, test } = await start();
    const sprite = make('a');
    const before = countListeners(test.game);
    expect(() => meter.observe(sprite, listener as never)).toThrow(withCode('arg/handler'));
    expect(countListeners(test.game)).toEqual(before);
  },
);
