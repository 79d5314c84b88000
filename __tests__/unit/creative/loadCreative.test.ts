import { ByteView } from '../../../src/creative/ByteView.js';
import { DEFAULT_CREATIVE_LIMITS } from '../../../src/creative/CreativeLimits.js';
import { loadCreative } from '../../../src/creative/loadCreative.js';
import { AdsError } from '../../../src/errors.js';
import { ftyp } from './avifFile.js';
import { answer, FakeHost, settle } from './FakeHost.js';
import { gif, jpeg, png, webpExtended } from './imageFiles.js';

const URL = 'https://cdn.example.com/ad.png';

let host: FakeHost;
beforeEach(() => (host = new FakeHost()));

async function load(signal: AbortSignal = new AbortController().signal) {
  const loaded = await loadCreative(URL, DEFAULT_CREATIVE_LIMITS, host, signal);
  if ('file' in loaded) throw new Error('a video');
  return loaded;
}

/** A body that counts what is read of it, in pieces of 16 KiB. */
function streamOf(head: Uint8Array, totalBytes: number) {
  const progress = { bytes: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = new Uint8Array(16_384);
        if (progress.bytes === 0) piece.set(head);
        progress.bytes += piece.length;
        controller.enqueue(piece);
        if (progress.bytes >= totalBytes) controller.close();
      },
      cancel: () => void (progress.isCancelled = true),
    },
    { highWaterMark: 0 },
  );
  return { body, progress };
}

/** The answer to a request with `redirect: 'manual'`: without status, headers and body. */
const opaqueRedirect = (): Response => Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });

