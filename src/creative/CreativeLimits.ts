/** How much a creative may cost the game. */
export interface CreativeLimits {
  /** Weight of the file, in bytes. */
  readonly maxBytes: number;
  /** Longest side, in pixels. */
  readonly maxSidePx: number;
  /** Width × height, in pixels²; each takes 4 bytes once decoded. */
  readonly maxAreaPx: number;
  /** Above this area, in pixels², the image is made smaller before it becomes a texture, so that no frame waits for its upload. */
  readonly maxTextureAreaPx: number;
  /** Weight of a video file, in bytes. */
  readonly maxVideoBytes: number;
  /** Width × height of a video, in pixels²: each of its frames is uploaded. */
  readonly maxVideoAreaPx: number;
  readonly maxVideoSeconds: number;
  /** Until the last byte has arrived, in milliseconds. */
  readonly fetchTimeoutMs: number;
  /** For decoding, in milliseconds. */
  readonly decodeTimeoutMs: number;
  /** Until a video can be drawn, in milliseconds. */
  readonly videoTimeoutMs: number;
}

/**
 * Generous for what ad networks deliver (IAB fixed sizes weigh at most 300 kB) and safe for the game: 99 % of devices
 * take textures of 4096 px; the area is 32 MiB decoded. A texture of 2 Mpx holds more pixels than the canvas of a game in
 * full HD, and uploading it took 15 ms where 8 Mpx took 60 ms (Chromium, software WebGL).
 */
export const DEFAULT_CREATIVE_LIMITS: CreativeLimits = Object.freeze({
  maxBytes: 1_048_576,
  maxSidePx: 4096,
  maxAreaPx: 8_388_608,
  maxTextureAreaPx: 2_097_152,
  maxVideoBytes: 4_194_304,
  maxVideoAreaPx: 2_073_600,
  maxVideoSeconds: 60,
  fetchTimeoutMs: 15_000,
  decodeTimeoutMs: 5_000,
  videoTimeoutMs: 10_000,
});
