import type * as Phaser from 'phaser';

import { takeBox } from '../../geometry/takeBox.js';
import type { AlphaMaps } from '../../textures/AlphaMaps.js';
import { type AlphaLookup, UNKNOWN_LOOKUP } from '../../textures/AlphaReader.js';
import { Blend } from '../../textures/Blend.js';
import { drawnTextureOf, type GlTexture } from '../../textures/gpuTexels.js';
import { ShownAlpha } from '../../textures/ShownAlpha.js';
import { cornerKey, partOf } from '../../textures/textureParts.js';
import { notePattern, type PatternOwner, patternOn } from '../../textures/tilePatterns.js';
import { isTurned, lyingPartOf } from '../../textures/turnedFrames.js';

type Frame = Phaser.Textures.Frame;
type Source = Phaser.Textures.TextureSource;
/** Undefined for sources that were made for parts of a texture. */
type Texture = Phaser.Textures.Texture | undefined;

/** How far from whole texels corners may lie: they are 32-bit floats. */
const OFF_TEXEL = 0.02;

/** Parts of a texture whose coordinates (0–1) differ by less are the same. */
const SAME_PLACE = 1e-5;

/** A texture of up to this many texels is read as a whole, whatever part of it is shown. */
const SMALL_TEXELS = 2 ** 16;

/** Alpha of what is opaque. */
const OPAQUE = 255;

const OPAQUE_LOOKUP: AlphaLookup = { kind: 'opaque', brightest: 1 };

interface Textured {
  readonly frame?: Frame | null;
  readonly fillPattern?: object | null;
}

/** The frames of a texture, by their top left corner. */
interface Frames {
  readonly byCorner: Map<number, Frame[]>;
  readonly total: number;
}

/**
 * Finds out how opaque shapes are, from the GPU texture they show and where on it. During a frame it allocates nothing,
 * except for parts of textures it meets for the first time.
 */
export class QuadAlpha {
  /** The texture asked for is an ad's own: it is read at once. */
  isOfAd = false;
  /** How much a tint hides that fills the picture, 0–1; not-a-number for what is not filled. */
  fill = NaN;
  /** The opacity of what is filled, 0–1. */
  fillOpacity = 1;
  /** The game is not known to have the texture last asked for. */
  isMissing = false;
  readonly #sources = new WeakMap<object, Source>();
  readonly #frames = new WeakMap<Source, Frames>();
  readonly #shown = new ShownAlpha();
  /** In texels of the source: left, top, right, bottom. */
  readonly #box = new Float64Array(4);

  /**
   * @param isUpward v = 1 is the top of a picture, and not its bottom
   * @param readsWhite Phaser's `__WHITE`, which fills plain colours, is read like any other picture
   */
  constructor(
    private readonly game: Phaser.Game,
    private readonly maps: AlphaMaps,
    private readonly isUpward: boolean,
    private readonly readsWhite = false,
  ) {}

