import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { webmOf } from '../../demo/service/creatives/webmOf.js';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type CreativeServer, serveCreatives, type ServedCreative } from '../helpers/serveCreatives.js';
import { type PageServer, servePages } from '../helpers/servePages.js';

/** 1 × 1 px, red, and after a tenth of a second green, for ever. */
const ANIMATED_GIF = Buffer.concat([
  Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\xff\0\0\0\xff\0', 'latin1'),
  Buffer.from('!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0', 'latin1'),
  ...[0x44, 0x4c].map((pixel) =>
    Buffer.concat([
      Buffer.from('!\xf9\x04\0\x0a\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02', 'latin1'),
      Buffer.from([pixel, 1, 0]),
    ]),
  ),
  Buffer.from(';'),
]);

const creatives = new Map<string, ServedCreative>([['gif', { bytes: ANIMATED_GIF, contentType: 'image/gif' }]]);

let browser: Browser;
let pages: PageServer;
let service: CreativeServer;
let page: Page;
let faults: Error[];

beforeAll(async () => {
  browser = await launchBrowser();
  pages = await servePages({ '/': await bundlePage('__tests__/browser/pages/creatives.ts') });
  service = await serveCreatives(creatives);
  page = await browser.newPage();
  await page.goto(pages.url);
  creatives.set('video', { bytes: Buffer.from(await page.evaluate(recordVideo), 'base64'), contentType: 'video/webm' });
  creatives.set('film', {
    bytes: await readFile('demo/service/creatives/comet-320x180.webm'),
    contentType: 'video/webm',
  });
  // As recorded by a browser that has an encoder for it.
  creatives.set('mp4', {
    bytes: await readFile('__tests__/helpers/media/red-then-blue-h264.mp4'),
    contentType: 'video/mp4',
  });
  creatives.set('breaksOff', {
    bytes: withBrokenPictures(creatives.get('film')!.bytes),
    contentType: 'video/webm',
  });
  for (const [name, sizes] of [
    [
      'grows',
      [
        [320, 180],
        [2048, 1100],
      ],
    ],
    ['liesOfSize', [[2048, 1100]]],
  ] as const) {
    const pictures = await page.evaluate(encodePictures, sizes);
    const frames = pictures.map(({ base64, ...frame }) => ({ ...frame, bytes: Buffer.from(base64, 'base64') }));
    const track = { width: 320, height: 180, codec: 'V_VP8', durationMs: frames.length * 100 } as const;
    creatives.set(name, { bytes: webmOf(frames, track), contentType: 'video/webm' });
  }
  creatives.set('broken', { bytes: creatives.get('video')!.bytes.subarray(0, 200), contentType: 'video/webm' });
  await page.close();
}, 240_000);
afterAll(async () => {
  await browser.close();
  await pages.close();
  await service.close();
});
beforeEach(async () => {
  page = await browser.newPage();
  faults = [];
  page.on('pageerror', (fault) => faults.push(fault));
  await page.goto(pages.url);
  await page.waitForFunction(() => 'startCreatives' in window);
  await page.evaluate((baseUrl) => window.startCreatives!(baseUrl), service.baseUrl);
});
afterEach(() => page.close());

