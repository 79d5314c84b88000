import type { DrawState } from './DrawOp.js';

/** The part of the target that may be drawn on in a state: x, y, width, height. */
export function paintedOn({ hasScissor, scissor, viewport }: DrawState): [number, number, number, number] {
  if (!hasScissor) return [...viewport];
  const [x, y, width, height] = scissor;
  const left = Math.max(x, viewport[0]);
  const bottom = Math.max(y, viewport[1]);
  const right = Math.min(x + width, viewport[0] + viewport[2]);
  const top = Math.min(y + height, viewport[1] + viewport[3]);
  return [left, bottom, right - left, top - bottom];
}
