import type * as Phaser from 'phaser';

type Frame = Phaser.Textures.Frame;
type Source = Phaser.Textures.TextureSource;

/** Most parts kept of one texture: a bar that is cropped anew in every frame would make ever more. */
const MOST_PARTS = 512;

interface Parts {
  readonly byCorner: Map<number, Frame[]>;
  count: number;
}

const partsOf = new WeakMap<Source, Parts>();

/**
 * A rectangle of a texture that Phaser keeps no frame for, such as a tile of a tileset or a glyph of a font. It has the fields
 * of a frame that looking up an alpha map reads. Asking for the same part again gives the same object, as the lookup needs.
 */
export function partOf(source: Source, x: number, y: number, width: number, height: number): Frame {
  let parts = partsOf.get(source);
  if (parts === undefined) partsOf.set(source, (parts = { byCorner: new Map(), count: 0 }));
  const corner = cornerKey(x, y);
  const known = parts.byCorner.get(corner);
  if (known !== undefined) {
    for (const part of known) {
      const { cutX, cutY, cutWidth, cutHeight } = part;
      if (cutX === x && cutY === y && cutWidth === width && cutHeight === height) return part;
    }
  }
  if (parts.count++ === MOST_PARTS) {
    parts.byCorner.clear();
    parts.count = 1;
  }
  const part = { source, cutX: x, cutY: y, cutWidth: width, cutHeight: height } as Frame;
  const list = parts.byCorner.get(corner);
  if (list === undefined) parts.byCorner.set(corner, [part]);
  else list.push(part);
  return part;
}

/** One number for where a part begins, to the nearest texel. */
export function cornerKey(x: number, y: number): number {
  return Math.round(x) * 65536 + Math.round(y);
}
