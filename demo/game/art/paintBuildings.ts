import type * as Phaser from 'phaser';
import { box, disc, glowing, line, paint, vertical, type Context } from './brush.js';
import { Dice } from './dice.js';
import { FONT } from './palette.js';

/** One house of the street. Its lit windows are a texture of their own that fades in at night. */
export interface Facade {
  readonly key: string;
  readonly lit: string;
  readonly width: number;
  readonly height: number;
}

interface FacadePlan {
  readonly width: number;
  readonly height: number;
  readonly wall: readonly [top: string, bottom: string];
  readonly trim: string;
  readonly columns: number;
  readonly rows: number;
  readonly look: 'sash' | 'arch' | 'wide';
  readonly sign: string;
  readonly signColour: string;
  readonly awning: readonly [string, string];
  /** Columns without windows: room for a wall banner. */
  readonly blank?: readonly number[];
}

const SHOP = 62;

const plans: readonly FacadePlan[] = [
  {
    width: 300,
    height: 168,
    wall: ['#7d4a6e', '#5d3963'],
    trim: '#c98a94',
    columns: 6,
    rows: 2,
    look: 'sash',
    sign: 'RAMEN',
    signColour: '#ff7a6b',
    awning: ['#ff6f5e', '#fff0d2'],
  },
  {
    width: 340,
    height: 262,
    wall: ['#4a5290', '#383e75'],
    trim: '#8f9bdd',
    columns: 7,
    rows: 3,
    look: 'wide',
    sign: 'BOOKS',
    signColour: '#7fe3ff',
    awning: ['#2b8f9a', '#d6fff4'],
    blank: [4, 5, 6],
  },
  {
    width: 260,
    height: 168,
    wall: ['#a3586a', '#7b4360'],
    trim: '#f0b59c',
    columns: 5,
    rows: 2,
    look: 'arch',
    sign: 'CAFÉ',
    signColour: '#ffd27a',
    awning: ['#ffb45c', '#fff4df'],
  },
  {
    width: 380,
    height: 212,
    wall: ['#3f6a80', '#2f4f6c'],
    trim: '#8cc6c4',
    columns: 8,
    rows: 2,
    look: 'sash',
    sign: 'CYCLES',
    signColour: '#8dffb9',
    awning: ['#3fb78f', '#e9fff2'],
    blank: [0, 1, 2],
  },
  {
    width: 290,
    height: 246,
    wall: ['#6b4f9a', '#4a3b80'],
    trim: '#b9a1e6',
    columns: 6,
    rows: 3,
    look: 'arch',
    sign: 'VINYL',
    signColour: '#ff8ae0',
    awning: ['#d9577f', '#ffe3ee'],
  },
  {
    width: 320,
    height: 156,
    wall: ['#8a6a52', '#684e52'],
    trim: '#e0bd92',
    columns: 6,
    rows: 1,
    look: 'wide',
    sign: 'BAKERY',
    signColour: '#ffe08a',
    awning: ['#c9733d', '#fff0d2'],
  },
];

export const facades: readonly Facade[] = plans.map((plan, index) => ({
  key: `facade-${String(index)}`,
  lit: `facade-${String(index)}-lit`,
  width: plan.width,
  height: plan.height,
}));

/** Facades with a bare stretch of wall, and the middle of that stretch from the left edge. */
export const blankWalls: readonly { readonly facade: Facade; readonly x: number; readonly y: number }[] = plans.flatMap(
  (plan, index) => {
    const facade = facades[index];
    if (!plan.blank || !facade) return [];
    const middle = plan.blank.reduce((sum, column) => sum + column, 0) / plan.blank.length;
    return [{ facade, x: columnX(plan, middle), y: 18 + (plan.height - SHOP - 18) / 2 }];
  },
);

export function paintBuildings(textures: Phaser.Textures.TextureManager): void {
  plans.forEach((plan, index) => {
    const facade = facades[index];
    if (!facade) return;
    paint(textures, facade.key, plan.width, plan.height, (c) => front(c, plan, new Dice(100 + index)));
    paint(textures, facade.lit, plan.width, plan.height, (c) => lights(c, plan, new Dice(200 + index)));
  });
  paintRoofThings(textures);
}

function columnX(plan: FacadePlan, column: number): number {
  return 24 + ((plan.width - 48) / plan.columns) * (column + 0.5);
}

function forEachWindow(plan: FacadePlan, visit: (x: number, y: number, w: number, h: number) => void): void {
  const top = 28;
  const step = (plan.height - SHOP - top) / plan.rows;
  const w = Math.min(26, (plan.width - 48) / plan.columns - 12);
  const h = Math.min(38, step - 16);
  for (let row = 0; row < plan.rows; row++) {
    for (let column = 0; column < plan.columns; column++) {
      if (!plan.blank?.includes(column)) visit(columnX(plan, column) - w / 2, top + row * step, w, h);
    }
  }
}