/** A WebM of about 1.5 s as the browser's own recorder makes it: first red, then blue. */
async function recordVideo(): Promise<string> {
  const canvas = document.createElement('canvas');
  canvas.width = 64;
  canvas.height = 36;
  const context = canvas.getContext('2d')!;
  const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm;codecs=vp8' });
  const pieces: Blob[] = [];
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  recorder.start();
  for (let frame = 0; frame < 30; frame++) {
    context.fillStyle = frame < 15 ? '#ff0000' : '#0000ff';
    context.fillRect(0, 0, 64, 36);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await new Promise((resolve) => {
    recorder.onstop = resolve;
    recorder.stop();
  });
  const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Ten pictures of each size, ten a second, as VP8. */
async function encodePictures(sizes: readonly (readonly [width: number, height: number])[]) {
  const pictures: { base64: string; timeMs: number; isKey: boolean }[] = [];
  for (const [index, [width, height]] of sizes.entries()) {
    const encoder = new VideoEncoder({
      output: (chunk) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
        pictures.push({ base64, timeMs: chunk.timestamp / 1000, isKey: chunk.type === 'key' });
      },
      error: (error) => {
        throw error;
      },
    });
    encoder.configure({ codec: 'vp8', width, height, bitrate: 200_000 });
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d')!;
    for (let i = 0; i < 10; i++) {
      context.fillStyle = '#ff0000';
      context.fillRect(0, 0, width, height);
      const frame = new VideoFrame(canvas, { timestamp: (10 * index + i) * 100_000 });
      encoder.encode(frame, { keyFrame: i === 0 });
      frame.close();
    }
    await encoder.flush();
    encoder.close();
  }
  return pictures;
}

/** The strongest of red, green and blue. */
const hueOf = (pixel: string): string => {
  const parts = pixel.split(',').map(Number);
  return ['red', 'green', 'blue'][parts.indexOf(Math.max(...parts))]!;
};

/** A WebM file whose container is whole, and whose pictures in the second half no decoder knows. */
function withBrokenPictures(webm: Uint8Array): Buffer {
  const bytes = Buffer.from(webm);
  // A SimpleBlock: its size in eight bytes, then track, time and flags in four, then the picture.
  const block = Buffer.from('a301000000', 'hex');
  for (let at = bytes.indexOf(block, bytes.length >> 1); at >= 0; at = bytes.indexOf(block, at + 1)) {
    bytes.fill(0xff, at + 13, at + 23);
  }
  return bytes;
}

it('a video plays by itself while it is seen, tells start, quartiles and end, and leaves nothing behind', async () => {
  // The placeholder and the run's own listeners stay with the game.
  await page.evaluate(() => window.creatives!.placeAll(['gif']));
  const before = await page.evaluate(() => window.creatives!.census);
  const told = await page.evaluate(async () => {
    const target = window.creatives!;
    const heard: string[] = [];
    const names = ['start', 'firstquartile', 'midpoint', 'thirdquartile', 'complete'] as const;
    const { ads } = target.scene;
    const events = target.scene.events;
    for (const name of names)
      ads.on(`advideo${name}`, ({ durationSeconds }) => heard.push(`${name} ${durationSeconds > 1}`));
    const isOver = new Promise((resolve) => ads.once('advideocomplete', resolve));
    const ad = target.place('video');
    const state = await ad.ready;
    await target.pass(3);
    const first = await target.pixel();
    await isOver;
    await target.pass(3);
    const last = await target.pixel();
    const { mediaType, error, measurement } = ad;
    const percentage = measurement?.percentageInView;
    ad.destroy();
    for (const name of names) events.off(`advideo${name}`);
    await target.pass(2);
    return { state, code: error?.code ?? null, mediaType, percentage, heard, first, last };
  });
  expect(told).toMatchObject({ state: 'shown', code: null, mediaType: 'video', percentage: 100 });
  expect(told.heard).toEqual(['start', 'firstquartile', 'midpoint', 'thirdquartile', 'complete'].map((name) => `${name} true`)); // prettier-ignore
  expect([hueOf(told.first), hueOf(told.last)]).toEqual(['red', 'blue']);
  expect(await page.evaluate(() => window.creatives!.census)).toEqual(before);
  expect(faults).toEqual([]);
});

it('a video waits while it is covered', async () => {
  const times = await page.evaluate(async () => {
    const target = window.creatives!;
    const cover = target.scene.add.rectangle(200, 150, 400, 300, 0x00ff00).setDepth(1);
    const started: string[] = [];
    target.scene.ads.on('advideostart', () => started.push('start'));
    const ad = target.place('video');
    await ad.ready;
    await target.pass(30);
    const whileCovered = started.length;
    const isStarted = new Promise((resolve) => target.scene.ads.once('advideostart', resolve));
    cover.destroy();
    await isStarted;
    ad.destroy();
    return { whileCovered, after: started.length };
  });
  expect(times).toEqual({ whileCovered: 0, after: 1 });
  expect(faults).toEqual([]);
});

it('a video whose first frame can be drawn only after the browser has told of it is played all the same', async () => {
  const told = await page.evaluate(async () => {
    const target = window.creatives!;
    let canBeDrawn = false;
    const { texImage2D } = WebGLRenderingContext.prototype;
    // As Chromium does on a busy machine: nothing is drawn, and the texture is transparent.
    for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
      const { drawImage } = prototype;
      prototype.drawImage = function (...given: unknown[]): void {
        if (canBeDrawn || !(given[0] instanceof HTMLVideoElement)) drawImage.apply(this, given as never);
      };
    }
    WebGLRenderingContext.prototype.texImage2D = function (...given: unknown[]): void {
      const [, , , , , source] = given;
      const isEmpty = source instanceof HTMLVideoElement && !canBeDrawn;
      texImage2D.apply(this, (isEmpty ? [...given.slice(0, 5), new ImageData(64, 36)] : given) as never);
    };
    let hasStarted = false;
    target.scene.ads.once('advideostart', () => (hasStarted = true));
    const ad = target.place('video');
    await Promise.race([ad.ready, target.pass(60)]);
    await target.pass(10);
    canBeDrawn = true;
    const state = await ad.ready;
    await target.pass(120);
    return { state, hasStarted };
  });
  expect(told).toEqual({ state: 'shown', hasStarted: true });
  expect(faults).toEqual([]);
});

