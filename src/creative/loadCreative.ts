import { AdsError, isAdsError } from '../errors.js';
import type { CreativeEnvironment } from './CreativeEnvironment.js';
import type { CreativeImage } from './CreativeImage.js';
import type { CreativeLimits } from './CreativeLimits.js';
import { checkDecodeCost } from './checkDecodeCost.js';
import { checkDimensions, type ImageHeader, readImageHeader } from './imageHeader.js';
import { ByteView } from './ByteView.js';
import { type VideoType, videoTypeOf } from './videoType.js';
import { withDeadline } from './withDeadline.js';
import { unread } from '../waiting.js';

/** The header is looked for again only after so many more bytes, so that a drip of bytes costs no more than a flood. */
const HEADER_STEP_BYTES = 16_384;

/** Bytes of a body that are asked for at once. */
const PIECE_BYTES = 65_536;

/** No cookies, no referrer path, and a redirect is seen instead of followed. */
const REQUEST: RequestInit = Object.freeze({
  mode: 'cors',
  credentials: 'omit',
  redirect: 'manual',
  referrerPolicy: 'strict-origin',
} as const);

/** A video in one piece, to be opened once for each place that shows it. */
export interface VideoFile {
  readonly file: Blob;
}

/**
 * The gate a creative passes: address (checked by the caller) → answer → weight → real type and
 * dimensions, both read from the first bytes → cost of decoding → decoded within a deadline → the same dimensions → no
 * larger than a frame can upload. What is refused is never decoded, and fetched no further than needed to know. A video
 * passes up to its real type and weight; the rest of its gate is `openVideo`.
 *
 * @param signal ends the load; its reason is what the promise rejects with
 * @throws AdsError `ad/…`, `net/offline`, `net/unreachable`, or the signal's reason
 */
export async function loadCreative(
  url: string,
  limits: CreativeLimits,
  environment: CreativeEnvironment,
  signal: AbortSignal,
): Promise<CreativeImage | VideoFile> {
  const { file, header } = await withDeadline(limits.fetchTimeoutMs, environment, signal, (cut) =>
    fetchFile(url, limits, environment, cut),
  );
  if (isVideo(header)) return { file };
  return withDeadline(
    limits.decodeTimeoutMs,
    environment,
    signal,
    (cut) => decode(file, header, limits, environment, cut),
    (image) => image.close(),
  );
}

interface VideoHeader {
  readonly type: VideoType;
}

interface FetchedFile {
  readonly file: Blob;
  readonly header: ImageHeader | VideoHeader;
}

function isVideo(header: ImageHeader | VideoHeader): header is VideoHeader {
  return header.type.startsWith('video/');
}

async function fetchFile(
  url: string,
  limits: CreativeLimits,
  environment: CreativeEnvironment,
  signal: AbortSignal,
): Promise<FetchedFile> {
  const response = await fetchAnswer(url, environment, signal);
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    throw new AdsError('ad/redirect', 'The creative has moved to another address');
  }
  if (response.status !== 200) {
    const details = { status: response.status };
    throw new AdsError('ad/http-status', `The image host answered with status ${response.status}`, details);
  }
  const declaredBytes = Number(response.headers.get('content-length'));
  if (declaredBytes > limits.maxVideoBytes) throw tooLarge(limits.maxVideoBytes);
  try {
    return await readBody(response, declaredBytes, limits);
  } catch (error) {
    // The bytes decide: hosts call images image/jpg, text/plain and much else. The declared type only helps to find the mistake.
    const declared = printable(response.headers.get('content-type') ?? '');
    if (!isAdsError(error, 'ad/type') || declared === '') throw error;
    throw new AdsError('ad/type', `The file is none of the types creatives may have; its host calls it ${declared}`);
  }
}

async function readBody(response: Response, declaredBytes: number, limits: CreativeLimits): Promise<FetchedFile> {
  const reader = openReader(response.body!);
  let piece = new Uint8Array(PIECE_BYTES);
  const body = new ByteBuffer(declaredBytes, limits.maxBytes);
  let header: ImageHeader | VideoHeader | null = null;
  let nextLook = 0;
  for (;;) {
    const { done, value } = await reader.read(piece);
    if (value !== undefined) {
      if (!body.append(value)) throw tooLarge(body.maxLength);
      // A `byob` reader gives the buffer back in its answer; another reader has not taken it.
      if (piece.length === 0) piece = new Uint8Array(value.buffer);
    }
    if (header === null && (done || body.length >= nextLook)) {
      header = readHeader(body.bytes, done, limits);
      if (header !== null && isVideo(header)) body.maxLength = limits.maxVideoBytes;
      if (header !== null && declaredBytes > body.maxLength) throw tooLarge(body.maxLength);
      nextLook = body.length + HEADER_STEP_BYTES;
    }
    if (done) break;
  }
  // With no more bytes to come the header has been read, or its absence has been thrown.
  const { type } = header!;
  if (!isVideo(header!)) checkDecodeCost(body.bytes, header!, limits);
  return { file: new Blob([body.bytes], { type }), header: header! };
}

