import { getEventListeners } from 'node:events';
import { DEFAULT_CREATIVE_LIMITS } from '../../../src/creative/CreativeLimits.js';
import { CreativeStore } from '../../../src/creative/CreativeStore.js';
import { LoadQueue } from '../../../src/creative/LoadQueue.js';
import { loadCreative } from '../../../src/creative/loadCreative.js';
import { openBrowserVideo } from '../../../src/creative/openBrowserVideo.js';
import { untilAborted } from '../../../src/waiting.js';
import { UploadPace } from '../../../src/creative/UploadPace.js';
import { withDeadline } from '../../../src/creative/withDeadline.js';
import { fetchPackaged } from '../../../src/packagedFiles.js';
import { TestAds } from '../../../src/sources/TestAds.js';
import { FakeWorld } from '../service/FakeWorld.js';
import { answer, FakeHost, settle } from './FakeHost.js';
import { png } from './imageFiles.js';

/*
 * R7: what loading an ad takes (listeners on the signal of a placement, which lives as long as the ad, timers, places in a
 * line, images) is given back whichever way it ends.
 */

let host: FakeHost;
let controller: AbortController;
beforeEach(() => {
  host = new FakeHost();
  controller = new AbortController();
});

const listeners = (signal = controller.signal): number => getEventListeners(signal, 'abort').length;
const gone = new Error('gone');

describe('R7: a signal is not listened to any more', () => {
  it('by a line, once it was somebody’s turn, and an abort then takes nobody else out of it', async () => {
    const queue = new LoadQueue(1, 5);
    const ends: (() => void)[] = [];
    const task = () => new Promise<void>((resolve) => ends.push(resolve));
    const runs = [queue.run(task, new AbortController().signal), queue.run(task, controller.signal)];
    const third = queue.run(async () => 'third', new AbortController().signal);
    expect(listeners()).toBe(1);
    ends[0]!();
    await settle();
    expect(listeners()).toBe(0);
    controller.abort(gone);
    ends[1]!();
    await expect(third).resolves.toBe('third');
    await Promise.all(runs);
  });

  it('by a line that it was taken out of', async () => {
    const queue = new LoadQueue(1, 5);
    void queue.run(() => new Promise(() => undefined), new AbortController().signal);
    const waiting = queue.run(async () => undefined, controller.signal);
    controller.abort(gone);
    await expect(waiting).rejects.toBe(gone);
    expect(listeners()).toBe(0);
  });

  it('by a wait that is over, well or not', async () => {
    await untilAborted(Promise.resolve(), controller.signal);
    await untilAborted(Promise.reject(gone), controller.signal).catch(() => undefined);
    await settle();
    expect(listeners()).toBe(0);
  });

  it('by work with a deadline, well or not; nor does its timer run', async () => {
    await withDeadline(10, host, controller.signal, async () => 1);
    await withDeadline(10, host, controller.signal, () => Promise.reject(gone)).catch(() => undefined);
    const late = withDeadline(10, host, controller.signal, () => new Promise(() => undefined));
    host.pass(10);
    await expect(late).rejects.toMatchObject({ code: 'ad/timeout' });
    await settle();
    expect([listeners(), host.runningTimers]).toEqual([0, 0]);
  });

  it('by a creative that is there, or was refused', async () => {
    host.answers = [answer(png(300, 250)), answer('<p>')];
    (await loadCreative('https://cdn.example.com/a.png', DEFAULT_CREATIVE_LIMITS, host, controller.signal)) as unknown;
    await loadCreative('https://cdn.example.com/b', DEFAULT_CREATIVE_LIMITS, host, controller.signal).catch(() => null);
    await settle();
    expect([listeners(), host.runningTimers]).toEqual([0, 0]);
  });

  it('by a store whose creative has become a texture, large or not', async () => {
    host.decoded = async () => host.image(1000, 1000);
    host.answers = [answer(png(1000, 1000))];
    const store = new CreativeStore({ hosts: null, allowLoopback: false }, DEFAULT_CREATIVE_LIMITS, host, host);
    const first = await store.acquire('https://cdn.example.com/a.png', controller.signal);
    const second = store.acquire('https://cdn.example.com/b.png', controller.signal);
    await settle();
    host.pass(34);
    (await second).release();
    first.release();
    await settle();
    host.pass(34);
    expect([listeners(), host.runningTimers, host.openImages]).toEqual([0, 0, 0]);
  });

  it('nor is an image kept, of a texture that something still draws when the game ends', async () => {
    host.answers = [answer(png(300, 250))];
    const store = new CreativeStore({ hosts: null, allowLoopback: false }, DEFAULT_CREATIVE_LIMITS, host, host);
    const lease = await store.acquire('https://cdn.example.com/a.png', controller.signal);
    host.inUse.add(lease.textureKey);
    lease.release();
    expect(host.openImages).toBe(1);
    store.destroy();
    expect([listeners(), host.openImages]).toEqual([0, 0]);
  });

  it('by a slow test ad that has come', async () => {
    const world = new FakeWorld();
    const ad = new TestAds('slow', world).getAd('roof', { signal: controller.signal });
    await world.advance(3_000);
    await ad;
    expect([listeners(), world.leftovers]).toEqual([0, 0]);
  });
});

