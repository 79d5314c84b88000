import type * as Phaser from 'phaser';
import { box, disc, glowing, line, paint, shape, vertical, type Context } from './brush.js';
import { FONT } from './palette.js';

/** Where the menu's own things are, left of the street. */
export const MENU_COLUMN_WIDTH = 330;
/** Of its letters, as painted: the menu shows them at three quarters of that. */
const TITLE_WIDTH = 372;

/** Title, buttons, icons and frames of the menus and the HUD. */
export function paintUi(textures: Phaser.Textures.TextureManager): void {
  paint(textures, 'title', 620, 250, title);
  // Opaque: the street's ads go by behind it, and must not show through the title.
  paint(textures, 'menu-column', MENU_COLUMN_WIDTH, 540, (c) => {
    c.fillStyle = vertical(c, 0, 540, [0, '#1c1b4e'], [0.6, '#12123a'], [1, '#0b0d26']);
    c.fillRect(0, 0, MENU_COLUMN_WIDTH, 540);
    box(c, '#ffb45c', MENU_COLUMN_WIDTH - 3, 0, 3, 540);
  });
  paint(textures, 'button-primary', 260, 76, (c) => button(c, ['#ffcf6e', '#ff7f5c'], 'rgba(255,140,90,.55)'));
  paint(textures, 'button-plain', 260, 76, (c) => button(c, ['#3f4386', '#2a2c62'], 'rgba(10,10,40,.5)'));
  paint(textures, 'pill', 190, 52, (c) => {
    box(c, 'rgba(11,13,38,.72)', 0, 0, 190, 52, 26);
    c.strokeStyle = 'rgba(255,255,255,.14)';
    c.lineWidth = 1.5;
    c.beginPath();
    c.roundRect(1, 1, 188, 50, 25);
    c.stroke();
  });
  paint(textures, 'map-frame', 222, 66, (c) => {
    c.strokeStyle = 'rgba(255,255,255,.26)';
    c.lineWidth = 2;
    c.beginPath();
    c.roundRect(2, 2, 218, 62, 9);
    c.stroke();
    c.strokeStyle = 'rgba(11,13,38,.85)';
    c.lineWidth = 4;
    c.beginPath();
    c.roundRect(5, 5, 212, 56, 6);
    c.stroke();
  });
  icon(textures, 'icon-pause', (c) => {
    box(c, '#ffffff', 15, 14, 5.5, 18, 2);
    box(c, '#ffffff', 25.5, 14, 5.5, 18, 2);
  });
  icon(textures, 'icon-eye', (c) => {
    line(c, '#ffffff', 2.6, 'M10 23 Q23 9 36 23 Q23 37 10 23 Z');
    disc(c, '#ffffff', 23, 23, 4.6);
  });
  icon(textures, 'icon-sound', (c) => {
    shape(c, '#ffffff', 'M11 19 h6 l7 -7 v22 l-7 -7 h-6 Z');
    line(c, '#ffffff', 2.4, 'M28 18 Q31 23 28 28 M32 14 Q37 23 32 32');
  });
  icon(textures, 'icon-muted', (c) => {
    shape(c, 'rgba(255,255,255,.65)', 'M11 19 h6 l7 -7 v22 l-7 -7 h-6 Z');
    line(c, '#ff8f7c', 2.6, 'M29 19 L36 27 M36 19 L29 27');
  });
  touchPad(textures, 'touch-jump', 'M24 42 L40 26 L56 42 M24 56 L40 40 L56 56');
  touchPad(textures, 'touch-dash', 'M24 24 L40 40 L24 56 M40 24 L56 40 L40 56');
}

function title(c: Context): void {
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.lineJoin = 'round';
  const rows = [
    { text: 'RUSH', y: 72, from: '#fff6dc', to: '#ffc06a', glow: '#ff8a4c' },
    { text: 'STREET', y: 172, from: '#e4fff6', to: '#4fe3cf', glow: '#22c7c0' },
  ] as const;
  const font = (px: number) => `900 italic ${String(px)}px ${FONT}`;
  // Fonts differ in width, and the menu's column is narrow.
  c.font = font(104);
  c.font = font(Math.min(104, (104 * TITLE_WIDTH) / c.measureText('STREET').width));
  for (const row of rows) {
    c.strokeStyle = 'rgba(12,10,46,.92)';
    c.lineWidth = 20;
    c.strokeText(row.text, 310, row.y + 5);
    glowing(c, row.glow, 26, () => {
      c.fillStyle = row.glow;
      c.fillText(row.text, 310, row.y);
    });
    c.fillStyle = vertical(c, row.y - 44, row.y + 44, [0, row.from], [1, row.to]);
    c.fillText(row.text, 310, row.y);
    c.strokeStyle = 'rgba(255,255,255,.5)';
    c.lineWidth = 1.4;
    c.strokeText(row.text, 310, row.y);
  }
}

function button(c: Context, fill: readonly [string, string], shadow: string): void {
  c.save();
  c.shadowColor = shadow;
  c.shadowBlur = 14;
  c.shadowOffsetY = 4;
  box(c, vertical(c, 8, 66, [0, fill[0]], [1, fill[1]]), 12, 8, 236, 56, 18);
  c.restore();
  box(c, 'rgba(255,255,255,.28)', 18, 10, 224, 3, 2);
}

function icon(textures: Phaser.Textures.TextureManager, key: string, draw: (c: Context) => void): void {
  paint(textures, key, 46, 46, (c) => {
    box(c, 'rgba(11,13,38,.74)', 0, 0, 46, 46, 14);
    c.strokeStyle = 'rgba(255,255,255,.14)';
    c.lineWidth = 1.5;
    c.beginPath();
    c.roundRect(1, 1, 44, 44, 13);
    c.stroke();
    draw(c);
  });
}

function touchPad(textures: Phaser.Textures.TextureManager, key: string, path: string): void {
  paint(textures, key, 80, 80, (c) => {
    disc(c, 'rgba(11,13,38,.45)', 40, 40, 39);
    c.strokeStyle = 'rgba(255,255,255,.35)';
    c.lineWidth = 2;
    c.beginPath();
    c.arc(40, 40, 38, 0, Math.PI * 2);
    c.stroke();
    line(c, 'rgba(255,255,255,.85)', 6, path);
  });
}
