import type * as Phaser from 'phaser';

import { TexturePart } from './TexturePart.js';

type Source = Phaser.Textures.TextureSource;

/** Most parts kept of one texture: a bar that is cropped anew in every frame would make ever more. */
const MOST_PARTS = 512;

interface Parts {
  readonly byCorner: Map<number, TexturePart[]>;
  count: number;
}

/**
 * Parts of textures that Phaser keeps no frame of, such as tiles and glyphs: asking for the same part again gives the same
 * object.
 */
export class TextureParts {
  private readonly bySource = new WeakMap<Source, Parts>();

  partOf(source: Source, x: number, y: number, width: number, height: number): Phaser.Textures.Frame {
    let parts = this.bySource.get(source);
    if (parts === undefined) this.bySource.set(source, (parts = { byCorner: new Map(), count: 0 }));
    const corner = cornerKey(x, y);
    const known = parts.byCorner.get(corner);
    if (known !== undefined) {
      for (const part of known) if (part.isAt(source, x, y, width, height)) return part.frame;
    }
    if (parts.count++ === MOST_PARTS) {
      parts.byCorner.clear();
      parts.count = 1;
    }
    const part = new TexturePart(source, x, y, width, height);
    const list = parts.byCorner.get(corner);
    if (list === undefined) parts.byCorner.set(corner, [part]);
    else list.push(part);
    return part.frame;
  }
}

/** One number for where a part begins, to the nearest texel. */
export function cornerKey(x: number, y: number): number {
  return Math.round(x) * 65536 + Math.round(y);
}
