import { AdsError, isAdsError } from '../errors.js';
import type { CreativeEnvironment } from './CreativeEnvironment.js';
import type { CreativeImage } from './CreativeImage.js';
import type { CreativeLimits } from './CreativeLimits.js';
import type { CreativeVideo } from './CreativeVideo.js';
import { loadCreative, type VideoFile } from './loadCreative.js';
import { openVideo } from './openVideo.js';
import { UploadPace } from './UploadPace.js';
import { untilAborted } from '../waiting.js';
import { checkCreativeUrl, type CreativeUrlRules } from './urlRules.js';

/** What is painted over a creative. */
export interface PaintOver {
  /** Pixels per pixel of the creative in each direction, a whole number: small writing needs more of them. */
  readonly scale: number;
  /** @param context in pixels of the creative */
  paint(context: CanvasRenderingContext2D): void;
}

/** Where decoded images become textures. */
export interface TextureHost {
  /** Uploads an image under a key of its own and returns the key. If the texture has a copy, the image is closed. */
  add(image: CreativeImage | CreativeVideo): string;
  /** Makes a texture of its own that shows another one with something painted over it, and returns its key. */
  addPainted(key: string, paint: PaintOver): string;
  /** Uploads the present frame of a video, painted over or not. */
  refresh(key: string): void;
  /** Whether the texture is there: a game may remove all of its textures between two levels. */
  has(key: string): boolean;
  /** Removes a texture; false while something still draws it, which removing would break. */
  remove(key: string): boolean;
}

/** One user's hold on a creative. */
export interface CreativeLease {
  readonly textureKey: string;
  readonly width: number;
  readonly height: number;
  /** False once the game has removed the texture. */
  readonly isThere: boolean;
  /** The video the texture shows, which is this user's own; null for an image. */
  readonly video: CreativeVideo | null;
  /** Brings the present frame of the video into the texture. */
  refresh(): void;
  /**
   * The same creative with something painted over it, in a texture of its own. Releasing the new lease releases this one too.
   * @throws AdsError `ad/texture`
   */
  paintedOver(paint: PaintOver): CreativeLease;
  /** Lets go; the texture is removed with its last user. Harmless when called twice. */
  release(): void;
}

/** A texture to be removed, and the image it was made of. */
interface GoneTexture {
  readonly key: string;
  readonly image: Pick<CreativeImage, 'close'>;
}

interface StoredTexture extends GoneTexture {
  readonly image: CreativeImage;
  /** Size of the image, which does not know it any more once it is closed. */
  readonly width: number;
  readonly height: number;
}

/** Stands for the image of a texture that holds its own pixels. */
const NO_IMAGE = Object.freeze({ close: () => undefined });

class Entry {
  users = 0;
  readonly controller = new AbortController();
  content!: Promise<StoredTexture | VideoFile>;
  texture: StoredTexture | null = null;
}

/**
 * The creatives of one game. Each address is loaded once, shared by everyone who shows it at the same time, and gone
 * with its last user; of a video only the file is shared, and every user plays a video of its own. The image a texture
 * shows is kept as long as the texture: a restored WebGL context needs it again.
 */
export class CreativeStore {
  readonly #entries = new Map<string, Entry>();
  /** Textures without users that something still draws. */
  #retired: GoneTexture[] = [];
  readonly #videos = new Set<GoneTexture>();
  readonly #pace: UploadPace;
  #destroyed = false;

  constructor(
    private readonly rules: CreativeUrlRules,
    private readonly limits: CreativeLimits,
    private readonly environment: CreativeEnvironment,
    private readonly textures: TextureHost,
  ) {
    this.#pace = new UploadPace(environment);
  }

  /**
   * The address of a creative as it may be fetched.
   * @throws AdsError `ad/url-…`
   */
  check(address: string): string {
    return checkCreativeUrl(address, this.rules);
  }

