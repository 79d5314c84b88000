import * as Phaser from 'phaser';
import { OVERLAY_ATTRIBUTE, type PlacedAd, visibleFragments } from '../../../src/index.js';
import { FONT, palette } from '../art/palette.js';
import { percentWords } from '../percentWords.js';
import { RESOLUTION } from '../resolution.js';
import { spriteOf } from '../spriteOf.js';
import { VIEW_HEIGHT, VIEW_WIDTH } from '../world/layout.js';
import { corners } from './corners.js';

const SEEN = palette.lime;
const PARTLY = palette.amber;
const TAKEN = '#ff5c7a';

/**
 * Shows on the picture what is measured: each ad's outline, what the player sees of it, and the rest, with the names of
 * what takes it away.
 *
 * It is a canvas of its own above the game's. Drawn inside the game it would lie above the ads and be counted as one
 * more thing that covers them. It has as many pixels as the screen, so that it is sharp whatever size the game has.
 */
export class Overlay {
  private readonly context = newContext();
  /** The part of one ad that is taken away, before it is laid onto the picture. */
  private readonly taken = newContext();
  private readonly hatching = hatch(this.context);
  private isOn = false;

  constructor(
    private readonly game: Phaser.Game,
    private readonly ads: () => readonly PlacedAd[],
  ) {
    const { canvas } = this.context;
    canvas.className = 'overlay';
    canvas.hidden = true;
    canvas.setAttribute('aria-hidden', 'true');
    // HTML over the canvas covers ads; a developer's overlay says so and is left out.
    canvas.setAttribute(OVERLAY_ATTRIBUTE, '');
    game.canvas.parentElement?.append(canvas);
    game.events.on(Phaser.Core.Events.POST_RENDER, this.draw, this);
  }

  get isVisible(): boolean {
    return this.isOn;
  }

  toggle(): void {
    this.isOn = !this.isOn;
    this.context.canvas.hidden = !this.isOn;
  }

  private draw(): void {
    if (!this.isOn) return;
    this.fit();
    const labels: Label[] = [];
    for (const ad of this.ads()) this.drawAd(ad, labels);
    const places: Phaser.Geom.Rectangle[] = [];
    for (const label of labels) drawLabel(this.context, label, places);
  }

  /** Lies on the game's canvas to the pixel of the screen, and is empty. */
  private fit(): void {
    const { style, clientWidth } = this.game.canvas;
    const { width, height, marginLeft, marginTop } = style;
    Object.assign(this.context.canvas.style, { width, height, marginLeft, marginTop });
    const scale = Math.max(1, (clientWidth * window.devicePixelRatio) / VIEW_WIDTH);
    for (const context of [this.context, this.taken]) clear(context, scale);
  }

  private drawAd(ad: PlacedAd, labels: Label[]): void {
    const { measurement } = ad;
    if (!measurement?.camera) return;
    const sprite = spriteOf(ad);
    const { camera } = measurement;
    const outline = corners(sprite, camera);
    const xs = outline.map(({ x }) => x);
    const ys = outline.map(({ y }) => y);
    const left = Math.min(...xs);
    const right = Math.max(...xs);
    if (right < 0 || left > VIEW_WIDTH) return;

    const shape = new Path2D();
    for (const { x, y } of outline) shape.lineTo(x, y);
    shape.closePath();

    // What is left of the ad, as it was computed.
    const seen = new Path2D();
    for (const polygon of visibleFragments(sprite, camera)) {
      for (let i = 0; i < polygon.length; i += 2) {
        seen.lineTo(polygon[i]! / RESOLUTION, polygon[i + 1]! / RESOLUTION);
      }
      seen.closePath();
    }
    this.context.fillStyle = this.hatching;
    this.context.fill(seen);
    if (!measurement.isFullyVisible) this.drawTaken(shape, seen);

    const colour = measurement.isFullyVisible ? SEEN : measurement.isVisible ? PARTLY : TAKEN;
    this.context.strokeStyle = colour;
    this.context.lineWidth = 2;
    this.context.stroke(shape);
    const why = measurement.reasons.length === 0 ? 'fully visible' : measurement.reasons.join(', ');
    const words = `${sprite.name}  ${percentWords(measurement)}  ${why}`;
    labels.push({ x: left, y: Math.min(...ys) - 4, words, colour, above: true });
    const names = [...new Set(measurement.blockingSprites.map((object) => object.name || object.type))].slice(0, 3);
    names.forEach((name, i) =>
      labels.push({
        x: (left + right) / 2,
        y: Math.max(...ys) + 17 + i * 18,
        words: name,
        colour: TAKEN,
        above: false,
      }),
    );
  }

  /** Exactly the pixels of the ad that the player does not see: its shape less what is seen of it. */
  private drawTaken(shape: Path2D, seen: Path2D): void {
    const { taken, context } = this;
    taken.globalCompositeOperation = 'copy';
    taken.fillStyle = TAKEN;
    taken.fill(shape);
    taken.globalCompositeOperation = 'destination-out';
    taken.fill(seen);
    // Between two pieces of what is seen, smoothed edges would leave a hair of red.
    taken.lineWidth = 0.6;
    taken.stroke(seen);
    context.save();
    context.resetTransform();
    context.globalAlpha = 0.5;
    context.drawImage(taken.canvas, 0, 0);
    context.restore();
  }
}

interface Label {
  readonly x: number;
  readonly y: number;
  readonly words: string;
  readonly colour: string;
  readonly above: boolean;
}

/** Labels never lie on each other: a later one moves down to the next free place. */
function drawLabel(
  context: CanvasRenderingContext2D,
  { x, y, words, colour, above }: Label,
  taken: Phaser.Geom.Rectangle[],
): void {
  context.font = `700 12px ${FONT}`;
  const width = context.measureText(words).width + 14;
  const left = Math.min(Math.max(2, above ? x - 1 : x - width / 2), VIEW_WIDTH - width - 2);
  const place = new Phaser.Geom.Rectangle(left, Math.max(20, y) - 17, width, 18);
  while (taken.some((other) => Phaser.Geom.Intersects.RectangleToRectangle(other, place))) place.y += 4;
  taken.push(place);
  const bottom = place.bottom - 1;
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(left, bottom - 17, width, 18, 5);
  context.fill();
  context.fillStyle = '#12102e';
  context.textBaseline = 'middle';
  context.fillText(words, left + 7, bottom - 7.5);
}

function newContext(): CanvasRenderingContext2D {
  return document.createElement('canvas').getContext('2d')!;
}

/** Empties a canvas, which then takes units of the layout, `scale` of the screen's for each. */
function clear(context: CanvasRenderingContext2D, scale: number): void {
  const { canvas } = context;
  const width = Math.round(VIEW_WIDTH * scale);
  const height = Math.round(VIEW_HEIGHT * scale);
  // A canvas given a size, be it the same, is made anew.
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, VIEW_WIDTH, VIEW_HEIGHT);
}

function hatch(context: CanvasRenderingContext2D): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 10;
  const pen = tile.getContext('2d')!;
  pen.fillStyle = 'rgba(184,243,74,.22)';
  pen.fillRect(0, 0, 10, 10);
  pen.strokeStyle = 'rgba(184,243,74,.75)';
  pen.lineWidth = 1.6;
  pen.stroke(new Path2D('M-2 12 L12 -2 M-2 2 L2 -2 M8 12 L12 8'));
  return context.createPattern(tile, 'repeat') ?? SEEN;
}
