import type * as Phaser from 'phaser';

import type { AlphaMaps } from '../textures/AlphaMaps.js';
import { type AlphaLookup, MAX_CELLS, UNKNOWN_LOOKUP } from '../textures/AlphaReader.js';
import { drawnTextureOf } from '../textures/drawnTextureOf.js';
import type { GlTexture } from '../textures/gpuTexels.js';
import { Blend } from '../textures/Blend.js';
import { TexturePart } from '../textures/TexturePart.js';
import { notePattern, type PatternOwner, patternOn } from '../textures/tilePatterns.js';
import { isTurned, lyingPartOf } from '../textures/turnedFrames.js';

type Frame = Phaser.Textures.Frame;
type Source = Phaser.Textures.TextureSource;

/** So far from whole texels corners may lie: they are 32-bit floats. */
const OFF_TEXEL = 0.02;

/** Parts of a texture that differ by less, in shares of it, are the same. */
const SAME_PLACE = 1e-5;

/** Alpha of what is opaque. */
const OPAQUE = 255;

/** Parts of one texture that are kept, such as glyphs and tiles. */
const MOST_PARTS = 512;

/** How opaque what a shape shows of its texture is. */
export interface ShownAlpha {
  readonly lookup: AlphaLookup;
  /** What the map is of, in coordinates of the texture: where it begins, and how much of it there is. */
  readonly u: number;
  readonly v: number;
  readonly du: number;
  readonly dv: number;
  readonly isRepeated: boolean;
}

const WHITE: ShownAlpha = {
  lookup: { kind: 'opaque', brightest: 1 },
  u: 0,
  v: 0,
  du: 1,
  dv: 1,
  isRepeated: false,
};

const UNKNOWN: ShownAlpha = { lookup: UNKNOWN_LOOKUP, u: 0, v: 0, du: 1, dv: 1, isRepeated: false };

interface Textured {
  readonly frame?: Frame | null;
  readonly fillPattern?: object | null;
}

/** Finds out how opaque shapes are from the texture of the GPU they show and where on it. */
export class QuadAlpha {
  /** What is asked for is an ad's own: it is read at once. */
  isOfAd = false;
  private readonly sources = new WeakMap<object, Source>();
  private readonly frames = new WeakMap<Source, Map<string, Frame>>();
  private readonly parts = new WeakMap<Source, Map<string, TexturePart>>();

  /** @param isUpward v = 1 is the top of a picture, and not its bottom */
  constructor(
    private readonly game: Phaser.Game,
    private readonly maps: AlphaMaps,
    private readonly isUpward: boolean,
  ) {}

  /**
   * @param texture as Phaser holds it
   * @param owner the object that shows it
   * @param uv coordinates of corners
   * @param light for what darkens: the light of the tint, 0–1
   */
  lookup(texture: object, owner: object | null, uv: Float64Array, blend: Blend, light: number): ShownAlpha {
    if (!this.isUpward) return this.lookupDown(texture, owner, uv, blend, light);
    const down = uv.map((part, i) => (i % 2 === 0 ? part : 1 - part));
    const shown = this.lookupDown(texture, owner, down, blend, light);
    return { ...shown, v: 1 - shown.v, dv: -shown.dv };
  }

  /** The same, shown again and again in coordinates that count in it. */
  lookupTile(texture: object, owner: object | null, tile: Float64Array, blend: Blend, light: number): ShownAlpha {
    const [x, y, width, height] = tile as unknown as [number, number, number, number];
    const shown = this.lookup(texture, owner, Float64Array.of(x, y, x + width, y + height), blend, light);
    const isIt =
      shown.lookup.kind !== 'map' ||
      [shown.u - x, shown.v - y, shown.du - width, shown.dv - height].every((off) => Math.abs(off) < SAME_PLACE);
    return isIt ? { ...shown, u: 0, v: 0, du: 1, dv: 1, isRepeated: true } : UNKNOWN;
  }

