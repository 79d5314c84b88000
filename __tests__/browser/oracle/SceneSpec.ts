/**
 * A scene as plain data: what the random generator makes, the builder builds, the shrinker cuts down, and a report
 * prints. Every optional part may be deleted and the rest still builds.
 */
export interface StageSpec {
  /** Bottom first. */
  scenes: SceneSpec[];
}

export interface SceneSpec {
  /** The first one is the scene's main camera; empty means one default camera. */
  cameras: CameraSpec[];
  objects: ObjectSpec[];
  /** `paused` scenes are drawn, `asleep` and `hidden` ones are not. Default: running. */
  state?: 'paused' | 'asleep' | 'hidden';
}

export interface CameraSpec {
  /** x, y, width, height in canvas pixels. */
  viewport?: [number, number, number, number];
  zoom?: [number, number];
  /** Radians. */
  rotation?: number;
  scroll?: [number, number];
  origin?: [number, number];
  /** 0–1. */
  alpha?: number;
  hidden?: boolean;
  /** Colour and its alpha 0–1. */
  background?: [number, number];
  /** How far a fade out has come, 0–1. */
  fade?: number;
  /** How much of a flash is left, 0–1. */
  flash?: number;
  /** Shake intensity as a share of the viewport. */
  shake?: number;
  mask?: MaskSpec;
  /** It draws apart, and then onto the screen; in Phaser 4. */
  composite?: boolean;
  /** Names of objects this camera ignores. */
  ignore?: string[];
}

export interface ObjectSpec {
  kind: string;
  /** Unique within the stage. The ad is called `ad`. */
  name: string;
  x: number;
  y: number;
  rotation?: number;
  scale?: [number, number];
  origin?: [number, number];
  flip?: [boolean, boolean];
  /** 0–1. */
  alpha?: number;
  /** Alpha of the four corners: top left, top right, bottom left, bottom right. */
  corners?: [number, number, number, number];
  depth?: number;
  scrollFactor?: [number, number];
  hidden?: boolean;
  /** Phaser's blend mode number; the object is then tinted grey so that no colour channel differs. */
  blend?: number;
  /** x, y, width, height in the frame. */
  crop?: [number, number, number, number];
  tint?: number;
  mask?: MaskSpec;
  /** What only this kind of object has. */
  options: Options;
  /** Of containers and layers. */
  children?: ObjectSpec[];
}

export type Options = Record<string, number | string | boolean | readonly unknown[]>;

export interface MaskSpec {
  type: 'geometry' | 'bitmap';
  x: number;
  y: number;
  rotation?: number;
  scale?: number;
  invert?: boolean;
  /** Geometry: `rectangle`, `circle`, `star`. Bitmap: a texture of the art. */
  shape: string;
  width: number;
  height: number;
}

/** Every object of the stage, parents before their children. */
export function* objectsOf(spec: StageSpec): Generator<ObjectSpec> {
  for (const scene of spec.scenes) yield* walk(scene.objects);
}

function* walk(objects: readonly ObjectSpec[]): Generator<ObjectSpec> {
  for (const object of objects) {
    yield object;
    if (object.children) yield* walk(object.children);
  }
}
