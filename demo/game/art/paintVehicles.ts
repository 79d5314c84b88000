import type * as Phaser from 'phaser';
import { box, disc, glowing, horizontal, line, paint, radial, shape, vertical, type Context } from './brush.js';
import { FONT } from './palette.js';

/** Where a picture goes on the truck and on the blimp, from the top left corner of each. */
export const TRUCK_PANEL = { x: 34, y: 11, width: 196, height: 98 } as const;
export const BLIMP_PANEL = { x: 112, y: 37, width: 156, height: 78 } as const;

/** Which way a vehicle is shown. All are painted looking right; one shown mirrored has its lettering mirrored beforehand. */
type Heading = 'right' | 'left';

/** Everything that drives or flies and is larger than a bird. All look to the right. */
export function paintVehicles(textures: Phaser.Textures.TextureManager): void {
  for (const heading of ['right', 'left'] as const) {
    paint(textures, letteredKey('bus', heading), 306, 128, (c) => bus(c, heading));
    paint(textures, letteredKey('taxi', heading), 158, 66, (c) => {
      car(c, ['#ffd55e', '#f0a63a'], '#fff1c0');
      taxiSign(c, heading);
    });
  }
  paint(textures, 'car', 158, 66, (c) => car(c, ['#6fb4ff', '#3b6fd0'], '#c9e4ff'));
  paint(textures, 'car-red', 158, 66, (c) => car(c, ['#ff7c77', '#c93c62'], '#ffd0cc'));
  paint(textures, 'van', 190, 102, van);
  paint(textures, 'truck', 350, 150, truck);
  paint(textures, 'headlight', 190, 70, (c) => {
    c.fillStyle = horizontal(
      c,
      0,
      190,
      [0, 'rgba(255,240,190,.75)'],
      [0.25, 'rgba(255,230,170,.28)'],
      [1, 'rgba(255,230,170,0)'],
    );
    c.beginPath();
    c.moveTo(2, 30);
    c.lineTo(190, 0);
    c.lineTo(190, 70);
    c.lineTo(2, 38);
    c.fill();
  });
  paint(textures, 'blimp', 360, 170, blimp);
}

/** The texture of a vehicle with lettering. */
export function letteredKey(key: 'bus' | 'taxi', heading: Heading): string {
  return heading === 'right' ? key : `${key}-${heading}`;
}

function lettering(c: Context, words: string, x: number, y: number, font: string, heading: Heading): void {
  c.save();
  c.font = font;
  c.textAlign = 'center';
  c.translate(x, y);
  if (heading === 'left') c.scale(-1, 1);
  c.fillText(words, 0, 0);
  c.restore();
}

function wheel(c: Context, x: number, y: number, radius: number): void {
  disc(c, '#12112e', x, y, radius);
  disc(c, '#2d2c55', x, y, radius * 0.78);
  disc(c, radial(c, x - 2, y - 2, radius * 0.6, [0, '#f2f0ff'], [1, '#8c8ab8']), x, y, radius * 0.5);
  disc(c, '#3a3868', x, y, radius * 0.18);
}

