/** No batch gets this far. */
const NEVER = 0x3fffffff;

/** A pipeline of Phaser's, as far as it tells whether so many more vertices need a new batch. */
export interface GrowingPipeline {
  readonly vertexCount: number;
  shouldFlush(amount?: number): boolean;
}

/**
 * Calls back each time the batch of a pipeline has grown by a stretch, while what was written last is still in the
 * processor's cache: at the end of a large batch it no longer is, and fetching it again takes longer than looking at it. Phaser
 * tells nobody that a batch grows, but whoever writes to one asks `shouldFlush` first.
 */
export class BatchGrowth<Pipeline extends GrowingPipeline> {
  private at = NEVER;
  private hasBegun = false;

  /**
   * @param stretch vertices
   * @param onGrown called before anything is written behind those there are
   */
  constructor(
    private readonly pipeline: Pipeline,
    private readonly stretch: number,
    private readonly onGrown: (pipeline: Pipeline) => void,
  ) {}

  /** Begins to listen, for good. Every quad of the game costs a little more from then on. */
  begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const { pipeline } = this;
    const { shouldFlush } = pipeline;
    // An own property that stays: deleting it would turn the pipeline into a dictionary.
    pipeline.shouldFlush = (amount?: number) => {
      if (pipeline.vertexCount >= this.at) this.look(pipeline);
      return shouldFlush.call(pipeline, amount);
    };
  }

  /** From now on, with so many vertices in the batch. */
  watch(vertexCount: number): void {
    this.at = vertexCount + this.stretch;
  }

  /** Until {@link watch} is called again. */
  rest(): void {
    this.at = NEVER;
  }

  /** Calls back, and waits for the next stretch. */
  look(pipeline: Pipeline): void {
    this.watch(pipeline.vertexCount);
    this.onGrown(pipeline);
  }
}
