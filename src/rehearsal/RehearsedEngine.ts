import type * as Phaser from 'phaser';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/** The matrix of the containers around an object, as its render function is handed it. */
export type ParentMatrix = Phaser.GameObjects.Components.TransformMatrix;

/**
 * Replaces the function that draws an object.
 *
 * @param parent the containers' matrix; undefined outside of any
 * @param draw calls the replaced function
 */
export type InsteadOfDrawing = (camera: Camera, parent: ParentMatrix | undefined, draw: () => void) => void;

/** A renderer that can draw without painting, and what it tells while it does. */
export interface RehearsedEngine {
  /** The function of a game object by which this renderer draws it. */
  readonly method: 'renderWebGL' | 'renderCanvas' | 'renderWebGLStep';
  /**
   * Saves the renderer's state, and lets nothing reach the screen from here on.
   * @returns False when it cannot now: in the midst of a drawing, or without a context. Then nothing was changed.
   */
  begin(): boolean;
  /** Draws what a camera shows of its scene. */
  render(scene: Phaser.Scene, children: GameObject[], camera: Camera): void;
  /** Draws one object by itself, where its containers put it. */
  renderAlone(object: GameObject, camera: Camera, parent: ParentMatrix | undefined): void;
  /** Gives the renderer back as it was before {@link begin}, also in the midst of a drawing that failed. */
  end(): void;
  /** What is drawn from here on is the camera's own, such as its background. */
  onCamera(camera: Camera): void;
  /** What is drawn from here on is this object's, which may have children; null for the camera's own. */
  onObject(object: GameObject | null): void;
  /**
   * Called in the place of an object whose own code is not run a second time, at its place in the order.
   * @param parent the containers' matrix; undefined outside of any
   */
  onForeign(object: GameObject, camera: Camera, parent: ParentMatrix | undefined): void;
  /** Calls `instead` whenever the object would be drawn. @returns undoes that */
  intercept(object: GameObject, instead: InsteadOfDrawing): () => void;
  /** Takes the game's own effects off an object or camera. @returns puts them back; null where there are none */
  withhold?(target: object): (() => void) | null;
}

/** A rectangle of the canvas, in canvas pixels. */
export interface CanvasBox {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}
