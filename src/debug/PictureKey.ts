import type * as Phaser from 'phaser';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;
type Matrix = Phaser.GameObjects.Components.TransformMatrix;
/** The properties of a game object that say where it is drawn and what it shows; some objects have only some of them. */
type Placed = GameObject & {
  readonly width?: number;
  readonly height?: number;
  readonly frame?: object | null;
  readonly scrollFactorX?: number;
  readonly scrollFactorY?: number;
  getWorldTransformMatrix?(matrix?: Matrix): Matrix;
};

/** All that a picture was drawn from, to know whether the next one would differ. A picture that stays allocates nothing. */
export class PictureKey {
  private parts: unknown[] = [];
  private length = 0;
  private isSame = true;
  private matrix: Matrix | undefined;

  /** Begins the next picture. */
  begin(): void {
    this.length = 0;
    this.isSame = true;
  }

  add(part: unknown): void {
    if (!Object.is(this.parts[this.length], part)) {
      this.parts[this.length] = part;
      this.isSame = false;
    }
    this.length++;
  }

  /** Where an object is, how large, and what it shows. */
  addObject(object: GameObject): void {
    const placed = object as Placed;
    this.add(object);
    this.add(placed.width);
    this.add(placed.height);
    this.add(placed.frame);
    this.add(placed.scrollFactorX);
    this.add(placed.scrollFactorY);
    if (placed.getWorldTransformMatrix === undefined) return;
    this.addMatrix((this.matrix = placed.getWorldTransformMatrix(this.matrix)));
  }

  addCamera({ x, y, width, height, scrollX, scrollY, matrix }: Camera & { readonly matrix?: Matrix }): void {
    for (const part of [x, y, width, height, scrollX, scrollY]) this.add(part);
    if (matrix !== undefined) this.addMatrix(matrix);
  }

  /** Ends the picture; true if it is the same as the one before. */
  end(): boolean {
    if (this.length !== this.parts.length) this.isSame = false;
    this.parts.length = this.length;
    return this.isSame;
  }

  private addMatrix({ a, b, c, d, tx, ty }: Matrix): void {
    this.add(a);
    this.add(b);
    this.add(c);
    this.add(d);
    this.add(tx);
    this.add(ty);
  }
}
