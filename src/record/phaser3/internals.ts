import type * as Phaser from 'phaser';

/**
 * The members of Phaser objects this package reads although Phaser's public types do not list them, or not in every
 * 3.x version. One place, so that a Phaser update has one file to check.
 */

/** Any game object: the members that are read here. */
export interface DrawnObject {
  readonly type: string;
  readonly scene: Phaser.Scene | null | undefined;
  readonly parentContainer: DrawnContainer | null;
  readonly displayList: unknown;
  /** All four low bits set when visible, alpha ≠ 0, scale ≠ 0 and (for textures) a frame of some size. */
  readonly renderFlags: number;
  /** Bit set of the cameras that ignore the object. */
  readonly cameraFilter: number;
  readonly x: number;
  readonly y: number;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly rotation: number;
  readonly scrollFactorX: number;
  readonly scrollFactorY: number;
  readonly alpha: number;
  readonly blendMode: number;
  readonly mask: object | null;
  /** The effects of `postFX` are pipelines too, with a controller; a game's own have none. Ropes may have null. */
  readonly postPipelines?: readonly PostPipeline[] | null;
  /** Game classes override it to leave themselves out. */
  willRender(camera: Phaser.Cameras.Scene2D.Camera): boolean;
}

export interface PostPipeline {
  readonly active: boolean;
  /** Its kind is one of `Phaser.FX`. */
  readonly controller?: { readonly type: number; getData?(): ArrayLike<number> } | null;
}

/** An object with a texture frame and an origin: Image, Sprite, Text and their kin. */
export interface TexturedObject extends DrawnObject {
  readonly frame: Phaser.Textures.Frame;
  readonly texture: Phaser.Textures.Texture;
  readonly width: number;
  readonly height: number;
  readonly displayOriginX: number;
  readonly displayOriginY: number;
  /** What the getters of the same name without underscore return. */
  readonly _scaleX: number;
  readonly _scaleY: number;
  readonly _displayOriginX: number;
  readonly _displayOriginY: number;
  readonly _blendMode: number;
  readonly flipX: boolean;
  readonly flipY: boolean;
  readonly isCropped: boolean;
  readonly _crop: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;
}

export interface DrawnContainer extends DrawnObject {
  readonly list: readonly DrawnObject[];
}

/** A Layer is a list of its own: no transform, its alpha multiplies into the children. */
export interface DrawnLayer extends DrawnObject {
  readonly list: readonly DrawnObject[];
  readonly sortChildrenFlag: boolean;
}

/** `ContainerLite` of phaser3-rex-plugins, the parent of all rexUI objects. */
export interface RexContainerLite extends DrawnObject {
  /** Its children, once `enableLayerRenderer` took them out of the scene's display list. */
  readonly rendererLayer: RexRendererLayer | undefined;
}

export interface RexRendererLayer {
  readonly list: readonly DrawnObject[];
  readonly sortChildrenFlag: boolean;
  /** Other display lists have a parent too: their scene. */
  readonly parent: RexContainerLite;
}

/** As `TransformMatrix` has them: x of a point becomes a x + c y + e, y becomes b x + d y + f. */
export interface Affine {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

export interface CameraInternals {
  /** Camera → canvas, without scroll, as the last draw left it. */
  readonly matrix: Affine;
  readonly rotation: number;
  readonly mask: object | null;
  readonly postPipelines?: readonly PostPipeline[] | null;
  /** From 3.86 on: corners are rounded only at whole zoom levels. Before, `roundPixels` alone decided. */
  readonly renderRoundPixels?: boolean;
  readonly flashEffect: { readonly isRunning: boolean; readonly alpha: number };
  readonly fadeEffect: { readonly isRunning: boolean; readonly isComplete: boolean; readonly alpha: number };
}

/** `Phaser.GameObjects.GameObject.RENDER_MASK`: visible, alpha, scale and texture bits all set. */
export const WILL_RENDER = 15;
