import type * as Phaser from 'phaser';
import { box, disc, glowing, line, paint, radial, shape, vertical, type Context } from './brush.js';
import { Dice } from './dice.js';
import { FONT } from './palette.js';

/** A painted frame that carries an ad: where inside it the picture goes, from its top left corner. */
export interface AdFrame {
  readonly key: string;
  readonly width: number;
  readonly height: number;
  readonly picture: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly draw: (context: Context) => void;
}

export const frames = {
  roof: {
    key: 'roof-frame',
    width: 248,
    height: 164,
    picture: { x: 12, y: 6, width: 224, height: 126 },
    draw(c) {
      line(c, '#231f4c', 5, 'M44 134 L44 164 M124 134 L124 164 M204 134 L204 164');
      line(c, '#2e2a5c', 2.5, 'M44 162 L124 138 L204 162 M204 138 L160 162 M44 138 L88 162');
      box(c, vertical(c, 0, 138, [0, '#4a4d86'], [1, '#262853']), 5, 0, 238, 139, 5);
      box(c, '#0d0e2a', 10, 4, 228, 130, 3);
      box(c, 'rgba(255,255,255,.32)', 8, 1.5, 232, 1.5, 1);
      box(c, '#1d1a44', 0, 139, 248, 5, 2);
      for (const x of [36, 94, 154, 212]) shape(c, '#2b2856', `M${String(x)} 138 l-4 -7 h8 Z`);
    },
  },
  poster: {
    key: 'poster-frame',
    width: 136,
    height: 144,
    picture: { x: 8, y: 8, width: 120, height: 92 },
    draw(c) {
      box(c, '#191638', 20, 108, 8, 36);
      box(c, '#191638', 108, 108, 8, 36);
      box(c, vertical(c, 0, 116, [0, '#3f447c'], [1, '#20224d']), 0, 0, 136, 116, 6);
      box(c, '#0e0f2c', 5, 5, 126, 98, 3);
      box(c, 'rgba(255,255,255,.28)', 3, 2, 130, 1.5, 1);
      box(c, '#ffcf5e', 58, 107, 20, 4, 2);
    },
  },
  banner: {
    key: 'banner-frame',
    width: 76,
    height: 210,
    picture: { x: 9, y: 10, width: 58, height: 190 },
    draw(c) {
      box(c, 'rgba(8,6,30,.32)', 13, 12, 60, 194);
      line(c, '#d9cba0', 3, 'M4 7 L72 7 M4 203 L72 203');
      for (const [x, y] of [
        [4, 7],
        [72, 7],
        [4, 203],
        [72, 203],
      ] as const)
        disc(c, '#f5e6b8', x, y, 3.5);
    },
  },
  screen: {
    key: 'screen-frame',
    width: 156,
    height: 98,
    picture: { x: 8, y: 8, width: 140, height: 80 },
    draw(c) {
      box(c, 'rgba(8,6,30,.35)', 4, 6, 152, 92, 6);
      box(c, vertical(c, 0, 86, [0, '#565a96'], [1, '#23244f']), 0, 0, 156, 96, 6);
      box(c, '#0b0c26', 5, 5, 146, 86, 3);
      disc(c, '#5ff0c8', 147, 93, 1.4);
    },
  },
} as const satisfies Record<string, AdFrame>;

