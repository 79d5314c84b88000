import type * as Phaser from 'phaser';

import type { AlphaMaps } from '../../textures/AlphaMaps.js';
import { isDynamic } from '../../textures/AlphaReader.js';
import { Blend } from '../../textures/Blend.js';
import { ShownAlpha } from '../../textures/ShownAlpha.js';
import type { QuadPictures } from '../frame/RecordReader.js';
import type { TexturedObject } from '../phaser3/internals.js';

type Frame = Phaser.Textures.Frame;

/** After so many frames it is asked again whether textures are opaque: games may cut their frames anew, and no event tells. */
const LIFE_FRAMES = 32;

/** Answers that are kept; a power of two. */
const KEPT = 64;

/** How opaque the sprites of the Canvas renderer are: each shows all of its frame, with one opacity for all of it. */
export class SpritePictures implements QuadPictures {
  readonly corners = new Float64Array(4);
  readonly #shown = new ShownAlpha();
  /** Frames of pictures known to be opaque, in the order they were asked for. */
  readonly #opaque: (Frame | null)[] = new Array<Frame | null>(KEPT).fill(null);
  #asked = 0;
  #age = 0;

  constructor(private readonly maps: AlphaMaps) {}

  /** Starts a frame. */
  begin(): void {
    this.#asked = 0;
    if (++this.#age >= LIFE_FRAMES) this.forget();
  }

  /** Lets go of every texture. */
  forget(): void {
    this.#age = 0;
    this.#opaque.fill(null);
  }

  /** True of a sprite that lets no light through. An ad's texture is read at once. */
  isSolid({ alpha, frame }: TexturedObject, isAd: boolean): boolean {
    const { maps } = this;
    const opaque = this.#opaque;
    const at = this.#asked++ & (KEPT - 1);
    if (opaque[at] === frame) return alpha === 1;
    maps.isOfAd = isAd;
    if (maps.lookup(frame, Blend.COVER).kind !== 'opaque') return false;
    opaque[at] = isDynamic(frame.source.image) ? null : frame;
    return alpha === 1;
  }

  lookup(sprite: object): ShownAlpha {
    const { maps } = this;
    const shown = this.#shown;
    // The frames of ads were looked up before.
    maps.isOfAd = false;
    shown.setWhole(maps.lookup((sprite as TexturedObject).frame, Blend.COVER), false);
    return shown;
  }

  opacityOf(sprite: object | null): number {
    return (sprite as TexturedObject).alpha;
  }
}