describe('a creative', () => {
  it('is asked for without cookies, without following redirects, and decoded', async () => {
    host.answers = [answer(png(300, 250))];
    await expect(load()).resolves.toMatchObject({ width: 300, height: 250 });
    expect(host.requests).toHaveLength(1);
    expect(host.requests[0]!.init).toMatchObject({
      mode: 'cors',
      credentials: 'omit',
      redirect: 'manual',
      referrerPolicy: 'strict-origin',
    });
    expect(host.runningTimers).toBe(0);
  });

  it.each([
    'image/png; charset=binary',
    'IMAGE/JPEG',
    'application/octet-stream',
    '',
    'image/jpg',
    'image/x-png',
    'image/pjpeg',
    'image/*',
    'text/plain',
    'text/html; charset=utf-8',
    'unknown/unknown',
    'png',
  ])('S7: may be declared as "%s": its bytes decide', async (type) => {
    host.answers = [answer(png(300, 250), { headers: type === '' ? {} : { 'content-type': type } })];
    await expect(load()).resolves.toBeDefined();
  });

  it.each([
    ['JPEG', jpeg(250, 300)],
    ['PNG', png(250, 300)],
    ['WebP', webpExtended(250, 300)],
  ])('S8: may be turned by its own orientation: %s', async (_name, file) => {
    host.answers = [answer(file)];
    await expect(load()).resolves.toMatchObject({ width: 300, height: 250 });
  });

  it('S8: is of another size than its header says when it is a GIF, which knows no orientation', async () => {
    host.answers = [answer(gif(250, 300))];
    await expect(load()).rejects.toMatchObject({ code: 'ad/decode' });
    expect(host.openImages).toBe(0);
  });

  it('S7: that is none is told with what its host calls it', async () => {
    host.answers = [answer('<p>', { headers: { 'content-type': 'text/html' } })];
    await expect(load()).rejects.toMatchObject({ message: expect.stringContaining('text/html') as string });
    // A host may call it anything, and the message is printed.
    host.answers = [answer('<p>', { headers: { 'content-type': `text/html; x="<b>\u00e9 ${'%s'.repeat(99)}"` } })];
    await expect(load()).rejects.toMatchObject({ message: expect.stringMatching(/ calls it text\/html[\w./+?-]{51} \[/) as string }); // prettier-ignore
  });

  it('is handed on as what its bytes are, whatever its host calls it', async () => {
    const decode = jest.spyOn(host as { decode(file: Blob): unknown }, 'decode');
    host.answers = [answer(png(300, 250), { headers: { 'content-type': 'text/html' } })];
    await load();
    expect(decode.mock.calls[0]![0].type).toBe('image/png');
    host.answers = [answer(Uint8Array.from([...ftyp('isom', 'mp42'), ...Array<number>(99).fill(0)]))];
    const video = await loadCreative(URL, DEFAULT_CREATIVE_LIMITS, host, new AbortController().signal);
    expect('file' in video && video.file.type).toBe('video/mp4');
  });

  it.each([
    ['F58 404', answer(null, { status: 404 }), 'ad/http-status'],
    ['F58 500', answer(null, { status: 500 }), 'ad/http-status'],
    ['a 204 without a body', answer(null, { status: 204 }), 'ad/http-status'],
    ['a 200 without a body', answer(null), 'ad/decode'],
    ['B22 a redirect', answer(null, { status: 302 }), 'ad/redirect'],
    ['B22 a redirect as browsers tell of it', opaqueRedirect, 'ad/redirect'],
    ['F59 HTML', answer('<p>', { headers: { 'content-type': 'text/html' } }), 'ad/type'],
    ['an SVG', answer('<svg/>', { headers: { 'content-type': 'image/svg+xml' } }), 'ad/type'],
    ['F59 HTML declared as PNG', answer('<!doctype html><p>hello'), 'ad/type'],
    ['F59 0 bytes', answer(''), 'ad/decode'],
    ['F59 a truncated header', answer(png(300, 250).slice(0, 20)), 'ad/decode'],
    ['F61 20000 × 100', answer(png(20_000, 100)), 'ad/dimensions'],
    ['a declared weight above 1 MiB', answer(png(1, 1), { headers: { 'content-length': '1048577' } }), 'ad/too-large'],
  ])('is refused undecoded: %s', async (_, given, code) => {
    host.answers = [given];
    await expect(load()).rejects.toMatchObject({ code });
    expect(host.decodeCount).toBe(0);
    expect(host.runningTimers).toBe(0);
    expect(host.requests[0]!.init.signal?.aborted).toBe(true);
  });

  it('F62 is refused after at most 64 KiB when its header announces a bomb', async () => {
    const { body, progress } = streamOf(png(16_384, 16_384), 1_000_000);
    host.answers = [answer(body)];
    await expect(load()).rejects.toMatchObject({ code: 'ad/dimensions' });
    expect(progress.bytes).toBeLessThanOrEqual(65_536);
  });

  it('may be a JPEG of a hundred scans, and of no more, whatever its other bytes are', async () => {
    const others = Array<number>(1_000).fill(0xda);
    const withScans = (count: number) =>
      answer(Uint8Array.from([...jpeg(300, 250), ...others, ...Array<number[]>(count).fill([0xff, 0xda]).flat()]));
    host.answers = [withScans(100)];
    await expect(load()).resolves.toBeDefined();
    host.answers = [withScans(101)];
    await expect(load()).rejects.toMatchObject({ code: 'ad/decode' });
  });

  it('is cut off at 1 MiB when it says less than it weighs', async () => {
    const { body, progress } = streamOf(png(300, 250), 50_000_000);
    host.answers = [answer(body)];
    await expect(load()).rejects.toMatchObject({ code: 'ad/too-large' });
    expect(progress.bytes).toBeLessThanOrEqual(1_048_576 + 65_536);
  });

  it('that comes in drops is not looked through at each of them', async () => {
    const file = jpeg(300, 250, 60_000);
    const looks = jest.spyOn(ByteView.prototype, 'text');
    const countOf = async (pieceBytes: number) => {
      let at = 0;
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        controller.enqueue(file.slice(at, (at += pieceBytes)));
        if (at >= file.length) controller.close();
      };
      host.answers = [answer(new ReadableStream({ pull }))];
      looks.mockClear();
      (await load()).close();
      return looks.mock.calls.length;
    };
    const inOne = await countOf(file.length);
    expect(await countOf(500)).toBeLessThanOrEqual(5 * inOne);
  });

  it('that says it is too heavy is not read at all', async () => {
    const { body, progress } = streamOf(png(300, 250), 50_000_000);
    host.answers = [answer(body, { headers: { 'content-type': 'image/png', 'content-length': '50000000' } })];
    await expect(load()).rejects.toMatchObject({ code: 'ad/too-large' });
    expect(progress.bytes).toBe(0);
  });

  it.each(['1048576', '1', '0', 'no number', undefined])(
    'weighs exactly 1 MiB and arrives whole, in one piece or in many, declared as %s',
    async (declared) => {
      const file = Uint8Array.from({ length: 1_048_576 }, (_, i) => i % 251);
      file.set(png(300, 250));
      const decode = jest.spyOn(host, 'decode');
      for (const pieceBytes of [10_000, file.length]) {
        let at = 0;
        const body = new ReadableStream({
          pull(stream) {
            stream.enqueue(file.slice(at, (at += pieceBytes)));
            if (at >= file.length) stream.close();
          },
        });
        host.answers = [answer(body, { headers: declared === undefined ? {} : { 'content-length': declared } })];
        await load();
        const [blob] = decode.mock.calls.at(-1) as unknown as [Blob];
        expect(Buffer.from(await blob.arrayBuffer()).equals(file)).toBe(true);
      }
    },
  );

  it.each([
    [10, 10],
    [300, 10],
    [10, 250],
    [250, 10],
    [10, 300],
  ])('is refused and freed when it decodes to another size than announced (%d × %d)', async (width, height) => {
    host.answers = [answer(png(width, height))];
    await expect(load()).rejects.toMatchObject({ code: 'ad/decode' });
    expect(host.openImages).toBe(0);
  });

  it('above 2 Mpx is made smaller before it becomes a texture, in its own shape', async () => {
    host.answers = [answer(png(4096, 2048))];
    host.decoded = async () => host.image(4096, 2048);
    const image = await load();
    expect(image).toMatchObject({ width: 2048, height: 1024 });
    expect(host.openImages).toBe(1);
    image.close();
    const shrink = jest.spyOn(host, 'shrink');
    for (const [width, height] of [
      [2, 4096],
      [2048, 1024],
    ] as const) {
      host.answers = [answer(png(width, height))];
      host.decoded = async () => host.image(width, height);
      await expect(load()).resolves.toMatchObject({ width, height });
    }
    expect(shrink).not.toHaveBeenCalled();
  });

  it('is made smaller to whole pixels, and let go of only then; or refused where that fails', async () => {
    host.answers = [answer(png(3000, 1501))];
    let isOpen = true;
    host.decoded = async () => ({ width: 3000, height: 1501, close: () => (isOpen = false) });
    jest.spyOn(host, 'shrink').mockImplementation(async (_image, width, height) => {
      await settle();
      expect([isOpen, width, height]).toEqual([true, Math.floor(width), Math.floor(height)]);
      return host.image(width, height);
    });
    await expect(load()).resolves.toBeDefined();
    expect(isOpen).toBe(false);
    isOpen = true;
    jest.spyOn(host, 'shrink').mockRejectedValue(new DOMException('no memory', 'InvalidStateError'));
    await expect(load()).rejects.toMatchObject({ code: 'ad/decode' });
    expect(isOpen).toBe(false);
  });

  it('F64 is refused when the decoder fails', async () => {
    host.answers = [answer(png(300, 250))];
    host.decoded = async () => Promise.reject(new DOMException('no memory', 'InvalidStateError'));
    await expect(load()).rejects.toMatchObject({ code: 'ad/decode' });
  });
});