it('R7: no timer waits for a slow test ad that nobody waits for any more', async () => {
  const world = new FakeWorld();
  const ad = new TestAds('slow', world).getAd('roof', { signal: controller.signal });
  controller.abort(gone);
  await expect(ad).rejects.toMatchObject({ code: 'net/aborted' });
  expect(world.leftovers).toBe(0);
});

describe('R7: the next one gets', () => {
  it('the place of a task that failed, was cut off while it ran, or never began', async () => {
    const queue = new LoadQueue(1, 1);
    for (let i = 0; i < 5; i++) {
      await expect(queue.run(() => Promise.reject(gone), controller.signal)).rejects.toBe(gone);
      await expect(queue.run(async () => { throw gone; }, AbortSignal.abort(gone))).rejects.toBe(gone); // prettier-ignore
    }
    await expect(queue.run(async () => 'next', controller.signal)).resolves.toBe('next');
  });

  it('no place that one who had waited still holds', async () => {
    const queue = new LoadQueue(1, 5);
    const ends: (() => void)[] = [];
    const task = () => new Promise<void>((resolve) => ends.push(resolve));
    void queue.run(task, controller.signal);
    void queue.run(task, controller.signal);
    ends[0]!();
    await settle();
    expect(ends).toHaveLength(2);
    void queue.run(task, controller.signal);
    await settle();
    expect(ends).toHaveLength(2);
  });

  it('the turn of an upload that nobody waits for any more', async () => {
    const pace = new UploadPace(host);
    await pace.turn(1_000_000, new AbortController().signal);
    const waiting = pace.turn(1_000_000, controller.signal);
    controller.abort(gone);
    await expect(waiting).rejects.toBe(gone);
    host.pass(34);
    await pace.turn(1_000_000, new AbortController().signal);
    pace.destroy();
    expect(host.runningTimers).toBe(0);
  });
});

/** As much of a browser as a video element and a request of the package need, and what of it is held. */
class FakeBrowser {
  readonly addresses = new Set<string>();
  readonly documentListeners = new Set<unknown>();
  readonly elementListeners = new Map<string, Set<() => void>>();
  fails = false;
  /** Whether what a video shows can be drawn. */
  canDraw = true;
  element!: Record<string, unknown>;
  request!: { onload(): void; onloadend(): void; abort: jest.Mock; send: jest.Mock; status: number };

  install(): void {
    const { elementListeners } = this;
    const listen = (kind: string, listener: () => void) => {
      const list = elementListeners.get(kind) ?? new Set();
      elementListeners.set(kind, list.add(listener));
    };
    this.element = {
      duration: 5, videoWidth: 32, videoHeight: 18, readyState: 4, paused: true, ended: false, currentTime: 0,
      addEventListener: listen,
      removeEventListener: (kind: string, listener: () => void) => elementListeners.get(kind)?.delete(listener),
      pause: jest.fn(), load: jest.fn(), removeAttribute: jest.fn(), play: jest.fn(),
    }; // prettier-ignore
    const request = { abort: jest.fn(), send: jest.fn(), open: jest.fn(), status: 0, response: new ArrayBuffer(2), getResponseHeader: () => null }; // prettier-ignore
    this.request = request as never;
    Object.assign(globalThis, {
      XMLHttpRequest: function XMLHttpRequest() {
        return request;
      },
      HTMLMediaElement: { HAVE_CURRENT_DATA: 2 },
      document: {
        createElement: (name: string) => (name === 'canvas' ? this.canvas() : this.element),
        visibilityState: 'visible',
        addEventListener: (_kind: string, listener: unknown) => this.documentListeners.add(listener),
        removeEventListener: (_kind: string, listener: unknown) => this.documentListeners.delete(listener),
      },
    });
    jest.spyOn(URL, 'createObjectURL').mockImplementation(() => {
      this.addresses.add('blob:1');
      return 'blob:1';
    });
    jest.spyOn(URL, 'revokeObjectURL').mockImplementation((address) => void this.addresses.delete(address));
  }

  private canvas(): unknown {
    let alpha = 0;
    const drawImage = (source: unknown): void => void (alpha = source === this.element && this.canDraw ? 255 : 0);
    return { getContext: () => ({ drawImage, getImageData: () => ({ data: [0, alpha] }) }) };
  }

  fire(kind: string): void {
    for (const listener of [...(this.elementListeners.get(kind) ?? [])]) listener();
  }

  get heldByElement(): number {
    return [...this.elementListeners.values()].reduce((sum, { size }) => sum + size, 0);
  }

  uninstall(): void {
    for (const name of ['XMLHttpRequest', 'HTMLMediaElement', 'document']) Reflect.deleteProperty(globalThis, name);
  }
}

