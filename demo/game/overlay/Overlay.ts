import * as Phaser from 'phaser';
import { OVERLAY_ATTRIBUTE, type PlacedAd, visibleFragments } from '../../../src/index.js';
import { FONT, palette } from '../art/palette.js';
import { VIEW_HEIGHT, VIEW_WIDTH } from '../world/layout.js';
import { spriteOf } from '../spriteOf.js';
import { corners, drawObject } from './drawObject.js';

const SEEN = palette.lime;
const PARTLY = palette.amber;
const BLOCKER = '#ff5c7a';

/**
 * Shows on the picture what is measured: each ad's outline, what the player sees of it, and what takes the rest away.
 *
 * It is a canvas of its own above the game's. Drawn inside the game it would lie above the ads and be counted as one
 * more thing that covers them.
 */
export class Overlay {
  private readonly canvas = document.createElement('canvas');
  private readonly context = this.canvas.getContext('2d')!;
  private readonly seen = sheet();
  private readonly blockers = sheet();
  private isOn = false;

  constructor(
    private readonly game: Phaser.Game,
    private readonly ads: () => readonly PlacedAd[],
  ) {
    this.canvas.width = VIEW_WIDTH;
    this.canvas.height = VIEW_HEIGHT;
    this.canvas.className = 'overlay';
    this.canvas.hidden = true;
    this.canvas.setAttribute('aria-hidden', 'true');
    // HTML over the canvas covers ads; a developer's overlay says so and is left out.
    this.canvas.setAttribute(OVERLAY_ATTRIBUTE, '');
    game.canvas.parentElement?.append(this.canvas);
    game.events.on(Phaser.Core.Events.POST_RENDER, this.draw, this);
  }

  get isVisible(): boolean {
    return this.isOn;
  }

  toggle(): void {
    this.isOn = !this.isOn;
    this.canvas.hidden = !this.isOn;
  }

  private draw(): void {
    if (!this.isOn) return;
    const { style } = this.game.canvas;
    Object.assign(this.canvas.style, {
      width: style.width,
      height: style.height,
      marginLeft: style.marginLeft,
      marginTop: style.marginTop,
    });
    const { context } = this;
    context.clearRect(0, 0, VIEW_WIDTH, VIEW_HEIGHT);
    const labels: Label[] = [];
    for (const ad of this.ads()) this.drawAd(ad, labels);
    const taken: Phaser.Geom.Rectangle[] = [];
    for (const label of labels) drawLabel(context, label, taken);
  }

  private drawAd(ad: PlacedAd, labels: Label[]): void {
    const { measurement } = ad;
    if (!measurement?.camera) return;
    const sprite = spriteOf(ad);
    const camera = measurement.camera;
    const outline = corners(sprite, camera);
    if (outline.every(({ x }) => x < 0) || outline.every(({ x }) => x > VIEW_WIDTH)) return;

    const shape = new Path2D();
    for (const { x, y } of outline) shape.lineTo(x, y);
    shape.closePath();

    // What is left of the ad, as it was computed.
    const seen = new Path2D();
    for (const polygon of visibleFragments(sprite, camera)) {
      for (let i = 0; i < polygon.length; i += 2) {
        if (i === 0) seen.moveTo(polygon[0]!, polygon[1]!);
        else seen.lineTo(polygon[i]!, polygon[i + 1]!);
      }
      seen.closePath();
    }
    this.context.fillStyle = hatch(this.context);
    this.context.fill(seen);

    this.drawBlockers(ad, camera, shape, labels);

    const colour = measurement.isFullyVisible ? SEEN : measurement.isVisible ? PARTLY : BLOCKER;
    this.context.strokeStyle = colour;
    this.context.lineWidth = 2;
    this.context.stroke(shape);
    const left = Math.min(...outline.map(({ x }) => x));
    const top = Math.min(...outline.map(({ y }) => y));
    const why = measurement.reasons.length === 0 ? 'fully visible' : measurement.reasons.join(', ');
    labels.push({
      x: left,
      y: top - 4,
      words: `${sprite.name}  ${Math.round(measurement.percentageInView)} %  ${why}`,
      colour,
      above: true,
    });
  }

