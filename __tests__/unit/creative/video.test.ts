import { DEFAULT_CREATIVE_LIMITS } from '../../../src/creative/CreativeLimits.js';
import { CreativeStore } from '../../../src/creative/CreativeStore.js';
import { isAdsError } from '../../../src/errors.js';
import { AdVideo } from '../../../src/placement/AdVideo.js';
import { FakeVideo } from '../../helpers/FakeVideo.js';
import { answer, FakeHost, settle } from './FakeHost.js';
import { avif } from './imageFiles.js';

const URL = 'https://cdn.example.com/ad.webm';
const latin1 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (c) => c.charCodeAt(0));
const WEBM = latin1(
  '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82\x84webm',
);
/** The same with sizes of eight and two bytes, as other writers make them, and elements in another order. */
const WEBM_WIDE = latin1(
  '\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x2e\x42\x82\x01\0\0\0\0\0\0\x05webm\0\x42\x86\x40\x01\x01\x42\xf7\x81\x01',
);
const MP4 = latin1('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41');

let host: FakeHost;
let store: CreativeStore;
beforeEach(() => {
  host = new FakeHost();
  host.answers = [answer(WEBM, { headers: { 'content-type': 'video/webm' } })];
  store = new CreativeStore({ hosts: null, allowLoopback: false }, DEFAULT_CREATIVE_LIMITS, host, host);
});

const acquire = (signal = new AbortController().signal) => store.acquire(URL, signal);

