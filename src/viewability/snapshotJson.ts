import { AdsError } from '../errors.js';
import { FrameSnapshot, NONE } from './FrameSnapshot.js';

/** A stored frame: a verdict can be reproduced from it in a test or a dispute. Pure data, no game objects. */
export interface SnapshotJson {
  readonly format: 'phaser-inview/frame';
  readonly version: 1;
  readonly canvasWidth: number;
  readonly canvasHeight: number;
  /** 1, 4 (the default) or 8. */
  readonly pixelPoints?: number;
  readonly polygons: readonly PolygonJson[];
  /** Names of the painters; the same name is the same object. */
  readonly owners: readonly string[];
  readonly alphaMaps: readonly AlphaMapJson[];
  readonly masks: readonly MaskJson[];
  readonly views: readonly ViewJson[];
}

interface PolygonJson {
  /** x and y alternating, canvas pixels. */
  readonly points: readonly number[];
  readonly flags: number;
  readonly opacity: number;
  readonly gradient?: readonly [number, number];
  readonly owner?: number;
  readonly alphaMap?: number;
  readonly uv?: readonly number[];
  readonly mask?: number;
}

interface AlphaMapJson {
  readonly width: number;
  readonly height: number;
  /** One byte per cell, two hexadecimal digits each. */
  readonly alpha: string;
  readonly isPixelated?: boolean;
}

interface MaskJson {
  readonly from: number;
  readonly to: number;
  readonly invert: boolean;
}

interface ViewJson {
  readonly ad: number;
  readonly camera: string;
  readonly shapeFrom: number;
  readonly shapeTo: number;
  readonly pieceFrom: number;
  readonly pieceTo: number;
  readonly opacity: number;
  readonly unmeasurable: boolean;
}

/**
 * Writes a frame as plain data. `name` may add a word to the name of a game object or camera; names are made unique by
 * a number in front. Nothing else of the objects is stored.
 */
export function snapshotToJson(snapshot: FrameSnapshot, name: (object: unknown) => string = () => ''): SnapshotJson {
  const numbers = new Map<unknown, number>();
  const label = (object: unknown): string => {
    let number = numbers.get(object);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(object, number);
    }
    return `${number} ${name(object)}`.trim();
  };
  const polygons: PolygonJson[] = [];
  for (let i = 0; i < snapshot.count; i++) polygons.push(polygonToJson(snapshot, i));
  return {
    format: 'phaser-inview/frame',
    version: 1,
    canvasWidth: snapshot.canvasWidth,
    canvasHeight: snapshot.canvasHeight,
    pixelPoints: snapshot.pixelPoints,
    polygons,
    owners: snapshot.owners.slice(0, snapshot.ownerCount).map(label),
    alphaMaps: snapshot.alphaMaps.slice(0, snapshot.alphaMapCount).map(({ width, height, alpha, isPixelated }) => ({
      width,
      height,
      ...(isPixelated === true ? { isPixelated } : {}),
      alpha: [...alpha].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    })),
    masks: snapshot.masks.slice(0, snapshot.maskCount).map(({ from, to, invert }) => ({ from, to, invert })),
    views: snapshot.views.slice(0, snapshot.viewCount).map((view) => ({ ...view, camera: label(view.camera) })),
  };
}

/**
 * Reads a stored frame. Owners and cameras of the result are their names.
 * @throws AdsError `arg/snapshot` with the path of the first fault.
 */
export function snapshotFromJson(json: unknown): FrameSnapshot {
  const root = record(json, '$');
  if (root['format'] !== 'phaser-inview/frame' || root['version'] !== 1) fail('$.format', 'a frame of version 1');
  const snapshot = new FrameSnapshot();
  snapshot.reset(size(root['canvasWidth'], '$.canvasWidth'), size(root['canvasHeight'], '$.canvasHeight'));
  const points = root['pixelPoints'] ?? snapshot.pixelPoints;
  if (points !== 1 && points !== 4 && points !== 8) fail('$.pixelPoints', '1, 4 or 8');
  snapshot.pixelPoints = points;
  const polygons = list(root['polygons'], '$.polygons');
  for (const owner of list(root['owners'], '$.owners')) {
    if (typeof owner !== 'string') fail('$.owners', 'a list of strings');
    snapshot.owners[snapshot.ownerCount++] = owner;
  }
  list(root['alphaMaps'], '$.alphaMaps').forEach((value, i) => readAlphaMap(snapshot, value, `$.alphaMaps[${i}]`));
  list(root['masks'], '$.masks').forEach((value, i) => {
    const path = `$.masks[${i}]`;
    const mask = record(value, path);
    const to = index(mask['to'], polygons.length + 1, `${path}.to`);
    const from = index(mask['from'], to + 1, `${path}.from`);
    snapshot.masks[snapshot.maskCount++] = { from, to, invert: flag(mask['invert'], `${path}.invert`) };
  });
  polygons.forEach((value, i) => readPolygon(snapshot, value, `$.polygons[${i}]`));
  list(root['views'], '$.views').forEach((value, i) => readView(snapshot, value, `$.views[${i}]`));
  return snapshot;
}