interface PieceReader {
  /** Reads into the given buffer, which moves into the answer; a stream that cannot do so gives pieces of its own. */
  read(into: Uint8Array<ArrayBuffer>): Promise<{ done: boolean; value?: Uint8Array<ArrayBuffer> | undefined }>;
}

/** A `byob` reader, where possible: another one hands a busy page megabytes at once. */
function openReader(body: ReadableStream<Uint8Array<ArrayBuffer>>): PieceReader {
  try {
    return body.getReader({ mode: 'byob' });
  } catch {
    return body.getReader();
  }
}

function readHeader(bytes: Uint8Array, isComplete: boolean, limits: CreativeLimits): ImageHeader | VideoHeader | null {
  const type = readVideoType(bytes);
  if (type !== null) return { type };
  const header = readImageHeader(bytes, isComplete);
  if (header !== null) checkDimensions(header, limits);
  return header;
}

function readVideoType(bytes: Uint8Array): VideoType | null {
  try {
    return videoTypeOf(new ByteView(bytes));
  } catch {
    // There are too few bytes yet.
    return null;
  }
}

async function decode(
  file: Blob,
  header: ImageHeader,
  limits: CreativeLimits,
  environment: CreativeEnvironment,
  signal: AbortSignal,
): Promise<CreativeImage> {
  const image = await environment.decode(file);
  if (!isSameSize(image, header)) {
    image.close();
    throw new AdsError('ad/decode', 'The image is of another size than its header says');
  }
  const scale = Math.sqrt(limits.maxTextureAreaPx / (image.width * image.height));
  if (scale >= 1 || signal.aborted) return image;
  // Its upload to the GPU would hold up a frame.
  try {
    return await environment.shrink(image, Math.floor(image.width * scale), Math.floor(image.height * scale));
  } finally {
    image.close();
  }
}

/**
 * Files may ask to be turned by 90° (Exif, in PNG its eXIf chunk, in AVIF a property); their header tells the size before
 * that.
 */
function isSameSize(image: CreativeImage, header: ImageHeader): boolean {
  const { width, height } = image;
  if (width === header.width && height === header.height) return true;
  return header.type !== 'image/gif' && width === header.height && height === header.width;
}

/**
 * The host's answer. An answer in the browser's cache may lack the header that lets the page read it, because an `<img>`
 * has asked for it without naming the page: the host is then asked once more, past the cache.
 */
async function fetchAnswer(url: string, environment: CreativeEnvironment, signal: AbortSignal): Promise<Response> {
  const ask = (how: RequestInit): Promise<Response> => environment.fetch(url, { ...REQUEST, signal, ...how });
  try {
    return await ask({});
  } catch (cause) {
    if (!environment.isOnline()) throw new AdsError('net/offline', 'The creative could not be fetched');
    const answers = await isThere(ask, signal);
    if (!answers && !(await environment.requiresLeave(signal))) {
      const hint = 'Is the image host up, and is no blocker or content security policy (connect-src) in the way?';
      throw new AdsError('net/unreachable', 'The image host could not be reached', { cause, hint });
    }
    try {
      return await ask({ cache: 'reload' });
    } catch {
      const what = answers ? 'The image host answers, but' : 'The image host is down, or';
      throw new AdsError('ad/cors', `${what} does not let this page read the image`, { cause });
    }
  }
}

/** A browser hides why a request failed. If a `no-cors` answer arrives, of which nothing may be read, the host is there. */
async function isThere(ask: (how: RequestInit) => Promise<Response>, signal: AbortSignal): Promise<boolean> {
  try {
    await unread((cut) => ask({ mode: 'no-cors', redirect: 'follow', signal: cut }), signal);
    return true;
  } catch {
    return false;
  }
}

/** Collects bytes that arrive in pieces in one array. It grows in few steps, because each array it outgrows becomes garbage. */
class ByteBuffer {
  #array: Uint8Array<ArrayBuffer>;
  length = 0;

  /** @param expectedLength the declared length, which decides nothing; 0 or NaN where none was declared */
  constructor(
    expectedLength: number,
    public maxLength: number,
  ) {
    this.#array = new Uint8Array(expectedLength > 0 ? expectedLength : PIECE_BYTES);
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#array.subarray(0, this.length);
  }

  /** False when there would be more than allowed. */
  append(piece: Uint8Array): boolean {
    const length = this.length + piece.length;
    if (length > this.maxLength) return false;
    if (length > this.#array.length) {
      const larger = new Uint8Array(Math.min(this.maxLength, Math.max(length, 4 * this.#array.length)));
      larger.set(this.bytes);
      this.#array = larger;
    }
    this.#array.set(piece, this.length);
    this.length = length;
    return true;
  }
}

function tooLarge(maxBytes: number): AdsError {
  return new AdsError('ad/too-large', `The creative weighs more than ${maxBytes} bytes`);
}

function printable(type: string): string {
  return type.replace(/[^\w./+-]/g, '?').slice(0, 60);
}
