import type * as Phaser from 'phaser';

import type { Affine } from '../record/phaser3/internals.js';

type Camera = Phaser.Cameras.Scene2D.Camera;

type Matrix = { -readonly [Name in keyof Affine]: number };

interface HeldCamera {
  readonly matrix: Matrix;
  /** Of Phaser 4: the camera's place on the canvas, and the product of both matrices. */
  readonly matrixExternal?: Matrix;
  readonly matrixCombined?: Matrix;
  readonly rotation: number;
  renderRoundPixels?: boolean;
  addToRenderList(child: unknown): void;
}

/**
 * Holds a camera while it draws once more: its list of what it drew and its events are left alone, and it neither follows
 * nor shakes. One that was moved, zoomed or turned since it last drew shows what it will show in the next frame.
 */
export class CameraHold {
  private readonly held: HeldCamera;
  private readonly emit: Camera['emit'];
  private readonly addToRenderList: (child: unknown) => void;
  private readonly dirty: boolean;
  private readonly roundsPixels: boolean | undefined;
  private readonly matrices: readonly [Matrix, Matrix][];
  private readonly before: readonly number[];

  constructor(
    readonly camera: Camera,
    onObject: (object: Phaser.GameObjects.GameObject) => void,
  ) {
    const held = (this.held = camera as unknown as HeldCamera);
    const { worldView, midPoint } = camera;
    this.matrices = [held.matrix, held.matrixExternal, held.matrixCombined].flatMap((matrix) =>
      matrix === undefined ? [] : [[matrix, copyOf(matrix)] as [Matrix, Matrix]],
    );
    this.before = [worldView.x, worldView.y, worldView.width, worldView.height, midPoint.x, midPoint.y];
    this.dirty = camera.dirty;
    this.roundsPixels = held.renderRoundPixels;
    this.emit = camera.emit;
    this.addToRenderList = held.addToRenderList;
    // Assigned, here and when they are put back: deleting an own property would make a slow object of the camera.
    camera.emit = () => false;
    held.addToRenderList = (child) => onObject(child as Phaser.GameObjects.GameObject);
    if (camera.dirty) this.moveOn();
  }

  release(): void {
    const { camera, held, before } = this;
    camera.emit = this.emit;
    held.addToRenderList = this.addToRenderList;
    const [x, y, width, height, midX, midY] = before;
    for (const [matrix, copy] of this.matrices) Object.assign(matrix, copy);
    camera.worldView.setTo(x!, y!, width!, height!);
    camera.midPoint.set(midX!, midY);
    if (this.roundsPixels !== undefined) held.renderRoundPixels = this.roundsPixels;
    camera.dirty = this.dirty;
  }

  /** Does what `Camera.preRender` does, without following, bounds and shaking, which go on with each call. */
  private moveOn(): void {
    const { camera, held } = this;
    const { x, y, width, height, zoomX, zoomY, midPoint, worldView, scrollX, scrollY } = camera;
    const { matrix, matrixExternal, matrixCombined, rotation } = held;
    const originX = width * camera.originX;
    const originY = height * camera.originY;
    const cos = Math.cos(rotation);
    const sin = Math.sin(rotation);
    matrix.a = cos * zoomX;
    matrix.b = sin * zoomX;
    matrix.c = -sin * zoomY;
    matrix.d = cos * zoomY;
    midPoint.set(scrollX + width / 2, scrollY + height / 2);
    if (this.roundsPixels !== undefined) {
      held.renderRoundPixels = camera.roundPixels && Number.isInteger(zoomX) && Number.isInteger(zoomY);
    }
    if (matrixExternal !== undefined && matrixCombined !== undefined) {
      matrix.e = originX - matrix.a * (scrollX + originX) - matrix.c * (scrollY + originY);
      matrix.f = originY - matrix.b * (scrollX + originX) - matrix.d * (scrollY + originY);
      Object.assign(matrixExternal, { a: 1, b: 0, c: 0, d: 1, e: x, f: y });
      Object.assign(matrixCombined, { ...copyOf(matrix), e: matrix.e + x, f: matrix.f + y });
      worldView.setTo(midPoint.x - width / zoomX / 2, midPoint.y - height / zoomY / 2, width / zoomX, height / zoomY);
      return;
    }
    matrix.e = Math.floor(x + originX + 0.5) - matrix.a * originX - matrix.c * originY;
    matrix.f = Math.floor(y + originY + 0.5) - matrix.b * originX - matrix.d * originY;
    const displayWidth = Math.floor(width / zoomX + 0.5);
    const displayHeight = Math.floor(height / zoomY + 0.5);
    const left = Math.floor(midPoint.x - displayWidth / 2 + 0.5);
    const top = Math.floor(midPoint.y - displayHeight / 2 + 0.5);
    worldView.setTo(left, top, displayWidth, displayHeight);
  }
}

/** Copies a matrix's numbers, which are getters and no own fields. */
function copyOf({ a, b, c, d, e, f }: Matrix): Matrix {
  return { a, b, c, d, e, f };
}
