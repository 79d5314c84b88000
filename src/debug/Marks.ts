import type * as Phaser from 'phaser';
import { adShape, type PlacedAd, type SpriteMeasurement } from '../index.js';
import { adsIn } from './adsIn.js';
import { colours } from './colours.js';
import { documentOf } from './documentOf.js';
import { drawLabels, type Label } from './drawLabels.js';
import { nameOf, namesOf } from './nameOf.js';
import { percentWords } from './percentWords.js';

/** More than this would slow the game down: each is read from the frame anew. */
const MOST_COVERS = 3;
/** A picture narrower than this, in CSS pixels, gets shorter labels. */
const SMALL_PX = 600;
/** On a denser screen than this nobody sees the difference. */
const MOST_DENSITY = 2;

type Camera = Phaser.Cameras.Scene2D.Camera;

/**
 * Shows on the picture what is measured: each ad's outline, what the player sees of it, and the rest, with the outlines and
 * names of what takes it away.
 *
 * It is a canvas of its own above the game's. Drawn inside the game it would lie above the ads and be counted as one
 * more thing that covers them. It has as many pixels as the screen, so that it is sharp whatever size the game has.
 */
export class Marks {
  readonly canvas: HTMLCanvasElement;
  private readonly pen: CanvasRenderingContext2D;
  /** The part of one ad that is taken away, before it is laid onto the picture. */
  private readonly taken: CanvasRenderingContext2D;
  private readonly hatching: CanvasPattern | string;
  /** Pixels of the screen for each pixel of the game, and for each CSS pixel. */
  private scaleX = 1;
  private scaleY = 1;
  private density = 1;
  private place = '';

  constructor(private readonly game: Phaser.Game) {
    const document = documentOf(game);
    this.pen = newPen(document);
    this.taken = newPen(document);
    this.hatching = hatch(document, this.pen);
    this.canvas = this.pen.canvas;
    this.canvas.className = 'marks';
    this.canvas.setAttribute('aria-hidden', 'true');
  }

  /** Draws what is measured in the frame drawn last. */
  draw(): void {
    if (!this.fit()) return;
    const labels: Label[] = [];
    for (const ad of adsIn(this.game)) this.drawAd(ad, labels);
    this.pen.setTransform(this.density, 0, 0, this.density, 0, 0);
    drawLabels(
      this.pen,
      labels,
      this.canvas.width / this.density,
      this.canvas.height / this.density,
      this.isSmall ? 10 : 12,
    );
  }

  /** Lies on the game's canvas to the pixel of the screen, and is empty; false where there is nothing to lie on. */
  private fit(): boolean {
    const { left, top, width, height } = this.game.canvas.getBoundingClientRect();
    const { canvas, game } = this;
    if (!(width > 0 && height > 0)) return false;
    const place = `left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px`;
    // A style that is set is computed anew, be it the same.
    if (place !== this.place) canvas.style.cssText = this.place = place;
    const view = canvas.ownerDocument.defaultView;
    this.density = Math.min(MOST_DENSITY, Math.max(1, view?.devicePixelRatio ?? 1));
    this.scaleX = (width * this.density) / game.canvas.width;
    this.scaleY = (height * this.density) / game.canvas.height;
    for (const pen of [this.pen, this.taken]) {
      resize(pen.canvas, Math.round(width * this.density), Math.round(height * this.density));
      pen.resetTransform();
      pen.clearRect(0, 0, pen.canvas.width, pen.canvas.height);
    }
    return true;
  }

  /** There is little room for words. */
  private get isSmall(): boolean {
    return this.canvas.width / this.density < SMALL_PX;
  }

  private drawAd(ad: PlacedAd, labels: Label[]): void {
    const { measurement, sprite } = ad;
    const camera = measurement === null ? sprite.scene.cameras.main : measurement.camera;
    if (!camera) return;
    const { outline, onScreen, visible } = adShape(sprite, camera);
    const shape = this.pathOf(outline);
    const box = boxOf(outline, this.scaleX / this.density, this.scaleY / this.density);
    if (box === null || box.right < 0 || box.left > this.canvas.width / this.density) return;
    if (measurement === null) {
      this.outline(shape, colours.away, [6, 5]);
      labels.push({ x: box.left, y: box.top - 4, words: `${nameOf(ad)}  ${ad.state}`, colour: colours.away, isAbove: true }); // prettier-ignore
      return;
    }
    const seen = this.pathOf(visible);
    this.pen.fillStyle = this.hatching;
    this.pen.fill(seen);
    if (!measurement.isFullyVisible) this.drawTaken(this.pathOf(onScreen), seen);
    const colour = measurement.isFullyVisible ? colours.seen : measurement.isVisible ? colours.partly : colours.taken;
    this.drawCovers(measurement, camera, shape, { x: (box.left + box.right) / 2, y: box.bottom + 1 }, labels);
    this.outline(shape, colour);
    const why = measurement.isFullyVisible ? 'fully visible' : measurement.reasons.join(', ');
    const words = `${nameOf(ad)}  ${percentWords(measurement)}${this.isSmall ? '' : `  ${why}`}`;
    labels.push({ x: box.left, y: box.top - 4, words, colour, isAbove: true });
  }

