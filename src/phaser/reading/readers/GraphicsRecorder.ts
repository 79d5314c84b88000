import { isOneColor, meanColor } from '../colourLight.js';
import { arcSweep } from './arcSweep.js';
import { fillNonZero } from './fillNonZero.js';
import type { PolygonTape } from './PolygonTape.js';
import { strokeInWebGL } from './strokeInWebGL.js';
import { lineWidthOnCanvas, strokeOnCanvas, strokePathOnCanvas } from './strokeOnCanvas.js';

/** `Phaser.GameObjects.Graphics` command codes (`graphics/Commands.js`). */
export const Command = {
  ARC: 0,
  BEGIN_PATH: 1,
  CLOSE_PATH: 2,
  FILL_RECT: 3,
  LINE_TO: 4,
  MOVE_TO: 5,
  LINE_STYLE: 6,
  FILL_STYLE: 7,
  FILL_PATH: 8,
  STROKE_PATH: 9,
  FILL_TRIANGLE: 10,
  STROKE_TRIANGLE: 11,
  SAVE: 14,
  RESTORE: 15,
  TRANSLATE: 16,
  SCALE: 17,
  ROTATE: 18,
  GRADIENT_FILL_STYLE: 21,
  GRADIENT_LINE_STYLE: 22,
} as const;

/** Share of an arc between two of its points (`GraphicsWebGLRenderer`). */
const ARC_STEP = 0.01;

/** Numbers kept by a SAVE: the matrix, line width, and colour and alphas of fill and line. */
const SAVED = 14;

/** A fill colour nobody has set. */
const LEFT_OVER = -1;

/**
 * Plays the command buffer of a Graphics onto a {@link PolygonTape} as Phaser's renderers would onto the screen, alpha
 * of the object left out. Sources: `GraphicsWebGLRenderer`, `GraphicsCanvasRenderer`.
 *
 * A path drawn before any style shows whatever colour the renderer had left over: on Canvas that of what was filled before,
 * which the caller tells; else it counts as opaque.
 */
export class GraphicsRecorder {
  /** Points of all subpaths, x and y alternating, and the line width in force at each. */
  private readonly points: number[] = [];
  private readonly widths: number[] = [];
  private pointNumbers = 0;
  /** Where each subpath starts in {@link points}; the last entry is its end once the next begins. */
  private readonly starts: number[] = [];
  /** Canvas joins the corner where a subpath was closed; WebGL does so for all subpaths once any was. */
  private readonly closed: boolean[] = [];
  private pathCount = 0;
  private anyClosed = false;

  private a = 1;
  private b = 0;
  private c = 0;
  private d = 1;
  private e = 0;
  private f = 0;
  private lineWidth = 1;
  private lineColor = 0;
  private lineAlpha = 1;
  private isLineUneven = false;
  private readonly fillColors: [number, number, number, number] = [0, 0, 0, 0];
  private readonly fillAlphas: [number, number, number, number] = [1, 1, 1, 1];
  private readonly stack: number[] = [];
  /** The matrix before it was changed. */
  private readonly former = new Float64Array(6);
  private leftOverColor = 0;
  private leftOverAlpha = 1;
  /** Something was filled with the colour left over in the recording made last. */
  usesLeftOver = false;

  private tape!: PolygonTape;
  private isWebGL = true;
  private isClip = false;

  /**
   * @param isClip On Canvas, records the path that is left at the end, which is what a mask clips to.
   * @param leftOverColor 0xRRGGBB, and its alpha, 0–1: what fills where no style was set
   */
  record(
    commands: ArrayLike<number>,
    isWebGL: boolean,
    tape: PolygonTape,
    isClip = false,
    leftOverColor = 0,
    leftOverAlpha = 1,
  ): void {
    this.leftOverColor = leftOverColor;
    this.leftOverAlpha = leftOverAlpha;
    this.usesLeftOver = false;
    this.tape = tape;
    this.isWebGL = isWebGL;
    this.isClip = isClip && !isWebGL;
    tape.reset();
    this.beginPath();
    this.stack.length = 0;
    this.a = this.d = 1;
    this.b = this.c = this.e = this.f = 0;
    this.lineWidth = 1;
    this.lineColor = 0;
    this.lineAlpha = 1;
    this.isLineUneven = false;
    this.setFill(LEFT_OVER, 1, 1, 1, 1);
    for (let i = 0; i < commands.length; i++) i = this.play(commands, i);
    if (!this.isClip) return;
    this.isClip = false;
    this.fillPath();
  }