describe('a video creative', () => {
  it.each([
    ['WebM', WEBM, 'video/webm'],
    ['WebM with sizes of other widths', WEBM_WIDE, 'video/webm'],
    ['MP4', MP4, 'video/mp4'],
    ['WebM that is declared as nothing', WEBM, 'application/octet-stream'],
  ])('is known by its first bytes: %s', async (_, bytes, type) => {
    host.answers = [answer(bytes, { headers: { 'content-type': type } })];
    await expect(acquire()).resolves.toMatchObject({ width: 320, height: 180, video: { durationSeconds: 10 } });
    expect(host.decodeCount).toBe(0);
  });

  it.each([
    ['another document of its container', latin1('\x1a\x45\xdf\xa3\x93\x42\x82\x88matroska'), 'ad/type'],
    ['an EBML header that ends in a size that never ends', latin1(`\x1a\x45\xdf\xa3\0${'\0'.repeat(60)}`), 'ad/type'],
    ['an EBML header that never comes to its type', latin1(`\x1a\x45\xdf\xa3\x9f${'\xec\x80'.repeat(99)}`), 'ad/type'],
    ['the name of its type without being it', latin1('\x1a\x45\xdf\xa3\x93\xec\x8a\x42\x82\x84webm\0\0\0'), 'ad/type'],
    ['an EBML header with its type behind all that is looked through', latin1(`\x1a\x45\xdf\xa3\x40\xc8${'\xec\x80'.repeat(70)}\x42\x82\x84webm`), 'ad/type'],
    ['a type filled up with more than any real one', latin1(`\x1a\x45\xdf\xa3\x97\x42\x82\x94webm${'\0'.repeat(16)}`), 'ad/type'],
    ['a text', latin1('WEBVTT\n\n00:00.000 --> 00:01.000'), 'ad/type'],
    ['an image with the type of a video, cut off', avif(5, 5), 'ad/decode'],
    ['an image with a brand of videos, too, cut off', latin1('\0\0\0\x18ftypavif\0\0\0\0isommp42'), 'ad/decode'],
    ['an animated image with a brand of videos, too', latin1('\0\0\0\x18ftypisom\0\0\0\0avismp42'), 'ad/type'],
  ])('is refused when it is %s', async (_, bytes, code) => {
    host.answers = [answer(bytes, { headers: { 'content-type': 'video/mp4' } })];
    await expect(acquire()).rejects.toMatchObject({ code });
  }); // prettier-ignore

  it('may weigh 4 MiB, an image 1 MiB, whatever it is declared as', async () => {
    const weigh = async (head: Uint8Array, bytes: number, more: Record<string, string> = {}) => {
      const file = new Uint8Array(bytes);
      file.set(head);
      host.answers = [answer(file, { headers: { 'content-type': 'application/octet-stream', ...more } })];
      return acquire().then(
        (lease) => lease.release(),
        (error: unknown) => (isAdsError(error) ? error.code : error),
      );
    };
    expect(await weigh(WEBM, 4_194_304)).toBeUndefined();
    expect(await weigh(WEBM, 4_194_304, { 'content-length': '4194304' })).toBeUndefined();
    expect(await weigh(WEBM, 4_194_305)).toBe('ad/too-large');
    expect(await weigh(latin1('GIF89a\x05\0\x05\0\0\0\0\x2c\0\0\0\0\x05\0\x05\0\0'), 1_048_577)).toBe('ad/too-large');
  });

  it.each([
    [{ width: 1921, height: 1080, durationSeconds: 10 }, 'ad/dimensions'],
    [{ width: 5000, height: 10, durationSeconds: 10 }, 'ad/dimensions'],
    [{ width: 10, height: 5000, durationSeconds: 10 }, 'ad/dimensions'],
    [{ width: 0, height: 180, durationSeconds: 10 }, 'ad/decode'],
    [{ width: 320, height: 0, durationSeconds: 10 }, 'ad/decode'],
    [{ width: 320, height: 180, durationSeconds: 60.1 }, 'ad/duration'],
    [{ width: 320, height: 180, durationSeconds: Infinity }, 'ad/duration'],
    [{ width: 320, height: 180, durationSeconds: NaN }, 'ad/duration'],
    [{ width: 320, height: 180, durationSeconds: 0 }, 'ad/duration'],
  ])('of %j is refused', async (video, code) => {
    host.video = video;
    await expect(acquire()).rejects.toMatchObject({ code });
    expect([host.openImages, host.textures.size, host.runningTimers]).toEqual([0, 0, 0]);
  });

  it('that the browser cannot play is refused', async () => {
    host.openVideo = async () => Promise.reject(new Error('no decoder'));
    await expect(acquire()).rejects.toMatchObject({ code: 'ad/decode' });
  });

  it('that is not ready within 10 s is refused, and closed when it comes later', async () => {
    let open!: () => void;
    const later = new Promise<void>((resolve) => (open = resolve));
    const openVideo = host.openVideo.bind(host);
    host.openVideo = async (file, check) => later.then(() => openVideo(file, check));
    const acquiring = acquire();
    acquiring.catch(() => undefined);
    await settle();
    host.pass(10_000);
    await expect(acquiring).rejects.toMatchObject({ code: 'ad/timeout' });
    open();
    await settle();
    expect(host.openImages).toBe(0);
  });

  it('that opens after the end of the game becomes no texture, and is closed', async () => {
    let open!: () => void;
    const later = new Promise<void>((resolve) => (open = resolve));
    const openVideo = host.openVideo.bind(host);
    host.openVideo = async (file, check) => later.then(() => openVideo(file, check));
    const acquiring = acquire();
    acquiring.catch(() => undefined);
    await settle();
    store.destroy();
    open();
    await expect(acquiring).rejects.toMatchObject({ code: 'lifecycle/destroyed' });
    expect([host.openImages, host.textures.size]).toEqual([0, 0]);
  });

  it('is fetched once for all, played by each on their own, and gone with them', async () => {
    const [first, second] = await Promise.all([acquire(), acquire()]);
    expect(host.requests).toHaveLength(1);
    expect(first.textureKey).not.toBe(second.textureKey);
    expect(first.video).not.toBe(second.video);
    first.refresh();
    first.release();
    expect(() => first.refresh()).not.toThrow();
    expect([host.textures.size, host.openImages]).toEqual([1, 1]);
    second.release();
    expect([host.textures.size, host.openImages]).toEqual([0, 0]);
    // What is closed already is not kept until the game ends.
    store.destroy();
    expect(host.openImages).toBe(0);
  });

  it('is closed with the game', async () => {
    const lease = await acquire();
    store.destroy();
    expect(host.openImages).toBe(0);
    expect(() => lease.release()).not.toThrow();
  });
});

