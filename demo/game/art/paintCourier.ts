import type * as Phaser from 'phaser';
import { box, disc, glowing, line, paint, radial, shape, vertical, type Context } from './brush.js';

/** The courier is painted at twice its size in the game, so that it stays sharp in the menu. */
export const COURIER_SCALE = 0.5;

/** A cat on a scooter: body, wheels, and a scarf in six frames of one wave. */
export function paintCourier(textures: Phaser.Textures.TextureManager): void {
  paint(textures, 'courier', 260, 230, courier);
  paint(textures, 'courier-wheel', 60, 60, (c) => {
    disc(c, '#15132f', 30, 30, 29);
    disc(c, '#343263', 30, 30, 22);
    disc(c, radial(c, 26, 24, 20, [0, '#f6f3ff'], [1, '#a29fce']), 30, 30, 18);
    c.fillStyle = '#4b4885';
    for (let i = 0; i < 5; i++) {
      c.save();
      c.translate(30, 30);
      c.rotate((i / 5) * Math.PI * 2);
      c.beginPath();
      c.roundRect(-2.2, -16, 4.4, 12, 2);
      c.fill();
      c.restore();
    }
    disc(c, '#2a2858', 30, 30, 6);
    disc(c, '#ffb45c', 30, 30, 2.6);
  });
  for (let frame = 0; frame < 6; frame++)
    paint(textures, `scarf-${String(frame)}`, 120, 70, (c) => scarf(c, frame / 6));
}

function scarf(c: Context, phase: number): void {
  for (const [dy, colour, length, shift] of [
    [6, '#d98c1f', 88, 0.35],
    [0, '#ffc23d', 104, 0],
  ] as const) {
    c.fillStyle = colour;
    c.beginPath();
    for (let i = 0; i <= 20; i++) {
      const t = i / 20;
      const y = 34 + dy + Math.sin((phase + shift) * Math.PI * 2 - t * 5) * 12 * t - (9 + t * 2);
      c.lineTo(118 - t * length, y);
    }
    for (let i = 20; i >= 0; i--) {
      const t = i / 20;
      const y = 34 + dy + Math.sin((phase + shift) * Math.PI * 2 - t * 5) * 12 * t + (9 - t * 1);
      c.lineTo(118 - t * length, y);
    }
    c.fill();
  }
  c.fillStyle = 'rgba(255,255,255,.35)';
  for (let i = 0; i <= 20; i++) {
    const t = i / 20;
    c.fillRect(118 - t * 98, 27 + Math.sin(phase * Math.PI * 2 - t * 5) * 12 * t, 5, 2.4);
  }
}