  /** Plays the command at `i` and returns the index of its last number. */
  private play(commands: ArrayLike<number>, i: number): number {
    const { tape } = this;
    const x = commands[i + 1]!;
    const y = commands[i + 2]!;
    switch (commands[i]) {
      case Command.BEGIN_PATH:
        this.beginPath();
        return i;
      case Command.CLOSE_PATH:
        this.closePath();
        return i;
      case Command.FILL_PATH:
        this.fillPath();
        return i;
      case Command.STROKE_PATH:
        this.strokePath();
        return i;
      case Command.LINE_STYLE:
        this.lineWidth = this.isWebGL ? x : lineWidthOnCanvas(x, this.lineWidth);
        this.lineColor = y;
        this.lineAlpha = commands[i + 3]!;
        this.isLineUneven = false;
        return i + 3;
      case Command.FILL_STYLE:
        this.setFill(x, y, y, y, y);
        return i + 2;
      case Command.GRADIENT_FILL_STYLE:
        // Canvas has no gradients here, keeps the style it had, and takes the last three colours for commands.
        if (!this.isWebGL) return i + 5;
        this.setFill(commands[i + 5]!, x, y, commands[i + 3]!, commands[i + 4]!);
        for (let k = 0; k < 4; k++) this.fillColors[k] = commands[i + 5 + k]! & 0xffffff;
        return i + 8;
      case Command.GRADIENT_LINE_STYLE:
        if (this.isWebGL) {
          this.lineWidth = x;
          this.lineAlpha = y;
          this.lineColor = meanColor(commands, i + 3);
          this.isLineUneven = !isOneColor(commands, i + 3);
        }
        return i + 6;
      case Command.ARC:
        this.arc(
          x,
          y,
          commands[i + 3]!,
          commands[i + 4]!,
          commands[i + 5]!,
          Boolean(commands[i + 6]),
          commands[i + 7]!,
        );
        return i + 7;
      case Command.MOVE_TO:
        this.startSubpath(x, y);
        return i + 2;
      case Command.LINE_TO:
        if (this.pathCount === 0) this.startSubpath(x, y);
        else this.goOn(x, y);
        return i + 2;
      case Command.FILL_RECT: {
        const right = x + commands[i + 3]!;
        const bottom = y + commands[i + 4]!;
        if (this.isClip) {
          this.startSubpath(x, y);
          this.addPoint(right, y);
          this.addPoint(right, bottom);
          this.addPoint(x, bottom);
          return i + 4;
        }
        this.useFill();
        tape.quad(x, y, x, bottom, right, bottom, right, y);
        return i + 4;
      }
      case Command.FILL_TRIANGLE:
        if (!this.isWebGL) this.takeTriangle(commands, i + 1);
        if (this.isClip) return i + 6;
        this.useFill();
        tape.triangle(x, y, commands[i + 3]!, commands[i + 4]!, commands[i + 5]!, commands[i + 6]!);
        return i + 6;
      case Command.STROKE_TRIANGLE:
        if (!this.isWebGL) this.takeTriangle(commands, i + 1);
        if (!this.isClip) this.strokeTriangle(commands, i + 1);
        return i + 6;
      case Command.SAVE:
        this.save();
        return i;
      case Command.RESTORE:
        this.noteMatrix();
        this.restore();
        this.keepPath();
        return i;
      case Command.TRANSLATE:
        this.noteMatrix();
        this.e += this.a * x + this.c * y;
        this.f += this.b * x + this.d * y;
        this.keepPath();
        return i + 2;
      case Command.SCALE:
        this.noteMatrix();
        this.a *= x;
        this.b *= x;
        this.c *= y;
        this.d *= y;
        this.keepPath();
        return i + 2;
      case Command.ROTATE:
        this.noteMatrix();
        this.rotate(x);
        this.keepPath();
        return i + 1;
      default:
        return i;
    }
  }

