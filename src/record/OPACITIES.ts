/** By alpha byte. A colour's is cut off, not rounded, when Phaser packs it. */
export const OPACITIES = Float64Array.from({ length: 256 }, (_, alpha) =>
  alpha === 255 ? 1 : alpha === 0 ? 0 : (alpha + 0.5) / 255,
);
