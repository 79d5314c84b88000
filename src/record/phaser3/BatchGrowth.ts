/** No batch gets this far. */
const NEVER = 0x3fffffff;

/** A pipeline of Phaser's: its members that tell whether more vertices need a new batch. */
export interface GrowingPipeline {
  readonly vertexCount: number;
  shouldFlush(amount?: number): boolean;
}

/**
 * Calls back each time the batch of a pipeline has grown by a stretch, while the last vertices are still in the
 * processor's cache: at the end of a large batch they no longer are, and fetching them again takes longer than looking at
 * them. Phaser has no event for this, but whoever writes to a batch calls `shouldFlush` first.
 */
export class BatchGrowth<Pipeline extends GrowingPipeline> {
  private at = NEVER;
  private hasBegun = false;

  /**
   * @param stretch vertices
   * @param onGrown called before the next vertices are written
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

  /** Calls back once the batch has grown by a stretch beyond `vertexCount`. */
  watch(vertexCount: number): void {
    this.at = vertexCount + this.stretch;
  }

  /** Does not call back until {@link watch} is called again. */
  rest(): void {
    this.at = NEVER;
  }

  /** Calls back, and waits for the next stretch. */
  look(pipeline: Pipeline): void {
    this.watch(pipeline.vertexCount);
    this.onGrown(pipeline);
  }
}
