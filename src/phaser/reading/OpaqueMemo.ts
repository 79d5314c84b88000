/** Answers are kept in {@link SETS} sets of {@link WAYS}: powers of two, together more than the frames near an ad. */
const SETS = 8;
const WAYS = 8;

/** After so many frames every answer is asked for anew: frames may be added to a texture without anybody being told. */
const LIFE_FRAMES = 32;

/**
 * Remembers, for quads as they stand in a batch, whether the texture frame they show is opaque throughout. Asking Phaser's
 * textures and frames costs a dozen reads from all over the memory, for every quad near an ad in every frame.
 */
export class OpaqueMemo {
  /**
   * The texture coordinates {@link recall} and {@link remember} are about: fields, since the engine may make an object of
   * a fraction that is handed over. 0–1; exact 32-bit floats, as they stand in a batch.
   */
  u = 0.5;
  v = 0.5;
  private readonly textures: (object | null)[] = new Array<object | null>(SETS * WAYS).fill(null);
  private readonly us = new Float32Array(SETS * WAYS);
  private readonly vs = new Float32Array(SETS * WAYS);
  private readonly answers = new Uint8Array(SETS * WAYS);
  private next = 0;
  private frames = 0;
  private version = -1;

  /**
   * Starts a frame. `version` is a number that changes when the pixels of some texture may have changed.
   * @returns True when the answers are forgotten.
   */
  beginFrame(version: number): boolean {
    if (++this.frames < LIFE_FRAMES && version === this.version) return false;
    this.version = version;
    this.clear();
    return true;
  }

  clear(): void {
    this.frames = 0;
    this.textures.fill(null);
  }

  /** Whether the frame that begins at `u`, `v` of the texture is opaque; undefined when not remembered. */
  recall(texture: object): boolean | undefined {
    const { textures, us, vs, u, v } = this;
    const from = setOf(u, v);
    for (let i = from; i < from + WAYS; i++) {
      if (textures[i] === texture && us[i] === u && vs[i] === v) return this.answers[i] === 1;
    }
    return undefined;
  }

  remember(texture: object, isOpaque: boolean): void {
    const { u, v } = this;
    const slot = setOf(u, v) + (this.next++ & (WAYS - 1));
    this.textures[slot] = texture;
    this.us[slot] = u;
    this.vs[slot] = v;
    this.answers[slot] = isOpaque ? 1 : 0;
  }
}

/** First slot of the set an answer belongs to. */
function setOf(u: number, v: number): number {
  return (((u * 4099 + v * 65537) | 0) & (SETS - 1)) * WAYS;
}
