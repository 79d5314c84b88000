import type { DrawnObject } from '../internals.js';
import type { ObjectReader, ReadContext } from '../ObjectReader.js';
import { arcSweep } from './arcSweep.js';
import { fillNonZero } from './fillNonZero.js';
import { PolygonTape } from './PolygonTape.js';
import { strokeInWebGL } from './strokeInWebGL.js';
import { lineWidthOnCanvas, strokeOnCanvas } from './strokeOnCanvas.js';

/** Fill and stroke as every Shape carries them; also the parts of rex's multi-part shapes. */
export interface ShapeStyle {
  readonly isFilled: boolean;
  readonly fillColor: number;
  readonly fillAlpha: number;
  readonly isStroked: boolean;
  readonly strokeColor: number;
  readonly strokeAlpha: number;
  readonly lineWidth: number;
  readonly closePath: boolean;
  /** x and y alternating, the first point repeated at the end. */
  readonly pathData: ArrayLike<number>;
  /** The triangles Phaser's Earcut made of it; empty or missing where the fill is no path. */
  readonly pathIndexes?: ArrayLike<number>;
  /** A dashed stroke (rex): its own path, and for each of its segments whether it is drawn. */
  readonly isDashed?: boolean;
  readonly strokePathData?: ArrayLike<number>;
  readonly strokePathMask?: ArrayLike<unknown>;
}

export interface ShapeObject extends DrawnObject, ShapeStyle {
  readonly width: number;
  readonly height: number;
  readonly displayOriginX: number;
  readonly displayOriginY: number;
}

interface RectangleObject extends ShapeObject {
  /** Since 3.90. */
  readonly isRounded?: boolean;
  readonly radius?: number;
}

interface ArcObject extends ShapeObject {
  readonly radius: number;
  /** In degrees. */
  readonly startAngle: number;
  readonly endAngle: number;
  readonly anticlockwise: boolean;
  readonly originX: number;
  readonly originY: number;
}

interface CurveObject extends ShapeObject {
  readonly _curveBounds: { readonly x: number; readonly y: number };
}

interface TriangleObject extends ShapeObject {
  readonly geom: {
    readonly x1: number;
    readonly y1: number;
    readonly x2: number;
    readonly y2: number;
    readonly x3: number;
    readonly y3: number;
  };
}

interface LineObject extends ShapeObject {
  readonly geom: { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number };
  readonly _startWidth: number;
  readonly _endWidth: number;
}

const tape = new PolygonTape();

const FROM_START: readonly number[] = [0];

/** Shapes with a path that Canvas closes whatever `closePath` says. */
const CLOSED_ON_CANVAS = new Set(['Ellipse', 'Star']);

/** Ellipse, Star, Polygon, rex's RoundRectangle and Quad: a path, filled and stroked (`FillPathWebGL`). */
export const readPathShape: ObjectReader<ShapeObject> = (object, context) => {
  readPath(object, object.displayOriginX, object.displayOriginY, object.alpha, context);
};

/** As {@link readPathShape}, with the path's own bounds taken off (`CurveWebGLRenderer`). */
export const readCurve: ObjectReader<CurveObject> = (object, context) => {
  const bounds = object._curveBounds;
  readPath(object, object.displayOriginX + bounds.x, object.displayOriginY + bounds.y, object.alpha, context);
};

/** A plain rectangle is filled as one quad; the stroke, and rounded corners, follow the path, on Canvas the present size. */
export const readRectangle: ObjectReader<RectangleObject> = (object, context) => {
  const { displayOriginX, displayOriginY } = object;
  if (object.isRounded) {
    // WebGL draws the coarse path that was made of the arcs, Canvas the arcs.
    const shape = context.isWebGL ? object : roundedOnCanvas(object);
    readPath(shape, displayOriginX, displayOriginY, object.alpha, context);
    return;
  }
  if (object.isFilled) {
    const { pen } = context;
    const opacity = object.alpha * pen.alphaOfColor(object.fillAlpha) * pen.strength(object.fillColor);
    pen.quad(-displayOriginX, -displayOriginY, object.width, object.height, opacity);
  }
  if (!object.isStroked) return;
  let stroked: ShapeStyle = object;
  if (!context.isWebGL) {
    const { width, height } = object;
    fourCorners[2] = fourCorners[4] = width;
    fourCorners[5] = fourCorners[7] = height;
    stroked = outlineOf(object, true, fourCorners);
  }
  readStroke(stroked, displayOriginX, displayOriginY, object.alpha, context);
};

/** WebGL draws the path that was made of the arc, about its display origin; Canvas the arc, about its origin. */
export const readArc: ObjectReader<ArcObject> = (object, context) => {
  if (context.isWebGL) {
    readPath(object, object.displayOriginX, object.displayOriginY, object.alpha, context);
    return;
  }
  const { originX, originY, radius } = object;
  readPath(arcOnCanvas(object), 2 * originX * radius, 2 * originY * radius, object.alpha, context);
};

