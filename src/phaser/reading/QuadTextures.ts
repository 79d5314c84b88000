import type * as Phaser from 'phaser';

import type { AlphaLookup, AlphaMaps } from './AlphaMaps.js';
import { OpaqueMemo } from './OpaqueMemo.js';
import { Blend } from './Pen.js';

/**
 * Tells of quads and triangles, as they stand in a batch, whether the texture frame they show is opaque throughout. A batch
 * holds textures of the GPU and texture coordinates; frames are found by where they begin.
 */
export class QuadTextures {
  /**
   * The texture coordinates {@link isOpaque} is about, of the quad's corner nearest to the texture's beginning: fields,
   * since the engine may make an object of a fraction that is handed over. 0–1, exact 32-bit floats; no frame begins at
   * −1, for triangles, which do not tell which frame they show.
   */
  u = 0.5;
  v = 0.5;
  /** Some texture could not be looked at yet: its answer may be another one in the next frame. */
  isPending = false;

  private readonly memo = new OpaqueMemo();
  private readonly sources = new WeakMap<object, TextureFrames>();
  private missing = new WeakSet();
  private isRenewed = true;

  constructor(
    private readonly game: Phaser.Game,
    private readonly maps: AlphaMaps,
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

  isOpaque(glTexture: object): boolean {
    const { memo, u, v } = this;
    memo.u = u;
    memo.v = v;
    const known = memo.recall(glTexture);
    if (known !== undefined) return known;
    const kind = this.framesOf(glTexture)?.kindAt(memo, this.maps) ?? 'unknown';
    if (kind === 'unknown') this.isPending = true;
    else memo.remember(glTexture, kind === 'opaque');
    return kind === 'opaque';
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
    if (this.missing.has(glTexture)) return null;
    const list = this.game.textures.list as Record<string, Phaser.Textures.Texture>;
    for (const key of Object.keys(list)) {
      const texture = list[key]!;
      for (let i = 0; i < texture.source.length; i++) {
        const source = texture.source[i]!;
        if ((source.glTexture as object | null) !== glTexture) continue;
        const frames = new TextureFrames(texture, source, i);
        this.sources.set(glTexture, frames);
        return frames;
      }
    }
    this.missing.add(glTexture);
    return null;
  }
}

/** Finds which frame of a texture a quad shows, by its texture coordinates. */
class TextureFrames {
  private byCorner: Map<number, Phaser.Textures.Frame> | null = null;
  private frameTotal = -1;

  constructor(
    private readonly texture: Phaser.Textures.Texture,
    private readonly source: Phaser.Textures.TextureSource,
    private readonly sourceIndex: number,
  ) {}

  /** False once the texture was replaced or removed. */
  isCurrent(glTexture: object): boolean {
    return (this.source.glTexture as object | null) === glTexture;
  }

  /** What is known of the frame that begins at these texture coordinates; a part of a frame is left to its texels. */
  kindAt({ u, v }: OpaqueMemo, maps: AlphaMaps): AlphaLookup['kind'] {
    const base = this.texture.frames as Record<string, Phaser.Textures.Frame>;
    const whole = base['__BASE'];
    if (whole !== undefined && this.texture.frameTotal <= 1) return maps.lookup(whole, Blend.COVER).kind;
    if (this.byCorner === null || this.frameTotal !== this.texture.frameTotal) this.index(base);
    const frame = this.byCorner!.get(cornerKey(u, v, this.source));
    return frame === undefined ? 'map' : maps.lookup(frame, Blend.COVER).kind;
  }

  private index(frames: Readonly<Record<string, Phaser.Textures.Frame>>): void {
    const byCorner = new Map<number, Phaser.Textures.Frame>();
    for (const name of Object.keys(frames)) {
      const frame = frames[name]!;
      if (frame.sourceIndex !== this.sourceIndex) continue;
      const key = cornerKey(frame.u0, frame.v0, this.source);
      // Two frames that begin at the same texel cannot be told apart: the smaller answer is the walk's.
      if (byCorner.has(key)) byCorner.set(key, AMBIGUOUS);
      else byCorner.set(key, frame);
    }
    for (const [key, frame] of byCorner) if (frame === AMBIGUOUS) byCorner.delete(key);
    this.byCorner = byCorner;
    this.frameTotal = this.texture.frameTotal;
  }
}
const AMBIGUOUS = {} as Phaser.Textures.Frame;

function cornerKey(u: number, v: number, source: Phaser.Textures.TextureSource): number {
  return Math.round(u * source.width) * 65536 + Math.round(v * source.height);
}