/** Road, pavement, lamps, bus stop, billboard frames, obstacles, parcels. */
export function paintStreet(textures: Phaser.Textures.TextureManager): void {
  paint(textures, 'road', 512, 256, (c, w, h) => road(c, w, h, new Dice(3)));
  paint(textures, 'lamp', 70, 190, lamp);
  paint(textures, 'lamp-light', 240, 300, (c) => {
    c.fillStyle = radial(
      c,
      120,
      20,
      280,
      [0, 'rgba(255,226,160,.55)'],
      [0.4, 'rgba(255,206,130,.16)'],
      [1, 'rgba(255,200,120,0)'],
    );
    c.beginPath();
    c.moveTo(112, 10);
    c.lineTo(128, 10);
    c.lineTo(228, 300);
    c.lineTo(12, 300);
    c.fill();
    disc(
      c,
      radial(c, 120, 16, 40, [0, 'rgba(255,250,225,.95)'], [0.3, 'rgba(255,226,160,.5)'], [1, 'rgba(255,210,140,0)']),
      120,
      16,
      40,
    );
  });
  paint(textures, 'bus-stop', 210, 140, busStop);
  for (const frame of Object.values(frames)) paint(textures, frame.key, frame.width, frame.height, frame.draw);
  paint(textures, 'bridge', 520, 330, bridge);
  paint(textures, 'cone', 40, 46, (c) => {
    disc(c, 'rgba(6,6,24,.35)', 20, 43, 19, 3.5);
    shape(c, '#e65338', 'M3 42 L37 42 L35 37 L5 37 Z');
    shape(c, vertical(c, 0, 40, [0, '#ff9a5c'], [1, '#f2583b']), 'M16 3 Q20 0 24 3 L32 38 L8 38 Z');
    shape(c, '#fff0d2', 'M14.4 11 L25.6 11 L27.4 19 L12.6 19 Z M11.4 25 L28.6 25 L30.2 32 L9.8 32 Z');
    shape(c, 'rgba(60,10,30,.18)', 'M21 1 L24 3 L32 38 L24 38 Z');
  });
  paint(textures, 'barrier', 92, 66, (c) => {
    disc(c, 'rgba(6,6,24,.35)', 46, 63, 44, 3.5);
    line(c, '#3a3d6b', 6, 'M16 12 L10 62 M76 12 L82 62 M16 12 L22 62 M76 12 L70 62');
    for (const y of [12, 36]) {
      c.save();
      c.beginPath();
      c.roundRect(3, y, 86, 17, 4);
      c.clip();
      box(c, '#fff3dc', 0, y, 92, 17);
      for (let x = -10; x < 100; x += 26) shape(c, '#ff5f4c', `M${String(x)} ${String(y + 17)} l12 -17 h13 l-12 17 Z`);
      box(c, 'rgba(20,8,40,.16)', 0, y + 12, 92, 5);
      c.restore();
    }
    for (const x of [18, 74]) {
      glowing(c, '#ffb45c', 8, () => disc(c, '#ffd27a', x, 7, 5));
      disc(c, '#fff4d6', x - 1, 6, 2);
    }
  });
  paint(textures, 'crates', 76, 84, (c) => {
    disc(c, 'rgba(6,6,24,.35)', 38, 81, 38, 3.5);
    crate(c, 2, 44, 36, '#b97a4e');
    crate(c, 39, 46, 34, '#a86a4c');
    crate(c, 16, 8, 38, '#cb8a56');
  });
  paint(textures, 'parcel', 44, 44, (c) => {
    glowing(c, 'rgba(255,206,120,.9)', 10, () => box(c, '#e8a860', 9, 12, 26, 24, 3));
    shape(c, '#f7c884', 'M9 15 L14 9 L38 9 L35 15 Z');
    shape(c, '#c27f45', 'M35 14 L38.5 9 L38.5 30 L35 36 Z');
    box(c, vertical(c, 14, 36, [0, '#eeb066'], [1, '#d48f4c']), 8, 14, 27, 22, 2);
    box(c, '#ff6f5e', 18.5, 9, 6, 27);
    shape(c, '#ff8f7c', 'M18.5 14 L23 9 L29 9 L24.5 14 Z');
    box(c, '#fff0d2', 11, 27, 6, 5, 1);
  });
  paint(textures, 'coin', 30, 30, (c) => {
    glowing(c, 'rgba(255,220,120,.9)', 7, () => disc(c, '#ffcb52', 15, 15, 10));
    disc(c, radial(c, 12, 11, 14, [0, '#fff3bd'], [0.5, '#ffd45e'], [1, '#f09a38']), 15, 15, 10);
    disc(c, '#f6b144', 15, 15, 6.6);
    shape(
      c,
      '#fff0b8',
      'M15 9.6 L16.7 13.1 L20.4 13.6 L17.7 16.2 L18.4 20 L15 18.1 L11.6 20 L12.3 16.2 L9.6 13.6 L13.3 13.1 Z',
    );
  });
  paint(textures, 'drop-beam', 150, 320, (c) => {
    c.fillStyle = vertical(
      c,
      0,
      320,
      [0, 'rgba(95,240,200,0)'],
      [0.5, 'rgba(95,240,200,.16)'],
      [1, 'rgba(95,240,200,.5)'],
    );
    c.beginPath();
    c.moveTo(30, 0);
    c.lineTo(120, 0);
    c.lineTo(146, 306);
    c.ellipse(75, 306, 71, 13, 0, 0, Math.PI);
    c.fill();
  });
  paint(textures, 'drop-ring', 170, 46, (c) => {
    glowing(c, '#5ff0c8', 12, () => {
      c.strokeStyle = '#5ff0c8';
      c.lineWidth = 4;
      c.beginPath();
      c.ellipse(85, 23, 70, 14, 0, 0, Math.PI * 2);
      c.stroke();
    });
    disc(c, 'rgba(95,240,200,.18)', 85, 23, 70, 14);
  });
  paint(textures, 'drop-box', 64, 92, (c) => {
    disc(c, 'rgba(6,6,24,.35)', 32, 88, 28, 4);
    box(c, '#2a2c5c', 27, 54, 10, 34, 2);
    shape(c, vertical(c, 8, 60, [0, '#3fe0c0'], [1, '#178c92']), 'M6 60 L6 30 Q6 8 32 8 Q58 8 58 30 L58 60 Z');
    shape(c, 'rgba(255,255,255,.35)', 'M10 32 Q10 13 30 12 Q16 16 15 32 L15 58 L10 58 Z');
    box(c, '#0e3f4f', 16, 30, 32, 8, 4);
    c.font = `800 10px ${FONT}`;
    c.fillStyle = '#e6fff6';
    c.textAlign = 'center';
    c.fillText('DROP', 32, 53);
    shape(c, '#ff6f5e', 'M56 26 L56 6 L72 6 L64 11 L64 16 L59 16 L59 26 Z');
  });
}