it('a film that the game moves on plays on, also where a browser draws nothing while it looks for the place', async () => {
  const told = await page.evaluate(async () => {
    const target = window.creatives!;
    let empty = 0;
    const isEmpty = (source: unknown): boolean => source instanceof HTMLVideoElement && source.seeking;
    // As Firefox does.
    for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
      const { drawImage } = prototype;
      prototype.drawImage = function (...given: unknown[]): void {
        if (!isEmpty(given[0])) drawImage.apply(this, given as never);
      };
    }
    const { texImage2D } = WebGLRenderingContext.prototype;
    WebGLRenderingContext.prototype.texImage2D = function (...given: unknown[]): void {
      const drawn = isEmpty(given[5]) ? [...given.slice(0, 5), new ImageData(64, 36)] : given;
      if (drawn !== given) empty++;
      texImage2D.apply(this, drawn as never);
    };
    const ad = target.place('film');
    await ad.ready;
    const film = ad.sprite.texture.getSourceImage() as unknown as HTMLVideoElement;
    await target.pass(30);
    film.currentTime = 3;
    // A busy machine takes its time for that.
    Object.defineProperty(film, 'seeking', { value: true, configurable: true });
    await target.pass(10);
    delete (film as { seeking?: boolean }).seeking;
    for (let i = 0; i < 600 && film.currentTime < 3.2; i++) await target.pass(1);
    return { time: film.currentTime, percent: target.scene.ads.measure(ad).percentageInView, empty };
  });
  expect(told.time).toBeGreaterThan(3.1);
  expect(told.percent).toBeCloseTo(100);
  expect(told.empty).toBe(0);
  expect(faults).toEqual([]);
});

it('a film stands while its scene is paused, the page hidden, the ad out of view or the context lost, and goes on', async () => {
  const told = await page.evaluate(async () => {
    const target = window.creatives!;
    const ad = target.place('film');
    await ad.ready;
    const film = ad.sprite.texture.getSourceImage() as unknown as HTMLVideoElement;
    const until = async (holds: () => boolean): Promise<boolean> => {
      for (let i = 0; i < 600 && !holds(); i++) await target.pass(1);
      return holds();
    };
    let isHidden = false;
    Object.defineProperty(document, 'visibilityState', { get: () => (isHidden ? 'hidden' : 'visible') });
    const hide = (hides: boolean): void => {
      isHidden = hides;
      document.dispatchEvent(new Event('visibilitychange'));
    };
    const { gl } = target.game.renderer as Phaser.Renderer.WebGL.WebGLRenderer;
    const context = gl.getExtension('WEBGL_lose_context')!;
    const halts: Record<string, [halt: () => void, goOn: () => void]> = {
      paused: [() => target.scene.scene.pause(), () => target.scene.scene.resume()],
      hidden: [() => hide(true), () => hide(false)],
      away: [() => ad.sprite.setX(-500), () => ad.sprite.setX(200)],
      lost: [() => context.loseContext(), () => context.restoreContext()],
    };
    const result: Record<string, boolean[]> = {};
    for (const [name, [halt, goOn]] of Object.entries(halts)) {
      film.currentTime = 0.5;
      const played = await until(() => !film.paused && !film.seeking);
      halt();
      const stood = await until(() => film.paused);
      goOn();
      const wentOn = await until(() => !film.paused);
      const at = film.currentTime;
      result[name] = [played, stood, wentOn, await until(() => film.currentTime > at)];
    }
    await target.pass(3);
    const pixel = await target.pixel();
    await target.restart();
    return { result, pixel, source: film.getAttribute('src'), isPaused: film.paused };
  });
  const allOf = [true, true, true, true];
  expect(told.result).toEqual({ paused: allOf, hidden: allOf, away: allOf, lost: allOf });
  // Not the black of a texture that was lost.
  expect(Math.max(...told.pixel.split(',').map(Number))).toBeGreaterThan(40);
  expect([told.source, told.isPaused]).toEqual([null, true]);
  expect(faults).toEqual([]);
});

