/** How much a creative may cost the game. */
export interface CreativeLimits {
  /** Weight of the file, in bytes. */
  readonly maxBytes: number;
  /** Longest side, in pixels. */
  readonly maxSidePx: number;
  /** Width × height, in pixels²; each takes 4 bytes once decoded. */
  readonly maxAreaPx: number;
  /** Until the last byte has arrived, in milliseconds. */
  readonly fetchTimeoutMs: number;
  /** For decoding, in milliseconds. */
  readonly decodeTimeoutMs: number;
}

/**
 * Generous for what ad networks deliver (IAB fixed sizes weigh at most 300 kB) and safe for the game: 99 % of devices
 * take textures of 4096 px; the area is 32 MiB decoded.
 */
export const DEFAULT_CREATIVE_LIMITS: CreativeLimits = Object.freeze({
  maxBytes: 1_048_576,
  maxSidePx: 4096,
  maxAreaPx: 8_388_608,
  fetchTimeoutMs: 15_000,
  decodeTimeoutMs: 5_000,
});
