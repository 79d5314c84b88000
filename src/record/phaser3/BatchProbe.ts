import { EVERYWHERE, growBox } from '../../geometry/boxes.js';
import { ProgramKind } from '../draws/DrawOp.js';
import { isElsewhere } from '../objects/isElsewhere.js';
import { BLUR_PX, type PaintProbe } from '../objects/PaintedReach.js';
import { type PhaserShader, shaderKind } from './programs.js';
import { watchContext, type WatchedRenderer } from './watchContext.js';

/** Events every `WebGLPipeline` emits (`Phaser.Renderer.WebGL.Pipelines.Events`). */
const BEFORE_FLUSH = 'pipelinebeforeflush';
const REBIND = 'pipelinerebind';

interface ProbedPipeline {
  readonly vertexCount: number;
  readonly vertexViewF32: Float32Array;
  readonly currentShader: PhaserShader & { readonly vertexComponentCount: number };
  on(event: string, listener: (pipeline: ProbedPipeline) => void): this;
  off(event: string, listener: (pipeline: ProbedPipeline) => void): this;
}

/** Phaser 3's WebGL renderer: its members that tell what is in its batches. */
export interface ProbedRenderer extends WatchedRenderer {
  readonly pipelines: {
    readonly current: ProbedPipeline | null;
    readonly pipelines: { readonly entries: Readonly<Record<string, ProbedPipeline>> };
  };
}

/** Tells where Phaser 3 paints in WebGL, by the vertices in its batches, which begin with x and y in all pipelines. */
export class BatchProbe implements PaintProbe {
  readonly method = 'renderWebGL';

  constructor(private readonly renderer: ProbedRenderer) {}

  watch(draw: () => void, box: Float64Array): void {
    const { renderer } = this;
    const { current, pipelines } = renderer.pipelines;
    // The vertices before `from` belong to other objects.
    let from = current?.vertexCount ?? 0;
    const take = (pipeline: ProbedPipeline): void => {
      this.#take(pipeline, pipeline === current ? from : 0, box);
      if (pipeline === current) from = 0;
    };
    // Something draws past the pipelines.
    const onRebind = (): void => {
      box.set(EVERYWHERE);
    };
    const all = Object.values(pipelines.entries);
    for (const pipeline of all) pipeline.on(BEFORE_FLUSH, take).on(REBIND, onRebind);
    const stop = watchContext(renderer, onRebind);
    try {
      draw();
      const last = renderer.pipelines.current;
      if (last !== null) take(last);
    } finally {
      stop();
      for (const pipeline of all) pipeline.off(BEFORE_FLUSH, take).off(REBIND, onRebind);
    }
  }

  /** Takes in the vertices of a batch from one on. */
  #take({ vertexCount, vertexViewF32, currentShader }: ProbedPipeline, from: number, box: Float64Array): void {
    const stride = currentShader.vertexComponentCount;
    // What is drawn into a texture comes to the screen changed; shaders may move vertices, or count them from -1 to 1.
    const isInPlace =
      !isElsewhere(this.renderer) &&
      shaderKind(currentShader) !== ProgramKind.ANYWHERE &&
      currentShader.vertSrc.includes('uProjectionMatrix');
    if (from < vertexCount && !isInPlace) box.set(EVERYWHERE);
    for (let v = from; v < vertexCount; v++) {
      const x = vertexViewF32[v * stride]!;
      const y = vertexViewF32[v * stride + 1]!;
      if (Number.isFinite(x + y)) growBox(box, x, y, BLUR_PX, BLUR_PX);
      else box.set(EVERYWHERE);
    }
  }
}
