import type * as Phaser from 'phaser';
import { type AdShape, adShapes, type PlacedAd, Reason, type ShapeOf, type SpriteMeasurement } from '../index.js';
import { adsIn } from './adsIn.js';
import { type Box, boxAround } from './boxAround.js';
import { cameraOf, isInUse } from './cameraOf.js';
import { colours } from './colours.js';
import { documentOf } from './documentOf.js';
import { drawLabels, type Label } from './drawLabels.js';
import { namesOfHtml } from './htmlOver.js';
import { nameOf, namesOf } from './nameOf.js';
import { percentWords } from './words.js';

/** More would hide the ad. */
const MOST_COVERS = 3;
/** A picture narrower than this, in CSS pixels, gets shorter labels. */
const SMALL_PX = 600;
/** On a denser screen than this nobody sees the difference. */
const MOST_DENSITY = 2;

/** HTML above the canvas may move without a change in any figure: the picture is redrawn after this time at the latest. */
const OLDEST_MS = 500;

type Camera = Phaser.Cameras.Scene2D.Camera;
type GameObject = Phaser.GameObjects.GameObject;

interface Cover {
  readonly object: GameObject;
  readonly camera: Camera;
}

/** An ad to be drawn, through the camera that shows it. */
interface MarkedAd {
  readonly ad: PlacedAd;
  readonly camera: Camera;
  /** What lies above it, topmost last. */
  readonly covers: readonly Cover[];
}

/**
 * Shows on the picture what is measured: each ad's outline, the part the player sees and the part that is covered, with the
 * outlines and names of what covers it.
 *
 * It is a canvas of its own above the game's. Drawn inside the game it would lie above the ads and be counted as one
 * more thing that covers them. It has as many pixels as the screen, so that it is sharp whatever size the game has. It is drawn
 * only when something in it has changed, and reads the frame once for all ads and covers: reading is what takes time.
 */
export class Marks {
  readonly canvas: HTMLCanvasElement;
  readonly #pen: CanvasRenderingContext2D;
  /** The part of one ad that is taken away, before it is laid onto the picture. */
  readonly #taken: CanvasRenderingContext2D;
  readonly #hatching: CanvasPattern | string;
  /** Pixels of the screen for each pixel of the game, and for each CSS pixel. */
  #scaleX = 1;
  #scaleY = 1;
  #density = 1;
  #place = '';
  /** What the last picture was drawn from. */
  #drawnFrom: readonly unknown[] = [];
  #drawnAt = -Infinity;

  constructor(private readonly game: Phaser.Game) {
    const document = documentOf(game);
    this.#pen = newPen(document);
    this.#taken = newPen(document);
    this.#hatching = hatch(document, this.#pen);
    this.canvas = this.#pen.canvas;
    this.canvas.className = 'marks';
    this.canvas.setAttribute('aria-hidden', 'true');
  }