function courier(c: Context): void {
  // Tail
  line(c, '#3d3358', 13, 'M74 118 Q38 120 36 92 Q35 74 48 70');
  line(c, '#f4e7d4', 13, 'M43 73 Q45 71 48 70');

  // Delivery box on the rack
  shape(c, '#1b7f86', 'M18 88 L84 80 L88 138 L22 142 Z');
  shape(
    c,
    vertical(c, 80, 142, [0, '#45e0c8'], [1, '#1f9ea2']),
    'M14 90 Q13 84 19 83 L74 77 Q80 76.5 81 82 L86 132 Q86 138 80 138.5 L26 142 Q20 142 19 136 Z',
  );
  shape(c, 'rgba(255,255,255,.4)', 'M16 90 L78 82 L79 88 L17 97 Z');
  shape(c, '#eafff8', 'M36 104 L52 102 L61 112 L54 126 L41 127 L33 116 Z');
  shape(c, '#1f9ea2', 'M40 112 L52 110.5 L53 121 L44 122 Z');
  line(c, '#2c2a58', 6, 'M24 146 L90 144');

  // Scooter: rear body, floor, front shield
  shape(
    c,
    vertical(c, 128, 196, [0, '#ff8b72'], [0.5, '#f2555a'], [1, '#b3315c']),
    'M24 178 Q20 146 58 142 L112 142 Q126 142 128 156 L132 178 Q136 186 148 186 L168 186 Q176 186 180 176 L200 104 Q202 96 210 97 L216 99 Q223 102 221 110 L206 178 Q200 204 176 204 L120 204 Q112 204 110 198 Q104 172 76 172 Q50 172 44 198 Q42 203 36 202 Q26 200 24 178 Z',
  );
  shape(c, 'rgba(255,255,255,.38)', 'M36 160 Q40 148 60 147 L110 147 Q118 147 121 152 Q84 152 62 156 Q44 160 38 172 Z');
  shape(c, 'rgba(255,255,255,.4)', 'M206 106 Q208 101 213 103 L199 164 Q196 172 191 176 Z');
  shape(c, '#fff0d2', 'M112 190 L176 190 Q184 190 188 184 L190 190 Q184 198 174 198 L114 198 Z');
  disc(c, '#ffe0b0', 34, 168, 5, 8);
  glowing(c, '#ff3f55', 8, () => disc(c, '#ff5f6a', 26, 172, 4, 6));
  // Seat
  shape(c, '#3a2440', 'M50 142 Q50 130 66 130 L112 130 Q126 131 128 142 Z');
  shape(c, 'rgba(255,255,255,.16)', 'M58 135 Q62 132 70 132 L108 132 Q116 132 120 136 Z');
  // Handlebar and headlamp
  line(c, '#2c2a58', 8, 'M208 104 L200 72');
  line(c, '#1b1940', 9, 'M190 74 L206 68');
  shape(
    c,
    vertical(c, 66, 92, [0, '#ff8b72'], [1, '#c8405c']),
    'M198 66 L216 66 Q226 70 226 80 Q226 90 216 92 L206 92 Z',
  );
  glowing(c, '#fff0b0', 12, () => disc(c, '#fff8dc', 221, 79, 5, 9));
  // Mirror
  line(c, '#2c2a58', 3, 'M200 68 L192 46');
  disc(c, '#b9c6f6', 190, 42, 7, 6);

  // Fork and mudguard
  line(c, '#8b89bd', 7, 'M210 150 L214 190');
  shape(
    c,
    vertical(c, 160, 200, [0, '#ff7a68'], [1, '#c03a5c']),
    'M184 194 Q188 164 216 164 Q242 166 244 192 Q230 176 212 178 Q196 180 184 194 Z',
  );

  // Leg
  shape(
    c,
    vertical(c, 120, 190, [0, '#42508f'], [1, '#2c356b']),
    'M86 130 Q110 116 140 128 Q158 134 156 152 L152 180 L134 180 L134 156 Q120 150 96 150 Z',
  );
  shape(c, '#fff0d2', 'M132 178 L154 178 Q166 182 166 190 L130 190 Z');
  shape(c, '#ff6f5e', 'M130 187 L166 187 L166 191 L130 191 Z');

  // Body: jacket
  shape(
    c,
    vertical(c, 66, 140, [0, '#5a76d8'], [1, '#33449c']),
    'M84 134 Q78 96 98 76 Q112 66 130 72 Q146 82 144 104 L142 134 Q112 144 84 134 Z',
  );
  shape(c, 'rgba(255,255,255,.18)', 'M88 128 Q84 96 102 78 Q96 104 98 132 Z');
  line(c, '#ffe27a', 4, 'M86 118 Q112 126 143 118');
  // Arm to the handlebar
  line(c, '#2b3a8a', 21, 'M122 92 Q146 112 188 80');
  line(c, '#4a63c4', 16, 'M122 91 Q146 109 186 79');
  disc(c, '#f4e7d4', 194, 76, 9, 8);

  // Head
  shape(c, '#4c4170', 'M96 46 L100 14 Q102 8 108 13 L126 30 Z M150 30 L166 12 Q171 8 173 15 L176 48 Z');
  shape(c, '#ff9fae', 'M103 40 L106 21 L117 31 Z M158 31 L168 20 L170 38 Z');
  disc(c, radial(c, 128, 44, 56, [0, '#6d6198'], [1, '#463c6c']), 136, 52, 42, 35);
  shape(c, '#f4e7d4', 'M132 62 Q150 50 172 60 Q178 74 160 83 Q142 88 130 78 Q126 70 132 62 Z');
  shape(c, '#ff8f9d', 'M158 62 Q164 60 168 63 Q166 69 162 69 Q158 67 158 62 Z');
  line(c, '#4a3558', 2.6, 'M162 69 Q160 76 153 75 M162 69 Q165 76 171 73');
  line(c, 'rgba(255,255,255,.7)', 1.6, 'M140 70 L120 66 M140 75 L121 78');
  // Helmet and goggles
  shape(
    c,
    vertical(c, 12, 50, [0, '#ff9a6e'], [0.6, '#f2555a'], [1, '#c23a5c']),
    'M98 46 Q98 14 136 13 Q172 14 177 44 Q140 34 98 46 Z',
  );
  shape(c, '#fff0d2', 'M130 13 L142 13 Q146 24 146 37 L128 38 Q128 24 130 13 Z');
  shape(c, 'rgba(255,255,255,.4)', 'M106 34 Q110 20 124 17 Q116 24 114 36 Z');
  line(c, '#2a2348', 7, 'M97 50 Q130 44 178 50');
  disc(c, '#2a2348', 143, 51, 15, 13);
  disc(c, '#2a2348', 170, 51, 11, 12);
  disc(c, radial(c, 138, 46, 18, [0, '#d8fff6'], [1, '#2fb6c4']), 143, 51, 11, 9.5);
  disc(c, radial(c, 167, 46, 14, [0, '#d8fff6'], [1, '#2fb6c4']), 170, 51, 7.5, 9);
  disc(c, '#1d1838', 146, 52, 4.5, 6);
  disc(c, '#1d1838', 172, 52, 3.5, 5.5);
  disc(c, '#ffffff', 144, 49, 1.8);
  disc(c, '#ffffff', 170.5, 49, 1.6);
  // Knot of the scarf
  shape(c, '#ffc23d', 'M98 80 Q116 92 150 86 Q156 78 152 74 Q122 82 102 70 Q94 74 98 80 Z');
  box(c, '#e89f25', 96, 76, 16, 13, 6);
}
