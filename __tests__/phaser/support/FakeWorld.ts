import type { CreativeImage } from '../../../src/creative/CreativeImage.js';
import { AdsError } from '../../../src/errors.js';
import { GameMeter } from '../../../src/meter/GameMeter.js';
import type { AdsEnvironment } from '../../../src/plugin/AdsEnvironment.js';
import type { AdEvent } from '../../../src/report/AdEvent.js';
import { noLocks } from '../../../src/report/OwnerLocks.js';
import type { Acknowledgement } from '../../../src/service/decode.js';
import type { Ad } from '../../../src/service/AdService.js';
import type { PageWatcher } from '../../../src/service/environment.js';
import type { ReportEnvelope, ServiceClient } from '../../../src/service/ServiceClient.js';
import { FakeVideo } from '../../helpers/FakeVideo.js';
import { pngOf } from './imageFiles.js';

export const IMAGE_URL = 'https://cdn.example.com/ad.png';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** How an image address answers: with a file, with a status, or as a failing fetch does. */
export type ImageAnswer =
  | { readonly body: Uint8Array; readonly type?: string }
  | { readonly status: number }
  | 'no-cors-header'
  | 'unreachable'
  | 'redirect'
  | 'never';

/** A service, an image host and a browser to go with them, all in memory. */
export class FakeWorld {
  readonly ads = new Map<string, Ad | AdsError>();
  readonly images = new Map<string, ImageAnswer>([[IMAGE_URL, { body: pngOf(300, 250) }]]);
  /** Decoded and not closed yet. */
  readonly openImages = new Set<CreativeImage>();
  readonly opened: string[] = [];
  opensWindows = true;
  readonly trackersCalled: string[] = [];
  readonly reported: unknown[] = [];
  readonly notes: string[] = [];
  pageAddress = 'https://game.example.com/';
  readonly clients: FakeClient[] = [];
  fetchCount = 0;
  abortedFetches = 0;
  decodeFails = false;
  /** Measuring is there at once; or else when a test lets it come. */
  loadMeter: AdsEnvironment['loadMeter'] = () => GameMeter.of;
  /** Length of every video; null when the browser plays none. */
  videoSeconds: number | null = null;
  /** Answers of the image host wait while it is set. */
  holdImages = false;
  private held: (() => void)[] = [];
  private timers: Timer[] = [];
  private reportTimers: Timer[] = [];
  private idsMade = 0;
  readonly pageWatchers = new Set<PageWatcher>();
  private now = 0;
  private suspendedMs = 0;

  readonly environment: { -readonly [K in keyof AdsEnvironment]: AdsEnvironment[K] } = {
    createClient: () => {
      const client = new FakeClient(this);
      this.clients.push(client);
      return client as unknown as ServiceClient;
    },
    loadMeter: (kind) => this.loadMeter(kind),
    creatives: {
      fetch: (url, init) => this.fetchImage(url, init),
      decode: async (file) => this.decode(file),
      openVideo: async () => this.openVideo(),
      shrink: async (_image, width, height) => this.open(width, height),
      after: (ms, callback) => this.after(ms, callback),
      afterFrames: (count, callback) => this.after(17 * count, callback),
      isOnline: () => true,
      requiresLeave: () => Promise.resolve(false),
    },
    reporting: {
      now: () => this.now,
      wallNow: () => 1_800_000_000_000 + this.now + this.suspendedMs,
      after: (ms, callback) => {
        const timer = { at: this.now + ms, callback };
        this.reportTimers.push(timer);
        return () => void (this.reportTimers = this.reportTimers.filter((other) => other !== timer));
      },
      random: () => 0.5,
      isOnline: () => true,
      warn: (message) => void this.reported.push(message),
      openDisk: () => null,
      openLocks: () => noLocks,
      randomBytes: (length) => new Uint8Array(length).fill(++this.idsMade),
      watchPage: (watcher) => {
        this.pageWatchers.add(watcher);
        return () => void this.pageWatchers.delete(watcher);
      },
    },
    fetchTracker: async (url) => void this.trackersCalled.push(url),
    wallNow: () => Date.UTC(2026, 10, 21) + this.now + this.suspendedMs,
    pageAddress: () => this.pageAddress,
    baseAddress: () => this.pageAddress,
    paintTestAd: async (width, height) => new Blob([pngOf(width, height) as Uint8Array<ArrayBuffer>]),
    openWindow: (url) => {
      if (!this.opensWindows) throw new TypeError('window.open is not a function');
      this.opened.push(url);
    },
    note: (message) => void this.notes.push(message),
    reportError: (_message, error) => void this.reported.push(error),
  };

  private after(ms: number, callback: () => void): () => void {
    const timer = { at: this.now + ms, callback };
    this.timers.push(timer);
    return () => void (this.timers = this.timers.filter((other) => other !== timer));
  }

