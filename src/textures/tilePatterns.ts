import type * as Phaser from 'phaser';

import { isDynamic } from './AlphaReader.js';
import { TexturePart } from './TexturePart.js';
import { uprightOf } from './turnedFrames.js';

/** What repeats a frame: a TileSprite. */
export interface PatternOwner {
  /** The frame that is repeated; {@link frame} is the TileSprite's own canvas. */
  readonly displayFrame: Phaser.Textures.Frame | null;
  readonly frame: Phaser.Textures.Frame | null;
  /** The TileSprite's own picture, and what it is drawn with: a texture of the GPU, on Canvas a `CanvasPattern`. */
  readonly fillCanvas?: HTMLCanvasElement | null;
  readonly fillPattern?: object | null;
}

interface Pattern {
  readonly of: Phaser.Textures.Frame;
  readonly part: TexturePart;
}

/** `Phaser.Textures.FilterMode.NEAREST`. */
const NEAREST = 1;

/** By TileSprite, not by canvas: Phaser hands the canvas of a destroyed TileSprite on to the next one. */
const patterns = new WeakMap<PatternOwner, Pattern>();

/** By texture of the GPU. */
const owners = new WeakMap<object, PatternOwner>();

/**
 * The repeated picture as it was when the TileSprite took it: later changes of the texture do not reach the pattern. WebGL
 * stretches it to powers of two, and both renderers smooth it or not as the game's `antialias` says. Where none of that
 * makes a difference, this is the frame itself, which all TileSprites share. Source: `TileSprite.updateTileTexture`.
 */
function patternOf(owner: PatternOwner, frame: Phaser.Textures.Frame, isWebGL: boolean): Phaser.Textures.Frame {
  const { fillCanvas, fillPattern } = owner;
  if (!fillCanvas || !fillPattern) return uprightOf(frame);
  const { width, height } = fillCanvas;
  const scaleMode = owner.frame?.source?.scaleMode ?? 0;
  // Null once the texture was removed.
  const source = frame.source as Phaser.Textures.TextureSource | null;
  const isStretched = isWebGL && scaleMode === NEAREST && (width !== frame.cutWidth || height !== frame.cutHeight);
  if (source && !isDynamic(source.image) && source.scaleMode === scaleMode && !isStretched) return uprightOf(frame);
  let pattern = patterns.get(owner);
  if (
    pattern?.of !== frame ||
    pattern.part.source.scaleMode !== scaleMode ||
    !pattern.part.isAt(pattern.part.source, 0, 0, width, height)
  ) {
    const ownSource = { image: fillCanvas, scaleMode, glTexture: null } as unknown as Phaser.Textures.TextureSource;
    pattern = { of: frame, part: new TexturePart(ownSource, 0, 0, width, height) };
    patterns.set(owner, pattern);
  }
  return pattern.part.frame;
}

/** Notes which TileSprite a pattern's texture of the GPU belongs to, for {@link patternOn}. */
export function notePattern(owner: PatternOwner): void {
  if (owner.fillPattern) owners.set(owner.fillPattern, owner);
}

/** The picture that a texture of the GPU repeats; null when the texture was not noted as a pattern. */
export function patternOn(glTexture: object): Phaser.Textures.Frame | null {
  const owner = owners.get(glTexture);
  if (owner?.fillPattern !== glTexture || owner.displayFrame === null) return null;
  return patternOf(owner, owner.displayFrame, true);
}
