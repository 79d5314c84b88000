import type * as Phaser from 'phaser';
import { box, disc, glowing, line, paint, vertical, type Context } from './brush.js';
import { FONT } from './palette.js';

/** What hangs where the service has no ad, or cannot be reached: the game's own, one for each shape of frame. */
const SHAPES = [
  { key: 'house-ad-wide', width: 320, height: 180 },
  { key: 'house-ad-square', width: 300, height: 250 },
  { key: 'house-ad-tall', width: 160, height: 600 },
  { key: 'house-ad-long', width: 728, height: 90 },
] as const;

export function paintHouseAds(textures: Phaser.Textures.TextureManager): void {
  for (const { key, width, height } of SHAPES) paint(textures, key, width, height, draw);
}

/** Key of the house ad whose shape fits a frame best. */
export function houseAdFor(width: number, height: number): string {
  const misfit = (shape: (typeof SHAPES)[number]) =>
    Math.abs(Math.log((shape.width / shape.height) * (height / width)));
  return SHAPES.reduce((best, shape) => (misfit(shape) < misfit(best) ? shape : best)).key;
}

function draw(c: Context, width: number, height: number): void {
  box(c, vertical(c, 0, height, [0, '#2a1d5e'], [0.55, '#b4467f'], [1, '#ffb45c']), 0, 0, width, height);
  const size = Math.min(width, height);
  // Beside the words where there is room, below them where not.
  const sunX = width * (width > height ? 0.84 : 0.5);
  const sunY = height * (width > 2 * height ? 0.6 : width > height ? 0.94 : 0.8);
  glowing(c, 'rgba(255,214,130,.9)', size * 0.3, () => disc(c, '#ffe2a0', sunX, sunY, size * 0.26));
  c.globalAlpha = 0.85;
  for (let i = 0, x = 0; x < width; i++) {
    const tall = size * (0.12 + 0.11 * ((i * 7) % 4));
    const wide = size * (0.12 + 0.05 * ((i * 5) % 3));
    box(c, '#221746', x, height - tall, wide + 1, tall);
    x += wide;
  }
  c.globalAlpha = 1;
  const isTall = height > 1.6 * width;
  const words = isTall ? ['RUSH', 'STREET'] : ['RUSH STREET'];
  const room = width * (width > 2 * height ? 0.7 : 0.88);
  const left = width > 2 * height ? width * 0.04 : width * 0.5;
  let px = Math.min(height * (isTall ? 0.09 : 0.34), size * 0.5);
  c.font = `900 italic ${px}px ${FONT}`;
  const widest = Math.max(...words.map((word) => c.measureText(word).width));
  if (widest > room) px *= room / widest;
  c.textAlign = width > 2 * height ? 'left' : 'center';
  c.textBaseline = 'middle';
  let y = height * (isTall ? 0.2 : 0.38);
  for (const word of words) {
    c.font = `900 italic ${px}px ${FONT}`;
    c.lineWidth = px * 0.16;
    c.lineJoin = 'round';
    c.strokeStyle = '#1b1240';
    c.strokeText(word, left, y);
    c.fillStyle = '#fff3d6';
    c.fillText(word, left, y);
    y += px * 1.04;
  }
  c.font = `700 ${px * 0.36}px ${FONT}`;
  c.fillStyle = '#ffe7b8';
  c.fillText(isTall ? 'ride on' : 'deliver faster · ride on', left, y - px * 0.18);
  line(c, 'rgba(255,255,255,.25)', 2, `M1 1 H${String(width - 1)}`);
}
