import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { paintComet } from './paintComet.js';
import { webmOf, type EncodedFrame } from './webmOf.js';

// Renders paintComet.ts to comet-320x180.webm (VP9), frame by frame and not in real time, so that it is the same file on
// every machine with the same encoder. Run after a change of the art:
// CHROMIUM=/usr/bin/chromium npx tsx demo/service/creatives/renderVideo.ts

const WIDTH = 320;
const HEIGHT = 180;
const FRAMES_PER_SECOND = 24;
const SECONDS = 6;
const BITS_PER_SECOND = 130_000;

const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium' });
const page = await browser.newPage();
// Browsers encode on pages of secure origins only.
await page.route('https://render.invalid/', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
await page.goto('https://render.invalid/');
// Functions travel to the page as text, where the names some compilers wrap them in do not exist.
await page.evaluate('globalThis.__name = (value) => value');
await page.evaluate(`globalThis.paintComet = ${paintComet.toString()}`);
const frames = await page.evaluate(encode, [WIDTH, HEIGHT, FRAMES_PER_SECOND, SECONDS, BITS_PER_SECOND] as const);
await browser.close();

const decoded: EncodedFrame[] = frames.map(({ base64, ...frame }) => ({
  ...frame,
  bytes: Buffer.from(base64, 'base64'),
}));
const file = webmOf(decoded, { width: WIDTH, height: HEIGHT, codec: 'V_VP9', durationMs: SECONDS * 1000 });
await writeFile(join(process.cwd(), 'demo', 'service', 'creatives', 'comet-320x180.webm'), file);
console.log(`${decoded.length} frames, ${file.length} bytes`);

/** Runs in the page. */
async function encode([width, height, framesPerSecond, seconds, bitrate]: readonly [
  number,
  number,
  number,
  number,
  number,
]) {
  const paint = (globalThis as unknown as { paintComet: typeof paintComet }).paintComet;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  const chunks: { base64: string; timeMs: number; isKey: boolean }[] = [];
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
      chunks.push({ base64, timeMs: Math.round(chunk.timestamp / 1000), isKey: chunk.type === 'key' });
    },
    error: (error) => {
      throw error;
    },
  });
  encoder.configure({
    codec: 'vp09.00.10.08',
    width,
    height,
    bitrate,
    framerate: framesPerSecond,
    latencyMode: 'quality',
  });
  for (let i = 0; i < seconds * framesPerSecond; i++) {
    paint(context, width, height, i / framesPerSecond);
    const frame = new VideoFrame(canvas, { timestamp: Math.round((i * 1e6) / framesPerSecond) });
    encoder.encode(frame, { keyFrame: i % (2 * framesPerSecond) === 0 });
    frame.close();
    if (encoder.encodeQueueSize > 4) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await encoder.flush();
  encoder.close();
  return chunks;
}