  private drawBlockers(ad: PlacedAd, camera: Phaser.Cameras.Scene2D.Camera, shape: Path2D, labels: Label[]): void {
    const { measurement } = ad;
    if (!measurement || measurement.blockingSprites.length === 0) return;
    const sprite = spriteOf(ad);
    const area = clear(this.blockers);
    for (const blocker of measurement.blockingSprites) drawBlocker(area, blocker, sprite, camera, shape);
    area.globalCompositeOperation = 'source-in';
    area.fillStyle = BLOCKER;
    area.fillRect(0, 0, VIEW_WIDTH, VIEW_HEIGHT);
    area.globalCompositeOperation = 'source-over';

    // An outline that follows the silhouette: the silhouette moved a little each way, less the silhouette itself.
    const ring = clear(this.seen);
    for (const [x, y] of [
      [-2, 0],
      [2, 0],
      [0, -2],
      [0, 2],
      [-1.4, -1.4],
      [1.4, 1.4],
      [-1.4, 1.4],
      [1.4, -1.4],
    ] as const)
      ring.drawImage(area.canvas, x, y);
    ring.globalCompositeOperation = 'destination-out';
    ring.drawImage(area.canvas, 0, 0);
    ring.globalCompositeOperation = 'source-over';
    const { context } = this;
    context.globalAlpha = 0.22;
    context.drawImage(area.canvas, 0, 0);
    context.globalAlpha = 1;
    context.drawImage(ring.canvas, 0, 0);

    const box = Phaser.Geom.Rectangle.FromPoints(
      corners(sprite, camera).map(({ x, y }) => new Phaser.Math.Vector2(x, y)),
    );
    const names = [...new Set(measurement.blockingSprites.map((object) => object.name || object.type))].slice(0, 3);
    names.forEach((name, i) =>
      labels.push({ x: box.centerX, y: box.bottom + 17 + i * 18, words: name, colour: BLOCKER, above: false }),
    );
  }
}

interface Label {
  readonly x: number;
  readonly y: number;
  readonly words: string;
  readonly colour: string;
  readonly above: boolean;
}

function drawBlocker(
  context: CanvasRenderingContext2D,
  blocker: Phaser.GameObjects.GameObject,
  ad: Phaser.GameObjects.Image,
  camera: Phaser.Cameras.Scene2D.Camera,
  shape: Path2D,
): void {
  if (!blocker.scene) return;
  context.save();
  // A veil over the whole picture (night, pause) is shown where it matters; elsewhere it would only hide the game.
  if (blocker instanceof Phaser.GameObjects.Rectangle) context.clip(shape);
  // What lets most of the light through is only part of the reason; it is drawn as faint as it is.
  context.globalAlpha = 'alpha' in blocker ? Number(blocker.alpha) : 1;
  drawObject(context, blocker, blocker.scene === ad.scene ? camera : blocker.scene.cameras.main);
  context.restore();
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

function sheet(): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = VIEW_WIDTH;
  canvas.height = VIEW_HEIGHT;
  return canvas.getContext('2d')!;
}

function clear(context: CanvasRenderingContext2D): CanvasRenderingContext2D {
  context.resetTransform();
  context.globalCompositeOperation = 'source-over';
  context.clearRect(0, 0, VIEW_WIDTH, VIEW_HEIGHT);
  return context;
}

let hatching: CanvasPattern | null = null;

function hatch(context: CanvasRenderingContext2D): CanvasPattern | string {
  if (hatching) return hatching;
  const tile = document.createElement('canvas');
  tile.width = tile.height = 10;
  const pen = tile.getContext('2d')!;
  pen.fillStyle = 'rgba(184,243,74,.22)';
  pen.fillRect(0, 0, 10, 10);
  pen.strokeStyle = 'rgba(184,243,74,.75)';
  pen.lineWidth = 1.6;
  pen.stroke(new Path2D('M-2 12 L12 -2 M-2 2 L2 -2 M8 12 L12 8'));
  hatching = context.createPattern(tile, 'repeat');
  return hatching ?? SEEN;
}
