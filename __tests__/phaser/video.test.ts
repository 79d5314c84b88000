import { AdsEvents, type AdsEventName } from '../../src/events.js';
import type { AdEvent } from '../../src/report/AdEvent.js';
import type { FakeVideo } from '../helpers/FakeVideo.js';
import { FakeWorld } from './support/FakeWorld.js';
import { WEBM } from './support/imageFiles.js';
import { TestGame } from './support/TestGame.js';

const AT = { x: 200, y: 150, width: 200, height: 160 };
const KINDS = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];
const EVENTS: readonly AdsEventName[] = [
  AdsEvents.VIDEO_START,
  AdsEvents.VIDEO_FIRST_QUARTILE,
  AdsEvents.VIDEO_MIDPOINT,
  AdsEvents.VIDEO_THIRD_QUARTILE,
  AdsEvents.VIDEO_COMPLETE,
];

afterEach(() => TestGame.endAll());

const inARunningGame = async (seconds = 4, data = {}) => {
  const world = new FakeWorld();
  world.videoSeconds = seconds;
  world.images.set('https://cdn.example.com/ad.webm', { body: WEBM, type: 'video/webm' });
  world.ads.set('video', { adId: 'film', url: 'https://cdn.example.com/ad.webm', serveId: 's1' });
  const test = await TestGame.start({ world, data });
  const { ads } = test.scene();
  const told: string[] = [];
  const lengths: unknown[] = [];
  for (const event of EVENTS) {
    ads.on(event, (payload) => {
      told.push(event);
      lengths.push('durationSeconds' in payload && payload.durationSeconds);
    });
  }
  const placedAd = ads.place('video', AT);
  await test.settle();
  const [video] = [...world.openImages] as FakeVideo[];
  return { test, world, told, lengths, placedAd, video: video! };
};

const reported = ({ world }: TestGame): AdEvent[] => world.clients.flatMap(({ reports }) => reports.flat());