  /**
   * Resolves once the creative is a texture.
   * @param signal gives up waiting; the load itself ends when nobody waits any more
   * @throws AdsError `ad/…`, `net/…`, or the signal's reason
   */
  async acquire(address: string, signal: AbortSignal): Promise<CreativeLease> {
    signal.throwIfAborted();
    this.#refuseWhenDestroyed();
    const url = this.check(address);
    const entry = this.#entryOf(url) ?? this.#open(url);
    entry.users++;
    try {
      const content = await untilAborted(entry.content, signal);
      const own = 'file' in content ? await this.#play(content, signal) : null;
      const { key, image, width, height } = own ?? (content as StoredTexture);
      const video = own === null ? null : (image as CreativeVideo);
      return this.#lease({ width, height, video }, key, () => {
        if (own !== null) this.#retire(own);
        this.#leave(url, entry);
      });
    } catch (error) {
      this.#leave(url, entry);
      throw error;
    }
  }

  /** Undefined for a creative that is not loaded, or whose texture the game has removed. */
  #entryOf(url: string): Entry | undefined {
    const entry = this.#entries.get(url);
    return entry?.texture && !this.textures.has(entry.texture.key) ? undefined : entry;
  }

  #lease(
    creative: Pick<CreativeLease, 'width' | 'height' | 'video'>,
    textureKey: string,
    end: () => void,
  ): CreativeLease {
    let held = true;
    const release = (): void => {
      if (!held) return;
      held = false;
      end();
    };
    const { textures } = this;
    return {
      ...creative,
      textureKey,
      get isThere() {
        return textures.has(textureKey);
      },
      refresh: () => {
        if (held) textures.refresh(textureKey);
      },
      paintedOver: (paint) => {
        const key = textures.addPainted(textureKey, paint);
        return this.#lease(creative, key, () => {
          this.#retire({ key, image: NO_IMAGE });
          release();
        });
      },
      release,
    };
  }

  /** Ends all loads and frees all images. Textures are left to the game, which ends too. */
  destroy(): void {
    this.#destroyed = true;
    for (const { controller, texture } of this.#entries.values()) {
      controller.abort(new AdsError('lifecycle/destroyed', 'The game has been destroyed'));
      texture?.image.close();
    }
    for (const { image } of this.#retired) image.close();
    for (const { image } of this.#videos) image.close();
    this.#videos.clear();
    this.#pace.destroy();
    this.#entries.clear();
    this.#retired = [];
  }

  #open(url: string): Entry {
    const entry = new Entry();
    this.#entries.set(url, entry);
    entry.content = this.#load(url, entry);
    return entry;
  }

  async #load(url: string, entry: Entry): Promise<StoredTexture | VideoFile> {
    const { signal } = entry.controller;
    const content = await loadCreative(url, this.limits, this.environment, signal);
    return 'file' in content ? content : this.#makeTexture(content, signal, (texture) => (entry.texture = texture));
  }

  /** Opens a video for one user alone. */
  async #play({ file }: VideoFile, signal: AbortSignal): Promise<StoredTexture> {
    const video = await openVideo(file, this.limits, this.environment, signal);
    return this.#makeTexture(video, signal, (texture) => this.#videos.add(texture));
  }

  /** @param keep takes the texture as it is made: a moment later its last user may have left, or the game may have ended */
  async #makeTexture(
    image: CreativeImage,
    signal: AbortSignal,
    keep: (texture: StoredTexture) => void,
  ): Promise<StoredTexture> {
    try {
      await this.#pace.turn(image.width * image.height, signal);
      // Between decoding and this line the last user may have left.
      signal.throwIfAborted();
      this.#refuseWhenDestroyed();
      const { width, height } = image;
      const texture = { key: this.textures.add(image), image, width, height };
      // Phaser tells the game of the texture, and the game may end.
      this.#refuseWhenDestroyed();
      keep(texture);
      return texture;
    } catch (error) {
      image.close();
      signal.throwIfAborted();
      if (isAdsError(error)) throw error;
      throw new AdsError('ad/texture', 'The image could not become a texture', { cause: error });
    }
  }

  #refuseWhenDestroyed(): void {
    if (this.#destroyed) throw new AdsError('lifecycle/destroyed', 'The game has been destroyed');
  }

  #retire(texture: GoneTexture): void {
    if (this.#destroyed) return;
    this.#videos.delete(texture);
    const retired = [...this.#retired, texture];
    this.#retired = [];
    // Phaser tells the game of each that is removed, and the game may let go of more of them, or end.
    for (const gone of retired) {
      if (this.#destroyed || this.textures.remove(gone.key)) gone.image.close();
      else this.#retired.push(gone);
    }
  }

  #leave(url: string, entry: Entry): void {
    entry.users--;
    if (entry.users > 0 || this.#destroyed) return;
    if (this.#entries.get(url) === entry) this.#entries.delete(url);
    entry.controller.abort(new AdsError('net/aborted', 'Nobody waits for the creative any more'));
    if (entry.texture !== null) this.#retire(entry.texture);
  }
}
