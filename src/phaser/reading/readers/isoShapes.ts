import type { ObjectReader } from '../ObjectReader.js';
import type { ShapeObject } from './shapes.js';

interface IsoObject extends ShapeObject {
  readonly projection: number;
  readonly showTop: boolean;
  readonly showLeft: boolean;
  readonly showRight: boolean;
  readonly fillTop: number;
  readonly fillLeft: number;
  readonly fillRight: number;
}

interface IsoTriangleObject extends IsoObject {
  readonly isReversed: boolean;
}

const corners = new Float64Array(12);

/**
 * Three faces about the object's position, whatever its origin: a lid above, two walls that meet below it. On Canvas
 * the lid's outline goes down behind the walls, and the fill alpha counts. Source: `IsoBoxWebGLRenderer` and its twin.
 */
export const readIsoBox: ObjectReader<IsoObject> = (object, { pen, isWebGL }) => {
  if (!object.isFilled) return;
  const { width, height } = object;
  const side = width / 2;
  const drop = width / object.projection;
  if (!pen.reaches(-side, -height - drop, width, height + 2 * drop)) return;
  const alpha = isWebGL ? object.alpha : object.alpha * object.fillAlpha;
  if (object.showTop) {
    const opacity = alpha * pen.strength(object.fillTop);
    if (isWebGL) {
      quad(-side, -height, 0, -drop - height, side, -height, 0, drop - height);
      pen.convex(corners, 0, 4, opacity);
    } else {
      quad(-side, -height, 0, -drop - height, side, -height, side, -1);
      corners[8] = 0;
      corners[9] = drop - 1;
      corners[10] = -side;
      corners[11] = -1;
      pen.convex(corners, 0, 6, opacity);
    }
  }
  if (object.showLeft) {
    quad(-side, 0, 0, drop, 0, drop - height, -side, -height);
    pen.convex(corners, 0, 4, alpha * pen.strength(object.fillLeft));
  }
  if (object.showRight) {
    quad(side, 0, 0, drop, 0, drop - height, side, -height);
    pen.convex(corners, 0, 4, alpha * pen.strength(object.fillRight));
  }
};

/** A pyramid: two faces, standing on its base or, reversed, on its tip and then with a lid (`IsoTriangle*Renderer`). */
export const readIsoTriangle: ObjectReader<IsoTriangleObject> = (object, { pen, isWebGL }) => {
  if (!object.isFilled) return;
  const { width, height, isReversed } = object;
  const side = width / 2;
  const drop = width / object.projection;
  if (!pen.reaches(-side, -height - drop, width, height + 2 * drop)) return;
  const alpha = isWebGL ? object.alpha : object.alpha * object.fillAlpha;
  if (object.showTop && isReversed) {
    quad(-side, -height, 0, -drop - height, side, -height, 0, drop - height);
    pen.convex(corners, 0, 4, alpha * pen.strength(object.fillTop));
  }
  const edge = isReversed ? -height : 0;
  if (object.showLeft) {
    pen.triangle(-side, edge, 0, drop, 0, drop - height, alpha * pen.strength(object.fillLeft));
  }
  if (object.showRight) {
    pen.triangle(side, edge, 0, drop, 0, drop - height, alpha * pen.strength(object.fillRight));
  }
};

function quad(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number, x3: number, y3: number): void {
  corners[0] = x0;
  corners[1] = y0;
  corners[2] = x1;
  corners[3] = y1;
  corners[4] = x2;
  corners[5] = y2;
  corners[6] = x3;
  corners[7] = y3;
}
