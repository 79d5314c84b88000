import type * as Phaser from 'phaser';

import type { AlphaMaps } from '../../textures/AlphaMaps.js';
import { AlphaMemo } from '../../textures/AlphaMemo.js';
import { Blend } from '../../textures/Blend.js';
import { lightOf } from '../../textures/colourLight.js';
import type { ShownAlpha } from '../../textures/ShownAlpha.js';
import { OPACITIES } from '../draws/OPACITIES.js';
import { QuadAlpha } from '../draws/QuadAlpha.js';
import type { QuadPictures } from './RecordReader.js';

/** The alpha of what quads and triangles show, as they stand in a batch, remembered from frame to frame. */
export class QuadTextures implements QuadPictures {
  /** Some texture could not be read yet: the answer for it may change in the next frame. */
  isPending = false;

  readonly #memo = new AlphaMemo();
  readonly #alpha: QuadAlpha;
  #isRenewed = true;

  /** @param isUpward v = 1 is the top of a picture, and not its bottom */
  constructor(
    private readonly game: Phaser.Game,
    private readonly maps: AlphaMaps,
    isUpward: boolean,
  ) {
    this.#alpha = new QuadAlpha(game, maps, isUpward, true);
  }

  attach(): void {
    this.game.textures.on('addtexture', this.#onTexture);
    this.game.textures.on('removetexture', this.#onTexture);
  }

  detach(): void {
    this.game.textures.off('addtexture', this.#onTexture);
    this.game.textures.off('removetexture', this.#onTexture);
    this.#memo.clear();
  }

  /**
   * Starts a frame.
   * @returns False when the answers of the last frame hold.
   */
  beginFrame(): boolean {
    const isRenewed = this.#memo.beginFrame(this.maps.changes) || this.#isRenewed || this.isPending;
    this.#isRenewed = this.isPending = false;
    return isRenewed;
  }

  /** Exact 32-bit floats. */
  get corners(): Float64Array {
    return this.#memo.corners;
  }

  lookup(glTexture: object): ShownAlpha | null {
    const memo = this.#memo;
    const alpha = this.#alpha;
    const known = memo.recall(glTexture);
    if (known !== null) return known;
    // If an ad's own picture is not read yet, a rehearsal reads it.
    alpha.isOfAd = false;
    const shown = alpha.lookup(glTexture, null, memo.corners, Blend.COVER, 1);
    // An unknown texture becomes known once a rehearsal has met it.
    if (shown.lookup.kind === 'unknown' || this.maps.isBehind) this.isPending = true;
    // Patterns scroll: the same part of one seldom comes back.
    else if (!shown.isRepeated) memo.remember(glTexture, shown);
    return alpha.isMissing ? null : shown;
  }

  lookupFilled(glTexture: object, tint: number, alphaByte: number): ShownAlpha | null {
    const alpha = this.#alpha;
    const opacity = (alpha.fillOpacity = OPACITIES[alphaByte]!);
    alpha.fill = lightOf(tint) * opacity;
    const shown = alpha.lookup(glTexture, null, this.#memo.corners, Blend.COVER, 1);
    alpha.fill = NaN;
    if (shown.lookup.kind === 'unknown' || this.maps.isBehind) this.isPending = true;
    return alpha.isMissing ? null : shown;
  }

  opacityOf(_texture: object | null, alpha: number): number {
    return OPACITIES[alpha]!;
  }

  readonly #onTexture = (): void => {
    // Textures that were unknown may be known now; known ones stay.
    this.#memo.clear();
    this.#isRenewed = true;
  };
}
