import type * as Phaser from 'phaser';
import { RESOLUTION } from '../resolution.js';

export type Context = CanvasRenderingContext2D;
export type Stop = readonly [offset: number, colour: string];

/** Paints a texture once, on a canvas of its own. A key that exists already is left as it is (scene restart). */
export function paint(
  textures: Phaser.Textures.TextureManager,
  key: string,
  width: number,
  height: number,
  draw: (context: Context, width: number, height: number) => void,
): void {
  if (textures.exists(key)) return;
  const texture = textures.createCanvas(key, Math.ceil(width) * RESOLUTION, Math.ceil(height) * RESOLUTION);
  if (!texture) return;
  texture.context.scale(RESOLUTION, RESOLUTION);
  draw(texture.context, width, height);
  texture.refresh();
}

export function vertical(context: Context, y0: number, y1: number, ...stops: readonly Stop[]): CanvasGradient {
  return withStops(context.createLinearGradient(0, y0, 0, y1), stops);
}

export function horizontal(context: Context, x0: number, x1: number, ...stops: readonly Stop[]): CanvasGradient {
  return withStops(context.createLinearGradient(x0, 0, x1, 0), stops);
}

export function radial(
  context: Context,
  x: number,
  y: number,
  radius: number,
  ...stops: readonly Stop[]
): CanvasGradient {
  return withStops(context.createRadialGradient(x, y, 0, x, y, radius), stops);
}

export type Fill = string | CanvasGradient;

export function box(
  context: Context,
  fill: Fill,
  x: number,
  y: number,
  width: number,
  height: number,
  radius = 0,
): void {
  context.fillStyle = fill;
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
  context.fill();
}

export function disc(
  context: Context,
  fill: Fill,
  x: number,
  y: number,
  radiusX: number,
  radiusY = radiusX,
  angle = 0,
): void {
  context.fillStyle = fill;
  context.beginPath();
  context.ellipse(x, y, radiusX, radiusY, angle, 0, Math.PI * 2);
  context.fill();
}

/** A filled shape from an SVG path: curves are far shorter to write and to correct that way. */
export function shape(context: Context, fill: Fill, path: string): void {
  context.fillStyle = fill;
  context.fill(new Path2D(path));
}

export function line(context: Context, colour: Fill, width: number, path: string): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.stroke(new Path2D(path));
}

/** Runs `draw` with a soft halo of `colour` around everything it paints. */
export function glowing(context: Context, colour: string, blur: number, draw: () => void): void {
  context.save();
  context.shadowColor = colour;
  context.shadowBlur = blur;
  draw();
  context.restore();
}

function withStops(gradient: CanvasGradient, stops: readonly Stop[]): CanvasGradient {
  for (const [offset, colour] of stops) gradient.addColorStop(offset, colour);
  return gradient;
}