function bus(c: Context, heading: Heading): void {
  disc(c, 'rgba(6,5,26,.4)', 153, 123, 146, 5);
  shape(
    c,
    vertical(c, 6, 116, [0, '#ff8a6a'], [0.5, '#f4605c'], [1, '#bf3d62']),
    'M10 20 Q10 8 22 8 L282 8 Q296 8 298 24 L302 84 L302 108 Q302 114 296 114 L12 114 Q6 114 6 108 Z',
  );
  box(c, 'rgba(255,255,255,.28)', 18, 9, 266, 3, 2);
  box(c, '#fff0d2', 6, 84, 296, 7);
  box(c, '#26234f', 18, 24, 240, 44, 7);
  for (let i = 0; i < 5; i++) {
    const x = 21 + i * 47;
    box(c, vertical(c, 26, 66, [0, '#a9dcf4'], [0.6, '#6f9cd0'], [1, '#ffdca0']), x, 27, 43, 38, 4);
    shape(c, 'rgba(255,255,255,.35)', `M${String(x + 6)} 65 l22 -38 h9 l-22 38 Z`);
    if (i % 2 === 0) {
      disc(c, '#3a3160', x + 15, 52, 6);
      shape(c, '#3a3160', `M${String(x + 5)} 65 q10 -14 20 0 Z`);
    }
  }
  box(c, '#26234f', 262, 20, 36, 74, 6);
  shape(
    c,
    vertical(c, 20, 80, [0, '#c4ecff'], [1, '#6f9cd0']),
    'M265 26 Q265 23 268 23 L290 23 Q293 24 293.5 30 L297 72 L265 72 Z',
  );
  box(c, '#1c1940', 270, 9, 24, 11, 2);
  c.fillStyle = '#ffe27a';
  lettering(c, '12 CITY', 254, 19, `800 8.5px ${FONT}`, heading);
  glowing(c, '#fff0b0', 8, () => disc(c, '#fff6d0', 298, 98, 4, 6));
  disc(c, '#ff3f55', 8, 98, 2.5, 6);
  for (const x of [66, 236]) {
    shape(c, '#1f1c46', `M${String(x - 24)} 114 A24 24 0 0 1 ${String(x + 24)} 114 Z`);
    wheel(c, x, 110, 16);
  }
}

function car(c: Context, body: readonly [string, string], shine: string): void {
  disc(c, 'rgba(6,5,26,.4)', 79, 62, 74, 4);
  shape(c, '#26234f', 'M42 30 L56 11 Q59 7 65 7 L98 7 Q104 7 109 12 L126 31 Z');
  shape(
    c,
    vertical(c, 8, 32, [0, '#c4ecff'], [1, '#6f90c8']),
    'M50 29 L60 14 Q62 11.5 66 11.5 L80 11.5 L80 29 Z M84 29 L84 11.5 L97 11.5 Q102 11.5 105 15 L117 29 Z',
  );
  shape(
    c,
    vertical(c, 24, 58, [0, body[0]], [1, body[1]]),
    'M6 52 L7 38 Q8 30 18 29 L44 27 L122 28 Q148 31 152 42 L153 52 Q153 55 149 55 L10 55 Q6 55 6 52 Z',
  );
  box(c, shine, 14, 30.5, 122, 2, 1);
  line(c, 'rgba(30,20,60,.3)', 1.4, 'M82 30 L82 53');
  glowing(c, '#fff0b0', 7, () => disc(c, '#fff7d8', 149, 42, 3.5, 4));
  disc(c, '#ff3f55', 8, 41, 2.5, 4);
  for (const x of [36, 120]) {
    shape(c, '#1f1c46', `M${String(x - 16)} 56 A16 16 0 0 1 ${String(x + 16)} 56 Z`);
    wheel(c, x, 54, 11);
  }
}

function taxiSign(c: Context, heading: Heading): void {
  for (let i = 0; i < 9; i++) box(c, i % 2 === 0 ? '#2a2450' : '#fff4d6', 40 + i * 9, 41, 9, 5);
  box(c, '#fff6d6', 72, 0, 24, 8, 2);
  c.fillStyle = '#2a2450';
  lettering(c, 'TAXI', 84, 6.5, `800 7px ${FONT}`, heading);
}

function van(c: Context): void {
  disc(c, 'rgba(6,5,26,.4)', 95, 97, 90, 4.5);
  shape(
    c,
    vertical(c, 6, 92, [0, '#f4f0ff'], [1, '#b5aee0']),
    'M6 18 Q6 7 17 7 L128 7 Q136 7 142 14 L164 44 Q182 48 183 60 L184 82 Q184 90 176 90 L12 90 Q6 90 6 84 Z',
  );
  shape(c, '#26234f', 'M126 14 L134 14 Q137 14 140 18 L157 43 L126 43 Z');
  shape(c, vertical(c, 14, 44, [0, '#c4ecff'], [1, '#6f90c8']), 'M130 18 L135 18 L151 40 L130 40 Z');
  shape(c, '#22a7a8', 'M6 54 L184 64 L184 74 L6 66 Z');
  line(c, 'rgba(40,30,90,.25)', 1.5, 'M118 10 L118 88 M66 10 L66 88');
  disc(c, '#22a7a8', 40, 33, 13);
  shape(c, '#ffffff', 'M33 36 L40 24 L47 36 Z M37 37 h6 v5 h-6 Z');
  glowing(c, '#fff0b0', 7, () => disc(c, '#fff7d8', 180, 64, 3.5, 5));
  disc(c, '#ff3f55', 8, 72, 2.5, 5);
  for (const x of [42, 146]) {
    shape(c, '#1f1c46', `M${String(x - 19)} 91 A19 19 0 0 1 ${String(x + 19)} 91 Z`);
    wheel(c, x, 88, 13);
  }
}

