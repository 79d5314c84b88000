/** Of more edges nobody can tell in time. */
const MOST_EDGES = 600;

/** Less of a line is rounding. */
const THIN = 1e-6;

interface Edge {
  readonly top: number;
  readonly bottom: number;
  readonly x: number;
  /** Across, per line down. */
  readonly slope: number;
  readonly isDown: boolean;
}

/** What is filled between two edges, from one line on. */
interface Span {
  readonly left: Edge;
  readonly right: Edge;
  readonly top: number;
}

/**
 * What lies inside of outlines, which may cross themselves and each other, as convex shapes that do not overlap. Null where
 * that is too much to tell.
 */
export function filledPieces(rings: readonly (readonly number[])[], isEvenOdd: boolean): number[][] | null {
  const edges = rings.flatMap(edgesOf).sort((a, b) => a.top - b.top);
  if (edges.length > MOST_EDGES) return null;
  const lines = [...edges.flatMap(({ top, bottom }) => [top, bottom]), ...crossings(edges)].sort((a, b) => a - b);
  const pieces: number[][] = [];
  const end = ({ left, right, top }: Span, bottom: number): void => {
    const at = (edge: Edge, y: number): number => edge.x + edge.slope * (y - edge.top);
    pieces.push([at(left, top), top, at(right, top), top, at(right, bottom), bottom, at(left, bottom), bottom]);
  };
  let open: Span[] = [];
  let from = lines[0] ?? 0;
  for (const to of lines) {
    if (to - from < THIN) continue;
    const middle = (from + to) / 2;
    const across = edges
      .filter(({ top, bottom }) => top < middle && bottom > middle)
      .map((edge) => ({ edge, x: edge.x + edge.slope * (middle - edge.top) }))
      .sort((a, b) => a.x - b.x);
    const spans: Span[] = [];
    let turns = 0;
    let left: Edge | null = null;
    for (const { edge } of across) {
      turns += isEvenOdd || edge.isDown ? 1 : -1;
      const isInside = isEvenOdd ? turns % 2 !== 0 : turns !== 0;
      if (isInside) left ??= edge;
      else if (left !== null) {
        const [start, right] = [left, edge];
        spans.push(
          open.find((span) => span.left === start && span.right === right) ?? { left: start, right, top: from },
        );
        left = null;
      }
    }
    for (const span of open) if (!spans.includes(span)) end(span, from);
    open = spans;
    from = to;
  }
  for (const span of open) end(span, from);
  return pieces;
}

function edgesOf(ring: readonly number[]): Edge[] {
  const edges: Edge[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const next = (i + 2) % ring.length;
    const [x0, y0, x1, y1] = [ring[i]!, ring[i + 1]!, ring[next]!, ring[next + 1]!];
    if (Math.abs(y1 - y0) < THIN) continue;
    const isDown = y1 > y0;
    const [top, bottom, x] = isDown ? [y0, y1, x0] : [y1, y0, x1];
    edges.push({ top, bottom, x, slope: (x1 - x0) / (y1 - y0), isDown });
  }
  return edges;
}

/** The lines on which edges, sorted from the top, cross each other. */
function crossings(edges: readonly Edge[]): number[] {
  const lines: number[] = [];
  edges.forEach((one, i) => {
    for (let j = i + 1; j < edges.length && edges[j]!.top < one.bottom; j++) {
      const other = edges[j]!;
      const y = other.top + (one.x + one.slope * (other.top - one.top) - other.x) / (other.slope - one.slope);
      if (y > other.top + THIN && y < Math.min(one.bottom, other.bottom) - THIN) lines.push(y);
    }
  });
  return lines;
}
