/** Opacity, 0–1, by alpha byte. When Phaser packs a colour, it cuts the alpha off and does not round it. */
export const OPACITIES = Float64Array.from({ length: 256 }, (_, alpha) =>
  alpha === 255 ? 1 : alpha === 0 ? 0 : (alpha + 0.5) / 255,
);