  /**
   * Draws what is measured in the frame drawn last, if the picture differs from the one before.
   * @param now in milliseconds, on any clock that does not run back
   */
  draw(now: number): void {
    if (!this.#fit()) return;
    const marked = adsIn(this.game).flatMap(markedAd);
    const isSame = this.#isSame(marked);
    if (isSame && now - this.#drawnAt < OLDEST_MS) return;
    this.#drawnAt = now;
    this.#pen.resetTransform();
    this.#pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const labels: Label[] = [];
    const asked: ShapeOf[] = marked.flatMap(({ ad, camera, covers }) => [
      { object: ad.sprite, camera, isOutline: ad.measurement === null },
      ...covers.map((cover) => ({ ...cover, isOutline: true })),
    ]);
    const shapes = adShapes(asked);
    let next = 0;
    for (const one of marked) {
      const shape = shapes[next++]!;
      const covers = shapes.slice(next, (next += one.covers.length));
      this.#drawAd(one, shape, covers, labels);
    }
    this.#pen.setTransform(this.#density, 0, 0, this.#density, 0, 0);
    drawLabels(this.#pen, labels, this.#width, this.canvas.height / this.#density, this.#isSmall ? 10 : 12);
  }

  /** Lets the next {@link Marks.draw} draw even if nothing has changed. */
  forget(): void {
    this.#drawnAt = -Infinity;
  }

  /** Whether nothing has changed of what the picture is drawn from. */
  #isSame(marked: readonly MarkedAd[]): boolean {
    const { canvas } = this;
    const before = this.#drawnFrom;
    const parts: unknown[] = [this.#scaleX, this.#scaleY, this.#density, canvas.width, canvas.height];
    for (const { ad, camera, covers } of marked) {
      const { measurement, sprite, state } = ad;
      parts.push(state, nameOf(ad), ...placeOf(sprite), ...viewOf(camera));
      if (measurement !== null) {
        const { totalArea, onScreenArea, visibleArea, isFullyVisible, reasons } = measurement;
        parts.push(totalArea, onScreenArea, visibleArea, isFullyVisible, ...reasons);
      }
      for (const cover of covers) parts.push(...placeOf(cover.object), ...viewOf(cover.camera));
    }
    this.#drawnFrom = parts;
    return parts.length === before.length && parts.every((part, i) => Object.is(part, before[i]));
  }

  /** Fits this canvas to the game's, to the pixel of the screen; false while the game's canvas has no size. */
  #fit(): boolean {
    const { left, top, width, height } = this.game.canvas.getBoundingClientRect();
    const { canvas, game } = this;
    if (!(width > 0 && height > 0)) return false;
    const place = `left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px`;
    // A browser computes a style anew when it is set, even to the same value.
    if (place !== this.#place) canvas.style.cssText = this.#place = place;
    const view = canvas.ownerDocument.defaultView;
    this.#density = Math.min(MOST_DENSITY, Math.max(1, view?.devicePixelRatio ?? 1));
    this.#scaleX = (width * this.#density) / game.canvas.width;
    this.#scaleY = (height * this.#density) / game.canvas.height;
    const size = { width: Math.round(width * this.#density), height: Math.round(height * this.#density) };
    // Setting the size of a canvas makes it anew, even if the size is the same.
    if (canvas.width !== size.width || canvas.height !== size.height) {
      for (const pen of [this.#pen, this.#taken]) Object.assign(pen.canvas, size);
    }
    return true;
  }

  /** In CSS pixels. */
  get #width(): number {
    return this.canvas.width / this.#density;
  }

  /** There is little room for words. */
  get #isSmall(): boolean {
    return this.#width < SMALL_PX;
  }

  #drawAd({ ad, covers }: MarkedAd, shape: AdShape, coverShapes: readonly AdShape[], labels: Label[]): void {
    const { measurement } = ad;
    const outline = this.#pathOf(shape.outline);
    const box = boxAround(shape.outline, this.#scaleX / this.#density, this.#scaleY / this.#density);
    if (!(box.right >= 0 && box.left <= this.#width)) return;
    if (measurement === null) {
      this.#outline(outline, colours.away, [6, 5]);
      labels.push({ x: box.left, y: box.top - 4, words: `${nameOf(ad)}  ${ad.state}`, colour: colours.away, isAbove: true }); // prettier-ignore
      return;
    }
    const seen = this.#pathOf(shape.visible);
    this.#pen.fillStyle = this.#hatching;
    this.#pen.fill(seen);
    if (!measurement.isFullyVisible) this.#drawTaken(this.#pathOf(shape.onScreen), seen, box);
    const colour = measurement.isFullyVisible ? colours.seen : measurement.isVisible ? colours.partly : colours.taken;
    this.#drawCovers(coverShapes, outline);
    [...namesOf(covers.map(({ object }) => object)), ...namesOfHtml(shape.html)].forEach((words) =>
      labels.push({ x: (box.left + box.right) / 2, y: box.bottom + 1, words, colour: colours.taken, isAbove: false }),
    );
    this.#outline(outline, colour);
    const why = measurement.isFullyVisible ? 'fully visible' : measurement.reasons.join(', ');
    const words = `${nameOf(ad)}  ${percentWords(measurement)}${this.#isSmall ? '' : `  ${why}`}`;
    labels.push({ x: box.left, y: box.top - 4, words, colour, isAbove: true });
  }

  /** Exactly the pixels of the ad that something covers: its part on the screen minus its visible part. */
  #drawTaken(onScreen: Path2D, seen: Path2D, box: Box): void {
    const taken = this.#taken;
    const pen = this.#pen;
    const density = this.#density;
    const { width, height } = taken.canvas;
    const left = Math.max(0, Math.floor(box.left * density) - 1);
    const top = Math.max(0, Math.floor(box.top * density) - 1);
    const wide = Math.min(width, Math.ceil(box.right * density) + 1) - left;
    const high = Math.min(height, Math.ceil(box.bottom * density) + 1) - top;
    if (!(wide > 0 && high > 0)) return;
    // Only the ad's part of the canvas: without a graphics card, a whole canvas is as much work as a frame.
    taken.clearRect(left, top, wide, high);
    taken.globalCompositeOperation = 'source-over';
    taken.fillStyle = colours.taken;
    taken.fill(onScreen);
    taken.globalCompositeOperation = 'destination-out';
    taken.fill(seen);
    // Smoothed edges would leave a hair of red between two visible pieces.
    taken.lineWidth = density * 0.6;
    taken.stroke(seen);
    pen.save();
    pen.globalAlpha = 0.5;
    pen.drawImage(taken.canvas, left, top, wide, high, left, top, wide, high);
    pen.restore();
  }

  /** The outlines of what lies above the ad, cut to the ad. */
  #drawCovers(shapes: readonly AdShape[], ad: Path2D): void {
    if (shapes.length === 0) return;
    this.#pen.save();
    this.#pen.clip(ad);
    for (const { outline } of shapes) this.#outline(this.#pathOf(outline), '#fff', [5, 4]);
    this.#pen.restore();
  }

  #outline(shape: Path2D, colour: string, dash: number[] = []): void {
    const pen = this.#pen;
    const density = this.#density;
    pen.strokeStyle = colour;
    pen.lineWidth = 2 * density;
    pen.setLineDash(dash.map((length) => length * density));
    pen.stroke(shape);
  }

  /** Polygons in canvas pixels of the game, as a path in pixels of the screen. */
  #pathOf(polygons: readonly Float64Array[]): Path2D {
    const path = new Path2D();
    for (const polygon of polygons) {
      for (let i = 0; i < polygon.length; i += 2) {
        const x = polygon[i]! * this.#scaleX;
        const y = polygon[i + 1]! * this.#scaleY;
        if (i === 0) path.moveTo(x, y);
        else path.lineTo(x, y);
      }
      path.closePath();
    }
    return path;
  }
}

/** Empty for an ad of which no camera shows anything. */
function markedAd(ad: PlacedAd): MarkedAd[] {
  const { measurement, sprite } = ad;
  const camera = measurement === null ? sprite.scene.cameras.cameras[0] : measurement.camera;
  if (!isInUse(camera) || measurement?.reasons.includes(Reason.VIEWPORT) === true) return [];
  return [{ ad, camera, covers: coversOf(measurement, camera) }];
}

function coversOf(measurement: SpriteMeasurement | null, adCamera: Camera): Cover[] {
  return (measurement?.blockingSprites ?? []).slice(-MOST_COVERS).flatMap((object) => {
    // An object that is destroyed by now has no scene.
    const camera = (object.scene as unknown) ? cameraOf(object, adCamera) : null;
    return camera === null ? [] : [{ object, camera }];
  });
}

/** The properties of a game object that say where it is drawn and what it shows; some objects have only some of them. */
type Placed = GameObject & Partial<Phaser.GameObjects.Image>;
type Matrix = Phaser.GameObjects.Components.TransformMatrix;

/** Where an object is, how large, and what it shows. */
function placeOf(object: GameObject): unknown[] {
  const { width, height, frame, scrollFactorX, scrollFactorY } = object as Placed;
  const matrix = (object as Placed).getWorldTransformMatrix?.();
  return [object, width, height, frame, scrollFactorX, scrollFactorY, ...partsOf(matrix)];
}

function viewOf(camera: Camera): number[] {
  const { x, y, width, height, scrollX, scrollY, matrix } = camera as Camera & { readonly matrix?: Matrix };
  return [x, y, width, height, scrollX, scrollY, ...partsOf(matrix)];
}

function partsOf(matrix: Matrix | undefined): number[] {
  return matrix === undefined ? [] : [matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty];
}

function newPen(document: Document): CanvasRenderingContext2D {
  return document.createElement('canvas').getContext('2d')!;
}

function hatch(document: Document, context: CanvasRenderingContext2D): CanvasPattern | string {
  const pen = newPen(document);
  pen.canvas.width = pen.canvas.height = 10;
  pen.fillStyle = 'rgba(184,243,74,.22)';
  pen.fillRect(0, 0, 10, 10);
  pen.strokeStyle = 'rgba(184,243,74,.75)';
  pen.lineWidth = 1.6;
  pen.beginPath();
  // The second and the third stroke fill the corners.
  for (const shift of [0, -10, 10]) {
    pen.moveTo(shift - 2, 12);
    pen.lineTo(shift + 12, -2);
  }
  pen.stroke();
  return context.createPattern(pen.canvas, 'repeat') ?? colours.seen;
}
