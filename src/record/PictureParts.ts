import type * as Phaser from 'phaser';

import { TexturePart } from '../textures/TexturePart.js';

/** Parts of one picture that are told apart: a bar that is cropped anew in every frame would make ever more. */
const MOST_PARTS = 256;

interface Parts {
  readonly source: Phaser.Textures.TextureSource;
  byCorner: Map<number, TexturePart[]>;
  count: number;
}

/**
 * The parts of pictures that were drawn, as what an alpha map is asked for: the same object as long as the same part is drawn.
 */
export class PictureParts {
  private readonly smooth = new WeakMap<object, Parts>();
  private readonly pixelated = new WeakMap<object, Parts>();

  /** The part of a picture from x, y on, in its own pixels. */
  partOf(
    picture: object,
    x: number,
    y: number,
    width: number,
    height: number,
    isSmooth: boolean,
  ): Phaser.Textures.Frame {
    const known = isSmooth ? this.smooth : this.pixelated;
    let parts = known.get(picture);
    if (parts === undefined) {
      const source = { image: picture, scaleMode: isSmooth ? 0 : 1, glTexture: null };
      parts = { source: source as unknown as Phaser.Textures.TextureSource, byCorner: new Map(), count: 0 };
      known.set(picture, parts);
    }
    const corner = Math.round(x) * 65536 + Math.round(y);
    let list = parts.byCorner.get(corner);
    if (list !== undefined) {
      for (const part of list) if (part.isAt(parts.source, x, y, width, height)) return part.frame;
    }
    if (parts.count === MOST_PARTS) {
      parts.byCorner = new Map();
      parts.count = 0;
      list = undefined;
    }
    if (list === undefined) parts.byCorner.set(corner, (list = []));
    const part = new TexturePart(parts.source, x, y, width, height);
    parts.count++;
    list.push(part);
    return part.frame;
  }
}
