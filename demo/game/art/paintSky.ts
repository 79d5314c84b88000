import type * as Phaser from 'phaser';
import { box, disc, paint, radial, vertical, type Context } from './brush.js';
import { Dice } from './dice.js';

/** Sky gradients, stars, sun, moon, clouds and the two far skylines. */
export function paintSky(textures: Phaser.Textures.TextureManager): void {
  paint(textures, 'sky-dusk', 8, 512, (c, w, h) => {
    const stops = vertical(
      c,
      0,
      h,
      [0, '#221d5c'],
      [0.3, '#5b3a8c'],
      [0.52, '#c65584'],
      [0.68, '#ff9468'],
      [0.82, '#ffd295'],
      [1, '#ffe7b8'],
    );
    box(c, stops, 0, 0, w, h);
  });
  paint(textures, 'sky-night', 8, 512, (c, w, h) => {
    box(c, vertical(c, 0, h, [0, '#070924'], [0.4, '#131646'], [0.7, '#2a2767'], [1, '#54408c']), 0, 0, w, h);
  });
  paint(textures, 'sky-day', 8, 512, (c, w, h) => {
    box(c, vertical(c, 0, h, [0, '#3f8fe0'], [0.45, '#7cc4f5'], [0.75, '#c5e9f7'], [1, '#fdf1d8']), 0, 0, w, h);
  });
  paint(textures, 'stars', 1024, 256, (c, w, h) => {
    const dice = new Dice(11);
    for (let i = 0; i < 190; i++) {
      const size = dice.chance(0.12) ? dice.between(1.1, 1.7) : dice.between(0.4, 0.9);
      const y = h * dice.next() ** 1.4;
      disc(
        c,
        `rgba(255,${dice.integer(230, 255)},${dice.integer(215, 255)},${dice.between(0.35, 1).toFixed(2)})`,
        w * dice.next(),
        y,
        size,
      );
    }
  });
  paint(textures, 'sun', 256, 256, (c) => {
    disc(
      c,
      radial(
        c,
        128,
        128,
        128,
        [0, 'rgba(255,246,214,.95)'],
        [0.3, 'rgba(255,214,140,.55)'],
        [0.6, 'rgba(255,170,110,.16)'],
        [1, 'rgba(255,150,110,0)'],
      ),
      128,
      128,
      128,
    );
    disc(c, '#fff6dc', 128, 128, 36);
  });
  paint(textures, 'moon', 200, 200, (c) => {
    disc(
      c,
      radial(c, 100, 100, 100, [0, 'rgba(200,214,255,.5)'], [0.4, 'rgba(170,190,255,.14)'], [1, 'rgba(170,190,255,0)']),
      100,
      100,
      100,
    );
    disc(c, radial(c, 92, 90, 46, [0, '#fdfcff'], [1, '#cfd6f6']), 100, 100, 32);
    for (const [x, y, r] of [
      [90, 92, 6],
      [110, 104, 8],
      [98, 114, 4],
      [112, 86, 3.5],
    ] as const)
      disc(c, 'rgba(150,160,205,.4)', x, y, r);
  });
  for (let variant = 0; variant < 3; variant++)
    paint(textures, `cloud-${String(variant)}`, 260, 90, (c) => cloud(c, new Dice(40 + variant)));
  paint(textures, 'skyline-far', 1024, 256, (c, w, h) =>
    skyline(c, w, h, new Dice(5), {
      from: '#8d6cae',
      to: '#c490ae',
      low: 0.3,
      high: 0.78,
      lamp: 'rgba(255,226,170,.35)',
      lit: 0.1,
    }),
  );
  paint(textures, 'skyline-mid', 1024, 256, (c, w, h) =>
    skyline(c, w, h, new Dice(23), {
      from: '#50458f',
      to: '#8a66a4',
      low: 0.35,
      high: 0.95,
      lamp: 'rgba(255,221,150,.75)',
      lit: 0.2,
    }),
  );
}

function cloud(c: Context, dice: Dice): void {
  for (let i = 0; i < 11; i++) {
    const x = 45 + i * 17;
    const rise = Math.sin((i / 10) * Math.PI);
    const r = 12 + rise * dice.between(14, 26);
    c.globalAlpha = 0.55;
    disc(
      c,
      radial(
        c,
        x - r * 0.2,
        62 - r * 0.6,
        r * 1.3,
        [0, 'rgba(255,255,255,.95)'],
        [0.7, 'rgba(255,240,244,.75)'],
        [1, 'rgba(255,225,235,0)'],
      ),
      x,
      64 - r * 0.35,
      r * 1.25,
      r,
    );
  }
}

interface SkylineLook {
  readonly from: string;
  readonly to: string;
  /** Lowest and highest roof as a share of the height. */
  readonly low: number;
  readonly high: number;
  readonly lamp: string;
  readonly lit: number;
}

/** A row of towers that repeats without a seam. */
function skyline(c: Context, width: number, height: number, dice: Dice, look: SkylineLook): void {
  const fill = vertical(c, height * (1 - look.high), height, [0, look.from], [1, look.to]);
  let x = 0;
  while (x < width) {
    let w = dice.integer(38, 92);
    if (width - x - w < 40) w = width - x;
    const h = height * dice.between(look.low, look.high);
    const y = height - h;
    box(c, fill, x, y, w, h);
    c.fillStyle = 'rgba(255,255,255,.07)';
    c.fillRect(x, y, w * 0.28, h);
    const crown = dice.integer(0, 5);
    c.fillStyle = look.from;
    if (crown === 0) c.fillRect(x + w / 2 - 1, y - 24, 2, 24);
    if (crown === 1) {
      c.fillRect(x + w * 0.2, y - 10, w * 0.6, 10);
      c.fillRect(x + w * 0.35, y - 18, w * 0.3, 8);
    }
    if (crown === 2) {
      c.beginPath();
      c.moveTo(x, y + 1);
      c.lineTo(x + w / 2, y - w * 0.45);
      c.lineTo(x + w, y + 1);
      c.fill();
    }
    if (crown === 3) {
      c.beginPath();
      c.arc(x + w / 2, y + 1, w * 0.34, Math.PI, 0);
      c.fill();
    }
    c.fillStyle = look.lamp;
    for (let wy = y + 10; wy < height - 8; wy += 11) {
      for (let wx = x + 7; wx < x + w - 8; wx += 9) if (dice.chance(look.lit)) c.fillRect(wx, wy, 4, 5);
    }
    x += w;
  }
}