  private lookupDown(texture: object, owner: object | null, uv: Float64Array, blend: Blend, light: number): ShownAlpha {
    const textured = owner as Textured | null;
    if (textured?.fillPattern === texture) notePattern(textured as PatternOwner);
    const pattern = patternOn(texture);
    if (pattern !== null) return { ...WHOLE, lookup: this.read(pattern, blend, light), isRepeated: true };
    const source = this.sourceOf(texture, textured);
    // A game may have uploaded it the other way round.
    if (source === null || (this.isUpward && !source.flipY && drawnTextureOf(source) === null)) return UNKNOWN;
    // What Phaser fills plain colours with.
    if ((source.texture as Phaser.Textures.Texture | undefined)?.key === '__WHITE') return WHITE;
    const { width, height } = sizeOf(source);
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < uv.length; i += 2) {
      left = Math.min(left, uv[i]! * width);
      right = Math.max(right, uv[i]! * width);
      top = Math.min(top, uv[i + 1]! * height);
      bottom = Math.max(bottom, uv[i + 1]! * height);
    }
    if (!(right >= left && bottom >= top)) return UNKNOWN;
    if (right === left && bottom === top) return this.texelAt(source, left, top, blend, light);
    const frame = this.frameAt(source, textured?.frame ?? null, left, top, right, bottom);
    if (frame === null) return UNKNOWN;
    const { cutX, cutY, cutWidth, cutHeight } = frame;
    return {
      lookup: this.read(frame, blend, light),
      u: cutX / width,
      v: cutY / height,
      du: cutWidth / width,
      dv: cutHeight / height,
      isRepeated: false,
    };
  }

  /** Of a shape that shows a single texel all over. */
  private texelAt(source: Source, x: number, y: number, blend: Blend, light: number): ShownAlpha {
    const { width, height } = sizeOf(source);
    // Filtered, it is where four texels meet, on the edge those of the other side of a texture that repeats.
    const isBlended = source.scaleMode === 0;
    const wrap = (at: number, size: number): number =>
      source.isPowerOf2 ? (at + size) % size : Math.min(Math.max(0, at), size - 1);
    const [toX, toY] = isBlended ? [Math.round(x), Math.round(y)] : [Math.floor(x), Math.floor(y)];
    const columns = isBlended ? [wrap(toX - 1, width), wrap(toX, width)] : [wrap(toX, width)];
    const rows = isBlended ? [wrap(toY - 1, height), wrap(toY, height)] : [wrap(toY, height)];
    let alpha = 0;
    for (const column of columns) {
      for (const row of rows) {
        const frame = this.partOf(source, column, row, 1, 1);
        const lookup = frame === null ? UNKNOWN_LOOKUP : this.read(frame, blend, light);
        if (lookup.kind === 'unknown') return UNKNOWN;
        alpha += (lookup.kind === 'map' ? lookup.map.alpha[0]! : OPAQUE) / columns.length / rows.length;
      }
    }
    const map = { width: 1, height: 1, alpha: Uint8Array.of(Math.round(alpha)) };
    // In the middle of its only cell.
    const [u, v] = [(x - 0.5) / width, (y - 0.5) / height];
    return { lookup: { kind: 'map', map, brightest: 1 }, u, v, du: 1 / width, dv: 1 / height, isRepeated: false };
  }

  private read(frame: Frame, blend: Blend, light: number): AlphaLookup {
    this.maps.isOfAd = this.isOfAd;
    return blend === Blend.DARKEN ? this.maps.lookupTinted(frame, light) : this.maps.lookup(frame, blend);
  }

  /** The frame with these corners; else one around them, whose map is as fine; else a part of the texture's own. */
  private frameAt(
    source: Source,
    own: Frame | null,
    left: number,
    top: number,
    right: number,
    bottom: number,
  ): Frame | null {
    if (own !== null && own.source === source && isAt(own, left, top, right, bottom)) return own;
    const known = this.framesOf(source).get(keyOf(left, top, right, bottom));
    if (known !== undefined) return known;
    const { width, height } = sizeOf(source);
    if (width * height <= MAX_CELLS || !(right - left <= width && bottom - top <= height)) {
      return this.partOf(source, 0, 0, width, height);
    }
    const x = Math.max(0, Math.floor(left + OFF_TEXEL));
    const y = Math.max(0, Math.floor(top + OFF_TEXEL));
    const toX = Math.min(width, Math.max(x + 1, Math.ceil(right - OFF_TEXEL)));
    const toY = Math.min(height, Math.max(y + 1, Math.ceil(bottom - OFF_TEXEL)));
    return this.partOf(source, x, y, toX - x, toY - y);
  }

  private partOf(source: Source, x: number, y: number, width: number, height: number): Frame | null {
    if (!(width > 0 && height > 0)) return null;
    let parts = this.parts.get(source);
    if (parts === undefined || parts.size >= MOST_PARTS)
      this.parts.set(source, (parts = new Map<string, TexturePart>()));
    const key = `${x} ${y} ${width} ${height}`;
    let part = parts.get(key);
    if (part === undefined) parts.set(key, (part = new TexturePart(source, x, y, width, height)));
    return part.frame;
  }

  private framesOf(source: Source): Map<string, Frame> {
    const { texture } = source;
    let frames = this.frames.get(source);
    const count = (texture as Phaser.Textures.Texture | undefined)?.frameTotal ?? 0;
    if (frames !== undefined && frames.size >= count) return frames;
    frames = new Map();
    for (const [name, frame] of Object.entries((texture?.frames ?? {}) as Record<string, Frame>)) {
      // Vertices tell themselves that it is mirrored.
      const shown = isTurned(frame) ? lyingPartOf(frame).frame : frame;
      const { cutX, cutY, cutWidth, cutHeight } = shown;
      if (frame.source === source) frames.set(keyOf(cutX, cutY, cutX + cutWidth, cutY + cutHeight), shown);
      // Frames of one place, and of other sources, count too.
      else frames.set(`other ${name}`, shown);
    }
    while (frames.size < count) frames.set(`double ${frames.size}`, undefined as unknown as Frame);
    this.frames.set(source, frames);
    return frames;
  }

  private sourceOf(texture: object, owner: Textured | null): Source | null {
    const own = owner?.frame?.source as Source | null | undefined;
    if (own && isOf(own, texture)) return own;
    const known = this.sources.get(texture);
    if (known !== undefined && isOf(known, texture)) return known;
    const list = this.game.textures.list as Record<string, Phaser.Textures.Texture>;
    for (const key of Object.keys(list)) {
      for (const source of list[key]!.source) {
        if (!isOf(source, texture)) continue;
        this.sources.set(texture, source);
        return source;
      }
    }
    return null;
  }
}

const WHOLE = { u: 0, v: 0, du: 1, dv: 1 };

function isOf(source: Source, texture: object): boolean {
  return (source.glTexture as object | null) === texture;
}

function isAt(frame: Frame, left: number, top: number, right: number, bottom: number): boolean {
  const { cutX, cutY, cutWidth, cutHeight } = frame;
  return (
    !isTurned(frame) &&
    Math.abs(left - cutX) < OFF_TEXEL &&
    Math.abs(top - cutY) < OFF_TEXEL &&
    Math.abs(right - cutX - cutWidth) < OFF_TEXEL &&
    Math.abs(bottom - cutY - cutHeight) < OFF_TEXEL
  );
}

function keyOf(left: number, top: number, right: number, bottom: number): string {
  return `${Math.round(left)} ${Math.round(top)} ${Math.round(right)} ${Math.round(bottom)}`;
}

/** The canvas of a Text grows without its source being told. */
function sizeOf(source: Source): { readonly width: number; readonly height: number } {
  const { isRenderTexture } = (source.glTexture ?? {}) as GlTexture;
  return source.isCanvas && !isRenderTexture ? (source.image as HTMLCanvasElement) : source;
}
