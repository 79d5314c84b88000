import { type NamedPipelines, NewPipelines } from '../../../src/record/phaser3/NewPipelines.js';

it('a pipeline that is added is told once, and kept under its name', () => {
  const kept = new Map<string, unknown>();
  const pipelines: NamedPipelines = {
    set(this: unknown, name, pipeline) {
      kept.set(name, pipeline);
      return this;
    },
  };
  const added = new NewPipelines(pipelines);
  expect(added.take()).toBe(false);
  expect(pipelines.set('Flash', 1)).toBe(pipelines);
  expect(kept).toEqual(new Map([['Flash', 1]]));
  expect([added.take(), added.take()]).toEqual([true, false]);
});
