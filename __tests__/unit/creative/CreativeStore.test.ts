import { DEFAULT_CREATIVE_LIMITS } from '../../../src/creative/CreativeLimits.js';
import { CreativeStore } from '../../../src/creative/CreativeStore.js';
import { AdsError } from '../../../src/errors.js';
import { answer, FakeHost, settle } from './FakeHost.js';
import { png } from './imageFiles.js';

const URL = 'https://cdn.example.com/ad.png';
const WEBM = Uint8Array.from('\x1a\x45\xdf\xa3\x87\x42\x82\x84webm', (c) => c.charCodeAt(0));

let host: FakeHost;
let store: CreativeStore;
beforeEach(() => {
  host = new FakeHost();
  host.answers = [answer(png(300, 250))];
  store = newStore();
});

const newStore = () => new CreativeStore({ hosts: null, allowLoopback: false }, DEFAULT_CREATIVE_LIMITS, host, host);
const acquire = (url = URL, signal = new AbortController().signal) => store.acquire(url, signal);

describe('a creative in the store', () => {
  it('is loaded once for all who want it at the same time, and gone with the last of them', async () => {
    const [first, second] = await Promise.all([acquire(), acquire()]);
    expect(first).toMatchObject({ textureKey: 'texture 1', width: 300, height: 250 });
    expect(second.textureKey).toBe('texture 1');
    expect(host.requests).toHaveLength(1);
    first.release();
    first.release();
    expect(host.textures.size).toBe(1);
    second.release();
    expect(host.textures.size).toBe(0);
    expect(host.openImages).toBe(0);
  });

  it('is loaded anew when it is wanted after that', async () => {
    (await acquire()).release();
    (await acquire()).release();
    expect(host.requests).toHaveLength(2);
  });

  it('stays open as long as its texture', async () => {
    const lease = await acquire();
    expect(host.openImages).toBe(1);
    lease.release();
    expect(host.openImages).toBe(0);
  });

  it('tells everyone its size, also where its texture has a copy of it and it is closed', async () => {
    const image = { width: 300, height: 250, close: () => Object.assign(image, { width: 0, height: 0 }) };
    host.decoded = async () => image;
    const add = host.add.bind(host);
    host.add = () => {
      image.close();
      return add();
    };
    expect(await acquire()).toMatchObject({ width: 300, height: 250 });
    expect(await acquire()).toMatchObject({ width: 300, height: 250 });
  });

  it('with something painted over it is a texture of its own, and both go with it', async () => {
    const [plain, other] = await Promise.all([acquire(), acquire()]);
    const painted = plain.paintedOver({ scale: 1, paint: () => undefined });
    expect(painted).toMatchObject({ textureKey: 'texture 2', width: 300, height: 250, video: null });
    painted.refresh();
    expect(host.refreshed).toEqual(['texture 2']);
    other.release();
    expect([...host.textures]).toEqual(['texture 1', 'texture 2']);
    host.inUse.add('texture 2');
    painted.release();
    painted.release();
    painted.refresh();
    expect(host.refreshed).toHaveLength(1);
    expect([...host.textures]).toEqual(['texture 2']);
    host.inUse.clear();
    (await acquire('https://cdn.example.com/other.png')).release();
    expect(host.textures.size).toBe(0);
    expect(host.openImages).toBe(0);
  });

  it('that is let go of both by itself and by what is painted over it stays with its other users', async () => {
    const [plain, other] = await Promise.all([acquire(), acquire()]);
    plain.paintedOver({ scale: 1, paint: () => undefined }).release();
    plain.release();
    expect([...host.textures]).toEqual([other.textureKey]);
  });

  it('that cannot be painted over is still held, and let go as usual', async () => {
    const lease = await acquire();
    host.uploadFails = true;
    expect(() => lease.paintedOver({ scale: 1, paint: () => undefined })).toThrow(TypeError);
    lease.release();
    expect(host.textures.size).toBe(0);
  });

  it('stays while something still draws it, and goes with the next chance', async () => {
    const lease = await acquire();
    host.inUse.add(lease.textureKey);
    lease.release();
    expect(host.textures.size).toBe(1);
    expect(host.openImages).toBe(1);
    host.inUse.clear();
    (await acquire('https://cdn.example.com/other.png')).release();
    expect(host.textures.size).toBe(0);
    expect(host.openImages).toBe(0);
  });

  it('is not forgotten when the game lets go of it as it hears of another texture that was removed', async () => {
    const [other, lease] = await Promise.all([acquire('https://cdn.example.com/other.png'), acquire()]);
    host.inUse.add(lease.textureKey);
    const remove = host.remove.bind(host);
    host.remove = (key) => {
      const isGone = remove(key);
      lease.release();
      return isGone;
    };
    other.release();
    expect(host.openImages).toBe(1);
    host.inUse.clear();
    (await acquire()).release();
    expect([host.textures.size, host.openImages]).toEqual([0, 0]);
  });

  it.each([
    ['its last user leaves', 'is decoded'],
    ['its last user leaves', 'becomes a texture'],
    ['the game ends', 'is decoded'],
    ['the game ends', 'becomes a texture'],
  ])('is gone when %s at any turn around the one in which it %s', async (what, when) => {
    for (const file of [png(300, 250), WEBM]) {
      // Turn -1 is within: Phaser tells the game of a texture as it is made.
      for (let turns = -1; turns < 24; turns++) {
        store = newStore();
        host.answers = [answer(file)];
        const controller = new AbortController();
        let hasGameEnded = false;
        let late = 0;
        const end = (): void => {
          hasGameEnded = what === 'the game ends';
          if (hasGameEnded) store.destroy();
          else controller.abort(new AdsError('net/aborted', 'test'));
        };
        const begin = (step: string): void => {
          if (step !== when) return;
          if (turns < 0) end();
          else void afterTurns(turns).then(end);
        };
        const [image, add] = [host.image.bind(host), host.add.bind(host)];
        host.image = (...size) => (begin('is decoded'), image(...size));
        host.add = () => {
          // Not thrown from here: the store would take that for a texture that failed.
          if (hasGameEnded) late++;
          begin('becomes a texture');
          return add();
        };
        await acquire(URL, controller.signal).then(
          (lease) => lease.release(),
          (error: unknown) =>
            expect(error).toMatchObject({ code: what === 'the game ends' ? 'lifecycle/destroyed' : 'net/aborted' }),
        );
        await settle();
        Object.assign(host, { image, add });
        // A game that ends takes its textures along.
        if (what === 'the game ends') host.textures.clear();
        const left = { textures: host.textures.size, openImages: host.openImages };
        expect({ turns, late, ...left }).toEqual({ turns, late: 0, textures: 0, openImages: 0 });
      }
    }
  });

  it('that fails as its user leaves says why the user left', async () => {
    host.answers = [answer(WEBM)];
    const controller = new AbortController();
    const reason = new AdsError('place/scene-stopped', 'test');
    host.add = () => {
      controller.abort(reason);
      throw new TypeError('no context');
    };
    await expect(acquire(URL, controller.signal)).rejects.toBe(reason);
    expect(host.openImages).toBe(0);
  });

  it('goes on loading when one of two gives up, and ends when both do', async () => {
    let respond!: () => void;
    host.answers = [() => new Promise((resolve) => (respond = () => resolve(answer(png(300, 250))())))];
    const [impatient, patient, alone] = [new AbortController(), new AbortController(), new AbortController()];
    const first = acquire(URL, impatient.signal);
    const second = acquire(URL, patient.signal);
    await settle();
    const reason = new AdsError('net/aborted', 'test');
    impatient.abort(reason);
    await expect(first).rejects.toBe(reason);
    respond();
    (await second).release();
    const third = acquire(URL, alone.signal);
    await settle();
    alone.abort(reason);
    await expect(third).rejects.toBe(reason);
    expect(host.requests[1]!.init.signal?.aborted).toBe(true);
    respond();
    await settle();
    expect(host.textures.size).toBe(0);
    expect(host.openImages).toBe(0);
  });

  it('F57 is refused and freed when it cannot become a texture, for instance without a WebGL context', async () => {
    host.uploadFails = true;
    await expect(acquire()).rejects.toMatchObject({ code: 'ad/texture', retryable: true });
    expect(host.openImages).toBe(0);
  });

  it('of a large area waits two frames after another one, a small one does not', async () => {
    host.decoded = async () => host.image(1000, 1000);
    host.answers = [answer(png(1000, 1000))];
    const controller = new AbortController();
    const loads = ['a', 'b', 'c'].map((name) =>
      acquire(`https://cdn.example.com/${name}.png`, name === 'c' ? controller.signal : undefined),
    );
    await loads[0];
    await settle();
    expect(host.textures.size).toBe(1);
    host.decoded = async () => host.image(300, 250);
    host.answers = [answer(png(300, 250))];
    await acquire('https://cdn.example.com/small.png');
    expect(host.textures.size).toBe(2);
    const gone = new AdsError('net/aborted', 'test');
    controller.abort(gone);
    await expect(loads[2]).rejects.toBe(gone);
    host.pass(34);
    await loads[1];
    expect(host.textures.size).toBe(3);
    expect(host.openImages).toBe(3);
    store.destroy();
    expect(host.runningTimers).toBe(0);
  });

  it('of a large area has its frame for itself, however many wait at the same time', async () => {
    host.decoded = async () => host.image(1000, 1000);
    host.answers = [answer(png(1000, 1000))];
    const loads = ['a', 'b', 'c', 'd'].map((name) => acquire(`https://cdn.example.com/${name}.png`));
    for (let uploaded = 1; uploaded <= 4; uploaded++) {
      await settle();
      expect(host.textures.size).toBe(uploaded);
      host.pass(17);
      await settle();
      expect(host.textures.size).toBe(uploaded);
      host.pass(17);
    }
    await Promise.all(loads);
  });

  it('is not asked for by who has given up before', async () => {
    const gone = new AdsError('net/aborted', 'test');
    await expect(acquire('https://cdn.example.com/a.png', AbortSignal.abort(gone))).rejects.toBe(gone);
    expect(host.requests).toEqual([]);
  });

  it('that failed is tried anew by the next one', async () => {
    host.answers = [answer(null, { status: 500 }), answer(png(300, 250))];
    const results = await Promise.allSettled([acquire(), acquire()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(acquire()).resolves.toBeDefined();
    expect(host.requests).toHaveLength(2);
  });

  it('that is wanted anew while the load that was given up still ends is shared by all who want it', async () => {
    const controller = new AbortController();
    host.answers = [() => new Promise(() => undefined), answer(png(300, 250))];
    const first = acquire(URL, controller.signal).catch(() => acquire());
    await settle();
    controller.abort(new AdsError('net/aborted', 'test'));
    const leases = [await first];
    await settle();
    leases.push(await acquire());
    expect(host.requests).toHaveLength(2);
    expect(leases[1]!.textureKey).toBe(leases[0]!.textureKey);
  });

  it('with a forbidden address is never asked for', async () => {
    await expect(acquire('http://cdn.example.com/ad.png')).rejects.toMatchObject({ code: 'ad/url-scheme' });
    expect(host.requests).toHaveLength(0);
  });

  it('is freed with the game, loaded or not, and refused afterwards', async () => {
    const lease = await acquire();
    host.answers = [() => new Promise(() => undefined)];
    const loading = acquire('https://cdn.example.com/other.png');
    await settle();
    store.destroy();
    await expect(loading).rejects.toMatchObject({ code: 'lifecycle/destroyed' });
    await expect(acquire()).rejects.toMatchObject({ code: 'lifecycle/destroyed' });
    expect(host.openImages).toBe(0);
    expect(host.runningTimers).toBe(0);
    expect(() => lease.release()).not.toThrow();
  });
});

async function afterTurns(turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await Promise.resolve();
}
