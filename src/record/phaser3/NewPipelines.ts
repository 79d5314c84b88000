/** The pipelines of a renderer by name, as Phaser's `PipelineManager` keeps them. */
export interface NamedPipelines {
  set(name: string, pipeline: unknown): unknown;
}

/**
 * Tells when a game adds a pipeline, since Phaser has no event for it. To look through all pipelines in every frame would
 * fetch each of them into the processor's cache: few have drawn anything.
 */
export class NewPipelines {
  private hasAny = false;

  constructor(pipelines: NamedPipelines) {
    const { set } = pipelines;
    // An own property that stays: deleting it would turn the object into a dictionary.
    pipelines.set = (name, pipeline) => {
      this.hasAny = true;
      return set.call(pipelines, name, pipeline);
    };
  }

  /** True when some were added since the last call. */
  take(): boolean {
    const { hasAny } = this;
    this.hasAny = false;
    return hasAny;
  }
}