  private beginPath(): void {
    this.pathCount = 0;
    this.pointNumbers = 0;
    this.anyClosed = false;
  }

  private startSubpath(x: number, y: number): void {
    this.starts[this.pathCount] = this.pointNumbers;
    this.closed[this.pathCount] = false;
    this.pathCount++;
    this.addPoint(x, y);
  }

  private addPoint(x: number, y: number): void {
    this.widths[this.pointNumbers >> 1] = this.lineWidth;
    this.points[this.pointNumbers++] = x;
    this.points[this.pointNumbers++] = y;
  }

  /** A line to a point. On Canvas it begins another subpath, at the same point, where the one there is was closed. */
  private goOn(x: number, y: number): void {
    const last = this.pathCount - 1;
    if (!this.isWebGL && this.closed[last] === true) {
      const first = this.starts[last]!;
      this.startSubpath(this.points[first]!, this.points[first + 1]!);
    }
    this.addPoint(x, y);
  }

  private closePath(): void {
    this.anyClosed = true;
    if (this.pathCount === 0) return;
    const first = this.starts[this.pathCount - 1]!;
    this.closed[this.pathCount - 1] = true;
    const width = this.widths[first >> 1]!;
    this.addPoint(this.points[first]!, this.points[first + 1]!);
    this.widths[(this.pointNumbers >> 1) - 1] = width;
  }

  private arc(
    x: number,
    y: number,
    radius: number,
    startAngle: number,
    endAngle: number,
    isAnticlockwise: boolean,
    overshoot: number,
  ): void {
    const sweep = arcSweep(endAngle - startAngle, isAnticlockwise);
    let share = 0;
    if (this.pathCount === 0) {
      this.startSubpath(x + Math.cos(startAngle) * radius, y + Math.sin(startAngle) * radius);
      share = ARC_STEP;
    }
    const end = 1 + (this.isWebGL && overshoot > 0 ? overshoot : 0);
    for (; share < end; share += ARC_STEP) {
      const angle = startAngle + sweep * share;
      this.goOn(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius);
    }
    const angle = startAngle + sweep;
    this.addPoint(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius);
  }

  /** On Canvas a triangle takes the place of the path, to be filled, stroked and gone on from. */
  private takeTriangle(commands: ArrayLike<number>, at: number): void {
    this.beginPath();
    this.startSubpath(commands[at]!, commands[at + 1]!);
    this.addPoint(commands[at + 2]!, commands[at + 3]!);
    this.addPoint(commands[at + 4]!, commands[at + 5]!);
    this.closePath();
  }

  private fillPath(): void {
    if (this.isClip) return;
    this.useFill();
    const { tape, points, starts, pathCount } = this;
    if (this.isWebGL) {
      for (let path = 0; path < pathCount; path++) tape.fill(points, starts[path]!, this.endOf(path), null);
    } else if (pathCount !== 1 || !tape.fillConvex(points, starts[0]!, this.pointNumbers)) {
      fillNonZero(tape, points, starts, pathCount, this.pointNumbers);
    }
  }

  private strokePath(): void {
    if (this.isClip) return;
    this.useLine();
    const { tape, points, starts, pathCount, lineWidth } = this;
    if (!this.isWebGL) {
      strokePathOnCanvas(tape, points, starts, pathCount, this.pointNumbers, lineWidth, this.closed);
      return;
    }
    for (let path = 0; path < pathCount; path++) {
      strokeInWebGL(tape, points, starts[path]!, this.endOf(path), this.widths, lineWidth, this.anyClosed);
    }
  }

