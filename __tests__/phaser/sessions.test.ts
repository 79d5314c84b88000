import type Phaser from 'phaser';

import { type AdsEventMap, AdsEvents } from '../../src/events.js';
import type { AdEvent } from '../../src/report/AdEvent.js';
import { withCode } from '../helpers/withCode.js';
import { GameMeter } from '../../src/meter/GameMeter.js';
import { MAX_EVENT_BYTES } from '../../src/report/limits.js';
import { FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { countListeners, TestGame } from './support/TestGame.js';

const AT = { x: 200, y: 150, width: 120, height: 100 };
/** Frames of the test game are 16 ms long; the first measured one begins the time. */
const frames = (ms: number) => Math.ceil(ms / 16);
const FLUSH_AFTER_MS = 5_000;

afterEach(() => TestGame.endAll());

interface Told {
  readonly names: string[];
  readonly impressions: AdsEventMap['adimpression'][];
  readonly viewables: AdsEventMap['adviewable'][];
}

async function placeOne(data: object = {}, world = new FakeWorld()) {
  const test = await TestGame.start({ world, data });
  const scene = test.scene();
  const told: Told = { names: [], impressions: [], viewables: [] };
  for (const event of Object.values(AdsEvents)) {
    if (event !== AdsEvents.GEOMETRY_CHANGE) scene.ads.on(event, () => told.names.push(event));
  }
  scene.ads.on('adimpression', (payload) => told.impressions.push(payload));
  scene.ads.on('adviewable', (payload) => told.viewables.push(payload));
  const placedAd = scene.ads.place('board', AT);
  await placedAd.ready;
  return { test, scene, world, placedAd, told };
}

/** What has reached the service once everything recorded was committed and sent. */
async function reported(test: TestGame): Promise<AdEvent[]> {
  await test.settle();
  test.world.pass(FLUSH_AFTER_MS);
  await test.settle();
  return test.world.clients.flatMap(({ reports }) => reports.flat());
}

/** Of each session: its kinds in order, ended by its summary and a chain without a hole, and as viewable as the summary says. */
function expectWholeSessions(events: readonly AdEvent[]): void {
  for (const placementId of new Set(events.map((event) => event.placementId))) {
    const own = events.filter((event) => event.placementId === placementId);
    expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, i) => i));
    const finals = own.filter((event) => event.kind === 'summary' && event.isFinal);
    expect(finals).toEqual(own.slice(-1));
    const { verdicts } = own.at(-1) as Extract<AdEvent, { kind: 'summary' }>;
    const viewable = own.flatMap((event) => (event.kind === 'viewable' ? event.standard : []));
    expect(viewable).toEqual(Object.keys(verdicts).filter((standard) => verdicts[standard] === 'viewable'));
  }
}