function polygonToJson(snapshot: FrameSnapshot, i: number): PolygonJson {
  const from = 2 * snapshot.start[i]!;
  const gradientX = snapshot.gradient[2 * i]!;
  const gradientY = snapshot.gradient[2 * i + 1]!;
  const owner = snapshot.owner[i]!;
  const alphaMap = snapshot.alphaMap[i]!;
  const mask = snapshot.mask[i]!;
  return {
    points: Array.from(snapshot.xy.subarray(from, from + 2 * snapshot.length[i]!)),
    flags: snapshot.flags[i]!,
    opacity: snapshot.opacity[i]!,
    ...(gradientX !== 0 || gradientY !== 0 ? { gradient: [gradientX, gradientY] as const } : {}),
    ...(owner !== NONE ? { owner } : {}),
    ...(alphaMap !== NONE ? { alphaMap, uv: Array.from(snapshot.uv.subarray(6 * i, 6 * i + 6)) } : {}),
    ...(mask !== NONE ? { mask } : {}),
  };
}

function readAlphaMap(snapshot: FrameSnapshot, value: unknown, path: string): void {
  const map = record(value, path);
  const width = index(map['width'], 65537, `${path}.width`);
  const height = index(map['height'], 65537, `${path}.height`);
  const hex = map['alpha'];
  if (width === 0 || height === 0) fail(path, 'at least one cell');
  if (typeof hex !== 'string' || hex.length !== 2 * width * height || !/^[0-9a-f]*$/.test(hex)) {
    fail(`${path}.alpha`, 'two hexadecimal digits per cell');
  }
  const alpha = Uint8Array.from({ length: width * height }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16));
  snapshot.alphaMaps[snapshot.alphaMapCount++] = {
    width,
    height,
    alpha,
    ...(map['isPixelated'] === true ? { isPixelated: true } : {}),
  };
}

function readPolygon(snapshot: FrameSnapshot, value: unknown, path: string): void {
  const polygon = record(value, path);
  const points = numbers(polygon['points'], `${path}.points`);
  if (points.length % 2 !== 0 || points.length < 6) fail(`${path}.points`, '3 or more vertices');
  const i = snapshot.addPolygon(points, 0, points.length / 2);
  snapshot.flags[i] = index(polygon['flags'], 256, `${path}.flags`);
  snapshot.opacity[i] = number(polygon['opacity'], `${path}.opacity`);
  if (polygon['gradient'] !== undefined) {
    const gradient = numbers(polygon['gradient'], `${path}.gradient`, 2);
    snapshot.gradient[2 * i] = gradient[0]!;
    snapshot.gradient[2 * i + 1] = gradient[1]!;
  }
  if (polygon['owner'] !== undefined) {
    snapshot.owner[i] = index(polygon['owner'], snapshot.ownerCount, `${path}.owner`);
  }
  if (polygon['alphaMap'] !== undefined) {
    snapshot.alphaMap[i] = index(polygon['alphaMap'], snapshot.alphaMapCount, `${path}.alphaMap`);
    snapshot.uv.set(numbers(polygon['uv'], `${path}.uv`, 6), 6 * i);
  }
  if (polygon['mask'] !== undefined) {
    snapshot.mask[i] = index(polygon['mask'], snapshot.maskCount, `${path}.mask`);
  }
}

function readView(snapshot: FrameSnapshot, value: unknown, path: string): void {
  const source = record(value, path);
  const end = snapshot.count + 1;
  const view = snapshot.addView();
  view.ad = index(source['ad'], 2 ** 31, `${path}.ad`);
  view.camera = source['camera'];
  if (typeof view.camera !== 'string') fail(`${path}.camera`, 'a string');
  view.shapeTo = index(source['shapeTo'], end, `${path}.shapeTo`);
  view.shapeFrom = index(source['shapeFrom'], view.shapeTo + 1, `${path}.shapeFrom`);
  view.pieceTo = index(source['pieceTo'], end, `${path}.pieceTo`);
  view.pieceFrom = index(source['pieceFrom'], view.pieceTo + 1, `${path}.pieceFrom`);
  view.opacity = number(source['opacity'], `${path}.opacity`);
  view.unmeasurable = flag(source['unmeasurable'], `${path}.unmeasurable`);
}

function record(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(path, 'an object');
  return value as Record<string, unknown>;
}

function list(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) fail(path, 'a list');
  return value;
}

function number(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) fail(path, 'a finite number');
  return value;
}

function size(value: unknown, path: string): number {
  const result = number(value, path);
  if (result < 0) fail(path, 'not negative');
  return result;
}

/** A whole number from 0 up to, not including, `end`. */
function index(value: unknown, end: number, path: string): number {
  const result = number(value, path);
  if (!Number.isInteger(result) || result < 0 || result >= end) fail(path, `a whole number from 0 to ${end - 1}`);
  return result;
}

function flag(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') fail(path, 'true or false');
  return value;
}

function numbers(value: unknown, path: string, length?: number): readonly number[] {
  const result = list(value, path).map((entry, i) => number(entry, `${path}[${i}]`));
  if (length !== undefined && result.length !== length) fail(path, `${length} numbers`);
  return result;
}

function fail(path: string, expected: string): never {
  throw new AdsError('arg/snapshot', `Not a stored frame: ${path} must be ${expected}`, { path });
}
