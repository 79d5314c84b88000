import type { Pen } from '../Pen.js';
import type { ObjectReader } from '../ObjectReader.js';
import type { ShapeObject } from './shapes.js';
import { lineWidthOnCanvas } from './strokeOnCanvas.js';

interface GridObject extends ShapeObject {
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly showCells: boolean;
  readonly showAltCells: boolean;
  readonly altFillColor: number;
  readonly altFillAlpha: number;
  readonly showOutline: boolean;
  readonly outlineFillColor: number;
  readonly outlineFillAlpha: number;
  readonly renderWebGL: unknown;
}

/**
 * Cells, every second one in another colour if asked for, and lines between them but not around. With an outline each
 * cell is one pixel short. Source: `GridWebGLRenderer`, `GridCanvasRenderer`.
 */
export const readGrid: ObjectReader<GridObject> = (object, { pen, isWebGL }) => {
  const { width, height, cellWidth, cellHeight, showAltCells, showOutline } = object;
  if (!(cellWidth > 0 && cellHeight > 0)) return;
  const left = -object.displayOriginX;
  const top = -object.displayOriginY;
  if (!pen.reaches(left, top, width, height)) return;
  const alpha = object.alpha;
  if (object.showCells && object.fillAlpha > 0) {
    readCells(object, pen, showAltCells ? 0 : null, alpha * object.fillAlpha * pen.strength(object.fillColor));
  }
  // Canvas multiplies object and camera alpha in twice, here and below.
  const twice = isWebGL ? alpha : alpha * alpha * pen.opacity;
  if (showAltCells && object.altFillAlpha > 0) {
    readCells(object, pen, 1, twice * object.altFillAlpha * pen.strength(object.altFillColor));
  }
  if (!showOutline || !(object.outlineFillAlpha > 0)) return;
  const opacity = twice * object.outlineFillAlpha * pen.strength(object.outlineFillColor);
  const lineWidth = isWebGL ? 2 * halfLineWidth(object) : lineWidthOnCanvas(object.lineWidth);
  const columns = Math.ceil(width / cellWidth);
  const rows = Math.ceil(height / cellHeight);
  for (let column = 1; column < columns; column++) {
    const x = left + column * cellWidth;
    pen.line(x, top, x, top + height, lineWidth, lineWidth, opacity);
  }
  for (let row = 1; row < rows; row++) {
    const y = top + row * cellHeight;
    pen.line(left, y, left + width, y, lineWidth, lineWidth, opacity);
  }
};

/** @param parity 0 for the cells that start the first row, 1 for the others, null for all. */
function readCells(object: GridObject, pen: Pen, parity: 0 | 1 | null, opacity: number): void {
  const { width, height, cellWidth, cellHeight, showOutline } = object;
  const left = -object.displayOriginX;
  const top = -object.displayOriginY;
  const columns = Math.ceil(width / cellWidth);
  const rows = Math.ceil(height / cellHeight);
  const gap = showOutline ? 1 : 0;
  const lastWidth = cellWidth - (columns * cellWidth - width);
  const lastHeight = cellHeight - (rows * cellHeight - height);
  const lastColumnWidth = lastWidth === cellWidth ? lastWidth - gap : lastWidth;
  const lastRowHeight = lastHeight === cellHeight ? lastHeight - gap : lastHeight;
  const near = pen.localInterest();
  const firstColumn = Math.max(0, Math.floor((near[0]! - left) / cellWidth) - 1);
  const endColumn = Math.min(columns, Math.ceil((near[2]! - left) / cellWidth) + 1);
  const firstRow = Math.max(0, Math.floor((near[1]! - top) / cellHeight) - 1);
  const endRow = Math.min(rows, Math.ceil((near[3]! - top) / cellHeight) + 1);
  for (let row = firstRow; row < endRow; row++) {
    for (let column = firstColumn; column < endColumn; column++) {
      if (parity !== null && (row + column) % 2 !== parity) continue;
      pen.quad(
        left + column * cellWidth,
        top + row * cellHeight,
        column < columns - 1 ? cellWidth - gap : lastColumnWidth,
        row < rows - 1 ? cellHeight - gap : lastRowHeight,
        opacity,
      );
    }
  }
}

/** WebGL takes the line width to both sides; before 3.90 it was always one pixel, and no field tells which it is. */
function halfLineWidth(object: GridObject): number {
  if (object.lineWidth === 1) return 1;
  return String(object.renderWebGL).includes('.lineWidth') ? object.lineWidth : 1;
}