/** World heights inside this texture: its top is the foot of the houses. */
function road(c: Context, w: number, h: number, dice: Dice): void {
  box(c, vertical(c, 0, 36, [0, '#6f6a9c'], [1, '#8d86b4']), 0, 0, w, 36);
  c.fillStyle = 'rgba(40,34,84,.35)';
  for (let x = 0; x < w; x += 32) c.fillRect(x, 0, 1.5, 34);
  c.fillRect(0, 16, w, 1.2);
  c.fillStyle = 'rgba(40,34,84,.5)';
  c.fillRect(0, 0, w, 4);
  box(c, '#b9b2d6', 0, 33, w, 5);
  box(c, '#4a4680', 0, 38, w, 4);
  box(c, vertical(c, 42, 130, [0, '#34335f'], [0.5, '#3c3b6b'], [1, '#323158']), 0, 42, w, 92);
  for (let i = 0; i < 260; i++) {
    c.fillStyle = dice.chance(0.5) ? 'rgba(255,255,255,.045)' : 'rgba(0,0,20,.10)';
    c.fillRect(dice.between(0, w), dice.between(42, 132), dice.between(2, 12), 1.4);
  }
  c.fillStyle = 'rgba(255,240,210,.62)';
  for (let x = 12; x < w; x += 128) c.fillRect(x, 78, 62, 3.4);
  c.fillStyle = 'rgba(255,240,210,.28)';
  c.fillRect(0, 46, w, 1.6);
  box(c, '#b9b2d6', 0, 131, w, 5);
  box(c, '#4a4680', 0, 136, w, 6);
  box(c, vertical(c, 142, h, [0, '#56508a'], [0.3, '#3b3670'], [1, '#1b1a40']), 0, 142, w, h - 142);
  c.fillStyle = 'rgba(20,16,52,.4)';
  for (let x = 0; x < w; x += 64) c.fillRect(x, 142, 1.6, h);
}