  /**
   * @param texture as in `TextureSource.glTexture`
   * @param owner the object that shows it; null where it is not known
   * @param uv coordinates of corners
   * @param light for {@link Blend.DARKEN}: the light of the tint, 0–1
   * @returns the same object each time
   */
  lookup(texture: object, owner: object | null, uv: Float64Array, blend: Blend, light: number): ShownAlpha {
    const shown = this.#shown;
    shown.setWhole(UNKNOWN_LOOKUP, false);
    this.maps.isBehind = this.isMissing = false;
    takeBox(uv, 0, uv.length / 2, this.#box);
    this.#find(texture, owner, blend, light);
    if (this.isUpward) {
      shown.v = 1 - shown.v;
      shown.dv = -shown.dv;
    }
    return shown;
  }

  /** As {@link lookup}, for the part `tile` of a texture that is repeated; the shape's coordinates are relative to it. */
  lookupTile(texture: object, owner: object | null, tile: Float64Array, blend: Blend, light: number): ShownAlpha {
    const [x, y, width, height] = tile as unknown as [number, number, number, number];
    const shown = this.lookup(texture, owner, Float64Array.of(x, y, x + width, y + height), blend, light);
    const isIt =
      shown.lookup.kind !== 'map' ||
      [shown.u - x, shown.v - y, shown.du - width, shown.dv - height].every((off) => Math.abs(off) < SAME_PLACE);
    shown.setWhole(isIt ? shown.lookup : UNKNOWN_LOOKUP, isIt);
    return shown;
  }

  /** Writes what lies in {@link #box}, given in texture coordinates, to {@link #shown}. */
  #find(texture: object, owner: Textured | null, blend: Blend, light: number): void {
    const shown = this.#shown;
    const box = this.#box;
    if (owner?.fillPattern === texture) notePattern(owner as PatternOwner);
    const pattern = patternOn(texture);
    if (pattern !== null) {
      shown.setWhole(this.#read(pattern, blend, light), true);
      return;
    }
    const source = this.#sourceOf(texture, owner);
    this.isMissing = source === null;
    // A game may have uploaded the picture the other way up.
    if (source === null || (this.isUpward && !source.flipY && drawnTextureOf(source) === null)) return;
    if (!this.readsWhite && (source.texture as Texture)?.key === '__WHITE') {
      shown.lookup = OPAQUE_LOOKUP;
      return;
    }
    const { width, height } = sizeOf(source);
    if (this.isUpward) {
      const top = 1 - box[3]!;
      box[3] = 1 - box[1]!;
      box[1] = top;
    }
    for (let k = 0; k < 4; k += 2) {
      box[k]! *= width;
      box[k + 1]! *= height;
    }
    if (!(box[2]! >= box[0]! && box[3]! >= box[1]!)) return;
    if (box[2] === box[0] && box[3] === box[1]) {
      this.#findTexel(source, blend, light);
      return;
    }
    const frame = this.#frameAt(source, owner?.frame ?? null, blend, light);
    if (frame === null) return;
    shown.lookup = this.#read(frame, blend, light);
    shown.u = frame.cutX / width;
    shown.v = frame.cutY / height;
    shown.du = frame.cutWidth / width;
    shown.dv = frame.cutHeight / height;
  }

  /** Looks up what a shape shows that has a single texel all over. */
  #findTexel(source: Source, blend: Blend, light: number): void {
    const shown = this.#shown;
    const [x, y] = this.#box as unknown as [number, number];
    const { width, height } = sizeOf(source);
    // With linear filtering it is where four texels meet; on the edge of a texture that repeats, some are those of the
    // other side.
    const isBlended = source.scaleMode === 0;
    const wrap = (at: number, size: number): number =>
      source.isPowerOf2 ? (at + size) % size : Math.min(Math.max(0, at), size - 1);
    const [toX, toY] = isBlended ? [Math.round(x), Math.round(y)] : [Math.floor(x), Math.floor(y)];
    const columns = isBlended ? [wrap(toX - 1, width), wrap(toX, width)] : [wrap(toX, width)];
    const rows = isBlended ? [wrap(toY - 1, height), wrap(toY, height)] : [wrap(toY, height)];
    let alpha = 0;
    for (const column of columns) {
      for (const row of rows) {
        const lookup = this.#read(partOf(source, column, row, 1, 1), blend, light);
        if (lookup.kind === 'unknown') return;
        alpha += (lookup.kind === 'map' ? lookup.map.alpha[0]! : OPAQUE) / columns.length / rows.length;
      }
    }
    const map = { width: 1, height: 1, alpha: Uint8Array.of(Math.round(alpha)) };
    shown.lookup = { kind: 'map', map, brightest: 1 };
    // The coordinates lie in the middle of the map's only cell.
    shown.u = (x - 0.5) / width;
    shown.v = (y - 0.5) / height;
    shown.du = 1 / width;
    shown.dv = 1 / height;
  }

