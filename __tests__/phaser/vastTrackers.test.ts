import { AdsError } from '../../src/errors.js';
import { CreativeTextures } from '../../src/placement/CreativeTextures.js';
import type { AdTracker, AdTrackerEvent } from '../../src/service/AdService.js';
import type { FakeVideo } from '../helpers/FakeVideo.js';
import { type ImageAnswer, FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { WEBM } from './support/imageFiles.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

const URL_OF = (event: string): string => `https://t.example.com/${event}`;
const EVENTS: readonly AdTrackerEvent[] = [
  'loaded', 'impression', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete',
  'viewable', 'not-viewable', 'view-undetermined', 'billable',
]; // prettier-ignore
const TRACKERS: readonly AdTracker[] = [
  ...EVENTS.map((event) => ({ event, url: URL_OF(event) })),
  { event: 'error', url: URL_OF('error?c=[ERRORCODE]') },
];

async function start(file: ImageAnswer, seconds: number | null) {
  const world = new FakeWorld();
  world.videoSeconds = seconds;
  world.images.set('https://cdn.example.com/ad.webm', file);
  world.ads.set('roof', { adId: 'film', url: 'https://cdn.example.com/ad.webm', trackers: TRACKERS });
  const test = await TestGame.start({ world });
  const ad = test.scene().ads.place('roof', { x: 200, y: 150, width: 200, height: 160 });
  await ad.ready;
  const play = async (ms: number): Promise<string[]> => {
    await test.play(ms);
    return world.trackersCalled.map((url) => url.slice(URL_OF('').length));
  };
  return { test, ad, play };
}

const VIDEO: ImageAnswer = { body: WEBM, type: 'video/webm' };

describe('P6: what is measured of a video calls its trackers, each once', () => {
  it('from its first picture to its end, and viewable by the standard that leads', async () => {
    const { ad, play } = await start(VIDEO, 4);
    await play(6_000);
    ad.destroy();
    expect((await play(100)).sort()).toEqual(
      EVENTS.filter((event) => event !== 'not-viewable' && event !== 'view-undetermined').sort(),
    );
  });

  // After a second and a half it is viewable by another standard than the one that leads.
  it.each([600, 1_500])('seen, and gone before it was viewable (%i ms): not viewable, and not billed', async (ms) => {
    const { ad, play } = await start(VIDEO, 4);
    await play(ms);
    ad.destroy();
    const called = await play(100);
    expect(called).toContain('not-viewable');
    expect(called).not.toContain('viewable');
    expect(called).not.toContain('billable');
  });

  it('viewable, and taken down since: nothing else is told of it, whatever becomes of its place', async () => {
    const { test, ad, play } = await start(VIDEO, 4);
    const called = [...(await play(6_000))];
    test.world.ads.set('roof', { adId: '', url: '' });
    ad.reportAd();
    await play(1_000);
    expect(ad.state).toBe('noFill');
    ad.destroy();
    expect(await play(100)).toEqual(called);
  });

  it.each<[string, ImageAnswer, number]>([
    ['is not there', { status: 404 }, 401],
    ['is no video', { body: new Uint8Array([1, 2, 3]) }, 405],
    ['plays nowhere', VIDEO, 405],
  ])('whose file %s: the error is told, and nothing else', async (_name, file, code) => {
    const { ad, play } = await start(file, null);
    expect(ad.state).toBe('failed');
    expect(await play(100)).toEqual([`error?c=${code}`]);
  });

  it('that the browser does not let play: the error is told once, beside what was seen', async () => {
    const { test, play } = await start(VIDEO, 4);
    const [video] = [...test.world.openImages] as FakeVideo[];
    video!.refusal = new DOMException('not allowed', 'NotAllowedError');
    expect(await play(1_000)).toEqual(['loaded', 'impression', 'error?c=405']);
  });

  it.each<[string, object, (world: FakeWorld) => void, number]>([
    ['was preloaded, and is not there', {}, ({ images }) => images.clear(), 401],
    ['was preloaded, and cannot be painted over', { label: true }, refusePainting, 405],
  ])('that %s: the error is told', async (_name, options, spoil, code) => {
    const world = new FakeWorld();
    world.ads.set('roof', { adId: 'film', url: IMAGE_URL, trackers: TRACKERS });
    const test = await TestGame.start({ world });
    if (code === 401) spoil(world);
    await test.scene().ads.preload(['roof']);
    if (code === 405) spoil(world);
    world.ads.clear();
    await test.scene().ads.place('roof', { x: 200, y: 150, width: 200, height: 160, ...options }).ready;
    world.pass(0);
    await test.settle();
    expect(world.trackersCalled).toEqual([URL_OF(`error?c=${code}`)]);
  });
});

function refusePainting(): void {
  jest.spyOn(CreativeTextures.prototype, 'addPainted').mockImplementation(() => {
    throw new AdsError('ad/texture', 'There is no canvas');
  });
}
