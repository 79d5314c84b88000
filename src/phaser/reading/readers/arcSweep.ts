const FULL_TURN = 2 * Math.PI;

/**
 * The angle an arc really runs through, in the direction asked for, a full turn at most; radians. Source: `Arc.updateData`,
 * `GraphicsWebGLRenderer`, and alike `CanvasRenderingContext2D.arc`.
 */
export function arcSweep(angle: number, isAnticlockwise: boolean): number {
  if (isAnticlockwise) {
    if (angle < -FULL_TURN) return -FULL_TURN;
    return angle > 0 ? -FULL_TURN + (angle % FULL_TURN) : angle;
  }
  if (angle > FULL_TURN) return FULL_TURN;
  return angle < 0 ? FULL_TURN + (angle % FULL_TURN) : angle;
}
