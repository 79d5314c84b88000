import type { ClearOp, CopyOp, DrawState } from './DrawOp.js';

/** True when the operation leaves nothing of what was drawn on its target before. */
export function coversTarget(op: ClearOp | CopyOp): boolean {
  return op.type === 'copy' ? isCopiedWhole(op) : op.clearsColor && isWhole(op.state);
}

/** True when the scissor does not cut the viewport. */
export function isWhole({ hasScissor, scissor, viewport }: DrawState): boolean {
  if (!hasScissor) return true;
  const [x, y, width, height] = viewport;
  return (
    scissor[0] <= x && scissor[1] <= y && scissor[0] + scissor[2] >= x + width && scissor[1] + scissor[3] >= y + height
  );
}

function isCopiedWhole({ target, toX, toY, width, height }: CopyOp): boolean {
  const size = target as { readonly width?: number; readonly height?: number } | null;
  return toX <= 0 && toY <= 0 && toX + width >= (size?.width ?? Infinity) && toY + height >= (size?.height ?? Infinity);
}
