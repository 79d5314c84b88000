import { AdsEvents } from '../../src/events.js';
import { GameMeter } from '../../src/meter/GameMeter.js';
import { loadMeter, type MeterOf } from '../../src/meter/loadMeter.js';
import { FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { press } from './support/press.js';
import { countListeners, TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

const PLACE = { x: 200, y: 150, width: 120, height: 100, clickable: true };
const SAID = [AdsEvents.VISIBLE, AdsEvents.BLOCKED, AdsEvents.IMPRESSION, AdsEvents.VIEWABLE, AdsEvents.CLICK] as const;

/** A game whose meter is on its way until the test lets it arrive, or fail. */
async function start() {
  const world = new FakeWorld();
  world.ads.set('roof', { adId: 'a', url: IMAGE_URL, clickUrl: 'https://shop.example.com/offer' });
  const asked: { arrive(): void; fail(): void }[] = [];
  const meterOf = jest.fn(GameMeter.of);
  world.loadMeter = () =>
    new Promise<MeterOf>((resolve, reject) => {
      asked.push({ arrive: () => resolve(meterOf), fail: () => reject(new TypeError('Failed to fetch')) });
    });
  const test = await TestGame.start({ world });
  const scene = test.scene();
  const said: string[] = [];
  for (const event of SAID) {
    scene.ads.on(event, (told) => {
      said.push(`${event} ${told.placedAd.ad?.adId}${'standard' in told ? ` ${told.standard.id}` : ''}`);
    });
  }
  return { test, world, scene, said, asked, meterOf };
}

describe('a game in which what measures ads is not loaded yet', () => {
  it('asks for it when it begins, once', async () => {
    const { asked, scene } = await start();
    await scene.ads.place('roof', PLACE).ready;
    await scene.ads.place('roof', { ...PLACE, y: 40, height: 50 }).ready;
    expect(asked.length).toBe(1);
  });

  it('shows an ad, says that it is not measured, and counts nothing of it', async () => {
    const { test, world, scene, said } = await start();
    const refused: string[] = [];
    scene.ads.on(AdsEvents.CLICK_REFUSED, ({ reason }) => refused.push(reason));
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    test.step(100);
    expect([ad.state, ad.measurement, said]).toEqual(['shown', null, []]);
    expect(scene.ads.measure(ad)).toMatchObject({ isVisible: false, visibleArea: 0, reasons: ['unmeasurable'] });
    press(test, ad.sprite);
    await test.settle();
    expect([refused, world.opened]).toEqual([['unmeasurable'], []]);
  });

  it('counts each ad from when it has come, and says nothing twice', async () => {
    const { test, scene, said, asked } = await start();
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    const hand = scene.ads.observe(scene.add.image(60, 60, '__WHITE'), { adId: 'own', url: '' });
    test.step(100);
    asked[0]!.arrive();
    await test.settle();
    test.step(1);
    expect(said).toEqual(['advisible a', 'advisible own']);
    test.step(99);
    await test.settle();
    expect(said).toEqual(expect.arrayContaining(['adimpression a', 'adimpression own', 'adviewable a iig-display']));
    expect([...new Set(said)]).toEqual(said);
    expect([ad.measurement?.percentageInView, hand.measurement?.percentageInView]).toEqual([100, 100]);
    expect(asked.length).toBe(1);
  });

  it('measures no ad that has ended meanwhile', async () => {
    const { test, scene, said, asked } = await start();
    const before = countListeners(test.game);
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    ad.destroy();
    asked[0]!.arrive();
    await test.settle();
    test.step(5);
    expect(said).toEqual([]);
    expect(countListeners(test.game)['game:postrender']).toBe(before['game:postrender']);
  });

  it('measures nothing any more once the ad that waited for it has ended', async () => {
    const { test, scene, asked } = await start();
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    asked[0]!.arrive();
    await test.settle();
    const isWatching = (): boolean => GameMeter.of(test.game).watchedPage !== null;
    expect(isWatching()).toBe(true);
    ad.destroy();
    expect(isWatching()).toBe(false);
  });

  it('makes no meter before there is something to measure: until then the renderer may not be whole', async () => {
    const { test, scene, asked, meterOf } = await start();
    asked[0]!.arrive();
    await test.settle();
    expect(meterOf).not.toHaveBeenCalled();
    await scene.ads.place('roof', PLACE).ready;
    expect(meterOf).toHaveBeenCalled();
  });

  it('leaves nothing when the game ends meanwhile', async () => {
    const { test, scene, said, asked, meterOf } = await start();
    const errors = jest.spyOn(console, 'error').mockImplementation();
    await scene.ads.place('roof', PLACE).ready;
    const { game } = test;
    test.destroy();
    asked[0]!.arrive();
    await test.settle();
    expect([said, errors.mock.calls, game.events.listenerCount('postrender')]).toEqual([[], [], 0]);
    expect(meterOf).not.toHaveBeenCalled();
  });

  it('measures the others where one cannot be measured, and says why', async () => {
    const { test, scene, said, asked } = await start();
    const errors = jest.spyOn(console, 'error').mockImplementation();
    await scene.ads.place('roof', PLACE).ready;
    scene.ads.observe(scene.add.image(60, 60, '__WHITE'), { adId: 'own', url: '' });
    const fault = new Error('of a sprite');
    jest.spyOn(GameMeter.of(test.game), 'observe').mockImplementationOnce(() => {
      throw fault;
    });
    asked[0]!.arrive();
    await test.settle();
    test.step(1);
    expect([said, errors.mock.calls]).toEqual([['advisible own'], [[fault]]]);
  });

  it('tells once that it does not come, and asks again for the next ad', async () => {
    const { test, scene, said, asked } = await start();
    const errors = jest.spyOn(console, 'error').mockImplementation();
    await scene.ads.place('roof', PLACE).ready;
    for (let i = 0; i < 3; i++) {
      asked[i]!.fail();
      await test.settle();
      test.step(20);
      await scene.ads.place('roof', PLACE).ready;
    }
    expect(errors.mock.calls).toEqual([[expect.objectContaining({ code: 'net/unreachable', retryable: true })]]);
    expect(said).toEqual([]);
    asked[3]!.arrive();
    await test.settle();
    test.step(1);
    expect(said.length).toBe(4);
  });
});

it('asks for nothing where the game brings the meter, and measures from the first frame on', async () => {
  const world = new FakeWorld();
  world.ads.set('roof', { adId: 'a', url: IMAGE_URL });
  const asked = jest.fn();
  world.loadMeter = asked;
  const test = await TestGame.start({ world, data: { meter: GameMeter } });
  const ad = test.scene().ads.place('roof', PLACE);
  await ad.ready;
  test.step(1);
  expect(ad.measurement?.percentageInView).toBe(100);
  expect(asked).not.toHaveBeenCalled();
});

it('has it at once in the second game of a page', async () => {
  const { game } = await TestGame.start();
  const first = loadMeter(game);
  expect(first).toBeInstanceOf(Promise);
  const meterOf = await first;
  expect(loadMeter(game)).toBe(meterOf);
});
