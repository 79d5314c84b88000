import type * as Phaser from 'phaser';

import { hasForeignRender } from '../phaser3/foreignRender.js';
import type { DrawnObject } from '../phaser3/internals.js';
import { kindOf, ObjectKind } from './objectKind.js';
import type { BoundsByType, ObjectBox } from './registerBounds.js';

/** Instead of a box: only what was painted tells, see {@link PaintedReach}. */
export const AS_PAINTED = 'as painted';

/** The box of what may paint anywhere. */
export const ANYWHERE: ObjectBox = { x: -Infinity, y: -Infinity, width: Infinity, height: Infinity };

interface Sized {
  readonly width?: number;
  readonly height?: number;
  readonly displayOriginX?: number;
  readonly displayOriginY?: number;
}

interface ShaderFields extends Sized {
  readonly shader?: { readonly vertexSrc: string } | null;
  readonly renderToTexture?: boolean;
}

/** In the vertex shader that Phaser gives a `Shader`: its vertices stay where they are. */
const IN_PLACE = 'uProjectionMatrix * uViewMatrix * vec4(inPosition, 1.0, 1.0)';

/** Takes a result of `Skeleton.getBounds`. */
class Pair {
  x = 0;
  y = 0;
  set(x: number, y: number): this {
    this.x = x;
    this.y = y;
    return this;
  }
}

interface SpineFields extends Sized {
  readonly skeleton?: {
    readonly x?: number;
    readonly y?: number;
    readonly scaleX?: number;
    readonly scaleY?: number;
    getBounds?(offset: Pair, size: Pair, scratch: number[]): void;
  };
  readonly offsetX?: number;
  readonly offsetY?: number;
  /** The root bone; only the plugin that came with Phaser turns it. */
  readonly root?: unknown;
}

/**
 * The box in which an object may paint whose own code is not run, in the object's own coordinates. {@link ANYWHERE}
 * where nothing can tell, {@link AS_PAINTED} for code of the game's own, null when it paints nothing.
 */
export function foreignBoxOf(
  object: Phaser.GameObjects.GameObject,
  bounds: BoundsByType,
  isWebGL: boolean,
): ObjectBox | typeof AS_PAINTED | null {
  const told = bounds.get(object.type)?.(object);
  if (told !== undefined) return told;
  const drawn = object as unknown as DrawnObject;
  const fields = drawn as Sized;
  if (bounds.has(object.type)) return sizeOf(fields);
  if (hasForeignRender(drawn, isWebGL)) return AS_PAINTED;
  switch (kindOf(drawn)) {
    case ObjectKind.SHADER: {
      const { shader, renderToTexture } = fields as ShaderFields;
      if (!shader || renderToTexture) return null;
      return shader.vertexSrc.includes(IN_PLACE) ? sizeOf(fields) : ANYWHERE;
    }
    case ObjectKind.SPINE:
      return skeletonBox(fields);
    case ObjectKind.EXTERN:
      return isWebGL ? ANYWHERE : null;
    default:
      return AS_PAINTED;
  }
}

/** The box of an object's own width and height. */
export function sizeOf(object: object): ObjectBox {
  const { width, height, displayOriginX, displayOriginY } = object as Sized;
  if (!(typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0)) return ANYWHERE;
  return { x: -(displayOriginX ?? width / 2), y: -(displayOriginY ?? height / 2), width, height };
}

/** The box of a Spine skeleton in its pose. The object's own width and height are those it was made with. */
function skeletonBox(object: SpineFields): ObjectBox | null {
  const { skeleton, offsetX = 0, offsetY = 0, displayOriginX = 0, displayOriginY = 0, root } = object;
  if (typeof skeleton?.getBounds !== 'function') return sizeOf(object);
  const at = new Pair();
  const size = new Pair();
  skeleton.getBounds(at, size, [0, 0]);
  if (!(size.x > 0 && size.y > 0)) return null;
  if (root === undefined) {
    return { x: at.x + offsetX - displayOriginX, y: at.y + offsetY - displayOriginY, width: size.x, height: size.y };
  }
  // The plugin that came with Phaser turns and scales the skeleton while it draws: it may reach as far to each side.
  const { x = 0, y = 0, scaleX = 1, scaleY = 1 } = skeleton;
  const reachX = Math.max(Math.abs(at.x - x), Math.abs(at.x + size.x - x));
  const reachY = Math.max(Math.abs(at.y - y), Math.abs(at.y + size.y - y));
  const reach = Math.hypot(reachX, reachY) / Math.min(Math.abs(scaleX), Math.abs(scaleY));
  return reach < Infinity ? { x: -reach, y: -reach, width: 2 * reach, height: 2 * reach } : ANYWHERE;
}
