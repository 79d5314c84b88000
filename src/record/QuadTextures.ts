import type * as Phaser from 'phaser';

import type { AlphaMaps } from '../textures/AlphaMaps.js';
import { AlphaMemo } from '../textures/AlphaMemo.js';
import type { AlphaLookup } from '../textures/AlphaReader.js';
import { drawnTextureOf } from '../textures/drawnTextureOf.js';
import { Blend } from '../textures/Blend.js';
import { TexturePart } from '../textures/TexturePart.js';
import { patternOn } from '../textures/tilePatterns.js';
import { isTurned, lyingPartOf } from '../textures/turnedFrames.js';

type Frame = Phaser.Textures.Frame;

/** Parts of one texture that are looked up like frames. A bar that is cropped anew in every frame would make ever more. */
const MOST_PARTS = 256;

/** So far from whole texels corners may lie: they are 32-bit floats. */
const OFF_TEXEL = 0.01;

/**
 * Tells of quads and triangles, as they stand in a batch, the alpha of the texture frame they show. A batch holds textures
 * of the GPU and texture coordinates; frames are found by their corners.
 */
export class QuadTextures {
  /** Some texture could not be looked at yet: its answer may be another one in the next frame. */
  isPending = false;
  /** What was last looked up goes on beyond its edges from the other side: coordinates are not bound to 0–1. */
  isRepeated = false;

  private readonly memo = new AlphaMemo();
  private readonly sources = new WeakMap<object, TextureFrames>();
  private missing = new WeakSet();
  private isRenewed = true;

  constructor(
    private readonly game: Phaser.Game,
    private readonly maps: AlphaMaps,
    /** Pictures are turned over when they go to the GPU. */
    private readonly isUpward: boolean,
  ) {}

  attach(): void {
    this.game.textures.on('addtexture', this.onTexture);
    this.game.textures.on('removetexture', this.onTexture);
  }

  detach(): void {
    this.game.textures.off('addtexture', this.onTexture);
    this.game.textures.off('removetexture', this.onTexture);
    this.memo.clear();
  }

  /**
   * Starts a frame.
   * @returns False when the answers of the last frame hold.
   */
  beginFrame(): boolean {
    const isRenewed = this.memo.beginFrame(this.maps.changes) || this.isRenewed || this.isPending;
    this.isRenewed = this.isPending = false;
    return isRenewed;
  }

  /**
   * The texture coordinates {@link lookup} is about: the least u and v of the corners of a quad or of half of one, and the
   * greatest. 0–1, exact 32-bit floats; beyond that of what is repeated.
   */
  get corners(): Float32Array {
    return this.memo.corners;
  }

  /** The alpha of what has these {@link corners}; null when only the walk can tell. A map is that of all between them, or of what {@link isRepeated}. */
  lookup(glTexture: object): AlphaLookup | null {
    const { memo } = this;
    this.isRepeated = false;
    const known = memo.recall(glTexture);
    if (known !== undefined) return known;
    // An ad's own picture that is not read yet is the walk's to read.
    this.maps.isOfAd = false;
    const pattern = patternOn(glTexture);
    const answer =
      pattern !== null
        ? this.maps.lookup(pattern, Blend.COVER)
        : this.framesOf(glTexture)?.lookup(memo.corners, this.maps);
    this.isRepeated = pattern !== null;
    // A texture that nothing is known of is known once the walk has met it.
    if (answer === undefined || answer?.kind === 'unknown' || this.maps.isBehind) this.isPending = true;
    // Patterns scroll: the same part of one seldom comes back.
    else if (pattern === null) memo.remember(glTexture, answer);
    return answer ?? null;
  }

  private readonly onTexture = (): void => {
    // Textures that were unknown may be known now; known ones stay.
    this.missing = new WeakSet();
    this.memo.clear();
    this.isRenewed = true;
  };

  private framesOf(glTexture: object): TextureFrames | null {
    const known = this.sources.get(glTexture);
    if (known?.isCurrent(glTexture)) return known;
    const found = this.find(glTexture) ?? this.findUnlisted(glTexture);
    if (found !== null) this.sources.set(glTexture, found);
    return found;
  }

  private find(glTexture: object): TextureFrames | null {
    if (this.missing.has(glTexture)) return null;
    const list = this.game.textures.list as Record<string, Phaser.Textures.Texture>;
    for (const key of Object.keys(list)) {
      const texture = list[key]!;
      for (let i = 0; i < texture.source.length; i++) {
        const source = texture.source[i]!;
        if ((source.glTexture as object | null) === glTexture) return this.framesIn(texture, source, i);
      }
    }
    this.missing.add(glTexture);
    return null;
  }

  /** Of a Text and the like, once the walk has met it. */
  private findUnlisted(glTexture: object): TextureFrames | null {
    const frame = this.maps.frameOf(glTexture);
    return frame === null ? null : this.framesIn(frame.texture, frame.source, frame.sourceIndex);
  }