describe('a placed video', () => {
  it('is reported like everything else: start, quartiles and end, each once, with what was in view', async () => {
    // Reports hold whole milliseconds.
    const { test, told, lengths, placedAd, video } = await inARunningGame(4.0002);
    await test.play(6_000);
    expect([placedAd.mediaType, video.hasEnded, told]).toEqual(['video', true, EVENTS]);
    expect(lengths).toEqual(EVENTS.map(() => 4));
    placedAd.destroy();
    await test.play(6_000);
    const facts = reported(test).filter(({ kind }) => KINDS.includes(kind));
    expect(facts).toEqual(
      KINDS.map((kind): unknown => expect.objectContaining({ kind, videoDurationMs: 4_000, percentageInView: 100, adId: 'film', serveId: 's1', ordinal: 1 })),
    ); // prettier-ignore
    expect(new Set(facts.map(({ placementId }) => placementId)).size).toBe(1);
    expect(told).toEqual(EVENTS);
  });

  it('is judged by the two seconds of the rules for video, unless told otherwise, and only while it plays', async () => {
    const { test, placedAd } = await inARunningGame(1.9);
    await test.play(5_000);
    expect(placedAd.session.view.statuses().map(({ standard, verdict }) => [standard.id, standard.minDurationMs, verdict])).toEqual([
      ['iig-video', 2_000, 'notViewable'],
      ['mrc-video', 2_000, 'notViewable'],
      ['full-view', 1_000, 'viewable'],
    ]); // prettier-ignore
    test.destroy();
    const longer = await inARunningGame(2.2);
    await longer.test.play(5_000);
    longer.placedAd.destroy();
    await longer.test.play(6_000);
    const viewable = reported(longer.test).filter((event) => event.kind === 'viewable');
    expect(viewable.map(({ standard, rule }) => [standard, rule.minDurationMs])).toEqual([
      ['full-view', 1_000],
      ['iig-video', 2_000],
      ['mrc-video', 2_000],
    ]);
    const summary = reported(longer.test).find((event) => event.kind === 'summary')!;
    expect(summary.timeInViewMs).toBeGreaterThan(2_000);
    expect(summary.timeInViewMs).toBeLessThan(2_300);
    expect(summary.reasonsMs['notPlaying']).toBeGreaterThan(2_500);
  });

  it.each<[string, (test: TestGame) => unknown]>([
    ['its scene is paused', (test) => test.scene().scene.pause()],
    ['more than half of it is covered', (test) => test.scene().add.rectangle(200, 150, 202, 64, 0)],
  ])('counts no longer from the frame on in which %s', async (_, halt) => {
    const quarter = { id: 'quarter', minPercentageInView: 25, minDurationMs: 600 };
    const { test, placedAd } = await inARunningGame(30, { standards: [quarter] });
    await test.play(500);
    const before = placedAd.session.view.statuses()[0]!.timeInViewMs;
    halt(test);
    test.step();
    // The video waits for a frame that may be long in coming.
    test.skip(200);
    test.step();
    const [status] = placedAd.session.view.statuses();
    expect([status!.timeInViewMs, status!.verdict]).toEqual([before + 16, 'notViewable']);
  });

  it('is announced after it is committed, and not any more once the ad has finished', async () => {
    const { test, told, placedAd, video } = await inARunningGame();
    test.step();
    await test.settle();
    video.pass(0.1);
    test.step();
    expect(told).toEqual([]);
    placedAd.destroy();
    await test.play(6_000);
    expect(told).toEqual([]);
    expect(reported(test).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['start', 'summary']));
  });

  it('stands while its scene is paused, asleep, or the game is, and goes on where it stopped', async () => {
    const { test, video } = await inARunningGame(100);
    await test.play(500);
    const manager = test.game.scene;
    const halts: readonly (readonly [halt: () => unknown, goOn: () => unknown])[] = [
      [() => manager.pause('main'), () => manager.resume('main')],
      [() => manager.sleep('main'), () => manager.wake('main')],
      [() => test.game.pause(), () => test.game.resume()],
    ];
    for (const [halt, goOn] of halts) {
      expect(video.isPlaying).toBe(true);
      halt();
      await test.play(100);
      const stoppedAt = video.currentTimeSeconds;
      expect(video.isPlaying).toBe(false);
      await test.play(500);
      expect(video.currentTimeSeconds).toBe(stoppedAt);
      goOn();
      await test.play(500);
      expect(video.currentTimeSeconds).toBeGreaterThan(stoppedAt + 0.3);
      expect(video.currentTimeSeconds).toBeLessThan(stoppedAt + 0.6);
    }
  });

  it.each<[string, (test: TestGame) => void]>([
    ['its scene stops', (test) => test.game.scene.stop('main')],
    ['its scene restarts', (test) => test.scene().scene.restart()],
    ['its scene is removed', (test) => test.game.scene.remove('main')],
    ['its sprite is destroyed', (test) => test.scene().children.list[0]!.destroy()],
    ['the game ends', (test) => test.destroy()],
  ])('is closed when %s', async (_, end) => {
    const { test, world, video } = await inARunningGame();
    await test.play(500);
    expect(video.isPlaying).toBe(true);
    end(test);
    if (!world.clients[0]!.isDestroyed) test.step(2);
    await test.settle();
    expect([video.isPlaying, world.openImages.size]).toEqual([false, 0]);
  });

  it('keeps the sprite it was placed with, an Image, whose texture the pictures go into', async () => {
    const { test, placedAd } = await inARunningGame();
    const { sprite } = placedAd;
    await test.play(100);
    expect([sprite.type, sprite.displayWidth, placedAd.sprite === sprite]).toEqual(['Image', 200, true]);
    expect(test.creativeKeys()).toEqual([sprite.texture.key]);
  });

  it('that may not play plays once the player has pressed something, which nobody listens for after its end', async () => {
    const { test, placedAd, video } = await inARunningGame();
    const listen = jest.spyOn(document, 'addEventListener');
    const unlisten = jest.spyOn(document, 'removeEventListener');
    video.refusal = new DOMException('not allowed', 'NotAllowedError');
    await test.play(500);
    video.refusal = null;
    await test.play(500);
    expect(video.isPlaying).toBe(false);
    document.dispatchEvent(new Event('pointerup'));
    await test.play(500);
    expect(video.isPlaying).toBe(true);
    placedAd.destroy();
    for (const event of ['pointerup', 'keydown']) {
      for (const { mock } of [listen, unlisten]) expect(mock.calls.filter(([name]) => name === event)).toHaveLength(1);
    }
    jest.restoreAllMocks();
  });

  it('that may not play is one error, reported, and not viewable, though it was seen', async () => {
    const { test, placedAd, video } = await inARunningGame();
    const errors: string[] = [];
    test.scene().ads.on('aderror', ({ error }) => errors.push(error.code));
    video.refusal = new DOMException('not allowed', 'NotAllowedError');
    await test.play(3_000);
    placedAd.destroy();
    await test.play(6_000);
    expect(errors).toEqual(['ad/autoplay']);
    const kinds = reported(test).map(({ kind }) => kind);
    expect(kinds).toEqual(['loaded', 'impression', 'visible', 'error', 'summary']);
    const summary = reported(test).find((event) => event.kind === 'summary')!;
    expect(summary.verdicts).toEqual({ 'iig-video': 'notViewable', 'mrc-video': 'notViewable', 'full-view': 'notViewable' }); // prettier-ignore
  });
});