/** Segments of an arc, and of a rounded corner. */
const ARC_SEGMENTS = 64;
const CORNER_SEGMENTS = 16;

const roundedPath = new Float64Array(8 * (CORNER_SEGMENTS + 1) + 2);
const arcPath = new Float64Array(2 * (ARC_SEGMENTS + 2));
/** Of a rectangle and of a triangle, the first one repeated at the end. */
const fourCorners = new Float64Array(10);
const threeCorners = new Float64Array(8);

/**
 * An outline as the Canvas renderer draws it and the path of the object is not: round, or along the corners as they are now;
 * shared, to be read at once.
 */
const outline = {
  isFilled: false,
  fillColor: 0,
  fillAlpha: 1,
  isStroked: false,
  strokeColor: 0,
  strokeAlpha: 1,
  lineWidth: 1,
  closePath: true,
  pathData: roundedPath as ArrayLike<number>,
};

function outlineOf(object: ShapeObject, closePath: boolean, pathData: Float64Array): ShapeStyle {
  outline.isFilled = object.isFilled;
  outline.fillColor = object.fillColor;
  outline.fillAlpha = object.fillAlpha;
  outline.isStroked = object.isStroked;
  outline.strokeColor = object.strokeColor;
  outline.strokeAlpha = object.strokeAlpha;
  outline.lineWidth = object.lineWidth;
  outline.closePath = closePath;
  outline.pathData = pathData;
  return outline;
}

/** As `ArcCanvasRenderer` draws it. */
function arcOnCanvas(object: ArcObject): ShapeStyle {
  const { radius, startAngle, endAngle, anticlockwise } = object;
  const start = (startAngle * Math.PI) / 180;
  const sweep = arcSweep((endAngle * Math.PI) / 180 - start, anticlockwise);
  for (let i = 0; i <= ARC_SEGMENTS; i++) {
    const angle = start + (sweep * i) / ARC_SEGMENTS;
    arcPath[2 * i] = radius + radius * Math.cos(angle);
    arcPath[2 * i + 1] = radius + radius * Math.sin(angle);
  }
  arcPath[2 * ARC_SEGMENTS + 2] = arcPath[0]!;
  arcPath[2 * ARC_SEGMENTS + 3] = arcPath[1]!;
  return outlineOf(object, object.closePath, arcPath);
}

/** As `RectangleCanvasRenderer` draws it where corners are round. */
function roundedOnCanvas(object: RectangleObject): ShapeStyle {
  const { width, height } = object;
  const radius = Math.min(object.radius ?? 0, width / 2, height / 2);
  const pathData = roundedPath;
  let at = 0;
  for (let corner = 0; corner < 4; corner++) {
    const x = corner === 0 || corner === 3 ? width - radius : radius;
    const y = corner < 2 ? height - radius : radius;
    for (let i = 0; i <= CORNER_SEGMENTS; i++) {
      const angle = (corner + i / CORNER_SEGMENTS) * (Math.PI / 2);
      pathData[at++] = x + radius * Math.cos(angle);
      pathData[at++] = y + radius * Math.sin(angle);
    }
  }
  pathData[at++] = pathData[0]!;
  pathData[at] = pathData[1]!;
  return outlineOf(object, true, roundedPath);
}

/** Filled by its three points, which need not start at 0; stroked along the path, on Canvas along the points. */
export const readTriangle: ObjectReader<TriangleObject> = (object, context) => {
  const { displayOriginX, displayOriginY, geom } = object;
  if (object.isFilled && geom) {
    const { pen } = context;
    pen.triangle(
      geom.x1 - displayOriginX,
      geom.y1 - displayOriginY,
      geom.x2 - displayOriginX,
      geom.y2 - displayOriginY,
      geom.x3 - displayOriginX,
      geom.y3 - displayOriginY,
      object.alpha * pen.alphaOfColor(object.fillAlpha) * pen.strength(object.fillColor),
    );
  }
  if (!object.isStroked) return;
  let stroked: ShapeStyle = object;
  if (!context.isWebGL && geom) {
    threeCorners[0] = threeCorners[6] = geom.x1;
    threeCorners[1] = threeCorners[7] = geom.y1;
    threeCorners[2] = geom.x2;
    threeCorners[3] = geom.y2;
    threeCorners[4] = geom.x3;
    threeCorners[5] = geom.y3;
    stroked = outlineOf(object, true, threeCorners);
  }
  readStroke(stroked, displayOriginX, displayOriginY, object.alpha, context);
};

