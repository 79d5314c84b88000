import { AdsError } from '../../src/errors.js';
import { CreativeTextures } from '../../src/placement/CreativeTextures.js';
import type { PlacedAd } from '../../src/placement/PlacedAd.js';
import { FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { WEBM } from './support/imageFiles.js';
import { TestGame } from './support/TestGame.js';

const PLACE = { x: 200, y: 150, width: 200, height: 100 };
/** The words painted since the last look. */
let words: string[];

beforeEach(() => {
  words = [];
  const { getContext } = HTMLCanvasElement.prototype;
  jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (this: HTMLCanvasElement, ...how: unknown[]) {
    const context = Reflect.apply(getContext, this, how) as CanvasRenderingContext2D | null;
    // The mock canvas wants a real picture, and here there are none.
    if (context !== null) Object.assign(context, { fillText: (text: string) => words.push(text), drawImage: () => undefined });
    return context;
  } as never);
}); // prettier-ignore
afterEach(() => {
  TestGame.endAll();
  jest.restoreAllMocks();
});

const taken = (): string[] => words.splice(0).filter((word) => word !== '');
const shown = async (test: TestGame, ad: PlacedAd): Promise<PlacedAd> => {
  await ad.ready;
  await test.settle();
  test.step(2);
  return ad;
};

/** A game whose first placeholder is painted already: it says "Ad", too. */
async function start(world = new FakeWorld(), data: object = {}): Promise<TestGame> {
  const test = await TestGame.start({ world, data });
  (await shown(test, test.scene().ads.place('billboard', PLACE))).destroy();
  taken();
  return test;
}

describe('the option `label`', () => {
  it('paints the word into the picture of the ad, which stays wholly in view, and goes with it', async () => {
    const test = await start();
    const { ads, children } = test.scene();
    const ad = await shown(test, ads.place('billboard', { ...PLACE, label: 'Anzeige' }));
    expect([ad.state, taken()]).toEqual(['shown', ['Anzeige']]);
    expect(ad.measurement).toMatchObject({ isFullyVisible: true, percentageInView: 100, blockingSprites: [] });
    expect(children.list).toEqual([ad.sprite]);
    expect(test.creativeKeys()).toHaveLength(2);
    ad.destroy();
    test.step();
    await shown(test, ads.place('billboard', PLACE));
    expect([taken(), test.creativeKeys()]).toEqual([[], [expect.any(String)]]);
  });

  it('says the word of the ad, for all placements of a game that do not say otherwise', async () => {
    const world = new FakeWorld();
    world.ads.set('billboard', { adId: 'ad', url: IMAGE_URL, label: 'Werbung' });
    const test = await start(world, { label: true });
    const { ads, make } = test.scene();
    await shown(test, ads.place('billboard', PLACE));
    ads.get(make.ad({ ...PLACE, surface: 'billboard', label: 'Reklame' }))!;
    await test.settle();
    await shown(test, ads.place('billboard', { ...PLACE, label: false }));
    expect(taken()).toEqual(['Werbung', 'Reklame']);
  });

  it('labels what was preloaded, and every frame of a video; a house ad carries none', async () => {
    const world = new FakeWorld();
    world.videoSeconds = 4;
    world.images.set('https://cdn.example.com/ad.webm', { body: WEBM, type: 'video/webm' });
    world.ads.set('video', { adId: 'film', url: 'https://cdn.example.com/ad.webm' });
    world.ads.set('empty', { adId: '', url: '' });
    const test = await start(world, { label: 'Anzeige', fallback: { houseAd: { url: IMAGE_URL } } });
    const { ads } = test.scene();
    await ads.preload(['billboard']);
    const preloaded = ads.place('billboard', PLACE);
    await shown(test, preloaded);
    expect(taken()).toEqual(['Anzeige']);
    const video = await shown(test, ads.place('video', PLACE));
    for (let i = 0; i < 30; i++) {
      test.step();
      world.pass(16);
      await Promise.resolve();
    }
    expect(video.mediaType).toBe('video');
    expect(taken().length).toBeGreaterThan(2);
    video.destroy();
    const house = await shown(test, ads.place('empty', PLACE));
    expect([house.fallback, taken()]).toEqual(['houseAd', []]);
  });

  it.each(['asked for', 'preloaded'])('without a canvas to paint on is a fault of the ad, whose buyer is told, and whose place and picture are free again: %s', async (how) => {
    const world = new FakeWorld();
    const trackers = [{ event: 'error', url: 'https://t.example.com/?e=[ERRORCODE]' }] as const;
    world.ads.set('billboard', { adId: 'ad', url: IMAGE_URL, trackers });
    const test = await start(world, { frequency: { perPage: 2 } });
    const { ads } = test.scene();
    if (how === 'preloaded') await ads.preload(['billboard']);
    const addPainted = jest.spyOn(CreativeTextures.prototype, 'addPainted').mockImplementation(() => {
      throw new AdsError('ad/texture', 'There is no canvas');
    });
    const ad = await shown(test, ads.place('billboard', { ...PLACE, label: true }));
    world.pass(0);
    await test.settle();
    expect([ad.state, ad.error?.code, world.trackersCalled]).toEqual(['failed', 'ad/texture', ['https://t.example.com/?e=405']]); // prettier-ignore
    expect([test.creativeKeys(), world.openImages.size]).toEqual([[], 0]);
    addPainted.mockRestore();
    const next = await shown(test, ads.place('billboard', { ...PLACE, label: true }));
    expect(next.state).toBe('shown');
  }); // prettier-ignore

  it.each([7, '', ' ', 'x'.repeat(21), null, {}])('%j is refused', async (label) => {
    const test = await TestGame.start();
    expect(() => test.scene().ads.place('billboard', { ...PLACE, label: label as never })).toThrow('`label`');
  });
});
