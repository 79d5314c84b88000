import { type ClearOp, type CopyOp, type DrawOp, type DrawState, ProgramKind, type RecordedOp } from './DrawOp.js';
import type { PaintContext } from './PaintContext.js';

const NOWHERE: readonly number[] = [];

/**
 * The operations of a record by the target that they change: the screen, which is null, or a texture. A place is an index in
 * the record.
 */
export class RecordedTargets {
  #ops: readonly RecordedOp[] = [];
  readonly #places = new Map<object | null, number[]>();

  /** Takes a record, and forgets the one before. */
  take(ops: readonly RecordedOp[]): void {
    this.#ops = ops;
    this.#places.clear();
    ops.forEach(({ target }, place) => {
      const places = this.#places.get(target);
      if (places === undefined) this.#places.set(target, [place]);
      else places.push(place);
    });
  }

  at(place: number): RecordedOp {
    return this.#ops[place]!;
  }

  /**
   * Where something was drawn on a target before place `end`, of which anything may be left there.
   * @param context which part of the target is shown
   */
  drawnOn(target: object | null, end: number, context: PaintContext): readonly number[] {
    const places = this.#places.get(target) ?? NOWHERE;
    const until = places.findIndex((place) => place >= end);
    const to = until < 0 ? places.length : until;
    return places.slice(target === null ? 0 : this.#lastWhole(places, to, context), to);
  }

  isDrawnOn(texture: object, before: number): boolean {
    return (this.#places.get(texture)?.[0] ?? Infinity) < before;
  }

  /** Textures of the draw at a place that were themselves drawn on before. */
  shownBy(op: DrawOp, place: number): object[] {
    const { textures, program, shapes } = op;
    const isDrawn = (texture: object | null | undefined): texture is object =>
      texture !== null && texture !== undefined && texture !== op.target && this.isDrawnOn(texture, place);
    if (program.kind === ProgramKind.TEXTURE || program.kind === ProgramKind.LIT) {
      const first = shapes[0];
      const texture = first === undefined ? null : (textures[first.unit] ?? textures[0]);
      return isDrawn(texture) ? [texture] : [];
    }
    if (program.kind === ProgramKind.POINT_LIGHT) return [];
    // Of the AROUND programs only two join two pictures: those without a reach.
    const count =
      program.kind === ProgramKind.MASK || (program.kind === ProgramKind.AROUND && program.reachPx === 0) ? 2 : 1;
    return textures.slice(0, count).filter(isDrawn);
  }

  /**
   * From where on the content of a target counts: a clear or copy of all of it removes what was drawn before. A camera that
   * shows a part of the canvas clears that part of the targets of its effects, and shows no other, but for what an effect that
   * reaches far brings in from beyond its edge.
   */
  #lastWhole(places: readonly number[], to: number, context: PaintContext): number {
    for (let i = to - 1; i >= 0; i--) {
      const op = this.#ops[places[i]!]!;
      if ((op.type === 'clear' || op.type === 'copy') && coversTarget(op)) return i;
      if (op.type === 'clear' && op.clearsColor && context.reachesAll(op.state)) return i;
    }
    return 0;
  }
}

/** True when the operation leaves nothing of what was drawn on its target before. */
function coversTarget(op: ClearOp | CopyOp): boolean {
  if (op.type === 'clear') return op.clearsColor && isWhole(op.state);
  const { target, toX, toY, width, height } = op;
  const size = target as { readonly width?: number; readonly height?: number } | null;
  return toX <= 0 && toY <= 0 && toX + width >= (size?.width ?? Infinity) && toY + height >= (size?.height ?? Infinity);
}

/** True when the scissor does not cut the viewport. */
export function isWhole({ hasScissor, scissor, viewport }: DrawState): boolean {
  if (!hasScissor) return true;
  const [x, y, width, height] = viewport;
  return (
    scissor[0] <= x && scissor[1] <= y && scissor[0] + scissor[2] >= x + width && scissor[1] + scissor[3] >= y + height
  );
}