function hideTab(hidden: boolean): void {
  Object.defineProperty(document, 'visibilityState', { value: hidden ? 'hidden' : 'visible', configurable: true });
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

it.each([0, 1])('a time in view is broken by the sleep of the device, while which the clock of frames stands still (case %#)', async (sleeps) => {
  const { test, world, told, placedAd } = await placeOne({ evidenceRatio: 1 });
  await test.play(800);
  if (sleeps > 0) world.suspend(3_600_000);
  await test.play(800);
  expect(told.viewables).toHaveLength(3 - 3 * sleeps);
  await test.play(400);
  expect(told.viewables).toHaveLength(3);
  placedAd.destroy();
  const events = await reported(test);
  expectWholeSessions(events);
  const { attention, reasonsMs } = events.at(-1) as Extract<AdEvent, { kind: 'summary' }>;
  expect(attention?.looks).toBe(1 + sleeps);
  expect(reasonsMs['stall'] ?? 0).toBe(0);
}); // prettier-ignore

describe('R3: an ad that a handler ends tells all that was met by then, and nothing after its summary', () => {
  type One = Awaited<ReturnType<typeof placeOne>>;
  const ways: readonly (readonly [how: string, end: (one: One) => unknown])[] = [
    ['destroyed', ({ placedAd }) => placedAd.destroy()],
    ['reported', ({ placedAd }) => placedAd.reportAd()],
    ['ended with its scene', ({ scene }) => scene.scene.stop()],
  ];
  const events = ['adgeometrychange', 'advisible', 'adblocked', 'adimpression', 'adviewable'] as const;
  const cases = ways.flatMap(([how, end]) => events.map((event) => [how, event, end] as const));

  it.each(cases)('%s in %s', async (_how, event, end) => {
    for (const hiddenAfter of [0, 62, 63, 64]) {
      for (const nth of [0, 1]) {
        const one = await placeOne();
        const { test, scene, placedAd } = one;
        let heard = 0;
        scene.ads.on(event, () => (heard++ === nth ? void end(one) : undefined));
        const isThere = (): boolean => placedAd.state === 'shown';
        test.step(hiddenAfter);
        await test.settle();
        if (isThere()) placedAd.sprite.setVisible(false);
        test.step(2);
        await test.settle();
        if (isThere()) placedAd.sprite.setVisible(true);
        test.step(2);
        await test.settle();
        if (placedAd.state !== 'finished') placedAd.destroy();
        expectWholeSessions(await reported(test));
        TestGame.endAll();
      }
    }
  });
});

describe('R3: an ad that the game ends as it is asked about it tells all that was met by then, once', () => {
  type One = Awaited<ReturnType<typeof placeOne>>;
  const AT_ONCE = { id: 'at-once', minPercentageInView: 1, minDurationMs: 0 };
  const ends: readonly (readonly [how: string, end: (one: One) => unknown])[] = [
    ['destroyed', ({ placedAd }) => placedAd.destroy()],
    ['reported', ({ placedAd }) => placedAd.reportAd()],
    ['ended with its scene', ({ scene }) => scene.scene.stop()],
  ];
  const getItem = (): null => null;
  const setItem = (): void => undefined;
  const ways: readonly (readonly [where: string, data: (ask: (kind: string) => null) => object, kinds: string[]])[] = [
    ['setItem', (ask) => ({ frequency: { perDay: 9, storage: { getItem, setItem: () => ask('any') } } }), ['any']],
    ['getItem', (ask) => ({ frequency: { perDay: 9, storage: { getItem: () => ask('any'), setItem } } }), ['any']],
    [
      'beforeReport',
      (ask) => ({ beforeReport: ({ kind }: AdEvent) => void ask(kind) }),
      ['impression', 'visible', 'viewable', 'summary'],
    ],
  ];
  const cases = ways.flatMap(([where, data, kinds]) => ends.map(([how, end]) => [how, where, data, kinds, end] as const)); // prettier-ignore

  it.each(cases)('%s in %s', async (_how, _where, data, kinds, end) => {
    for (const kind of kinds) {
      for (const nth of [0, 1]) {
        const asked: { one?: One; count: number } = { count: 0 };
        const ask = (present: string): null => {
          if (asked.one !== undefined && present === kind && asked.count++ === nth) end(asked.one);
          return null;
        };
        const one = await placeOne({ ...data(ask), standards: [AT_ONCE, 'mrc-display', 'full-view'] });
        const { test, placedAd, told } = one;
        asked.one = one;
        test.step(frames(990));
        // Its second is over between two frames, so the end itself finds the ad viewable.
        jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 12);
        placedAd.reportAd();
        await test.settle();
        placedAd.destroy();
        const events = await reported(test);
        expectWholeSessions(events);
        expect(events.map((event) => event.kind)).toEqual(expect.arrayContaining(['impression', 'viewable']));
        expect(told.names.filter((name) => name === 'adfinish')).toHaveLength(1);
        TestGame.endAll();
      }
    }
  });
});

