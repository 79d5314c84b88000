import { BatchGrowth } from '../../../src/record/phaser3/BatchGrowth.js';

/** As a pipeline of Phaser's is written to: whoever writes asks first, and empties a full batch. */
function pipelineOf(capacity: number) {
  const pipeline = {
    vertexCount: 0,
    shouldFlush(amount = 0): boolean {
      return this.vertexCount + amount > capacity;
    },
    write(amount: number): void {
      if (this.shouldFlush(amount)) this.vertexCount = 0;
      this.vertexCount += amount;
    },
  };
  const seen: number[] = [];
  const growth = new BatchGrowth(pipeline, 18, ({ vertexCount }) => seen.push(vertexCount));
  growth.begin();
  return { pipeline, growth, seen };
}

describe('the growth of a batch', () => {
  it('is told after each stretch, before the next vertices', () => {
    const { pipeline, growth, seen } = pipelineOf(1000);
    growth.watch(0);
    for (let i = 0; i < 12; i++) pipeline.write(6);
    expect(seen).toEqual([18, 36, 54]);
  });

  it('is told from where it is watched, however much is written at once', () => {
    const { pipeline, growth, seen } = pipelineOf(1000);
    pipeline.write(40);
    growth.watch(40);
    pipeline.write(50);
    pipeline.write(6);
    pipeline.write(18);
    pipeline.write(6);
    expect(seen).toEqual([90, 114]);
  });

  it('is told to nobody who does not watch', () => {
    const { pipeline, growth, seen } = pipelineOf(1000);
    for (let i = 0; i < 12; i++) pipeline.write(6);
    growth.watch(pipeline.vertexCount);
    growth.rest();
    for (let i = 0; i < 12; i++) pipeline.write(6);
    expect(seen).toEqual([]);
  });

  it('touches the pipeline when it begins, and once', () => {
    const pipeline = { vertexCount: 0, shouldFlush: () => false };
    const { shouldFlush } = pipeline;
    const growth = new BatchGrowth(pipeline, 18, () => undefined);
    expect(pipeline.shouldFlush).toBe(shouldFlush);
    growth.begin();
    const begun = pipeline.shouldFlush;
    growth.begin();
    expect(pipeline.shouldFlush).toBe(begun);
  });

  it('leaves to the pipeline when a batch is full', () => {
    const { pipeline, growth } = pipelineOf(30);
    growth.watch(0);
    for (let i = 0; i < 7; i++) pipeline.write(6);
    expect(pipeline.vertexCount).toBe(12);
    expect([pipeline.shouldFlush(18), pipeline.shouldFlush(19), pipeline.shouldFlush()]).toEqual([false, true, false]);
  });
});