function lamp(c: Context): void {
  box(c, '#1c1a40', 29, 176, 12, 14, 3);
  box(c, vertical(c, 20, 180, [0, '#3b3f78'], [1, '#24244f']), 32.5, 26, 5, 156, 2);
  line(c, '#33366b', 4, 'M35 28 Q35 12 50 12');
  shape(c, '#2b2d5c', 'M44 8 L66 8 L62 16 L48 16 Z');
  disc(c, '#ffe7b0', 55, 17, 7, 3.4);
}

function busStop(c: Context): void {
  box(c, 'rgba(150,200,240,.14)', 14, 24, 182, 102);
  line(c, '#2b2d5c', 5, 'M14 22 L14 138 M196 22 L196 138');
  shape(c, vertical(c, 8, 26, [0, '#5a62a8'], [1, '#353a78']), 'M2 24 L8 10 L204 10 L208 24 Z');
  box(c, 'rgba(255,255,255,.35)', 9, 11, 194, 2, 1);
  box(c, '#7a4f58', 24, 104, 100, 6, 2);
  line(c, '#2b2d5c', 4, 'M36 110 L36 138 M112 110 L112 138');
  shape(c, 'rgba(255,255,255,.14)', 'M30 26 L58 26 L32 98 L18 98 L18 58 Z');
  box(c, '#ffcf5e', 148, 0, 40, 16, 3);
  c.fillStyle = '#2a2450';
  c.font = `800 11px ${FONT}`;
  c.textAlign = 'center';
  c.fillText('BUS', 168, 12);
}

/** Two stone piers and a steel deck right across the street; the banner area is 396 × 49 at (62, 20). */
function bridge(c: Context): void {
  for (const x of [8, 470]) {
    box(c, vertical(c, 60, 330, [0, '#5b5690'], [1, '#38345f']), x, 60, 42, 270, 3);
    box(c, 'rgba(255,255,255,.14)', x, 60, 6, 270);
    box(c, 'rgba(8,6,30,.25)', x + 34, 60, 8, 270);
    c.fillStyle = 'rgba(10,8,40,.22)';
    for (let y = 84; y < 330; y += 22) c.fillRect(x, y, 42, 1.6);
    box(c, '#726dab', x - 5, 72, 52, 9, 2);
    box(c, '#726dab', x - 5, 316, 52, 14, 2);
  }
  line(c, '#33305f', 4, 'M0 18 L520 18');
  for (let x = 6; x < 516; x += 26)
    line(c, '#33305f', 1.8, `M${String(x)} 18 L${String(x)} 2 M${String(x)} 2 L${String(x + 26)} 2`);
  box(c, vertical(c, 14, 78, [0, '#6a66a6'], [1, '#3e3a72']), 0, 14, 520, 62, 3);
  c.fillStyle = 'rgba(255,255,255,.18)';
  c.fillRect(0, 14, 520, 2);
  for (let x = 10; x < 520; x += 16) {
    disc(c, '#8d89c4', x, 17.5, 1.3);
    disc(c, '#2c2958', x, 73, 1.3);
  }
  box(c, '#12123a', 58, 16, 404, 57, 3);
  for (const x of [130, 260, 390]) {
    line(c, '#d9cba0', 2, `M${String(x)} 76 L${String(x)} 84`);
    glowing(c, '#ffdf9a', 8, () => disc(c, '#fff0c0', x, 87, 4, 3));
  }
}

function crate(c: Context, x: number, y: number, size: number, colour: string): void {
  box(c, colour, x, y, size, size, 3);
  c.fillStyle = 'rgba(60,20,30,.25)';
  for (let i = 1; i < 4; i++) c.fillRect(x, y + (size / 4) * i, size, 1.5);
  c.strokeStyle = 'rgba(255,230,180,.35)';
  c.lineWidth = 3;
  c.strokeRect(x + 3, y + 3, size - 6, size - 6);
  c.beginPath();
  c.moveTo(x + 4, y + size - 4);
  c.lineTo(x + size - 4, y + 4);
  c.stroke();
  box(c, 'rgba(40,10,30,.22)', x + size - 7, y, 7, size, 2);
}