describe('an image host that cannot be reached', () => {
  const failing = (): never => {
    throw new TypeError('Failed to fetch');
  };

  it('F60 lacks the CORS header when it answers a request that may read nothing', async () => {
    host.answers = [failing, answer(''), failing];
    await expect(load()).rejects.toMatchObject({
      code: 'ad/cors',
      hint: expect.stringContaining('Access-Control-Allow-Origin') as string,
    });
    expect(host.requests[1]!.init).toMatchObject({ mode: 'no-cors', credentials: 'omit', redirect: 'follow' });
  });

  it('S10: is asked once more past the cache, which may hold an answer to an <img>', async () => {
    host.answers = [failing, answer(''), answer(png(300, 250))];
    await expect(load()).resolves.toMatchObject({ width: 300, height: 250 });
    expect(host.requests.map(({ init }) => [init.mode, init.cache])).toEqual([
      ['cors', undefined],
      ['no-cors', undefined],
      ['cors', 'reload'],
    ]);
  });

  it('R7: whose answer may not be read is not made to send the rest of it', async () => {
    const { body, progress } = streamOf(png(300, 250), 1_000_000);
    // As browsers have it: the page gets no body that it could cancel.
    const opaque = (): Response => {
      host.requests[1]!.init.signal!.addEventListener('abort', () => void body.cancel());
      return new Response(null);
    };
    host.answers = [failing, opaque, answer(png(300, 250))];
    await expect(load()).resolves.toMatchObject({ width: 300, height: 250 });
    expect(progress).toEqual({ bytes: 0, isCancelled: true });
  });

  it('is unreachable when that fails too', async () => {
    host.answers = [failing];
    await expect(load()).rejects.toMatchObject({ code: 'net/unreachable' });
    expect(host.requests).toHaveLength(2);
  });

  it('S9: lacks the CORS header or is down, on a page where such a request tells neither', async () => {
    host.isIsolated = true;
    host.answers = [failing];
    await expect(load()).rejects.toMatchObject({ code: 'ad/cors' });
    host.answers = [failing, failing, answer(png(300, 250))];
    await expect(load()).resolves.toMatchObject({ width: 300, height: 250 });
  });

  it('is not asked again while the device is offline', async () => {
    host.answers = [failing];
    host.online = false;
    await expect(load()).rejects.toMatchObject({ code: 'net/offline' });
    expect(host.requests).toHaveLength(1);
  });
});

