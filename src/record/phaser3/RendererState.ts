import type { PhaserRenderer, Pipeline } from './PhaserRenderer.js';

/** Fields that are put back as they were. */
const FIELDS = [
  'currentFramebuffer',
  'currentProgram',
  'currentScissor',
  'currentBlendMode',
  'currentType',
  'newType',
  'nextTypeMatch',
  'finalType',
  'maskCount',
  'drawingBufferHeight',
] as const;

/** Stacks whose entries are put back as they were. */
const STACKS = ['fboStack', 'maskStack', 'scissorStack'] as const;

/**
 * Saves the fields in which Phaser's WebGL renderer keeps its state, to put them back. The context's own state is not in
 * it.
 */
export class RendererState {
  private readonly fields: Partial<Record<(typeof FIELDS)[number], unknown>> = {};
  private readonly stacks: Partial<Record<(typeof STACKS)[number], unknown[]>> = {};
  private readonly masks: unknown[];
  private readonly current: Pipeline | null;
  private readonly previous: Pipeline | null;
  private readonly shader: Pipeline['currentShader'] | null;
  private readonly activeTextures: object[];
  private readonly activeBuffer: object | null | undefined;

  constructor(private readonly renderer: PhaserRenderer) {
    for (const field of FIELDS) this.fields[field] = renderer[field];
    for (const stack of STACKS) this.stacks[stack] = renderer[stack].slice();
    const { currentMask, currentCameraMask, pipelines } = renderer;
    this.masks = [currentMask.mask, currentMask.camera, currentCameraMask.mask, currentCameraMask.camera];
    this.current = pipelines.current;
    this.previous = pipelines.previous;
    this.shader = this.current?.currentShader ?? null;
    this.activeTextures = this.current?.activeTextures.slice() ?? [];
    this.activeBuffer = this.current?.activeBuffer;
  }

  /**
   * Puts it back; call while the context still paints nothing, since Phaser draws and binds for that. The context's own
   * state comes after: program, buffer and textures in force.
   */
  restore(): void {
    const { renderer, current, shader } = this;
    const { pipelines } = renderer;
    // An object that failed may have left quads in its batch.
    renderer.flush();
    // The layout of vertices belongs to the pipeline and the shader in force.
    if (current !== null && shader !== null && (pipelines.current !== current || current.currentShader !== shader)) {
      current.bind(shader);
    }
    pipelines.current = current;
    pipelines.previous = this.previous;
    if (current !== null) {
      current.activeTextures.length = 0;
      current.activeTextures.push(...this.activeTextures);
      current.activeBuffer = this.activeBuffer;
    }
    const { currentMask, currentCameraMask } = renderer;
    [currentMask.mask, currentMask.camera, currentCameraMask.mask, currentCameraMask.camera] = this.masks as (
      object | null
    )[] as [object | null, object | null, object | null, object | null];
    for (const stack of STACKS) {
      const entries = renderer[stack] as unknown[];
      entries.length = 0;
      entries.push(...this.stacks[stack]!);
    }
    Object.assign(renderer, this.fields);
  }
}