function windowPath(c: Context, plan: FacadePlan, x: number, y: number, w: number, h: number): void {
  c.beginPath();
  if (plan.look === 'arch') c.roundRect(x, y, w, h, [w / 2, w / 2, 2, 2]);
  else c.roundRect(x, y, w, h, 2);
}

function front(c: Context, plan: FacadePlan, dice: Dice): void {
  const { width, height } = plan;
  box(c, vertical(c, 0, height, [0, plan.wall[0]], [1, plan.wall[1]]), 0, 8, width, height - 8);

  // Bricks: a few, as a hint; a full pattern would flicker when the camera moves.
  c.fillStyle = 'rgba(0,0,0,.09)';
  for (let i = 0; i < width / 3; i++)
    c.fillRect(dice.integer(4, width - 16), 22 + 6 * dice.integer(0, (height - SHOP - 30) / 6), dice.integer(7, 12), 3);
  c.fillStyle = 'rgba(255,255,255,.06)';
  for (let i = 0; i < width / 5; i++)
    c.fillRect(dice.integer(4, width - 16), 22 + 6 * dice.integer(0, (height - SHOP - 30) / 6), dice.integer(7, 12), 3);
  c.fillStyle = 'rgba(255,255,255,.07)';
  c.fillRect(0, 8, 10, height);
  c.fillStyle = 'rgba(8,6,30,.22)';
  c.fillRect(width - 12, 8, 12, height);

  forEachWindow(plan, (x, y, w, h) => {
    c.fillStyle = plan.trim;
    windowPath(c, plan, x - 3, y - 3, w + 6, h + 6);
    c.fill();
    c.fillStyle = vertical(c, y, y + h, [0, '#8fb6d8'], [0.45, '#4d5f99'], [1, '#2c3269']);
    windowPath(c, plan, x, y, w, h);
    c.fill();
    c.save();
    windowPath(c, plan, x, y, w, h);
    c.clip();
    c.fillStyle = 'rgba(255,255,255,.2)';
    c.beginPath();
    c.moveTo(x, y + h * 0.7);
    c.lineTo(x + w, y);
    c.lineTo(x + w * 0.55, y);
    c.lineTo(x, y + h * 0.35);
    c.fill();
    if (dice.chance(0.4)) box(c, dice.pick(['#f6d6a8', '#e7a9a0', '#cfe3d0']), x, y, w, h * dice.between(0.2, 0.5));
    c.restore();
    c.fillStyle = plan.trim;
    if (plan.look !== 'wide') c.fillRect(x + w / 2 - 1, y, 2, h);
    c.fillRect(x, y + h * 0.48, w, 2);
    box(c, 'rgba(10,8,32,.3)', x - 5, y + h + 6, w + 10, 2);
    box(c, plan.trim, x - 5, y + h + 2, w + 10, 4, 1);
    if (dice.chance(0.28)) flowerBox(c, x - 3, y + h - 3, w + 6, dice);
  });

  // Cornice
  box(c, plan.trim, -2, 4, width + 4, 7);
  box(c, 'rgba(255,255,255,.3)', 0, 4, width, 2);
  box(c, 'rgba(8,6,30,.3)', 0, 11, width, 4);
  for (let x = 8; x < width - 6; x += 16) box(c, plan.trim, x, 11, 6, 6, 1);
  box(c, plan.wall[1], 0, 0, width, 5, 2);

  shop(c, plan, dice);
}

function flowerBox(c: Context, x: number, y: number, w: number, dice: Dice): void {
  for (let i = 0; i < 9; i++)
    disc(
      c,
      dice.pick(['#3f9d6b', '#5fc07e', '#2f8060']),
      x + dice.between(1, w - 1),
      y + dice.between(-1, 4),
      dice.between(2, 3.4),
    );
  for (let i = 0; i < 5; i++)
    disc(c, dice.pick(['#ff8fa3', '#ffd27a', '#ffffff']), x + dice.between(1, w - 1), y + dice.between(-2, 2), 1.5);
  box(c, '#6b3f3f', x, y + 4, w, 5, 1);
}