describe('a load that takes too long', () => {
  it.each([
    ['the host never answers', () => new Promise<Response>(() => undefined)],
    ['the body never ends', () => new Response(new ReadableStream(), { headers: { 'content-type': 'image/png' } })],
  ])('F58 ends after 15 s when %s', async (_, given) => {
    host.answers = [given];
    const loading = load();
    const settled = jest.fn();
    loading.catch(settled);
    await settle();
    host.pass(14_999);
    await settle();
    expect(settled).not.toHaveBeenCalled();
    host.pass(1);
    await expect(loading).rejects.toMatchObject({ code: 'ad/timeout' });
    expect(host.requests[0]!.init.signal?.aborted).toBe(true);
  });

  it('ends 5 s after decoding began, and frees an image that comes later', async () => {
    host.answers = [answer(png(300, 250))];
    let finish!: () => void;
    host.decoded = () => new Promise((resolve) => (finish = () => resolve(host.image(300, 250))));
    const loading = load();
    loading.catch(() => undefined);
    await settle();
    host.pass(5_000);
    await expect(loading).rejects.toMatchObject({ code: 'ad/timeout' });
    finish();
    await settle();
    expect(host.openImages).toBe(0);
  });

  it('spends no time on making an image smaller that nobody waits for any more', async () => {
    const controller = new AbortController();
    const shrink = jest.spyOn(host, 'shrink');
    host.answers = [answer(png(4096, 2048))];
    host.decoded = async () => {
      controller.abort(new AdsError('place/scene-stopped', 'test'));
      return host.image(4096, 2048);
    };
    await expect(load(controller.signal)).rejects.toMatchObject({ code: 'place/scene-stopped' });
    await settle();
    expect(shrink).not.toHaveBeenCalled();
    expect(host.openImages).toBe(0);
  });

  it('ends with the reason of its signal, at any time', async () => {
    host.answers = [() => new Promise<Response>(() => undefined)];
    const controller = new AbortController();
    const loading = load(controller.signal);
    const reason = new AdsError('place/scene-stopped', 'test');
    controller.abort(reason);
    await expect(loading).rejects.toBe(reason);
    await expect(load(controller.signal)).rejects.toBe(reason);
    expect(host.runningTimers).toBe(0);
  });
});
