import { ShownAlpha } from './ShownAlpha.js';

/** Answers are kept in {@link SETS} sets of {@link WAYS}: powers of two, together more than the frames near an ad. */
const SETS = 8;
const WAYS = 8;

/** After this many frames all answers are forgotten: a game may add frames to a texture unnoticed. */
const LIFE_FRAMES = 32;

/**
 * Remembers the alpha of what the quads of a batch show. Asking Phaser's textures and frames costs a dozen reads from all
 * over the memory, for every quad near an ad in every frame.
 */
export class AlphaMemo {
  /**
   * The texture coordinates {@link recall} and {@link remember} are about: the least u and v of a quad's corners, and the
   * greatest. Exact 32-bit floats, as they stand in a batch. Not parameters, since fractions that are passed or returned may
   * be boxed by the engine.
   */
  readonly corners = new Float64Array(4);
  readonly #textures: (object | null)[] = new Array<object | null>(SETS * WAYS).fill(null);
  readonly #kept = new Float64Array(4 * SETS * WAYS);
  readonly #answers = Array.from({ length: SETS * WAYS }, () => new ShownAlpha());
  #next = 0;
  #frames = 0;
  #version = -1;

  /**
   * Starts a frame. `version` is a number that changes when the pixels of some texture may have changed.
   * @returns True when the answers are forgotten.
   */
  beginFrame(version: number): boolean {
    if (++this.#frames < LIFE_FRAMES && version === this.#version) return false;
    this.#version = version;
    this.clear();
    return true;
  }

  clear(): void {
    this.#frames = 0;
    this.#textures.fill(null);
  }

  /** The answer for {@link corners} of the texture; null when not remembered. */
  recall(texture: object): ShownAlpha | null {
    const { corners } = this;
    const textures = this.#textures;
    const kept = this.#kept;
    const from = setOf(corners);
    for (let i = from; i < from + WAYS; i++) {
      if (
        textures[i] === texture &&
        kept[4 * i] === corners[0] &&
        kept[4 * i + 1] === corners[1] &&
        kept[4 * i + 2] === corners[2] &&
        kept[4 * i + 3] === corners[3]
      ) {
        return this.#answers[i]!;
      }
    }
    return null;
  }

  /** Keeps a copy of an answer. */
  remember(texture: object, answer: ShownAlpha): void {
    const { corners } = this;
    const slot = setOf(corners) + (this.#next++ & (WAYS - 1));
    this.#textures[slot] = texture;
    this.#kept.set(corners, 4 * slot);
    this.#answers[slot]!.copy(answer);
  }
}

/** First slot of the set an answer belongs to. */
function setOf(corners: Float64Array): number {
  return (((corners[0]! * 4099 + corners[1]! * 65537) | 0) & (SETS - 1)) * WAYS;
}
