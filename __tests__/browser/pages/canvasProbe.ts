import type * as Phaser from 'phaser';
import { CanvasProbe } from '../../../src/record/canvas2d/CanvasProbe.js';
import { Random } from '../oracle/Random.js';

/** What became of painting at random while it was watched. */
export interface ProbeReport {
  /** Cases in which a pixel changed beside what was told, with what was called. */
  readonly missed: readonly string[];
  /** Cases of which it was told where they painted. */
  readonly told: number;
  /** How much larger than what was painted was told, over all these cases: a ratio of areas. */
  readonly waste: number;
  /** The context is as it was. */
  readonly isGivenBack: boolean;
}

declare global {
  interface Window {
    watchPainting?: (seed: number, cases: number) => ProbeReport;
  }
}

const WIDTH = 240;
const HEIGHT = 160;

/** Of the pixel at an edge so much may lie beside it: it is painted faintly. */
const FAINT = 0.75;

/** Calls that paint, with numbers at random. */
const PAINTS: Readonly<
  Record<string, (context: CanvasRenderingContext2D, n: () => number, picture: HTMLCanvasElement) => void>
> = {
  fillRect: (c, n) => c.fillRect(n(), n(), n(), n()),
  strokeRect: (c, n) => c.strokeRect(n(), n(), n(), n()),
  drawImage: (c, n, picture) => c.drawImage(picture, n(), n()),
  'drawImage of a part': (c, n, picture) => c.drawImage(picture, 4, 4, 8, 8, n(), n(), n(), n()),
  fillText: (c, n) => c.fillText('Angry fjord', n(), n()),
  strokeText: (c, n) => c.strokeText('Wave', n(), n()),
  'a filled path': (c, n) => {
    c.beginPath();
    c.moveTo(n(), n());
    c.lineTo(n(), n());
    c.quadraticCurveTo(n(), n(), n(), n());
    c.bezierCurveTo(n(), n(), n(), n(), n(), n());
    c.fill();
  },
  'a stroked path': (c, n) => {
    c.beginPath();
    c.arc(n(), n(), Math.abs(n()), 0, 5);
    c.moveTo(n(), n());
    // Between the points of the path another matrix may hold.
    c.translate(n() / 10, 0);
    c.lineTo(n(), n());
    c.lineTo(n(), n());
    c.stroke();
  },
  'a Path2D': (c, n) => c.fill(new Path2D(`M ${n()} ${n()} L ${n()} ${n()} L ${n()} ${n()} Z`)),
  'a shadow': (c, n) => {
    c.shadowColor = '#f00';
    c.shadowBlur = 9;
    c.shadowOffsetX = n();
    c.fillRect(n(), n(), 20, 20);
  },
  putImageData: (c) => c.putImageData(new ImageData(new Uint8ClampedArray(400).fill(255), 10, 10), 30, 40),
  clearRect: (c, n) => c.clearRect(n(), n(), n(), n()),
};

window.watchPainting = (seed, cases) => {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const picture = document.createElement('canvas');
  picture.width = picture.height = 24;
  picture.getContext('2d')!.fillRect(0, 0, 24, 24);
  const probe = new CanvasProbe({ canvas, renderer: { gameContext: context } } as unknown as Phaser.Game);
  const before = context.fillRect;
  const random = new Random(seed);
  const missed: string[] = [];
  let told = 0;
  let toldArea = 0;
  let paintedArea = 0;
  for (let i = 0; i < cases; i++) {
    const names = Array.from({ length: random.integer(1, 3) }, () => random.pick(Object.keys(PAINTS)));
    context.reset();
    context.fillStyle = '#8af';
    context.fillRect(0, 0, WIDTH, HEIGHT);
    const then = context.getImageData(0, 0, WIDTH, HEIGHT).data;
    const box = Float64Array.of(Infinity, Infinity, -Infinity, -Infinity);
    probe.watch(() => {
      for (const name of names) {
        context.save();
        context.translate(random.between(0, WIDTH), random.between(0, HEIGHT));
        context.rotate(random.between(0, 6));
        context.scale(random.between(0.3, 1.5), random.between(-1, 1));
        context.fillStyle = context.strokeStyle = '#123';
        context.lineWidth = random.between(0.5, 6);
        context.font = `${random.integer(8, 30)}px serif`;
        context.textAlign = random.pick(['left', 'right', 'center'] as const);
        context.textBaseline = random.pick(['top', 'alphabetic', 'middle', 'bottom'] as const);
        PAINTS[name]!(context, () => random.between(-40, 40), picture);
        context.restore();
      }
    }, box);
    const now = context.getImageData(0, 0, WIDTH, HEIGHT).data;
    const painted = [WIDTH, HEIGHT, 0, 0] as [number, number, number, number];
    for (let y = 0; y < HEIGHT; y++) {
      for (let x = 0; x < WIDTH; x++) {
        const at = 4 * (y * WIDTH + x);
        if (now[at] === then[at] && now[at + 1] === then[at + 1] && now[at + 3] === then[at + 3]) continue;
        painted[0] = Math.min(painted[0], x);
        painted[1] = Math.min(painted[1], y);
        painted[2] = Math.max(painted[2], x + 1);
        painted[3] = Math.max(painted[3], y + 1);
      }
    }
    if (painted[2] <= painted[0]) continue;
    const [minX, minY, maxX, maxY] = box as unknown as [number, number, number, number];
    const isWithin =
      painted[0] >= minX - FAINT &&
      painted[1] >= minY - FAINT &&
      painted[2] <= maxX + FAINT &&
      painted[3] <= maxY + FAINT;
    if (!isWithin) missed.push(`${names.join(', ')}: ${painted.join(' ')} beside ${box.join(' ')}`);
    if (box[0] === -Infinity) continue;
    told++;
    toldArea += (Math.min(WIDTH, box[2]!) - Math.max(0, box[0]!)) * (Math.min(HEIGHT, box[3]!) - Math.max(0, box[1]!));
    paintedArea += (painted[2] - painted[0]) * (painted[3] - painted[1]);
  }
  return { missed, told, waste: toldArea / paintedArea, isGivenBack: context.fillRect === before };
};