  #read(frame: Frame, blend: Blend, light: number): AlphaLookup {
    this.maps.isOfAd = this.isOfAd;
    if (this.fill >= 0) return this.maps.lookupFilled(frame, blend, this.fill, this.fillOpacity);
    return blend === Blend.DARKEN ? this.maps.lookupTinted(frame, light) : this.maps.lookup(frame, blend);
  }

  /** The frame whose corners are in {@link #box}; else the whole texture, if its map is as fine; else a part of the texture. */
  #frameAt(source: Source, own: Frame | null, blend: Blend, light: number): Frame | null {
    const box = this.#box;
    if (own !== null && own.source === source && !isTurned(own) && isAt(own, box)) return own;
    const known = this.#framesOf(source).get(cornerKey(box[0]!, box[1]!));
    if (known !== undefined) for (const frame of known) if (isAt(frame, box)) return frame;
    const { width, height } = sizeOf(source);
    if (!(width > 0 && height > 0)) return null;
    const isBeyond = !(box[0]! >= -OFF_TEXEL && box[1]! >= -OFF_TEXEL && box[2]! <= width + OFF_TEXEL && box[3]! <= height + OFF_TEXEL); // prettier-ignore
    if (isBeyond || width * height <= SMALL_TEXELS) {
      const all = partOf(source, 0, 0, width, height);
      // If the texture repeats, its map does not tell what is beyond its edges.
      return isBeyond && source.isPowerOf2 && this.#read(all, blend, light).kind !== 'opaque' ? null : all;
    }
    // A picture without holes is not read in parts.
    const texture = source.texture as Texture;
    const whole = texture?.frameTotal === 1 ? (texture.frames as Record<string, Frame>)['__BASE'] : undefined;
    if (whole !== undefined && this.#read(whole, blend, light).kind === 'opaque') return whole;
    const x = Math.max(0, Math.floor(box[0]! + OFF_TEXEL));
    const y = Math.max(0, Math.floor(box[1]! + OFF_TEXEL));
    const toX = Math.min(width, Math.max(x + 1, Math.ceil(box[2]! - OFF_TEXEL)));
    const toY = Math.min(height, Math.max(y + 1, Math.ceil(box[3]! - OFF_TEXEL)));
    return toX > x && toY > y ? partOf(source, x, y, toX - x, toY - y) : null;
  }

  #framesOf(source: Source): Map<number, Frame[]> {
    const texture = source.texture as Texture;
    const known = this.#frames.get(source);
    const total = texture?.frameTotal ?? 0;
    if (known?.total === total) return known.byCorner;
    const byCorner = new Map<number, Frame[]>();
    for (const frame of Object.values((texture?.frames ?? {}) as Record<string, Frame>)) {
      if (frame.source !== source) continue;
      // The coordinates of the vertices already mirror it.
      const shown = isTurned(frame) ? lyingPartOf(frame) : frame;
      const key = cornerKey(shown.cutX, shown.cutY);
      const list = byCorner.get(key);
      if (list === undefined) byCorner.set(key, [shown]);
      else list.push(shown);
    }
    this.#frames.set(source, { byCorner, total });
    return byCorner;
  }

  #sourceOf(texture: object, owner: Textured | null): Source | null {
    const own = owner?.frame?.source as Source | null | undefined;
    if (own && isOf(own, texture)) return own;
    const known = this.#sources.get(texture);
    if (known !== undefined && isOf(known, texture)) return known;
    // The source of a Text is not in the texture manager's list, but was met with its owner.
    const met = this.maps.frameOf(texture);
    if (met !== null) return met.source;
    const list = this.game.textures.list as Record<string, Phaser.Textures.Texture>;
    for (const key of Object.keys(list)) {
      for (const source of list[key]!.source) {
        if (!isOf(source, texture)) continue;
        this.#sources.set(texture, source);
        return source;
      }
    }
    return null;
  }
}

function isOf(source: Source, texture: object): boolean {
  return (source.glTexture as object | null) === texture;
}

function isAt({ cutX, cutY, cutWidth, cutHeight }: Frame, box: Float64Array): boolean {
  return (
    Math.abs(box[0]! - cutX) < OFF_TEXEL &&
    Math.abs(box[1]! - cutY) < OFF_TEXEL &&
    Math.abs(box[2]! - cutX - cutWidth) < OFF_TEXEL &&
    Math.abs(box[3]! - cutY - cutHeight) < OFF_TEXEL
  );
}

/** Size in pixels. The canvas of a Text grows without an update of its source. */
function sizeOf(source: Source): { readonly width: number; readonly height: number } {
  const { isRenderTexture } = (source.glTexture ?? {}) as GlTexture;
  return source.isCanvas && !isRenderTexture ? (source.image as HTMLCanvasElement) : source;
}
