import { readGrid } from '../../../src/phaser/reading/readers/grid.js';
import { readIsoBox, readIsoTriangle } from '../../../src/phaser/reading/readers/isoShapes.js';
import { readMultiPartShape } from '../../../src/phaser/reading/readers/rex.js';
import { readLine, readPathShape, readRectangle, readTriangle } from '../../../src/phaser/reading/readers/shapes.js';
import { paint, placed } from './painting.js';

const style = {
  ...placed,
  isFilled: false,
  fillColor: 0x00ff00,
  fillAlpha: 1,
  isStroked: false,
  strokeColor: 0x00ff00,
  strokeAlpha: 1,
  lineWidth: 10,
  closePath: true,
};
const box = { ...style, width: 100, height: 60, pathData: [0, 0, 100, 0, 100, 60, 0, 60, 0, 0], pathIndexes: [] };

test('a rectangle without fill and stroke paints nothing, though it has a size', () => {
  expect(paint(readRectangle, box).snapshot.count).toBe(0);
});

test('fill and stroke have alphas of their own, on top of the object’s', () => {
  const object = { ...box, isFilled: true, fillAlpha: 0.5, isStroked: true, strokeAlpha: 0.25, alpha: 0.8 };
  const painting = paint(readRectangle, object);
  expect(painting.at(50, 30)).toBeCloseTo(0.4);
  expect(painting.at(50, -3)).toBeCloseTo(0.2);
});

test('a stroke reaches outside of the rectangle by half its width', () => {
  const painting = paint(readRectangle, { ...box, isStroked: true });
  expect(painting.at(50, -4)).toBe(1);
  expect(painting.at(50, -6)).toBe(0);
  expect(painting.at(50, 30)).toBe(0);
});

test('an ad that only the stroke can reach is reached', () => {
  expect(paint(readRectangle, { ...box, isStroked: true }, { near: [0, -20, 100, -3] }).snapshot.count).toBeGreaterThan(
    0,
  );
});

test('a rounded rectangle is its path, not its box', () => {
  const cut = [20, 0, 80, 0, 100, 30, 80, 60, 20, 60, 0, 30, 20, 0];
  const object = { ...box, isFilled: true, isRounded: true, pathData: cut, pathIndexes: [0, 1, 2] };
  expect(paint(readRectangle, object).at(3, 3)).toBe(0);
  expect(paint(readRectangle, object).at(50, 30)).toBe(1);
});

test('a path is drawn about its display origin, wherever its points start', () => {
  const points = [-60, -60, 60, -60, 60, 60, -60, 60, -60, -60];
  const object = { ...box, isFilled: true, pathData: points, displayOriginX: 60, displayOriginY: 60 };
  expect(paint(readPathShape, object).at(-100, -100)).toBe(1);
  expect(paint(readPathShape, object).at(5, 5)).toBe(0);
});

test('a concave path uses the triangles Phaser made of it', () => {
  const arrow = [0, 0, 100, 0, 50, 40, 100, 100, 0, 100, 0, 0];
  const object = { ...box, isFilled: true, pathData: arrow, pathIndexes: [0, 1, 2, 0, 2, 4, 2, 3, 4] };
  expect(paint(readPathShape, object).at(20, 50)).toBe(1);
  expect(paint(readPathShape, object).at(80, 40)).toBe(0);
});

test('an open path is not stroked back to its start', () => {
  const stroked = (closePath: boolean) => paint(readPathShape, { ...box, isStroked: true, closePath });
  expect(stroked(true).at(0, 30)).toBe(1);
  expect(stroked(false).at(0, 30)).toBe(0);
  expect(stroked(false).at(100, 30)).toBe(1);
});

test('a triangle is filled by its points and stroked along its path', () => {
  const geom = { x1: 0, y1: 100, x2: 50, y2: 0, x3: 100, y3: 100 };
  const painting = paint(readTriangle, { ...box, geom, isFilled: true, displayOriginX: 50 });
  expect(painting.at(0, 50)).toBe(1);
  expect(painting.at(-45, 20)).toBe(0);
});

describe('a line', () => {
  const geom = { x1: 0, y1: 0, x2: 100, y2: 0 };
  const object = { ...box, isStroked: true, lineWidth: 4, _startWidth: 4, _endWidth: 20 };

  test('grows from its start width to its end width', () => {
    const painting = paint(readLine, { ...object, geom: { ...geom, setFromObjects: null } });
    expect(painting.at(1, 3)).toBe(0);
    expect(painting.at(99, 9)).toBe(1);
    expect(painting.at(99, 11)).toBe(0);
  });

  test('is twice as wide in WebGL before Phaser 3.70', () => {
    expect(paint(readLine, { ...object, geom }).at(99, 19)).toBe(1);
  });

  test('has one width on Canvas', () => {
    const painting = paint(readLine, { ...object, geom }, { isWebGL: false });
    expect(painting.at(99, 1.5)).toBe(1);
    expect(painting.at(99, 3)).toBe(0);
  });
});

