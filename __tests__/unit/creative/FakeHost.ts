import type { CreativeEnvironment } from '../../../src/creative/CreativeEnvironment.js';
import type { CreativeImage } from '../../../src/creative/CreativeImage.js';
import type { CreativeVideo } from '../../../src/creative/CreativeVideo.js';
import type { TextureHost } from '../../../src/creative/CreativeStore.js';
import { FakeVideo } from '../../helpers/FakeVideo.js';

/** An image host, a decoder and a clock in memory. */
export class FakeHost implements CreativeEnvironment, TextureHost {
  /** What the next requests answer, first one first; the last one stays. */
  answers: (() => Response | Promise<Response>)[] = [];
  readonly requests: { readonly url: string; readonly init: RequestInit }[] = [];
  /** What the decoder answers. */
  decoded: () => Promise<CreativeImage> = async () => this.image(300, 250);
  decodeCount = 0;
  openImages = 0;
  readonly textures = new Set<string>();
  /** Keys something still draws. */
  readonly inUse = new Set<string>();
  online = true;
  /** The page has Cross-Origin-Embedder-Policy: require-corp. */
  isIsolated = false;
  uploadFails = false;
  private textureCount = 0;
  private now = 0;
  private timers: { readonly at: number; readonly callback: () => void }[] = [];

  async fetch(url: string, init: RequestInit): Promise<Response> {
    this.requests.push({ url, init });
    const answer = this.answers.length > 1 ? this.answers.shift()! : this.answers[0]!;
    return answer();
  }

  decode(): Promise<CreativeImage> {
    this.decodeCount++;
    return this.decoded();
  }

  image(width: number, height: number): CreativeImage {
    this.openImages++;
    return { width, height, close: () => (this.openImages -= 1) };
  }

  async shrink(_image: CreativeImage, width: number, height: number): Promise<CreativeImage> {
    return this.image(width, height);
  }

  /** Size and length of the videos it opens. */
  video = { width: 320, height: 180, durationSeconds: 10 };

  async openVideo(
    _file: Blob,
    checkSize: (width: number, height: number, durationSeconds: number) => void,
  ): Promise<CreativeVideo> {
    const { width, height, durationSeconds } = this.video;
    checkSize(width, height, durationSeconds);
    return Object.assign(new FakeVideo(durationSeconds), this.image(width, height));
  }

  /** Textures that were brought up to date, in order. */
  readonly refreshed: string[] = [];

  refresh(key: string): void {
    if (!this.textures.has(key)) throw new Error(`no texture ${key}`);
    this.refreshed.push(key);
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.now + ms, callback };
    this.timers.push(timer);
    return () => void (this.timers = this.timers.filter((other) => other !== timer));
  }

  async requiresLeave(): Promise<boolean> {
    return this.isIsolated;
  }

  /** Sixty frames a second. */
  afterFrames(count: number, callback: () => void): () => void {
    return this.after(17 * count, callback);
  }

  isOnline(): boolean {
    return this.online;
  }

  add(): string {
    if (this.uploadFails) throw new TypeError('no context');
    const key = `texture ${++this.textureCount}`;
    this.textures.add(key);
    return key;
  }

  /** Also fails when uploads do. */
  addPainted(): string {
    return this.add();
  }

  has(key: string): boolean {
    return this.textures.has(key);
  }

  remove(key: string): boolean {
    if (this.inUse.has(key)) return false;
    this.textures.delete(key);
    return true;
  }

  get runningTimers(): number {
    return this.timers.length;
  }

  pass(ms: number): void {
    this.now += ms;
    for (const { at, callback } of this.timers) if (at <= this.now) callback();
    this.timers = this.timers.filter(({ at }) => at > this.now);
  }
}

export function answer(body: BodyInit | null, init: ResponseInit = {}): () => Response {
  return () => new Response(body, { headers: { 'content-type': 'image/png' }, ...init });
}

/** Lets all that waits for answers from memory go on. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}