it('an MP4 plays where the browser plays H.264, and is one typed error where it does not', async () => {
  const told = await page.evaluate(async () => {
    const target = window.creatives!;
    const isOver = new Promise((resolve) => target.scene.ads.once('advideocomplete', resolve));
    const ad = target.place('mp4');
    const state = await ad.ready;
    const pixels: string[] = [];
    if (state === 'shown') {
      await target.pass(3);
      pixels.push(await target.pixel());
      await isOver;
      await target.pass(3);
      pixels.push(await target.pixel());
    }
    const code = ad.error?.code ?? null;
    ad.destroy();
    const canPlay = document.createElement('video').canPlayType('video/mp4; codecs="avc1.42E01E"') !== '';
    return { canPlay, state, code, pixels };
  });
  const { canPlay, state, code, pixels } = told;
  expect([state, code]).toEqual(canPlay ? ['shown', null] : ['failed', 'ad/decode']);
  expect(pixels.map(hueOf)).toEqual(canPlay ? ['red', 'blue'] : []);
  expect(faults).toEqual([]);
});

it('a broken video is one typed error, and the placeholder stays', async () => {
  const [result] = await page.evaluate(() => window.creatives!.placeAll(['broken']));
  expect(result).toMatchObject({ state: 'failed' });
  expect(['ad/decode', 'ad/timeout', 'ad/duration']).toContain(result!.code);
  expect((await page.evaluate(() => window.creatives!.census)).openImages).toBe(0);
  expect(faults).toEqual([]);
});

it.each([
  ['breaksOff', 'a film that breaks off while it plays'],
  ['grows', 'a film whose pictures become larger than any may be'],
])('%s: %s is one typed error, and shows the picture at which it broke', async (name) => {
  const told = await page.evaluate(async (creative) => {
    const target = window.creatives!;
    const codes: string[] = [];
    const heard: string[] = [];
    const { ads } = target.scene;
    const onError = ({ error }: { error: { code: string } }) => void codes.push(error.code);
    ads.on('aderror', onError);
    for (const name of ['start', 'complete'] as const) ads.on(`advideo${name}`, () => heard.push(name));
    const ad = target.place(creative);
    const state = await ad.ready;
    for (let i = 0; i < 100 && codes.length === 0; i++) {
      await target.pass(3);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await target.pass(30);
    const after = { state: ad.state, codes, heard };
    ads.off('aderror', onError);
    for (const name of ['start', 'complete'] as const) target.scene.events.off(`advideo${name}`);
    ad.destroy();
    return { state, after };
  }, name);
  expect(told).toEqual({ state: 'shown', after: { state: 'shown', codes: ['ad/decode'], heard: ['start'] } });
  expect(faults).toEqual([]);
});

it('a video whose pictures are larger than its file says is refused as what it is', async () => {
  const [result] = await page.evaluate(() => window.creatives!.placeAll(['liesOfSize']));
  expect(result).toMatchObject({ state: 'failed', code: 'ad/dimensions' });
  expect((await page.evaluate(() => window.creatives!.census)).openImages).toBe(0);
});

it('an animated GIF shows its first frame, and goes on showing it', async () => {
  const pixels = await page.evaluate(async () => {
    const target = window.creatives!;
    const ad = target.place('gif');
    await ad.ready;
    await target.pass(3);
    const first = await target.pixel();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await target.pass(3);
    return [ad.mediaType, first, await target.pixel()];
  });
  expect(pixels).toEqual(['image', '255,0,0', '255,0,0']);
});