describe('isometric shapes', () => {
  const iso = {
    ...box,
    isFilled: true,
    height: 40,
    projection: 4,
    showTop: true,
    showLeft: true,
    showRight: true,
    fillTop: 1,
    fillLeft: 1,
    fillRight: 1,
  };

  test('a box stands on its position and is painted above it, whatever its origin', () => {
    const painting = paint(readIsoBox, { ...iso, displayOriginX: 500, displayOriginY: 500 });
    expect(painting.at(0, -64)).toBe(1);
    expect(painting.at(0, 24)).toBe(1);
    expect(painting.at(0, -66)).toBe(0);
    expect(painting.at(0, 26)).toBe(0);
  });

  test('a hidden wall is not painted, except for what the lid covers on Canvas', () => {
    const open = { ...iso, showLeft: false };
    expect(paint(readIsoBox, open).at(-30, 0)).toBe(0);
    expect(paint(readIsoBox, open, { isWebGL: false }).at(-30, -5)).toBe(1);
  });

  test('the fill alpha counts on Canvas only', () => {
    const faint = { ...iso, fillAlpha: 0.5, showTop: false };
    expect(paint(readIsoBox, faint).at(-30, -10)).toBe(1);
    expect(paint(readIsoBox, faint, { isWebGL: false }).at(-30, -10)).toBeCloseTo(0.5);
  });

  test('a pyramid is wide at its base, or above when reversed', () => {
    const standing = paint(readIsoTriangle, { ...iso, isReversed: false });
    const reversed = paint(readIsoTriangle, { ...iso, isReversed: true });
    expect(standing.at(-40, 0)).toBe(1);
    expect(standing.at(-40, -38)).toBe(0);
    expect(reversed.at(-40, -38)).toBe(1);
    expect(reversed.at(-40, 0)).toBe(0);
  });
});

describe('a grid', () => {
  const grid = {
    ...box,
    height: 100,
    cellWidth: 20,
    cellHeight: 20,
    showCells: true,
    showAltCells: false,
    altFillColor: 0x00ff00,
    altFillAlpha: 1,
    showOutline: false,
    outlineFillColor: 0x00ff00,
    outlineFillAlpha: 0,
    lineWidth: 1,
    renderWebGL: () => undefined,
  };

  test('fills every cell, or every second one', () => {
    expect(paint(readGrid, grid).snapshot.count).toBe(25);
    const alternating = paint(readGrid, { ...grid, showAltCells: true, altFillAlpha: 0 });
    expect(alternating.at(10, 10)).toBe(1);
    expect(alternating.at(30, 10)).toBe(0);
    expect(alternating.at(30, 30)).toBe(1);
  });

  test('leaves a pixel between cells when it has an outline', () => {
    expect(paint(readGrid, { ...grid, showOutline: true }).at(19.5, 10)).toBe(0);
  });

  test('draws lines between the cells, not around', () => {
    const lines = paint(readGrid, { ...grid, showCells: false, showOutline: true, outlineFillAlpha: 1 });
    expect(lines.at(20.5, 50)).toBe(1);
    expect(lines.at(0.5, 50)).toBe(0);
    expect(lines.snapshot.count).toBe(8);
  });

  test('reads only the cells near the ads', () => {
    expect(paint(readGrid, grid, { near: [41, 41, 59, 59] }).snapshot.count).toBe(1);
  });
});

test('a shape of several parts paints those that are visible, each in its own style', () => {
  const part = { ...box, visible: true, pathData: [0, 0, 10, 0, 10, 10, 0, 10, 0, 0], pathIndexes: [0, 1, 2, 0, 2, 3] };
  const parts = [
    { ...part, isFilled: true, fillAlpha: 0.5 },
    { ...part, isFilled: true, visible: false },
    { ...style, pathIndexes: undefined, isFilled: true, visible: true, x: 50, y: 0, width: 10, height: 10 },
  ];
  const painting = paint(readMultiPartShape, { ...placed, geom: parts });
  expect(painting.at(5, 5)).toBeCloseTo(0.5);
  expect(painting.at(55, 5)).toBe(1);
});
