import { readImageHeader } from '../../../src/creative/imageHeader.js';
import { DEFAULT_CREATIVE_LIMITS } from '../../../src/creative/CreativeLimits.js';
import { loadCreative } from '../../../src/creative/loadCreative.js';
import { isAdsError } from '../../../src/errors.js';
import { hostileCreatives, type HostileCreative, wholeCreatives } from '../../helpers/hostileCreatives.js';
import { FakeHost } from './FakeHost.js';

/** As the network hands a body over. */
const PIECE_BYTES = 65_536;

const files = hostileCreatives({ seed: 6, bombMebibytes: process.env['DEEP'] ? 1_024 : 16 });

/** Serves a file in pieces, and counts them. */
function serve(file: Omit<HostileCreative, 'name' | 'mustBeRefused'>) {
  const read = { bytes: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = file.bytes.subarray(read.bytes, read.bytes + PIECE_BYTES);
        read.bytes += piece.length;
        if (piece.length > 0) controller.enqueue(Uint8Array.from(piece));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = new Headers();
  if (file.contentType !== '') headers.set('content-type', file.contentType);
  if (file.contentLength !== undefined) headers.set('content-length', String(file.contentLength));
  return { read, answer: () => new Response(body, { headers }) };
}

/** Passes one file through the gate; the decoder believes the header, as real ones do. */
async function pass(file: Omit<HostileCreative, 'name' | 'mustBeRefused'>) {
  const host = new FakeHost();
  const { read, answer } = serve(file);
  host.answers = [answer];
  let decodedPx = 0;
  const environment = Object.assign(host, {
    decode: async (blob: Blob) => {
      host.decodeCount++;
      const { width, height } = readImageHeader(new Uint8Array(await blob.arrayBuffer()), true)!;
      decodedPx = width * height;
      return host.image(width, height);
    },
  });
  const code = await loadCreative('https://cdn.example.com/a', DEFAULT_CREATIVE_LIMITS, environment, never).then(
    (loaded) => {
      if ('close' in loaded) loaded.close();
      return null;
    },
    (error: unknown) => {
      if (!isAdsError(error)) throw error;
      return error.code;
    },
  );
  return { code, decodedPx, readBytes: read.bytes, decodeCount: host.decodeCount, openImages: host.openImages };
}

const never = new AbortController().signal;

describe(`${files.length} hostile files`, () => {
  it('are at least 300', () => {
    expect(files.length).toBeGreaterThanOrEqual(300);
  });

  it('F59 F61 F62 end in a typed refusal or a decode within the limits, 1 MiB + 64 KiB read at most', async () => {
    const wrong: unknown[] = [];
    for (const file of files) {
      const { code, decodedPx, readBytes, decodeCount, openImages } = await pass(file);
      const isRefused = code?.startsWith('ad/') === true && decodeCount === 0;
      const isWithin = decodedPx <= DEFAULT_CREATIVE_LIMITS.maxAreaPx && readBytes <= 1_048_576 + 65_536;
      if (!isWithin || openImages !== 0 || (file.mustBeRefused && !isRefused)) {
        wrong.push({ name: file.name, code, decodedPx, readBytes, decodeCount });
      }
    }
    expect(wrong).toEqual([]);
  });

  it('are told from whole images of every type, which pass', async () => {
    for (const file of wholeCreatives) expect(await pass(file)).toMatchObject({ code: null, decodeCount: 1 });
  });
});