describe('a measured impression', () => {
  it('is announced once, with what was seen, after it was committed', async () => {
    const { test, placedAd, told } = await placeOne();
    test.step();
    expect(told.impressions).toEqual([]);
    await test.settle();
    test.step(frames(2_000));
    await test.settle();
    expect(told.impressions).toHaveLength(1);
    const { ad, placementId, measurement, coverage } = told.impressions[0]!;
    expect([ad.adId, placementId]).toEqual(['ad-of-board', placedAd.session.placementId]);
    expect(measurement.percentageInView).toBe(100);
    expect(coverage.isVisible).toBe(true);
    expect(measurement).not.toBe(placedAd.measurement);
  });

  it('is viewable once per standard, after a second without a break', async () => {
    const { test, told } = await placeOne();
    test.step(frames(1_000));
    await test.settle();
    expect(told.viewables).toEqual([]);
    test.step(2);
    await test.settle();
    test.step(frames(3_000));
    await test.settle();
    expect(told.viewables.map(({ standard }) => standard.id)).toEqual(['iig-display', 'mrc-display', 'full-view']);
    for (const { durationMs } of told.viewables) expect(durationMs).toBeCloseTo(1_000, -2);
  });

  it('is reported with a trace of what was seen where that is chosen, in events no larger than the service takes', async () => {
    const eventsWith = async (evidenceRatio: number): Promise<AdEvent[]> => {
      const world = new FakeWorld();
      world.ads.set('board', { adId: 'a'.repeat(200), serveId: 's'.repeat(200), url: IMAGE_URL });
      const { test, scene, placedAd } = await placeOne({ evidenceRatio }, world);
      for (let i = 0; i < 9; i++)
        scene.ads.addFriendlyObstruction(scene.add.rectangle(-9, -9, 1, 1), 'OTHER', `Part of a frame ${i}`);
      test.step(frames(1_100));
      for (let i = 0; i < 120; i++) {
        placedAd.sprite.x = i % 2 === 0 ? -500 : 200;
        test.step();
      }
      placedAd.destroy();
      return reported(test);
    };
    const traced = await eventsWith(1);
    for (const event of traced) expect([event.kind, 'trace' in event]).toEqual([event.kind, event.kind === 'viewable' || event.kind === 'summary']); // prettier-ignore
    const sizes = traced.map((event) => JSON.stringify(event).length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    // What fits of the trace is told.
    expect(sizes.at(-1)).toBeGreaterThan(0.75 * MAX_EVENT_BYTES);
    expect(traced.at(-1)).toMatchObject({ kind: 'summary', isFinal: true, friendlyObstructionCount: 9 });
    expect((await eventsWith(0)).filter((event) => 'trace' in event)).toEqual([]);
  });

  it('waits for its commit: what is not committed is never announced', async () => {
    const world = new FakeWorld();
    const { test, scene, told } = await placeOne({}, world);
    const { core } = (await import('../../src/plugin/AdsGlobalPlugin.js')).AdsGlobalPlugin.of(scene.sys.game);
    let commit!: () => void;
    jest.spyOn(core, 'report').mockImplementation(() => new Promise((resolve) => (commit = resolve)));
    const late = scene.ads.place('late', { ...AT, y: 40, height: 50 });
    await late.ready;
    test.step(3);
    await test.settle();
    const before = told.names.filter((name) => name === 'adimpression').length;
    commit();
    await test.settle();
    expect(before).toBe(0);
  });

  it('by the standards of the option, each for itself', async () => {
    const quick = { id: 'quick', minPercentageInView: 10, minDurationMs: 200 };
    const { test, told, scene } = await placeOne({ standards: [quick, 'mrc-video'] });
    test.step(frames(1_000));
    await test.settle();
    expect(told.viewables.map(({ standard }) => standard)).toEqual([quick]);
    const [row] = scene.ads.summary();
    expect(row!.standards).toMatchObject([
      { standard: 'quick', verdict: 'viewable', missingMs: 0, failingRule: null },
      { standard: 'mrc-video', verdict: 'notViewable', failingRule: 'minDurationMs' },
    ]);
    expect(row!.standards[1]!.missingMs).toBeCloseTo(2_000 - 62 * 16, 0);
  });

  it('needs the size: an ad of 1 % of the canvas counts by pixels and not by the in-game guidelines', async () => {
    const test = await TestGame.start();
    test.scene().ads.place('small', { x: 200, y: 150, width: 40, height: 30 });
    await test.settle();
    test.step(frames(2_000));
    const [row] = test.scene().ads.summary();
    expect(row!.standards).toMatchObject([
      { standard: 'iig-display', verdict: 'notViewable', failingRule: 'minScreenPercentage' },
      { standard: 'mrc-display', verdict: 'viewable' },
      { standard: 'full-view', verdict: 'viewable' },
    ]);
    expect(row!.topReason).toBe('tooSmall');
  });

  it.each([
    ['turned in the plane', (sprite: Phaser.GameObjects.Image) => sprite.setRotation(1), 1],
    ['mirrored and enlarged', (sprite: Phaser.GameObjects.Image) => sprite.setScale(-sprite.scaleX * 1.5, sprite.scaleY * 1.5), 1], // prettier-ignore
    ['squeezed as if turned away by 60°', (sprite: Phaser.GameObjects.Image) => (sprite.scaleX *= 0.5), 0.5],
  ])('has the angle of what is drawn: %s', async (_, change, squeeze) => {
    const { test, scene, placedAd } = await placeOne();
    change(placedAd.sprite);
    test.step(frames(1_200));
    expect(placedAd.measurement!.squeezeRatio).toBeCloseTo(squeeze, 6);
    const [iig] = scene.ads.summary()[0]!.standards;
    expect([iig!.verdict, iig!.failingRule]).toEqual(
      squeeze === 1 ? ['viewable', null] : ['notViewable', 'maxAngleDeg'],
    );
  });

  it('sees the squeeze of containers, cameras and the page too', async () => {
    const { test, scene, placedAd } = await placeOne();
    const container = scene.add.container(200, 150);
    container.add(placedAd.sprite.setPosition(0, 0));
    container.setScale(0.5, 1).setRotation(0.3);
    test.step(2);
    expect(placedAd.measurement!.squeezeRatio).toBeCloseTo(0.5, 6);
    container.setScale(1).setRotation(0);
    scene.cameras.main.setZoom(1, 0.7);
    test.step(2);
    expect(placedAd.measurement!.squeezeRatio).toBeCloseTo(0.7, 6);
  });
});

describe('geometry', () => {
  it('is told when it changes, with a copy of the measurement, and never while nothing does', async () => {
    const { test, scene } = await placeOne();
    const changes: AdsEventMap['adgeometrychange'][] = [];
    scene.ads.on('adgeometrychange', (payload) => changes.push(payload));
    test.step(20);
    const cover = scene.add.rectangle(170, 150, 60, 100, 0x334455);
    test.step(20);
    cover.destroy();
    test.step(20);
    expect(changes.map(({ percentageInView }) => percentageInView)).toEqual([100, 50, 100]);
    expect(changes[1]!.obstructions).toEqual([cover]);
    expect(changes[1]!.reasons).toEqual(['obstructed']);
  });
});

describe('a friendly obstruction', () => {
  it('takes nothing away while it is declared, is told in events and reports, and counts again afterwards', async () => {
    const { test, scene, placedAd } = await placeOne();
    const close = scene.add.rectangle(250, 110, 20, 20, 0xffffff);
    test.step(2);
    expect(placedAd.measurement!.isFullyVisible).toBe(false);
    let told: AdsEventMap['adgeometrychange'] | undefined;
    scene.ads.on('adgeometrychange', (payload) => (told = payload));
    scene.ads.addFriendlyObstruction(close, 'CLOSE_AD', 'Close button');
    test.step(frames(1_200));
    expect(placedAd.measurement!.isFullyVisible).toBe(true);
    expect(scene.ads.measure(placedAd).blockingSprites).toEqual([]);
    expect(told!.friendlyObstructions).toEqual([{ purpose: 'CLOSE_AD', reason: 'Close button' }]);
    const viewable = (await reported(test)).filter(({ kind }) => kind === 'viewable');
    expect(viewable.length).toBeGreaterThan(0);
    for (const event of viewable)
      expect(event.friendlyObstructions).toEqual([{ purpose: 'CLOSE_AD', reason: 'Close button' }]);
    expect(scene.ads.removeFriendlyObstruction(close)).toBe(true);
    expect(scene.ads.removeFriendlyObstruction(close)).toBe(false);
    test.step(2);
    expect(placedAd.measurement!.blockingSprites).toEqual([close]);
  });

  it('is told by number when many are declared, and eight of them one by one', async () => {
    const { test, scene } = await placeOne();
    for (let i = 0; i < 10; i++)
      scene.ads.addFriendlyObstruction(scene.add.rectangle(0, 0, 1, 1), 'OTHER', `Part ${i}`);
    test.step(frames(1_200));
    const viewable = (await reported(test)).find(({ kind }) => kind === 'viewable')!;
    expect([viewable.friendlyObstructions!.length, viewable.friendlyObstructionCount]).toEqual([8, 10]);
  });

  it('may be a label or a dialog of rex plugins, which the scene draws part by part', async () => {
    const { test, scene, placedAd } = await placeOne();
    const [panel, label] = [scene.add.zone(0, 0, 1, 1), scene.add.zone(0, 0, 1, 1)];
    const face = scene.add.rectangle(250, 110, 20, 20, 0xffffff);
    Object.assign(face, { rexContainer: { parent: label } });
    Object.assign(label, { rexContainer: { parent: panel } });
    test.step(2);
    expect(placedAd.measurement!.isFullyVisible).toBe(false);
    for (const friend of [label, panel]) {
      scene.ads.addFriendlyObstruction(friend, 'CLOSE_AD');
      test.step(2);
      expect(placedAd.measurement!.isFullyVisible).toBe(true);
      scene.ads.removeFriendlyObstruction(friend);
    }
    // It is in a container of Phaser's, too, which moves it.
    scene.add.container(0, 0, [face]);
    scene.ads.addFriendlyObstruction(panel, 'CLOSE_AD');
    test.step(2);
    expect(placedAd.measurement!.isFullyVisible).toBe(true);
  });

  it('may be a container, also one that holds the ad; what is not in it still counts', async () => {
    const { test, scene, placedAd } = await placeOne();
    const frame = scene.add.container(0, 0);
    const badge = scene.add.rectangle(150, 110, 20, 20, 0xffffff);
    frame.add([placedAd.sprite, badge]);
    scene.ads.addFriendlyObstruction(frame, 'OTHER');
    test.step(2);
    expect(placedAd.measurement!.isFullyVisible).toBe(true);
    const stranger = scene.add.rectangle(240, 150, 20, 20, 0xffffff);
    test.step(2);
    expect(placedAd.measurement!.blockingSprites).toEqual([stranger]);
  });

  it('ends with its destruction and with the scene', async () => {
    const { test, scene } = await placeOne();
    const gone = scene.add.rectangle(0, 0, 5, 5);
    const left = scene.add.rectangle(0, 0, 5, 5);
    scene.ads.addFriendlyObstruction(gone, 'OTHER');
    scene.ads.addFriendlyObstruction(left, 'NOT_VISIBLE');
    gone.destroy();
    expect(scene.ads.removeFriendlyObstruction(gone)).toBe(false);
    expect(() => scene.ads.addFriendlyObstruction(gone, 'OTHER')).toThrow(withCode('arg/sprite'));
    scene.scene.restart();
    test.step(2);
    expect(scene.ads.removeFriendlyObstruction(left)).toBe(false);
  });

  it.each<[string, unknown[], string]>([
    ['no object', [null, 'OTHER'], 'arg/sprite'],
    ['no purpose', [undefined, undefined], 'arg/sprite'],
    ['what is no game object', [{ type: 'Image', scene: {} }, 'OTHER'], 'arg/sprite'],
    ['an unknown purpose', ['object', 'BECAUSE'], 'arg/obstruction'],
    ['a long reason', ['object', 'OTHER', 'x'.repeat(51)], 'arg/obstruction'],
    ['a reason with signs', ['object', 'OTHER', '<b>'], 'arg/obstruction'],
  ])('is refused with %s', async (_, args, code) => {
    const { scene } = await placeOne();
    const object = scene.add.rectangle(0, 0, 5, 5);
    const [first, ...rest] = args.map((arg) => (arg === 'object' ? object : arg));
    const add = scene.ads.addFriendlyObstruction.bind(scene.ads) as (...given: unknown[]) => void;
    expect(() => add(first, ...rest)).toThrow(withCode(code));
  });
});

describe('the live table', () => {
  it('has a frozen row per ad, from its request on', async () => {
    const test = await TestGame.start();
    const { ads } = test.scene();
    const { sprite } = ads.place('board', AT);
    const [waiting] = ads.summary();
    expect(waiting).toMatchObject({ adSurfaceId: 'board', adId: null, state: 'requesting', percentageInView: 0, timeInViewMs: 0, reasons: [], topReason: null }); // prettier-ignore
    await test.settle();
    sprite.x += 1_000;
    test.step(5);
    sprite.x -= 1_000;
    const cover = test.scene().add.rectangle(200, 150, 120, 200, 0);
    test.step(20);
    cover.destroy();
    sprite.alpha = 0;
    test.step(3);
    sprite.alpha = 1;
    test.step(11);
    const [row] = ads.summary();
    expect(row).toMatchObject({ adId: 'ad-of-board', state: 'shown', percentageInView: 100, reasons: [], topReason: 'obstructed' }); // prettier-ignore
    expect(row!.timeInViewMs).toBe(160);
    expect([Object.isFrozen(ads.summary()), Object.isFrozen(row), Object.isFrozen(row!.standards[0])]).toEqual([true, true, true]); // prettier-ignore
  });
});

describe('faults', () => {
  it('F29 a hidden tab stops the clock at once and writes a summary, once', async () => {
    const { test, scene } = await placeOne();
    test.step(frames(800));
    hideTab(true);
    window.dispatchEvent(new Event('pagehide'));
    const [row] = scene.ads.summary();
    expect(row!.reasons).toEqual(['backgrounded']);
    expect(row!.timeInViewMs).toBeGreaterThan(700);
    hideTab(false);
    test.step(frames(800));
    await test.settle();
    const events = await reported(test);
    expect(events.filter(({ kind }) => kind === 'summary')).toMatchObject([{ isFinal: false, ordinal: 1 }]);
    expect(events.some(({ kind }) => kind === 'viewable')).toBe(false);
  });

  const hidden = (work: () => void): void => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    work();
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
  };
  it.each<[what: string, reason: string, interrupt: (test: TestGame) => unknown]>([
    ['a page that is left', 'backgrounded', () => window.dispatchEvent(new Event('pagehide'))],
    ['a page that is frozen', 'backgrounded', () => document.dispatchEvent(new Event('freeze'))],
    ['a game that is paused', 'gamePaused', ({ game }) => game.events.emit('pause')],
    ['a game that is paused for a hidden tab', 'backgrounded', ({ game }) => hidden(() => game.events.emit('pause'))],
    [
      'a tab that comes back with a game that is paused',
      'gamePaused',
      ({ game }) => {
        game.pause();
        hidden(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      },
    ],
    ['a tab that comes back', '', () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))],
  ])('F29 %s is told of at once, without a frame', async (_, reason, interrupt) => {
    const { test, scene } = await placeOne();
    test.step(frames(800));
    interrupt(test);
    const [row] = scene.ads.summary();
    expect(row!.reasons).toEqual(reason === '' ? [] : [reason]);
    expect(row!.standards[0]!.continuousMs > 0).toBe(reason === '');
  });

  it('F29 the time between the last frame and an interruption counts as well', async () => {
    const { test, scene } = await placeOne();
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000_000);
    test.step(10);
    const timeInViewMs = () => scene.ads.summary()[0]!.standards[0]!.timeInViewMs;
    const before = timeInViewMs();
    now.mockReturnValue(1_000_010);
    test.game.events.emit('pause');
    expect(timeInViewMs() - before).toBe(10);
  });

  it('F30 listeners live once, however often the page comes and goes', async () => {
    const { test, told } = await placeOne();
    for (let i = 0; i < 5; i++) {
      test.step(frames(300));
      hideTab(true);
      window.dispatchEvent(new Event('pagehide'));
      hideTab(false);
      window.dispatchEvent(new Event('pageshow'));
    }
    test.step(frames(2_000));
    await test.settle();
    const kinds = (await reported(test)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'impression')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'summary')).toHaveLength(5);
    expect(told.viewables).toHaveLength(3);
  });

  it.each([24, -24])('F37 F38 a wall clock that jumps by %i h, at the start or in mid-impression, changes no measured time', async (hours) => {
    const now = Date.now();
    const measure = async (jumps: boolean) => {
      const { test, scene } = await placeOne();
      test.step(40);
      if (jumps) jest.spyOn(Date, 'now').mockReturnValue(now + hours * 3_600_000);
      test.step(40);
      const [row] = scene.ads.summary();
      jest.restoreAllMocks();
      test.destroy();
      return row!.timeInViewMs;
    };
    expect(Math.abs((await measure(true)) - (await measure(false)))).toBeLessThanOrEqual(16);
  }); // prettier-ignore

  it('F39 eight hours of sleep count nothing', async () => {
    const { test, scene } = await placeOne();
    test.step(frames(900));
    const before = scene.ads.summary()[0]!.timeInViewMs;
    test.skip(8 * 3_600_000);
    test.step(frames(900));
    const [row] = scene.ads.summary();
    expect(row!.standards[0]!.verdict).toBe('notViewable');
    expect(row!.timeInViewMs).toBeLessThanOrEqual(before + 900);
    expect(row!.topReason).toBe('stall');
  });

  it('F52 a paused scene is drawn and measured on; one asleep stops the clock', async () => {
    const { test, scene } = await placeOne();
    test.step(frames(500));
    scene.scene.pause();
    test.step(frames(700));
    expect(scene.ads.summary()[0]!.standards[0]!.verdict).toBe('viewable');
    test.destroy();
    const other = await placeOne();
    other.test.step(frames(900));
    other.scene.scene.sleep();
    other.test.step(frames(500));
    const [asleep] = other.scene.ads.summary();
    expect(asleep!.standards[0]).toMatchObject({ verdict: 'notViewable', continuousMs: 0 });
    other.scene.scene.wake();
    other.test.step(frames(500));
    expect(other.scene.ads.summary()[0]!.standards[0]!.verdict).toBe('notViewable');
  });

  it('F53 a sprite destroyed at any frame has one last event, and one final summary', async () => {
    for (const frame of [0, 1, 7, 63, 64, 90]) {
      const { test, placedAd, told } = await placeOne();
      test.step(frame);
      placedAd.sprite.destroy();
      test.step(5);
      await test.settle();
      expect(told.names.filter((name) => name === 'adfinish')).toHaveLength(1);
      expect(told.names.at(-1)).toBe('adfinish');
      const events = await reported(test);
      expect(events.filter((event) => event.kind === 'summary' && event.isFinal)).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ kind: 'summary', finishReason: 'destroyed' });
      test.destroy();
    }
  });

  it('F54 a texture the game swaps ends the impression, and the sprite stays the game’s', async () => {
    const { test, placedAd, told } = await placeOne();
    const ends: string[] = [];
    test.scene().ads.on('adfinish', ({ reason }) => ends.push(reason));
    test.step(frames(900));
    placedAd.sprite.setTexture('__WHITE');
    test.step(frames(900));
    await test.settle();
    expect([placedAd.state, ends, told.viewables]).toEqual(['finished', ['texture-changed'], []]);
    expect(placedAd.sprite.scene).toBe(test.scene());
    expect((await reported(test)).at(-1)).toMatchObject({ kind: 'summary', finishReason: 'texture-changed', verdicts: { 'iig-display': 'notViewable' } }); // prettier-ignore
  });

  it('F54 a texture found swapped in a frame that takes long to measure ends the impression with that frame', async () => {
    const { test, placedAd } = await placeOne();
    test.step(frames(900));
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 40));
    placedAd.sprite.setTexture('__WHITE');
    test.step();
    expect((await reported(test)).at(-1)).toMatchObject({ kind: 'summary', finishReason: 'texture-changed', verdicts: { 'iig-display': 'notViewable' } }); // prettier-ignore
  });

  it('F55 a game destroyed at any frame leaves no listener of ours on the page, and says nothing more', async () => {
    const added = new Map<string, number>();
    const watch = (target: EventTarget) => {
      const add = target.addEventListener.bind(target);
      const remove = target.removeEventListener.bind(target);
      target.addEventListener = (type: string, ...rest: unknown[]) => {
        added.set(type, (added.get(type) ?? 0) + 1);
        (add as (...args: unknown[]) => void)(type, ...rest);
      };
      target.removeEventListener = (type: string, ...rest: unknown[]) => {
        added.set(type, (added.get(type) ?? 0) - 1);
        (remove as (...args: unknown[]) => void)(type, ...rest);
      };
      return () => Object.assign(target, { addEventListener: add, removeEventListener: remove });
    };
    const restore = watch(window);
    for (const frame of [0, 1, 30, 70]) {
      const { test, told, world } = await placeOne();
      test.step(frame);
      test.destroy();
      await test.settle();
      const count = told.names.length;
      hideTab(true);
      hideTab(false);
      world.pass(60_000);
      await test.settle();
      expect(told.names).toHaveLength(count);
    }
    restore();
    for (const type of ['visibilitychange', 'pagehide', 'freeze']) expect([type, added.get(type)]).toEqual([type, 0]);
  });

  it('F56 a lost graphics context ends the continuous second at once', async () => {
    const { test, scene } = await placeOne();
    test.step(frames(900));
    test.game.canvas.dispatchEvent(new Event('webglcontextlost'));
    expect(scene.ads.summary()[0]).toMatchObject({
      reasons: ['contextLost'],
      standards: [{ continuousMs: 0 }, {}, {}],
    });
    test.step(frames(900));
    expect(scene.ads.summary()[0]!.standards[0]!.verdict).toBe('notViewable');
    // A summary that is not the last is for pages that may never run again.
    expect((await reported(test)).map(({ kind }) => kind)).not.toContain('summary');
  });

  it('F56 what is drawn on a canvas whose context is lost is not seen, and Phaser does not say so', async () => {
    const { test, scene } = await placeOne();
    test.step(frames(300));
    const { gameContext } = test.game.renderer as Phaser.Renderer.Canvas.CanvasRenderer;
    gameContext.isContextLost = () => true;
    test.step(frames(900));
    expect(scene.ads.summary()[0]).toMatchObject({
      percentageInView: 0,
      standards: [{ verdict: 'notViewable' }, {}, {}],
    });
    gameContext.isContextLost = () => false;
    test.step(frames(1_100));
    expect(scene.ads.summary()[0]).toMatchObject({
      percentageInView: 100,
      standards: [{ verdict: 'viewable' }, {}, {}],
    });
  });

  it('measuring that fails leaves the verdict open, says so, and is not tried again', async () => {
    const { test, scene, placedAd } = await placeOne();
    test.step(frames(300));
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const meter = Object.getPrototypeOf(GameMeter.of(test.game)) as { measureFrame(): void };
    const measureFrame = jest.spyOn(meter, 'measureFrame').mockImplementation(() => {
      throw new Error('broken');
    });
    test.step(5);
    expect(measureFrame).toHaveBeenCalledTimes(1);
    expect(scene.ads.summary()[0]!.reasons).toEqual(['unmeasurable']);
    placedAd.destroy();
    jest.restoreAllMocks();
    expect((await reported(test)).at(-1)).toMatchObject({
      kind: 'summary',
      verdicts: { 'iig-display': 'undetermined' },
    });
  });

  it('F66 a handler that throws keeps no other from its event', async () => {
    const { test, scene, world, told } = await placeOne();
    for (const event of ['adimpression', 'adviewable', 'adgeometrychange'] as const) {
      scene.ads.on(event, () => {
        throw new Error(event);
      });
    }
    const heard: string[] = [];
    scene.ads.on('adviewable', ({ standard }) => heard.push(standard.id));
    test.step(frames(1_200));
    await test.settle();
    expect(heard).toEqual(['iig-display', 'mrc-display', 'full-view']);
    expect(told.impressions).toHaveLength(1);
    expect(world.reported).toHaveLength(5);
  });

  it('F68 a resized canvas does not restart the second while the share in view holds', async () => {
    const { test, scene } = await placeOne();
    test.step(frames(600));
    test.game.scale.resize(500, 400);
    test.step(frames(600));
    expect(scene.ads.summary()[0]!.standards[0]!.verdict).toBe('viewable');
  });

  it('F69 two games on a page measure for themselves', async () => {
    const first = await placeOne();
    const second = await placeOne({}, new FakeWorld());
    first.test.step(frames(1_200));
    second.test.step(frames(300));
    expect(first.scene.ads.summary()[0]!.standards[0]!.verdict).toBe('viewable');
    expect(second.scene.ads.summary()[0]!.standards[0]!.verdict).toBe('notViewable');
  });
});

it('a scene leaves no listener behind, restarted or not', async () => {
  const { test, scene } = await placeOne();
  const before = countListeners(test.game);
  for (let i = 0; i < 3; i++) {
    scene.scene.restart();
    test.step(2);
  }
  const placedAd = scene.ads.place('board', AT);
  await placedAd.ready;
  test.step(2);
  const after = countListeners(test.game);
  expect(after['scene main:update']).toBe(before['scene main:update']);
  expect(after['game:pause']).toBe(before['game:pause']);
});