  /** Exactly the pixels of the ad that something covers: what of it is on the screen less what is seen of it. */
  private drawTaken(onScreen: Path2D, seen: Path2D): void {
    const { taken, pen } = this;
    taken.globalCompositeOperation = 'copy';
    taken.fillStyle = colours.taken;
    taken.fill(onScreen);
    taken.globalCompositeOperation = 'destination-out';
    taken.fill(seen);
    // Between two pieces of what is seen, smoothed edges would leave a hair of red.
    taken.lineWidth = this.density * 0.6;
    taken.stroke(seen);
    pen.save();
    pen.globalAlpha = 0.5;
    pen.drawImage(taken.canvas, 0, 0);
    pen.restore();
  }

  /** What lies above the ad: where it does, and its name. */
  private drawCovers(
    { blockingSprites }: SpriteMeasurement,
    camera: Camera,
    ad: Path2D,
    at: { readonly x: number; readonly y: number },
    labels: Label[],
  ): void {
    const topmost = blockingSprites.slice(-MOST_COVERS);
    this.pen.save();
    this.pen.clip(ad);
    for (const cover of topmost) {
      // What is destroyed by now has no scene.
      if (!(cover.scene as unknown)) continue;
      const own = cover.scene === camera.scene ? camera : cover.scene.cameras.main;
      this.outline(this.pathOf(adShape(cover, own).outline), '#fff', [5, 4]);
    }
    this.pen.restore();
    namesOf(topmost).forEach((words) =>
      labels.push({ x: at.x, y: at.y, words, colour: colours.taken, isAbove: false }),
    );
  }

  private outline(shape: Path2D, colour: string, dash: number[] = []): void {
    const { pen, density } = this;
    pen.strokeStyle = colour;
    pen.lineWidth = 2 * density;
    pen.setLineDash(dash.map((length) => length * density));
    pen.stroke(shape);
  }

  /** Polygons in canvas pixels of the game, as a path in pixels of the screen. */
  private pathOf(polygons: readonly Float64Array[]): Path2D {
    const path = new Path2D();
    for (const polygon of polygons) {
      for (let i = 0; i < polygon.length; i += 2) {
        const x = polygon[i]! * this.scaleX;
        const y = polygon[i + 1]! * this.scaleY;
        if (i === 0) path.moveTo(x, y);
        else path.lineTo(x, y);
      }
      path.closePath();
    }
    return path;
  }
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function boxOf(polygons: readonly Float64Array[], scaleX: number, scaleY: number): Box | null {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const polygon of polygons) {
    for (let i = 0; i < polygon.length; i += 2) {
      const x = polygon[i]! * scaleX;
      const y = polygon[i + 1]! * scaleY;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  }
  return box.left <= box.right ? box : null;
}

function newPen(document: Document): CanvasRenderingContext2D {
  return document.createElement('canvas').getContext('2d')!;
}

function resize(canvas: HTMLCanvasElement, width: number, height: number): void {
  // A canvas given a size, be it the same, is made anew.
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}

function hatch(document: Document, context: CanvasRenderingContext2D): CanvasPattern | string {
  const pen = newPen(document);
  pen.canvas.width = pen.canvas.height = 10;
  pen.fillStyle = 'rgba(184,243,74,.22)';
  pen.fillRect(0, 0, 10, 10);
  pen.strokeStyle = 'rgba(184,243,74,.75)';
  pen.lineWidth = 1.6;
  pen.beginPath();
  for (const [x0, y0, x1, y1] of [
    [-2, 12, 12, -2],
    [-2, 2, 2, -2],
    [8, 12, 12, 8],
  ] as const) {
    // prettier-ignore
    pen.moveTo(x0, y0);
    pen.lineTo(x1, y1);
  }
  pen.stroke();
  return context.createPattern(pen.canvas, 'repeat') ?? colours.seen;
}