describe('playing a video creative', () => {
  let video: FakeVideo;
  let told: string[];
  let refreshed: number;
  let player: AdVideo;
  let time: number;
  beforeEach(() => {
    video = new FakeVideo(10);
    told = [];
    refreshed = 0;
    time = 0;
    player = new AdVideo(video, {
      refreshTexture: () => {
        refreshed++;
      },
      tell: (milestone) => void told.push(milestone),
      fail: ({ code }) => void told.push(code),
      onPress: () => () => undefined,
    });
  });

  async function frames(count: number, percentageInView: number, seconds = 1): Promise<void> {
    for (let i = 0; i < count; i++) {
      player.update((time += 16), percentageInView);
      await settle();
      video.pass(seconds);
    }
    player.update((time += 16), percentageInView);
  }

  const ALL = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];

  it('tells start, quartiles and end once, in this order, when they are reached', async () => {
    await frames(1, 100, 0.1);
    expect(told).toEqual(ALL.slice(0, 1));
    await frames(1, 100, 2.3);
    expect(told).toEqual(ALL.slice(0, 1));
    await frames(1, 100, 0.1);
    expect(told).toEqual(ALL.slice(0, 2));
    await frames(20, 100);
    expect(told).toEqual(ALL);
    expect(video.playCount).toBe(1);
  });

  it('tells all that a long frame has skipped', async () => {
    await frames(1, 100, 60);
    expect(told).toEqual(ALL);
  });

  it('pauses below half in view and goes on where it stopped', async () => {
    await frames(3, 50);
    await frames(20, 49.9);
    expect(video.isPlaying).toBe(false);
    expect(video.currentTimeSeconds).toBe(3);
    expect(told).toEqual(ALL.slice(0, 2));
    await frames(20, 100);
    expect(told).toEqual(ALL);
  });

  it('never begins out of view', async () => {
    await frames(20, 10);
    expect([video.playCount, told, refreshed]).toEqual([0, [], 0]);
  });

  it('draws a frame once, and none while it stands', async () => {
    await frames(3, 100);
    expect(refreshed).toBe(3);
    for (let i = 0; i < 5; i++) player.update((time += 16), 100);
    expect(refreshed).toBe(3);
  });

  it('moves only while new pictures come: not before its first, paused, stuck, or after its end', async () => {
    expect(player.movesOn(time, 100)).toBe(false);
    await frames(1, 100, 0);
    expect([video.isPlaying, player.movesOn(time, 100)]).toEqual([true, false]);
    await frames(1, 100, 0.1);
    expect(player.movesOn(time, 100)).toBe(true);
    time += 250;
    await frames(1, 100, 0);
    expect([video.isPlaying, player.movesOn(time, 100)]).toEqual([true, false]);
    await frames(1, 100, 0.1);
    expect(player.movesOn(time, 100)).toBe(true);
    await frames(1, 0);
    expect(player.movesOn(time, 100)).toBe(false);
    await frames(20, 100);
    expect([video.hasEnded, player.movesOn(time, 100)]).toEqual([true, false]);
  });

  it('tells once that the browser refuses, and tries again after a mere interruption', async () => {
    video.refusal = new DOMException('interrupted', 'AbortError');
    await frames(2, 100);
    expect(video.playCount).toBe(3);
    video.refusal = new DOMException('not allowed', 'NotAllowedError');
    await frames(5, 100);
    expect(video.playCount).toBe(4);
    expect(told).toEqual(['ad/autoplay']);
  });

  it('is silent once it is destroyed, even by a handler', async () => {
    const silent = new AdVideo(video, {
      refreshTexture: () => undefined,
      tell: (milestone) => {
        told.push(milestone);
        silent.destroy();
      },
      fail: () => undefined,
      onPress: () => () => undefined,
    });
    player = silent;
    await frames(1, 100, 60);
    await frames(5, 100);
    expect(told).toEqual(['start']);
    expect(video.isPlaying).toBe(false);
  });
});