function shop(c: Context, plan: FacadePlan, dice: Dice): void {
  const { width, height } = plan;
  const top = height - SHOP;
  box(c, '#2a2450', 0, top, width, SHOP);
  box(c, plan.trim, 0, top - 3, width, 4);
  const door = width - 62;
  box(c, vertical(c, top + 18, height, [0, '#ffe2ad'], [1, '#e89f6d']), 14, top + 20, door - 28, SHOP - 28, 2);
  c.fillStyle = 'rgba(42,36,80,.9)';
  for (let x = 14 + (door - 28) / 4; x < door - 20; x += (door - 28) / 4) c.fillRect(x, top + 20, 3, SHOP - 28);
  for (let x = 20; x < door - 24; x += 11) {
    const h = dice.between(5, 18);
    box(c, dice.pick(['#b5606a', '#6d5aa0', '#d08a55', '#4f7f8f', '#8a4f70']), x, height - 9 - h, 8, h, 2);
  }
  box(c, plan.trim, door, top + 14, 40, SHOP - 14, 2);
  box(c, vertical(c, top, height, [0, '#9fd0e0'], [1, '#57619c']), door + 5, top + 19, 30, SHOP - 26, 2);
  disc(c, '#ffe9a8', door + 31, top + 42, 2);
  box(c, '#201b42', 0, height - 7, width, 7);

  // Awning
  const stripe = 14;
  for (let i = 0; i * stripe < door - 12; i++) {
    c.fillStyle = plan.awning[i % 2 === 0 ? 0 : 1];
    const x = 8 + i * stripe;
    const w = Math.min(stripe, door - 12 - i * stripe);
    c.beginPath();
    c.moveTo(x, top + 2);
    c.lineTo(x + w, top + 2);
    c.lineTo(x + w, top + 20);
    c.arc(x + w / 2, top + 20, w / 2, 0, Math.PI);
    c.fill();
  }
  box(c, 'rgba(8,6,30,.16)', 8, top + 13, door - 12, 8);

  c.font = `800 15px ${FONT}`;
  c.textBaseline = 'middle';
  const text = c.measureText(plan.sign).width;
  box(c, '#1b1740', 16, top - 19, text + 22, 19, 4);
  c.fillStyle = plan.signColour;
  c.fillText(plan.sign, 27, top - 9);
}

function lights(c: Context, plan: FacadePlan, dice: Dice): void {
  forEachWindow(plan, (x, y, w, h) => {
    if (!dice.chance(0.55)) return;
    const warm = dice.pick([
      ['#ffe9b0', '#ffb862'],
      ['#fff3cf', '#ffcf7d'],
      ['#d4f4ff', '#7fbfff'],
    ] as const);
    glowing(c, warm[1], 9, () => {
      c.fillStyle = vertical(c, y, y + h, [0, warm[0]], [1, warm[1]]);
      windowPath(c, plan, x, y, w, h);
      c.fill();
    });
    c.fillStyle = 'rgba(70,30,60,.55)';
    if (plan.look !== 'wide') c.fillRect(x + w / 2 - 1, y, 2, h);
    c.fillRect(x, y + h * 0.48, w, 2);
  });
  const top = plan.height - SHOP;
  const door = plan.width - 62;
  glowing(c, '#ffb45c', 12, () => box(c, 'rgba(255,214,140,.62)', 14, top + 26, door - 28, SHOP - 34, 2));
  c.font = `800 15px ${FONT}`;
  c.textBaseline = 'middle';
  for (const blur of [10, 4]) {
    glowing(c, plan.signColour, blur, () => {
      c.fillStyle = plan.signColour;
      c.fillText(plan.sign, 27, top - 9);
    });
  }
}

function paintRoofThings(textures: Phaser.Textures.TextureManager): void {
  paint(textures, 'tank', 60, 84, (c) => {
    line(c, '#2e2a5a', 3, 'M14 52 L8 84 M46 52 L52 84 M24 52 L22 84 M36 52 L38 84 M10 70 L50 70');
    box(c, vertical(c, 0, 60, [0, '#a8716a'], [1, '#6e4a62']), 8, 18, 44, 36, 3);
    c.fillStyle = 'rgba(20,10,40,.25)';
    for (let x = 14; x < 50; x += 8) c.fillRect(x, 18, 1.5, 36);
    c.fillStyle = 'rgba(20,10,40,.4)';
    c.fillRect(8, 27, 44, 2);
    c.fillRect(8, 43, 44, 2);
    c.fillStyle = '#54406f';
    c.beginPath();
    c.moveTo(4, 19);
    c.lineTo(30, 2);
    c.lineTo(56, 19);
    c.fill();
  });
  paint(textures, 'vent', 46, 34, (c) => {
    box(c, vertical(c, 6, 34, [0, '#8088b8'], [1, '#4c5286']), 3, 10, 40, 24, 3);
    c.fillStyle = '#343866';
    for (let y = 15; y < 31; y += 4) c.fillRect(8, y, 30, 2);
    box(c, '#9aa2d0', 1, 7, 44, 5, 2);
  });
  paint(textures, 'antenna', 40, 70, (c) => {
    line(c, '#2e2a5a', 2, 'M20 70 L20 6 M6 16 L34 16 M9 26 L31 26 M12 36 L28 36 M20 50 L10 70 M20 50 L30 70');
    disc(c, '#ff6f5e', 20, 5, 3);
  });
}