/** The trailer side, {@link TRUCK_PANEL}, is left plain: an ad goes there. */
function truck(c: Context): void {
  disc(c, 'rgba(6,5,26,.4)', 175, 145, 168, 5);
  box(c, '#201d48', 10, 112, 320, 14, 3);
  box(c, vertical(c, 4, 116, [0, '#e9e6ff'], [0.5, '#c9c3ee'], [1, '#9a92cc']), 6, 4, 252, 112, 5);
  c.fillStyle = 'rgba(60,50,120,.14)';
  for (let x = 14; x < 256; x += 12) c.fillRect(x, 6, 2, 108);
  box(c, '#2d2a5c', 31, 8, 202, 104, 4);
  shape(
    c,
    vertical(c, 30, 126, [0, '#5c8cff'], [1, '#3346ad']),
    'M264 126 L264 40 Q264 32 272 32 L306 32 Q313 32 316 38 L332 74 Q342 78 342 88 L343 120 Q343 126 337 126 Z',
  );
  shape(c, '#231f4c', 'M278 42 L303 42 Q306 42 308 46 L320 74 L278 74 Z');
  shape(c, vertical(c, 42, 76, [0, '#c4ecff'], [1, '#6f90c8']), 'M282 46 L301 46 Q303 46 304.5 49 L314 70 L282 70 Z');
  line(c, 'rgba(20,16,60,.35)', 1.6, 'M272 80 L272 122 M312 80 L312 122');
  box(c, '#aeb8ff', 290, 86, 12, 3, 1);
  shape(c, '#4a6be0', 'M266 32 Q268 10 290 14 L304 32 Z');
  glowing(c, '#fff0b0', 8, () => disc(c, '#fff7d8', 338, 100, 3.5, 6));
  disc(c, '#ff3f55', 8, 119, 2.5, 4);
  for (const x of [46, 84, 234, 304]) {
    shape(c, '#15132f', `M${String(x - 18)} 128 A18 18 0 0 1 ${String(x + 18)} 128 Z`);
    wheel(c, x, 132, 14);
  }
}

/** {@link BLIMP_PANEL} is left plain: an ad goes there. */
function blimp(c: Context): void {
  shape(
    c,
    vertical(c, 20, 140, [0, '#ff9a7a'], [1, '#b54478']),
    'M26 74 L4 36 Q2 30 10 32 L54 44 Z M26 84 L4 124 Q2 130 10 128 L54 112 Z',
  );
  shape(
    c,
    vertical(c, 20, 132, [0, '#fff2de'], [0.45, '#f3d3d4'], [1, '#9a78b8']),
    'M18 78 Q60 22 180 18 Q320 18 350 78 Q320 134 180 136 Q60 134 18 78 Z',
  );
  shape(
    c,
    'rgba(217,87,127,.85)',
    'M18 78 Q60 22 180 18 Q200 18 216 19 Q96 26 40 66 Q30 72 40 88 Q96 130 216 135 Q200 136 180 136 Q60 134 18 78 Z',
  );
  shape(c, 'rgba(255,255,255,.5)', 'M90 38 Q180 18 290 40 Q190 26 90 38 Z');
  shape(c, '#8b4a7d', 'M22 70 L2 76 L2 82 L22 86 L60 84 L60 72 Z');
  box(c, '#1b1740', 108, 33, 164, 86, 6);
  line(c, '#4a3a74', 3, 'M150 134 L156 146 M226 134 L220 146');
  box(c, vertical(c, 144, 166, [0, '#5a4a8a'], [1, '#332a62']), 140, 144, 96, 22, 9);
  for (let i = 0; i < 5; i++) box(c, '#ffe0a0', 152 + i * 16, 149, 10, 7, 2);
}