  get runningTimers(): number {
    return this.timers.length;
  }

  get runningReportTimers(): number {
    return this.reportTimers.length;
  }

  /** Lets the time of the loader, of the reports and of videos that play pass. */
  pass(ms: number): void {
    this.now += ms;
    for (const image of this.openImages) if (image instanceof FakeVideo) image.pass(ms / 1000);
    for (const timer of this.reportTimers.filter(({ at }) => at <= this.now)) {
      this.reportTimers = this.reportTimers.filter((other) => other !== timer);
      timer.callback();
    }
    for (const timer of this.timers.filter(({ at }) => at <= this.now)) {
      this.timers = this.timers.filter((other) => other !== timer);
      timer.callback();
    }
  }

  /** The page was in the background: the clock has gone on, no timer has rung. */
  sleep(ms: number): void {
    this.now += ms;
  }

  /** The device slept: of its clocks only the one on the wall has gone on. */
  suspend(ms: number): void {
    this.suspendedMs += ms;
  }

  releaseImages(): void {
    this.holdImages = false;
    for (const go of this.held.splice(0)) go();
  }

  private async fetchImage(url: string, init: RequestInit): Promise<Response> {
    this.fetchCount++;
    init.signal?.addEventListener('abort', () => this.abortedFetches++);
    if (this.holdImages) await new Promise<void>((resolve) => this.held.push(resolve));
    const answer = this.images.get(url) ?? { status: 404 };
    if (answer === 'never') return new Promise(() => undefined);
    if (answer === 'unreachable' || (answer === 'no-cors-header' && init.mode === 'cors')) {
      throw new TypeError('Failed to fetch');
    }
    if (answer === 'no-cors-header') return response({ type: 'opaque', status: 0 });
    if (answer === 'redirect') return response({ type: 'opaqueredirect', status: 0 });
    if ('status' in answer) return response({ status: answer.status });
    return response({ status: 200, body: answer.body, contentType: answer.type ?? 'image/png' });
  }

  private async decode(file: Blob): Promise<CreativeImage> {
    if (this.decodeFails) throw new DOMException('The source image could not be decoded', 'InvalidStateError');
    const header = new DataView(await readBlob(file));
    return this.open(header.getUint32(16), header.getUint32(20));
  }

  private openVideo(): FakeVideo {
    if (this.videoSeconds === null) throw new Error('The browser plays no videos');
    const video = new TexturedVideo(this.videoSeconds, () => this.openImages.delete(video));
    this.openImages.add(video);
    return video;
  }

  private open(width: number, height: number): CreativeImage {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    const image: CreativeImage = Object.assign(canvas, { close: () => void this.openImages.delete(image) });
    this.openImages.add(image);
    return image;
  }
}

/** A video a texture can be made of. */
class TexturedVideo extends FakeVideo {
  override readonly source = document.createElement('canvas');

  constructor(
    durationSeconds: number,
    private readonly onClose: () => void,
  ) {
    super(durationSeconds);
  }

  override close(): void {
    super.close();
    this.onClose();
  }
}

/** The part of the client the plugins use. */
export class FakeClient {
  isDestroyed = false;
  readonly storageName = 'test';
  readonly asked: string[] = [];
  /** Batches of reports, as they came. */
  readonly reports: (readonly AdEvent[])[] = [];
  /** What was said with each of them. */
  readonly envelopes: ReportEnvelope[] = [];

  constructor(private readonly world: FakeWorld) {}

  async getAd(adSurfaceId: string): Promise<Ad> {
    this.asked.push(adSurfaceId);
    const answer = this.world.ads.get(adSurfaceId);
    if (answer instanceof AdsError) throw answer;
    return answer ?? { adId: `ad-of-${adSurfaceId}`, url: IMAGE_URL };
  }

  async reportEvents(events: readonly AdEvent[], envelope: ReportEnvelope): Promise<Acknowledgement> {
    this.reports.push(events);
    this.envelopes.push(envelope);
    return { accepted: events.map(({ id }) => id), duplicate: [], rejected: [] };
  }

  destroy(): void {
    this.isDestroyed = true;
  }
}

function response(given: { type?: string; status: number; body?: Uint8Array; contentType?: string }): Response {
  const pieces = given.body === undefined ? [] : [given.body];
  const fake = {
    type: given.type ?? 'cors',
    status: given.status,
    headers: new Map([['content-type', given.contentType ?? '']]),
    body: {
      getReader: () => ({
        read: async () => (pieces.length > 0 ? { done: false, value: pieces.shift() } : { done: true }),
      }),
      cancel: async () => undefined,
    },
  };
  return fake as unknown as Response;
}

/** jsdom's Blob has no arrayBuffer(). */
function readBlob(blob: Blob): Promise<ArrayBuffer> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as ArrayBuffer);
    reader.readAsArrayBuffer(blob);
  });
}
