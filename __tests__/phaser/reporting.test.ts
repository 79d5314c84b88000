import type Phaser from 'phaser';

import { AdsError } from '../../src/errors.js';
import type { AdEvent } from '../../src/report/AdEvent.js';
import { withCode } from '../helpers/withCode.js';
import { FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { TestGame } from './support/TestGame.js';

const AT = { x: 200, y: 150, width: 120, height: 100 };
const FLUSH_AFTER_MS = 5_000;

afterEach(() => TestGame.endAll());

/** What has reached the service. */
function reported({ world }: TestGame): AdEvent[] {
  return world.clients.flatMap(({ reports }) => reports.flat());
}

/** Lets what was recorded be committed, and then time pass until it is sent. */
async function passFlush(test: TestGame): Promise<void> {
  await test.settle();
  test.world.pass(FLUSH_AFTER_MS);
  await test.settle();
}

async function placeOne(test: TestGame, surface = 'board') {
  const placedAd = test.scene().ads.place(surface, AT);
  await test.settle();
  test.step(2);
  return placedAd;
}

async function coverWith(
  test: TestGame,
  ...covers: [x: number, width: number][]
): Promise<Phaser.GameObjects.GameObject[]> {
  const made = covers.map(([x, width]) => test.scene().add.rectangle(x, AT.y, width, 200, 0x334455));
  test.step(2);
  return made;
}

describe('what happens to an ad is reported', () => {
  it('in order, each once, and nothing while nothing changes', async () => {
    const world = new FakeWorld();
    world.ads.set('board', { adId: 'a1', url: IMAGE_URL, serveId: 's1' });
    const test = await TestGame.start({ world });
    const placedAd = await placeOne(test);
    const covers = await coverWith(test, [180, 20], [220, 20]);
    test.step(50);
    for (const cover of covers) cover.destroy();
    test.step(2);
    placedAd.destroy();
    expect(reported(test)).toEqual([]);
    await passFlush(test);
    const names = { adSurfaceId: 'board', adId: 'a1', serveId: 's1' };
    expect(reported(test)).toMatchObject([
      { kind: 'loaded', ...names },
      { kind: 'impression', ...names, percentageInView: 100, reasons: [], blockerCount: 0 },
      { kind: 'visible', ...names, percentageInView: 100, reasons: [], blockerCount: 0 },
      { kind: 'blocked', ...names, percentageInView: 66.67, reasons: ['obstructed'], blockerCount: 2 },
      { kind: 'visible', ...names },
      { kind: 'summary', ...names, isFinal: true, finishReason: 'destroyed', maxPercentageInView: 100 },
    ]);
    expect(new Set(reported(test).map(({ placementId }) => placementId)).size).toBe(1);
    await test.settle();
    test.step(100);
    world.pass(60_000);
    expect(world.clients[0]!.reports).toHaveLength(1);
    expect(world.runningReportTimers).toBe(0);
  });

  it('with the areas the scene event tells', async () => {
    const test = await TestGame.start();
    let told: { visibleArea: number; totalArea: number; screenCoveragePercentage: number } | undefined;
    test.scene().ads.once('advisible', ({ coverage }) => (told = coverage));
    await placeOne(test);
    await passFlush(test);
    const seen = reported(test).find(({ kind }) => kind === 'visible') as unknown as Record<string, number>;
    expect(told?.totalArea).toBeGreaterThan(1_000);
    for (const figure of ['visibleArea', 'totalArea', 'screenCoveragePercentage'] as const) {
      expect(seen[figure]).toBeCloseTo(told![figure], 2);
    }
  });

  it('when there is no ad, and when something fails', async () => {
    const world = new FakeWorld();
    world.ads.set('empty', { adId: '', url: '' });
    world.ads.set('broken', new AdsError('service/unavailable', 'down'));
    const test = await TestGame.start({ world });
    await placeOne(test, 'empty');
    await placeOne(test, 'broken');
    await passFlush(test);
    expect(reported(test)).toMatchObject([
      { kind: 'noFill', adSurfaceId: 'empty' },
      { kind: 'error', adSurfaceId: 'broken', errorCode: 'service/unavailable' },
    ]);
  });

  it('for a sprite of the game’s own, without a surface, whatever the game put into its ad', async () => {
    const test = await TestGame.start();
    const sprite = test.scene().add.image(200, 150, '__WHITE');
    test.scene().ads.observe(sprite, { adId: 'own', url: '', serveId: 7n, email: 'x' } as never);
    test.step(2);
    await passFlush(test);
    expect(reported(test)).toMatchObject([
      { kind: 'impression', adId: 'own' },
      { kind: 'visible', adId: 'own' },
    ]);
    expect(Object.keys(reported(test)[0]!)).toEqual(expect.not.arrayContaining(['adSurfaceId', 'serveId', 'email']));
  });

  it.each(['hidden', 'leaving'] as const)('at once when the page is %s, in a request that outlives it', async (how) => {
    const test = await TestGame.start();
    await placeOne(test);
    const [watcher] = test.world.pageWatchers;
    watcher![how]!();
    await test.settle();
    expect(reported(test).map(({ kind }) => kind)).toEqual(['loaded', 'impression', 'visible']);
    const { envelopes, reports } = test.world.clients[0]!;
    expect(envelopes).toMatchObject([{ durability: 'memory', outlivesPage: true }]);
    watcher!.visible();
    await coverWith(test, [200, 40]);
    await test.settle();
    expect(reports).toHaveLength(1);
    await passFlush(test);
    expect(envelopes[1]).toMatchObject({ outlivesPage: false, ledger: { accepted: 3, pending: 1 } });
  });

  it('at once when the network is back', async () => {
    const test = await TestGame.start();
    const [client] = test.world.clients;
    jest.spyOn(client!, 'reportEvents').mockRejectedValueOnce(new AdsError('net/unreachable', 'off'));
    await placeOne(test);
    await passFlush(test);
    expect(reported(test)).toEqual([]);
    const [watcher] = test.world.pageWatchers;
    watcher!.online();
    await test.settle();
    expect(reported(test)).toHaveLength(3);
  });

  it('to its last moment when the game ends, and then nothing is left running', async () => {
    const test = await TestGame.start();
    await placeOne(test);
    test.destroy();
    expect(reported(test)).toMatchObject([
      { kind: 'loaded' },
      { kind: 'impression' },
      { kind: 'visible' },
      { kind: 'summary', isFinal: true, finishReason: 'game-ended' },
    ]);
    await test.settle();
    expect([test.world.runningReportTimers, test.world.pageWatchers.size]).toEqual([0, 0]);
  });

  it('for each game by itself', async () => {
    const first = await TestGame.start();
    const second = await TestGame.start({ world: new FakeWorld() });
    await placeOne(first);
    await passFlush(first);
    await passFlush(second);
    expect([reported(first).length, reported(second).length]).toEqual([3, 0]);
  });
});

describe('delivery', () => {
  it('tells where every event is, and flush() sends what waits, without its pause', async () => {
    const test = await TestGame.start();
    await placeOne(test);
    await test.settle();
    const { delivery } = test.scene().ads;
    expect(delivery).toMatchObject({ durability: 'memory', isBlocked: false, ledger: { created: 3, pending: 3 } });
    const isDone = delivery.flush();
    await test.settle();
    expect(reported(test)).toHaveLength(3);
    await expect(isDone).resolves.toBe(true);
    expect(delivery.ledger).toMatchObject({ created: 3, accepted: 3, pending: 0 });
  });

  it('is blocked after three failures, and flush() fails as late as asked', async () => {
    const test = await TestGame.start();
    const { delivery } = test.scene().ads;
    const answers = jest.spyOn(test.world.clients[0]!, 'reportEvents');
    answers.mockRejectedValue(new AdsError('net/unreachable', 'off'));
    await placeOne(test);
    for (let i = 0; i < 10; i++) {
      test.world.pass(60_000);
      await test.settle();
    }
    expect([delivery.isBlocked, answers.mock.calls.length]).toEqual([true, 3]);
    const settled = jest.fn();
    void delivery.flush({ timeoutMs: 1_000 }).then(settled);
    await test.settle();
    expect(answers).toHaveBeenCalledTimes(4);
    test.world.pass(999);
    await test.settle();
    expect(settled).not.toHaveBeenCalled();
    test.world.pass(1);
    await test.settle();
    expect(settled.mock.calls).toEqual([[false]]);
    expect(delivery.ledger).toMatchObject({ created: 3, accepted: 0, pending: 3 });
  });

  it.each([[-1], [120_001], [NaN], ['5'], [true]])('flush() refuses a timeoutMs of %p', async (timeoutMs) => {
    const { delivery } = (await TestGame.start()).scene().ads;
    await expect(delivery.flush({ timeoutMs: timeoutMs as number })).rejects.toThrow(withCode('arg/option'));
  });

  it.each([[0], [120_000]])('flush() takes a timeoutMs of %p', async (timeoutMs) => {
    const test = await TestGame.start();
    const isDone = test.scene().ads.delivery.flush({ timeoutMs });
    await test.settle();
    test.world.pass(timeoutMs);
    expect(typeof (await isDone)).toBe('boolean');
  });

  it('is off with reporting: false, where nothing waits', async () => {
    const test = await TestGame.start({ data: { reporting: false } });
    await placeOne(test);
    const { delivery } = test.scene().ads;
    expect(delivery).toMatchObject({ durability: 'off', isBlocked: false });
    expect(delivery.ledger).toEqual({
      created: 0,
      accepted: 0,
      duplicate: 0,
      rejected: 0,
      dropped: { overflow: 0, tooOld: 0, tooLarge: 0, corrupt: 0, storageLost: 0 },
      pending: 0,
    });
    await expect(delivery.flush()).resolves.toBe(true);
  });
});

it('nothing is reported, watched or timed with reporting: false', async () => {
  const test = await TestGame.start({ data: { reporting: false } });
  await placeOne(test);
  test.world.pass(FLUSH_AFTER_MS);
  expect([test.world.runningReportTimers, test.world.pageWatchers.size]).toEqual([0, 0]);
  test.destroy();
  expect(reported(test)).toEqual([]);
});

describe('beforeReport', () => {
  it.each<[string, () => unknown, number, number]>([
    ['nothing', () => undefined, 3, 0],
    ['true', () => true, 3, 0],
    ['false', () => false, 0, 0],
    ['an exception, told each time', () => fail(), 0, 3],
    ['a promise, told once', async () => true, 0, 1],
    ['a promise of false, told once', () => Promise.resolve(false), 0, 1],
    ['a promise that breaks, told once', async () => fail(), 0, 1],
  ])('answers with %s', async (_answer, beforeReport, reports, complaints) => {
    const test = await TestGame.start({ data: { beforeReport } });
    const heard: string[] = [];
    test.scene().ads.on('adimpression', () => heard.push('adimpression'));
    await placeOne(test);
    await passFlush(test);
    expect(reported(test)).toHaveLength(reports);
    expect(test.world.reported).toHaveLength(complaints);
    expect(heard).toEqual(['adimpression']);
  });
});

it('what the game brings about as it is asked about the last event of an ad is reported, also when the game ends', async () => {
  const ads: { destroy(): void }[] = [];
  const isLast = (event: AdEvent): boolean => event.kind === 'summary' && event.isFinal;
  const beforeReport = (event: AdEvent): void => {
    if (isLast(event)) for (const ad of ads) ad.destroy();
  };
  const test = await TestGame.start({ data: { beforeReport } });
  for (const surface of ['board', 'wall', 'roof']) ads.push(await placeOne(test, surface));
  test.destroy();
  await test.settle();
  expect(reported(test).filter(isLast)).toHaveLength(3);
});

function fail(): never {
  throw new Error('the game’s own');
}
