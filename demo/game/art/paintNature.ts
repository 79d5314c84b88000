import type * as Phaser from 'phaser';
import { box, disc, line, paint, radial, shape, vertical, type Context } from './brush.js';
import { Dice } from './dice.js';

/** Trees with gaps between their leaves, birds, balloons, clouds of steam, raindrops, flakes. */
export function paintNature(textures: Phaser.Textures.TextureManager): void {
  const leaves = [
    ['#1d5b56', '#2c7f68', '#49a877', '#8fd58a'],
    ['#2a4f6b', '#33788a', '#52a8a0', '#9fe0c0'],
    ['#8a3f74', '#c05a8c', '#ee8aa8', '#ffc6cf'],
  ] as const;
  leaves.forEach((shades, variant) => {
    paint(textures, `tree-${String(variant)}`, 170, 250, (c) => tree(c, shades, new Dice(300 + variant)));
  });
  paint(textures, 'near-branch', 420, 300, (c) => nearBranch(c, new Dice(77)));
  paint(textures, 'near-bush', 320, 120, (c) => nearBush(c, new Dice(78)));
  for (let frame = 0; frame < 4; frame++) paint(textures, `bird-${String(frame)}`, 44, 36, (c) => bird(c, frame));
  ['#ff6f5e', '#ffc65c', '#5fd8f0', '#c08aff'].forEach((colour, index) => {
    paint(textures, `balloon-${String(index)}`, 56, 110, (c) => balloon(c, colour));
  });
  paint(textures, 'puff', 64, 64, (c) => {
    disc(
      c,
      radial(c, 32, 32, 32, [0, 'rgba(255,255,255,.85)'], [0.5, 'rgba(240,240,255,.4)'], [1, 'rgba(230,230,255,0)']),
      32,
      32,
      32,
    );
  });
  paint(textures, 'raindrop', 4, 34, (c) => {
    box(c, vertical(c, 0, 34, [0, 'rgba(190,215,255,0)'], [1, 'rgba(205,225,255,1)']), 1, 0, 2, 34, 1);
  });
  paint(textures, 'flake', 14, 14, (c) =>
    disc(c, radial(c, 7, 7, 7, [0, '#ffffff'], [0.55, 'rgba(255,255,255,.95)'], [1, 'rgba(255,255,255,0)']), 7, 7, 7),
  );
  paint(textures, 'leaf', 16, 12, (c) => {
    shape(c, '#ff9d5c', 'M1 6 Q6 -2 15 6 Q6 14 1 6 Z');
    line(c, 'rgba(120,40,30,.5)', 1, 'M2 6 L13 6');
  });
  paint(textures, 'spark', 16, 16, (c) =>
    disc(c, radial(c, 8, 8, 8, [0, '#ffffff'], [0.35, 'rgba(255,235,170,.9)'], [1, 'rgba(255,200,110,0)']), 8, 8, 8),
  );
  paint(textures, 'confetti', 10, 6, (c) => box(c, '#ffffff', 0, 0, 10, 6, 1));
  paint(textures, 'glow', 128, 128, (c) => {
    disc(
      c,
      radial(c, 64, 64, 64, [0, 'rgba(255,255,255,.9)'], [0.25, 'rgba(255,255,255,.35)'], [1, 'rgba(255,255,255,0)']),
      64,
      64,
      64,
    );
  });
  paint(textures, 'shadow', 128, 24, (c) => {
    c.scale(1, 24 / 128);
    disc(c, radial(c, 64, 64, 62, [0, 'rgba(6,5,26,.5)'], [0.6, 'rgba(6,5,26,.3)'], [1, 'rgba(6,5,26,0)']), 64, 64, 62);
  });
}