/** One stroke whose width may differ at its ends; never filled. */
export const readLine: ObjectReader<LineObject> = (object, context) => {
  const { displayOriginX, displayOriginY, geom } = object;
  if (!object.isStroked || !geom) return;
  const { pen } = context;
  let startWidth = lineWidthOnCanvas(object.lineWidth);
  let endWidth = startWidth;
  if (context.isWebGL) {
    // Before 3.70, which also brought this method, WebGL took each width to both sides of the line.
    const factor = 'setFromObjects' in geom ? 1 : 2;
    startWidth = factor * object._startWidth;
    endWidth = factor * object._endWidth;
  }
  pen.line(
    geom.x1 - displayOriginX,
    geom.y1 - displayOriginY,
    geom.x2 - displayOriginX,
    geom.y2 - displayOriginY,
    startWidth,
    endWidth,
    object.alpha * pen.alphaOfColor(object.strokeAlpha) * pen.strength(object.strokeColor),
  );
};

/** A path less (dx, dy), filled and stroked as its style says. */
export function readPath(shape: ShapeStyle, dx: number, dy: number, alpha: number, context: ReadContext): void {
  const { isFilled, isStroked, pathData } = shape;
  if ((!isFilled && !isStroked) || !pathData || !reachesPath(shape, pathData, dx, dy, context)) return;
  tape.reset();
  tape.setMatrix(1, 0, 0, 1, -dx, -dy);
  if (isFilled) {
    tape.setPaint(shape.fillColor, shape.fillAlpha);
    if (context.isWebGL) tape.fill(pathData, 0, pathData.length, shape.pathIndexes ?? null);
    else if (!tape.fillConvex(pathData, 0, pathData.length))
      fillNonZero(tape, pathData, FROM_START, 1, pathData.length);
  }
  if (isStroked) recordStroke(shape, context);
  tape.play(context.pen, alpha);
}

/** The stroke of a path less (dx, dy), alone. */
export function readStroke(shape: ShapeStyle, dx: number, dy: number, alpha: number, context: ReadContext): void {
  if (!shape.pathData || !reachesPath(shape, shape.pathData, dx, dy, context)) return;
  tape.reset();
  tape.setMatrix(1, 0, 0, 1, -dx, -dy);
  recordStroke(shape, context);
  tape.play(context.pen, alpha);
}

function recordStroke(shape: ShapeStyle, context: ReadContext): void {
  const { strokePathData, strokePathMask } = shape;
  const { type = '' } = shape as Partial<DrawnObject>;
  const closePath = shape.closePath || (!context.isWebGL && CLOSED_ON_CANVAS.has(type));
  const lineWidth = context.isWebGL ? shape.lineWidth : lineWidthOnCanvas(shape.lineWidth);
  tape.setPaint(shape.strokeColor, shape.strokeAlpha);
  if (shape.isDashed && strokePathData) {
    recordDashes(strokePathData, strokePathMask ?? [], lineWidth, closePath, context.isWebGL);
    return;
  }
  const path = shape.pathData;
  // An open path leaves out the repeated first point.
  const end = closePath ? path.length : path.length - 2;
  if (context.isWebGL) strokeInWebGL(tape, path, 0, end, null, lineWidth, closePath);
  else strokeOnCanvas(tape, path, 0, end, lineWidth, closePath);
}

function recordDashes(
  path: ArrayLike<number>,
  mask: ArrayLike<unknown>,
  width: number,
  isClosed: boolean,
  isWebGL: boolean,
): void {
  const end = isClosed ? path.length : path.length - 2;
  let from = 0;
  for (let i = 0; i + 3 < end; i += 2) {
    if (!mask[i >> 1]) {
      from = i + 2;
      continue;
    }
    if (!isWebGL) {
      strokeOnCanvas(tape, path, i, i + 4, width, false);
      continue;
    }
    const isLast = i + 5 >= end || !mask[(i >> 1) + 1];
    if (isLast) strokeInWebGL(tape, path, from, i + 4, null, width, false);
  }
}

/** Whether the path's box, widened by its stroke, can touch an ad. */
function reachesPath(
  shape: ShapeStyle,
  path: ArrayLike<number>,
  dx: number,
  dy: number,
  context: ReadContext,
): boolean {
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let i = 0; i + 1 < path.length; i += 2) {
    const x = path[i]!;
    const y = path[i + 1]!;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  if (!(maxX >= minX)) return false;
  // A mitred corner reaches ten half widths beyond its point; all others, one.
  const reach = context.isWebGL ? shape.lineWidth / 2 : 5 * lineWidthOnCanvas(shape.lineWidth);
  const margin = shape.isStroked ? reach : 0;
  return context.pen.reaches(
    minX - dx - margin,
    minY - dy - margin,
    maxX - minX + 2 * margin,
    maxY - minY + 2 * margin,
  );
}
