import type * as Phaser from 'phaser';

import { AdsError, isAdsError } from '../errors.js';
import type { PlaceOptions } from '../placement/placeOptions.js';

const PROPERTY = 'adSurfaceId';

/** Where an object of a Tiled map wants an ad. */
export interface TiledPlacement {
  readonly surface: string;
  /** Middle of the object, turned with it. */
  readonly options: PlaceOptions;
  /** In radians. */
  readonly rotation: number;
  readonly name: string;
  readonly isVisible: boolean;
  /** In Tiled: tells the developer which object it is. */
  readonly id: number;
}

/**
 * The ads of an object layer: every object with the property `adSurfaceId` is one. Follows Tiled: rectangles and
 * ellipses are placed by their top left corner, tiles by their bottom left one, polygons and polylines by their first
 * point, and all turn around it. A point has no size: it needs the properties `width` and `height`, or the options of the
 * call name them. Further properties an object may have: `fit`, `depth`, `clickable`.
 *
 * @throws AdsError `arg/option` for a map or layer that is none
 */
export function tiledPlacements(map: unknown, layerName: unknown): TiledPlacement[] {
  const tilemap = map as Partial<Phaser.Tilemaps.Tilemap> | null | undefined;
  const layers = tilemap?.objects;
  if (!Array.isArray(layers)) throw new AdsError('arg/option', 'placeFromObjects: expected `map` to be a Tilemap');
  const layer = layers.find((candidate) => candidate === layerName || candidate.name === layerName);
  if (layer === undefined) {
    const names = layers.map(({ name }) => JSON.stringify(name)).join(', ');
    throw new AdsError('arg/option', 'placeFromObjects: the map has no such object layer', {
      hint: names === '' ? 'The map has no object layers.' : `Object layers of this map: ${names}.`,
    });
  }
  const isoRatio = isIsometric(tilemap!) ? tilemap!.tileWidth! / tilemap!.tileHeight! : null;
  return layer.objects.flatMap((object) => {
    const surface = propertyOf(object, PROPERTY);
    return typeof surface === 'string' && surface !== '' ? [placementOf(object, surface, isoRatio, layer)] : [];
  });
}

/** @returns what `place` threw for this object, with the object named; errors that no argument causes stay as they are */
export function faultOf({ id, name }: TiledPlacement, error: unknown): unknown {
  if (!isAdsError(error) || !error.code.startsWith('arg/')) return error;
  const text = error.message.replace(/^place: | \[.*/g, '');
  return new AdsError(error.code, `placeFromObjects: object ${id}, "${name}": ${text}`, { hint: error.hint });
}

type TiledObject = Phaser.Types.Tilemaps.TiledObject;

function placementOf(
  object: TiledObject,
  surface: string,
  isoRatio: number | null,
  layer: Phaser.Tilemaps.ObjectLayer,
): TiledPlacement {
  const { x = 0, y = 0, rotation: degrees = 0 } = object;
  const box = boxOf(object);
  const rotation = (degrees * Math.PI) / 180;
  const middleX = box.left + box.width / 2;
  const middleY = box.top + box.height / 2;
  // As Tilemap.createFromObjects does it: only the anchor is projected, the box stays upright.
  const anchorX = isoRatio === null ? x : x - y;
  const anchorY = isoRatio === null ? y : (x + y) / isoRatio;
  const options: Record<string, unknown> = {
    x: anchorX + middleX * Math.cos(rotation) - middleY * Math.sin(rotation),
    y: anchorY + middleX * Math.sin(rotation) + middleY * Math.cos(rotation),
  };
  if (box.width > 0 && box.height > 0) {
    options['width'] = box.width;
    options['height'] = box.height;
  }
  for (const name of ['width', 'height', 'fit', 'depth', 'clickable']) {
    const value = propertyOf(object, name);
    if (value !== undefined) options[name] = value;
  }
  return {
    surface,
    options: options as unknown as PlaceOptions,
    rotation,
    id: object.id,
    name: object.name ?? '',
    isVisible: object.visible !== false && layer.visible,
  };
}

/** The object's box, relative to the point the object turns about. */
function boxOf(object: TiledObject): { left: number; top: number; width: number; height: number } {
  const { width = 0, height = 0 } = object;
  const points = object.polygon ?? object.polyline;
  if (points === undefined || points.length === 0) return { left: 0, top: object.gid ? -height : 0, width, height };
  const xs = points.map((point) => point.x ?? 0);
  const ys = points.map((point) => point.y ?? 0);
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

/** Tiled writes properties as a list; older versions as an object. */
function propertyOf(object: TiledObject, name: string): unknown {
  const { properties } = object as { properties?: unknown };
  if (Array.isArray(properties)) {
    return (properties as { name?: unknown; value?: unknown }[]).find((property) => property?.name === name)?.value;
  }
  if (typeof properties !== 'object' || properties === null || !Object.prototype.hasOwnProperty.call(properties, name))
    return undefined;
  return (properties as Record<string, unknown>)[name];
}

/** `Phaser.Tilemaps.Orientation.ISOMETRIC`; maps made by hand may hold the word. */
function isIsometric({ orientation }: Partial<Phaser.Tilemaps.Tilemap>): boolean {
  return (orientation as unknown) === 1 || (orientation as unknown) === 'isometric';
}
