import type { CreativeEnvironment } from '../creative/CreativeEnvironment.js';
import type { TestAnswer } from '../testAnswers.js';
import { SLOW_MS, wait } from './serveTestAd.js';

/** Paints the picture of a test ad, as a PNG file. */
export type PaintTestAd = (width: number, height: number, words: readonly string[]) => Promise<Blob>;

/** Width and height of the header of a PNG that is too large for any game. */
const HUGE_PX = 20_000;
/** Signature and header of a PNG; nothing can be decoded from them alone. */
const PNG_HEADER_LENGTH = 33;

/**
 * Answers as an image host may.
 * @param pathname of a test creative: how to answer, the size, the number of the serve, the surface
 */
export async function answerTestImage(
  pathname: string,
  paint: PaintTestAd,
  { after }: CreativeEnvironment,
  { signal, mode }: RequestInit,
): Promise<Response> {
  const [, answer, size, serve, id] = pathname.split('/');
  const [width, height] = size!.split('x').map(Number) as [number, number];
  const picture = () => paint(width, height, ['TEST AD', decodeURIComponent(id!), `${size} · no. ${serve}`]);
  switch (answer as TestAnswer) {
    case 'blockedImage':
      throw new TypeError('Test mode: the image is blocked');
    case 'noCors':
      if (mode === 'no-cors') return new Response(null);
      throw new TypeError('Test mode: the image host does not allow its use');
    case 'missingImage':
      return new Response(null, { status: 404 });
    case 'wrongImage':
      return new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } });
    case 'brokenImage':
      return png((await picture()).slice(0, PNG_HEADER_LENGTH));
    case 'hugeImage':
      return png(withWidth(await picture(), HUGE_PX));
    case 'slowImage':
      await wait(SLOW_MS, { after, signal });
      break;
    case 'silentImage':
      await wait(null, { after, signal });
      break;
    default:
  }
  return png(await picture());
}

function png(file: Blob): Response {
  return new Response(file, { headers: { 'content-type': 'image/png' } });
}

/** The same file, its header claiming another width. */
function withWidth(file: Blob, width: number): Blob {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, width);
  return new Blob([file.slice(0, 16), bytes, file.slice(20)]);
}
