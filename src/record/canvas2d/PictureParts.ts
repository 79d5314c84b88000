import type * as Phaser from 'phaser';

import { partOf } from '../../textures/textureParts.js';

type Source = Phaser.Textures.TextureSource;

/** Parts of drawn pictures, as frames for which an alpha map can be asked: the same object as long as the same part is drawn. */
export class PictureParts {
  readonly #smooth = new WeakMap<object, Source>();
  readonly #pixelated = new WeakMap<object, Source>();

  /** The part of a picture from x, y on, in its own pixels. */
  partOf(
    picture: object,
    x: number,
    y: number,
    width: number,
    height: number,
    isSmooth: boolean,
  ): Phaser.Textures.Frame {
    const sources = isSmooth ? this.#smooth : this.#pixelated;
    let source = sources.get(picture);
    if (source === undefined) {
      source = { image: picture, scaleMode: isSmooth ? 0 : 1, glTexture: null } as unknown as Source;
      sources.set(picture, source);
    }
    return partOf(source, x, y, width, height);
  }
}