  private framesIn(texture: Phaser.Textures.Texture, source: Phaser.Textures.TextureSource, i: number): TextureFrames {
    return new TextureFrames(texture, source, i, this.isUpward);
  }
}

/** Finds which frame of a texture a quad shows, by its texture coordinates. */
class TextureFrames {
  /** By where they begin. */
  private byCorner: Map<number, Frame[]> | null = null;
  private frameTotal = -1;
  /** By where they begin. */
  private readonly parts = new Map<number, TexturePart[]>();
  private partCount = 0;

  constructor(
    private readonly texture: Phaser.Textures.Texture,
    private readonly source: Phaser.Textures.TextureSource,
    private readonly sourceIndex: number,
    private readonly isUpward: boolean,
  ) {}

  /** False once the texture was replaced or removed. */
  isCurrent(glTexture: object): boolean {
    return (this.source.glTexture as object | null) === glTexture;
  }

  /** What is known of the frame with these corners, or of a part of one. */
  lookup(corners: Float32Array, maps: AlphaMaps): AlphaLookup | null {
    // A game may have uploaded it the other way round.
    if (this.isUpward && !this.source.flipY && drawnTextureOf(this.source) === null) return null;
    const frames = this.texture.frames as Record<string, Frame>;
    const whole = frames['__BASE'];
    if (whole !== undefined && this.texture.frameTotal <= 1) {
      const lookup = maps.lookup(whole, Blend.COVER);
      return lookup.kind === 'map' && !this.isShown(whole, corners) ? this.lookupPart(corners, maps) : lookup;
    }
    if (this.byCorner === null || this.frameTotal !== this.texture.frameTotal) this.index(frames);
    const found = this.byCorner!.get(this.texelOf(corners[0]!, corners[1]!))?.find((frame) =>
      this.isShown(frame, corners),
    );
    return found === undefined ? this.lookupPart(corners, maps) : maps.lookup(found, Blend.COVER);
  }

  /**
   * What is known of a part that Phaser keeps no frame of, as of a tile, a glyph or a cropped picture; null the first time it
   * is asked for. Answers are remembered for a while, so that what is asked for again has lasted so long.
   */
  private lookupPart(corners: Float32Array, maps: AlphaMaps): AlphaLookup | null {
    const { source, parts } = this;
    const { width, height } = this.sizeOfSource();
    const left = Math.round(corners[0]! * width);
    const top = Math.round(corners[1]! * height);
    const right = Math.round(corners[2]! * width);
    const bottom = Math.round(corners[3]! * height);
    const isWithin = left >= 0 && top >= 0 && right <= width && bottom <= height && left < right && top < bottom;
    if (!isWithin || source.flipY !== this.isUpward) return null;
    for (let k = 0; k < 4; k++) {
      const texel = corners[k]! * (k % 2 === 0 ? width : height);
      if (Math.abs(texel - Math.round(texel)) > OFF_TEXEL) return null;
    }
    const key = numberOf(left, top);
    const known = parts.get(key) ?? [];
    const part = known.find((one) => one.isAt(source, left, top, right - left, bottom - top));
    if (part !== undefined) return maps.lookup(part.frame, Blend.COVER);
    if (this.partCount === MOST_PARTS) return null;
    this.partCount++;
    known.push(new TexturePart(source, left, top, right - left, bottom - top));
    parts.set(key, known);
    return null;
  }

  private index(frames: Readonly<Record<string, Frame>>): void {
    const byCorner = new Map<number, Frame[]>();
    for (const name of Object.keys(frames)) {
      const frame = frames[name]!;
      if (frame.sourceIndex !== this.sourceIndex) continue;
      // Vertices tell themselves that it is mirrored.
      const shown = isTurned(frame) ? lyingPartOf(frame).frame : frame;
      const key = numberOf(shown.cutX, shown.cutY);
      const known = byCorner.get(key);
      if (known === undefined) byCorner.set(key, [shown]);
      else known.push(shown);
    }
    this.byCorner = byCorner;
    this.frameTotal = this.texture.frameTotal;
  }

  /** True when the corners are those of the frame. */
  private isShown({ cutX, cutY, cutWidth, cutHeight }: Frame, corners: Float32Array): boolean {
    return (
      this.texelOf(corners[0]!, corners[1]!) === numberOf(cutX, cutY) &&
      this.texelOf(corners[2]!, corners[3]!) === numberOf(cutX + cutWidth, cutY + cutHeight)
    );
  }

  private texelOf(u: number, v: number): number {
    const { width, height } = this.sizeOfSource();
    return numberOf(Math.round(u * width), Math.round(v * height));
  }

  /** The canvas of a Text grows without its source being told. */
  private sizeOfSource(): { readonly width: number; readonly height: number } {
    return this.source.isCanvas ? (this.source.image as HTMLCanvasElement) : this.source;
  }
}

function numberOf(x: number, y: number): number {
  return x * 65536 + y;
}
