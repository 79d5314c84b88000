/** Straight pieces, one after another, x and y alternating. */
export interface Outline {
  readonly points: number[];
  /** Its last point is joined to its first. */
  readonly isClosed: boolean;
}
