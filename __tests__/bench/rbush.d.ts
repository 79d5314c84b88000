/** The part of rbush 4 that the benchmark's peer uses; the package ships no declarations. */
declare module 'rbush' {
  export interface Box {
    minX: number;
    minY: number;
    maxX: number;
    maxY: number;
  }

  export default class RBush<T extends Box> {
    load(items: readonly T[]): this;
    search(box: Box): T[];
  }
}
