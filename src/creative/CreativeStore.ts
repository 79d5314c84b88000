import { AdsError } from '../errors.js';
import type { CreativeEnvironment, CreativeImage } from './CreativeEnvironment.js';
import type { CreativeLimits } from './CreativeLimits.js';
import { loadCreative } from './loadCreative.js';
import { UploadPace } from './UploadPace.js';
import { untilAborted } from './untilAborted.js';
import { checkCreativeUrl, type CreativeUrlRules } from './urlRules.js';

/** Where decoded images become textures. */
export interface TextureHost {
  /** Uploads an image under a key of its own and returns the key. */
  add(image: CreativeImage): string;
  /** Removes a texture; false while something still draws it, which removing would break. */
  remove(key: string): boolean;
}

/** One user's hold on a creative. */
export interface CreativeLease {
  readonly textureKey: string;
  readonly width: number;
  readonly height: number;
  /** Lets go; the texture is removed with its last user. Harmless when called twice. */
  release(): void;
}

interface StoredTexture {
  readonly key: string;
  readonly image: CreativeImage;
}

class Entry {
  users = 0;
  readonly controller = new AbortController();
  texture!: Promise<StoredTexture>;
  /** Set as soon as the texture exists, before anyone who waits for it hears of it. */
  loaded: StoredTexture | null = null;
}

/**
 * The creatives of one game. Each address is loaded once, shared by everyone who shows it at the same time, and gone
 * with its last user. The decoded image is kept as long as its texture: a restored WebGL context needs it again.
 */
export class CreativeStore {
  private readonly entries = new Map<string, Entry>();
  /** Textures without users that something still draws. */
  private retired: StoredTexture[] = [];
  private readonly pace: UploadPace;
  private destroyed = false;

  constructor(
    private readonly rules: CreativeUrlRules,
    private readonly limits: CreativeLimits,
    private readonly environment: CreativeEnvironment,
    private readonly textures: TextureHost,
  ) {
    this.pace = new UploadPace(environment);
  }

  /**
   * Resolves once the creative is a texture.
   * @param signal gives up waiting; the load itself ends when nobody waits any more
   * @throws AdsError `ad/…`, `net/…`, or the signal's reason
   */
  async acquire(address: string, signal: AbortSignal): Promise<CreativeLease> {
    signal.throwIfAborted();
    if (this.destroyed) throw new AdsError('lifecycle/destroyed', 'The game has been destroyed');
    const url = checkCreativeUrl(address, this.rules);
    const entry = this.entries.get(url) ?? this.open(url);
    entry.users++;
    try {
      const { key, image } = await untilAborted(entry.texture, signal);
      let held = true;
      return {
        textureKey: key,
        width: image.width,
        height: image.height,
        release: () => {
          if (held) this.leave(url, entry);
          held = false;
        },
      };
    } catch (error) {
      this.leave(url, entry);
      throw error;
    }
  }

  /** Ends all loads and frees all images. Textures are left to the game, which ends too. */
  destroy(): void {
    this.destroyed = true;
    for (const { controller, loaded } of this.entries.values()) {
      controller.abort(new AdsError('lifecycle/destroyed', 'The game has been destroyed'));
      loaded?.image.close();
    }
    for (const { image } of this.retired) image.close();
    this.pace.destroy();
    this.entries.clear();
    this.retired = [];
  }

  private open(url: string): Entry {
    const entry = new Entry();
    this.entries.set(url, entry);
    entry.texture = this.load(url, entry);
    // The next one who wants it tries anew.
    entry.texture.catch(() => this.forget(url, entry));
    return entry;
  }

  private async load(url: string, entry: Entry): Promise<StoredTexture> {
    const { signal } = entry.controller;
    const image = await loadCreative(url, this.limits, this.environment, signal);
    try {
      await this.pace.turn(image.width * image.height, signal);
      // Between decoding and this line the last user may have left.
      signal.throwIfAborted();
      return (entry.loaded = { key: this.textures.add(image), image });
    } catch (error) {
      image.close();
      signal.throwIfAborted();
      throw new AdsError('ad/texture', 'The image could not become a texture', { cause: error });
    }
  }

  private leave(url: string, entry: Entry): void {
    entry.users--;
    if (entry.users > 0 || this.destroyed) return;
    this.forget(url, entry);
    entry.controller.abort(new AdsError('net/aborted', 'Nobody waits for the creative any more'));
    if (entry.loaded !== null) this.retired.push(entry.loaded);
    this.removeRetired();
  }

  private forget(url: string, entry: Entry): void {
    if (this.entries.get(url) === entry) this.entries.delete(url);
  }

  private removeRetired(): void {
    this.retired = this.retired.filter(({ key, image }) => {
      if (!this.textures.remove(key)) return true;
      image.close();
      return false;
    });
  }
}