function tree(c: Context, shades: readonly [string, string, string, string], dice: Dice): void {
  disc(c, 'rgba(6,6,24,.3)', 85, 246, 36, 4);
  shape(c, '#3b2a4a', 'M77 248 Q82 190 74 150 L84 154 L86 120 L92 154 L102 140 Q90 190 95 248 Z');
  shape(c, 'rgba(255,190,140,.16)', 'M77 248 Q82 190 74 150 L80 152 Q86 190 82 248 Z');
  const clumps = Array.from({ length: 13 }, (_, i) => {
    const angle = (i / 13) * Math.PI * 2;
    const reach = i % 3 === 0 ? 22 : 46;
    return { x: 85 + Math.cos(angle) * reach * 1.12, y: 88 + Math.sin(angle) * reach * 1.18, r: dice.between(22, 30) };
  });
  for (let tone = 0; tone < 4; tone++) {
    for (const clump of clumps) {
      const count = [44, 34, 24, 9][tone] ?? 0;
      for (let i = 0; i < count; i++) {
        const angle = dice.between(0, Math.PI * 2);
        const r = clump.r * Math.sqrt(dice.next()) * (1 - tone * 0.12);
        const x = clump.x + Math.cos(angle) * r - tone * 3;
        const y = clump.y + Math.sin(angle) * r - tone * 4;
        disc(
          c,
          shades[tone] ?? shades[0],
          x,
          y,
          dice.between(2.6, 4.6),
          dice.between(1.6, 2.6),
          dice.between(0, Math.PI),
        );
      }
    }
  }
}

/** Dark leaves close to the eye, hanging into the picture from above. */
function nearBranch(c: Context, dice: Dice): void {
  line(c, '#0e0d2e', 11, 'M420 -6 Q300 40 190 58 Q110 70 30 120');
  line(c, '#0e0d2e', 6, 'M300 34 Q250 90 226 150 M210 54 Q170 100 120 136 M350 18 Q340 90 310 140');
  const spine = [
    [380, 20],
    [340, 50],
    [300, 52],
    [262, 66],
    [330, 100],
    [240, 120],
    [200, 70],
    [160, 92],
    [120, 96],
    [84, 112],
    [46, 124],
    [226, 150],
    [126, 140],
    [312, 138],
  ] as const;
  for (const [cx, cy] of spine) {
    for (let i = 0; i < 26; i++) {
      const angle = dice.between(0, Math.PI * 2);
      const r = 40 * Math.sqrt(dice.next());
      disc(
        c,
        dice.pick(['#12113a', '#0e0d2e', '#191848', '#171540']),
        cx + Math.cos(angle) * r * 1.25,
        cy + Math.sin(angle) * r,
        dice.between(6, 11),
        dice.between(2.6, 4.4),
        dice.between(0.2, 1.3),
      );
    }
  }
}

function nearBush(c: Context, dice: Dice): void {
  for (let i = 0; i < 420; i++) {
    const t = dice.next();
    const x = 14 + t * 292;
    const top = 112 - Math.sin(t * Math.PI) * 74 * (0.75 + 0.25 * Math.sin(t * 14));
    disc(
      c,
      dice.pick(['#100f34', '#15143f', '#0c0b29', '#1c1b4e']),
      x,
      dice.between(top, 120),
      dice.between(6, 11),
      dice.between(3, 5),
      dice.between(-1.4, 1.4),
    );
  }
}

function bird(c: Context, frame: number): void {
  const lift = [-13, -4, 10, -2][frame] ?? 0;
  shape(c, '#f4f1ff', 'M4 18 Q14 12 26 15 Q33 13 40 17 L34 19 Q28 24 16 22 Q9 21 4 18 Z');
  shape(c, '#ffb45c', 'M39 16 L44 17.4 L39 18.6 Z');
  disc(c, '#1b1740', 35, 16, 1.1);
  shape(
    c,
    '#b9b4de',
    `M14 17 Q16 ${String(17 + lift)} ${String(8 + Math.abs(lift) * 0.3)} ${String(17 + lift * 1.25)} Q24 ${String(17 + lift * 0.9)} 27 17 Z`,
  );
  shape(
    c,
    '#dedaf6',
    `M17 17 Q22 ${String(17 + lift)} ${String(16 + Math.abs(lift) * 0.2)} ${String(17 + lift * 1.1)} Q28 ${String(17 + lift * 0.7)} 28 17 Z`,
  );
}

function balloon(c: Context, colour: string): void {
  line(c, 'rgba(255,255,255,.6)', 1.2, 'M28 66 Q22 80 30 92 Q34 100 28 109');
  shape(
    c,
    colour,
    'M28 4 C48 4 54 22 50 38 C46 52 36 60 28 64 C20 60 10 52 6 38 C2 22 8 4 28 4 Z M24 68 L28 62 L32 68 Z',
  );
  shape(
    c,
    radial(c, 20, 20, 44, [0, 'rgba(255,255,255,.65)'], [0.4, 'rgba(255,255,255,.06)'], [1, 'rgba(40,10,60,.3)']),
    'M28 4 C48 4 54 22 50 38 C46 52 36 60 28 64 C20 60 10 52 6 38 C2 22 8 4 28 4 Z',
  );
}
