import type * as Phaser from 'phaser';

import { isDynamic } from './AlphaReader.js';
import { partOf } from './textureParts.js';

/** What repeats a frame: a TileSprite. */
export interface PatternOwner {
  /** The frame that is repeated; {@link frame} is the TileSprite's own canvas. */
  readonly displayFrame: Phaser.Textures.Frame | null;
  readonly frame: Phaser.Textures.Frame | null;
  /** The TileSprite's own picture, and what it is drawn with: a texture of the GPU, on Canvas a `CanvasPattern`. */
  readonly fillCanvas?: HTMLCanvasElement | null;
  readonly fillPattern?: object | null;
}

/** A TileSprite's own picture as the source of a texture, and the frame it was painted from. */
interface Pattern {
  readonly of: Phaser.Textures.Frame;
  readonly source: Phaser.Textures.TextureSource;
}

/** `Phaser.Textures.FilterMode.NEAREST`. */
const NEAREST = 1;

/** By TileSprite, not by canvas: Phaser hands the canvas of a destroyed TileSprite on to the next one. */
const patterns = new WeakMap<PatternOwner, Pattern>();

/** By texture of the GPU. */
const owners = new WeakMap<object, PatternOwner>();

/** Notes which TileSprite a pattern's texture of the GPU belongs to, for {@link patternOn}. */
export function notePattern(owner: PatternOwner): void {
  if (owner.fillPattern) owners.set(owner.fillPattern, owner);
}

/**
 * The picture that a texture of the GPU repeats, as it was when the TileSprite took it: later changes of the frame's texture
 * do not reach the pattern. It is stretched to powers of two, and smoothed or not as the game's `antialias` says. Where none of
 * that makes a difference, this is the part of the texture itself, which all TileSprites share. Null when the texture was not
 * noted as a pattern. Source: `TileSprite.updateTileTexture`.
 */
export function patternOn(glTexture: object): Phaser.Textures.Frame | null {
  const owner = owners.get(glTexture);
  const frame = owner?.displayFrame;
  if (!frame || !owner.fillCanvas || owner.fillPattern !== glTexture) return null;
  const { cutX, cutY, cutWidth, cutHeight } = frame;
  const { width, height } = owner.fillCanvas;
  const scaleMode = owner.frame?.source?.scaleMode ?? 0;
  // Null once the texture was removed.
  const source = frame.source as Phaser.Textures.TextureSource | null;
  const isStretched = scaleMode === NEAREST && (width !== cutWidth || height !== cutHeight);
  if (source && !isDynamic(source.image) && source.scaleMode === scaleMode && !isStretched) {
    return partOf(source, cutX, cutY, cutWidth, cutHeight);
  }
  let pattern = patterns.get(owner);
  if (pattern?.of !== frame || pattern.source.scaleMode !== scaleMode) {
    const own = { image: owner.fillCanvas, scaleMode, glTexture: null } as unknown as Phaser.Textures.TextureSource;
    pattern = { of: frame, source: own };
    patterns.set(owner, pattern);
  }
  return partOf(pattern.source, 0, 0, width, height);
}