  private strokeTriangle(commands: ArrayLike<number>, at: number): void {
    // Beyond the current path, which WebGL leaves as it is.
    const { points, pointNumbers: from } = this;
    for (let k = 0; k < 8; k++) points[from + k] = commands[at + (k % 6)]!;
    this.useLine();
    if (this.isWebGL) strokeInWebGL(this.tape, points, from, from + 8, null, this.lineWidth, true);
    else strokeOnCanvas(this.tape, points, from, from + 8, this.lineWidth, true);
  }

  private endOf(path: number): number {
    return path + 1 < this.pathCount ? this.starts[path + 1]! : this.pointNumbers;
  }

  private setFill(color: number, alpha0: number, alpha1: number, alpha2: number, alpha3: number): void {
    this.fillColors.fill(color);
    const alphas = this.fillAlphas;
    alphas[0] = alpha0;
    alphas[1] = alpha1;
    alphas[2] = alpha2;
    alphas[3] = alpha3;
  }

  private useFill(): void {
    const [topLeft, topRight, bottomLeft, bottomRight] = this.fillAlphas;
    if (this.fillColors[0] === LEFT_OVER) {
      this.usesLeftOver = true;
      this.tape.setPaint(this.leftOverColor, this.leftOverAlpha);
    } else {
      this.tape.setGradient(this.fillColors, topLeft, topRight, bottomLeft, bottomRight);
    }
    this.tape.setMatrix(this.a, this.b, this.c, this.d, this.e, this.f);
  }

  private useLine(): void {
    this.tape.setPaint(this.lineColor, this.lineAlpha, this.isLineUneven);
    this.tape.setMatrix(this.a, this.b, this.c, this.d, this.e, this.f);
  }

  private rotate(angle: number): void {
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    const { a, b, c, d } = this;
    this.a = a * cos + c * sin;
    this.b = b * cos + d * sin;
    this.c = c * cos - a * sin;
    this.d = d * cos - b * sin;
  }

  private noteMatrix(): void {
    const { former } = this;
    former[0] = this.a;
    former[1] = this.b;
    former[2] = this.c;
    former[3] = this.d;
    former[4] = this.e;
    former[5] = this.f;
  }

  /**
   * Canvas takes the matrix at each point of a path, WebGL only when it is filled or stroked: on Canvas what there is of a path
   * stays where it is. A matrix without inverse leaves no numbers that would do.
   */
  private keepPath(): void {
    const { a, b, c, d, e, f, points, pointNumbers, former } = this;
    const det = a * d - b * c;
    if (this.isWebGL || det === 0) return;
    for (let i = 0; i < pointNumbers; i += 2) {
      const x = former[0]! * points[i]! + former[2]! * points[i + 1]! + former[4]! - e;
      const y = former[1]! * points[i]! + former[3]! * points[i + 1]! + former[5]! - f;
      points[i] = (d * x - c * y) / det;
      points[i + 1] = (a * y - b * x) / det;
    }
  }

  private save(): void {
    const { stack, fillAlphas } = this;
    stack.push(this.a, this.b, this.c, this.d, this.e, this.f, this.lineWidth, this.lineColor, this.lineAlpha);
    stack.push(this.fillColors[0], fillAlphas[0], fillAlphas[1], fillAlphas[2], fillAlphas[3]);
  }

  private restore(): void {
    const { stack } = this;
    const at = stack.length - SAVED;
    if (at < 0) return;
    this.a = stack[at]!;
    this.b = stack[at + 1]!;
    this.c = stack[at + 2]!;
    this.d = stack[at + 3]!;
    this.e = stack[at + 4]!;
    this.f = stack[at + 5]!;
    // WebGL restores the matrix only.
    if (!this.isWebGL) {
      this.lineWidth = stack[at + 6]!;
      this.lineColor = stack[at + 7]!;
      this.lineAlpha = stack[at + 8]!;
      this.setFill(stack[at + 9]!, stack[at + 10]!, stack[at + 11]!, stack[at + 12]!, stack[at + 13]!);
    }
    stack.length = at;
  }
}
