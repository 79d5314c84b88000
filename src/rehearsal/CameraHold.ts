import type * as Phaser from 'phaser';

type Camera = Phaser.Cameras.Scene2D.Camera;

interface HeldCamera {
  readonly matrix: object;
  /** Of Phaser 4: the camera's place on the canvas, and the product of both matrices. */
  readonly matrixExternal?: object;
  readonly matrixCombined?: object;
  /** From 3.86 on. */
  readonly renderRoundPixels?: boolean;
  renderList: Phaser.GameObjects.GameObject[];
  addToRenderList(child: unknown): void;
  preRender(): void;
}

/**
 * Holds a camera while it draws once more: its list of what it drew and its events are left alone. One that was moved,
 * zoomed or turned since it last drew shows what it will show in the next frame, and is then put back.
 */
export class CameraHold {
  /** Fields of the camera. Setting some of them sets `dirty`, which therefore comes last. */
  readonly #fields: Partial<Camera & HeldCamera>;
  /** What belongs to the camera, and the numbers in it. */
  readonly #parts: readonly (readonly [object, object])[];

  constructor(readonly camera: Camera) {
    const held = camera as unknown as HeldCamera;
    const { emit, scrollX, scrollY, dirty, worldView, midPoint, deadzone } = camera;
    const { addToRenderList, renderList, renderRoundPixels, matrix, matrixExternal, matrixCombined } = held;
    const rounding = renderRoundPixels === undefined ? {} : { renderRoundPixels };
    this.#fields = { emit, addToRenderList, renderList, scrollX, scrollY, ...rounding, dirty };
    this.#parts = [matrix, matrixExternal, matrixCombined, worldView, midPoint, deadzone].flatMap((part) =>
      part ? [[part, numbersOf(part)] as const] : [],
    );
  }

  /** @param onObject told of each object that is drawn */
  begin(onObject: (object: Phaser.GameObjects.GameObject) => void): void {
    const { camera } = this;
    const held = camera as unknown as HeldCamera;
    // Assigned, here and when they are put back: deleting an own property would make a slow object of the camera.
    camera.emit = () => false;
    held.addToRenderList = (child) => onObject(child as Phaser.GameObjects.GameObject);
    held.renderList = [];
    if (camera.dirty) held.preRender();
  }

  release(): void {
    for (const [part, numbers] of this.#parts) Object.assign(part, numbers);
    Object.assign(this.camera, this.#fields);
  }
}

/** The numbers of a matrix, a rectangle or a point. Those of a matrix are getters and no own fields. */
function numbersOf(part: object): object {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'x', 'y', 'width', 'height'].filter((name) => name in part);
  return Object.fromEntries(names.map((name) => [name, (part as Record<string, number>)[name]]));
}