describe('R7: in a browser', () => {
  let browser: FakeBrowser;
  beforeEach(() => {
    browser = new FakeBrowser();
    browser.install();
  });
  afterEach(() => browser.uninstall());

  const open = (checkSize: (...size: number[]) => void = () => undefined) =>
    openBrowserVideo(new Blob(['x']), checkSize, controller.signal);
  const held = () => [browser.addresses.size, browser.documentListeners.size, browser.heldByElement, listeners()];

  it('a video holds its file and one listener while it is open, and nothing once it is closed', async () => {
    const opening = open();
    browser.fire('loadedmetadata');
    const video = await opening;
    expect(held()).toEqual([1, 1, 0, 0]);
    video.close();
    expect(held()).toEqual([0, 0, 0, 0]);
    expect(browser.element['pause']).toHaveBeenCalled();
    expect(browser.element['load']).toHaveBeenCalled();
    expect(browser.element['removeAttribute']).toHaveBeenCalledWith('src');
  });

  it('a video is muted, stays in the page, is no matter of other devices, and tells its size to textures', async () => {
    const opening = open();
    browser.fire('loadedmetadata');
    await opening;
    expect(browser.element).toMatchObject({
      muted: true, defaultMuted: true, playsInline: true, disableRemotePlayback: true, preload: 'auto', src: 'blob:1', width: 32, height: 18,
    }); // prettier-ignore
  });

  it('a video stops when the page is hidden, and only then', async () => {
    const opening = open();
    browser.fire('loadedmetadata');
    await opening;
    for (const [visibilityState, times] of [['visible', 0], ['hidden', 1]] as const) {
      Object.assign(document, { visibilityState });
      for (const listener of browser.documentListeners) (listener as () => void)();
      expect(browser.element['pause']).toHaveBeenCalledTimes(times);
    }
  }); // prettier-ignore

  it('a video that does not say its length is asked at its end, and stands at its beginning again', async () => {
    const checkSize = jest.fn();
    Object.assign(browser.element, { duration: Infinity, readyState: 1 });
    const opening = open(checkSize);
    browser.fire('loadedmetadata');
    await settle();
    expect(browser.element['currentTime']).toBeGreaterThan(1_000_000);
    browser.element['duration'] = 7;
    browser.fire('seeked');
    await settle();
    expect(browser.element['currentTime']).toBe(0);
    expect(checkSize).not.toHaveBeenCalled();
    browser.fire('seeked');
    await settle();
    expect(checkSize.mock.calls).toEqual([[32, 18, 7]]);
    // Its first picture may have a size of its own.
    browser.element['videoWidth'] = 64;
    browser.fire('loadeddata');
    await expect(opening).resolves.toMatchObject({ durationSeconds: 7 });
    expect(checkSize).toHaveBeenLastCalledWith(64, 18, 7);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['broken', async () => { const opening = open(); browser.fire('error'); return opening; }],
    ['refused for its size', async () => { const opening = open(() => { throw gone; }); browser.fire('loadedmetadata'); return opening; }],
    ['given up', async () => { const opening = open(); controller.abort(gone); return opening; }],
    ['given up while nothing of it can be drawn', async () => {
      browser.canDraw = false;
      const opening = open();
      browser.fire('loadedmetadata');
      await settle();
      controller.abort(gone);
      return opening;
    }],
    ['given up before', async () => { controller.abort(gone); return open(); }],
  ])('a video that is %s holds nothing', async (_name, fail) => {
    await expect(fail()).rejects.toThrow();
    expect(held()).toEqual([0, 0, 0, 0]);
  }); // prettier-ignore

  it('a file of the package is read, and its signal left', async () => {
    const reading = fetchPackaged('file:///a', controller.signal);
    browser.request.onload();
    browser.request.onloadend();
    const response = await reading;
    expect([response.status, (await response.arrayBuffer()).byteLength, listeners()]).toEqual([200, 2, 0]);
  });

  it('a file of the package that is not there, or given up, leaves nothing', async () => {
    const missing = fetchPackaged('file:///b', controller.signal);
    browser.request.onloadend();
    await expect(missing).rejects.toThrow(TypeError);
    expect(listeners()).toBe(0);
    const impossible = fetchPackaged('file:///e', controller.signal);
    browser.request.status = 204;
    expect(browser.request.onload).toThrow();
    browser.request.onloadend();
    await expect(impossible).rejects.toThrow(TypeError);
    const given = fetchPackaged('file:///c', controller.signal);
    controller.abort(gone);
    await expect(given).rejects.toBe(gone);
    expect(browser.request.abort).toHaveBeenCalledTimes(1);
    expect(listeners()).toBe(0);
    browser.request.send.mockClear();
    await expect(fetchPackaged('file:///d', controller.signal)).rejects.toBe(gone);
    expect(browser.request.send).not.toHaveBeenCalled();
  });
});
