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
];

/** Objects and stacks whose entries are put back as they were. */
const HOLDERS = ['currentMask', 'currentCameraMask', 'fboStack', 'maskStack', 'scissorStack'] as const;

/**
 * Saves the fields in which Phaser's WebGL renderer keeps its state, to put them back. The context's own state is not in
 * it.
 */
export class RendererState {
  private readonly fields: object;
  private readonly held: readonly object[];
  private readonly current: Pipeline | null;
  private readonly previous: Pipeline | null;
  private readonly shader: Pipeline['currentShader'] | null;
  private readonly activeTextures: readonly object[];
  private readonly activeBuffer: object | null | undefined;

  constructor(private readonly renderer: PhaserRenderer) {
    const all = renderer as unknown as Readonly<Record<string, unknown>>;
    this.fields = Object.fromEntries(FIELDS.map((field) => [field, all[field]]));
    this.held = HOLDERS.map((name) => copyOf(renderer[name]));
    const { current, previous } = renderer.pipelines;
    this.current = current;
    this.previous = previous;
    this.shader = current?.currentShader ?? null;
    this.activeTextures = current?.activeTextures.slice() ?? [];
    this.activeBuffer = current?.activeBuffer;
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
    HOLDERS.forEach((name, i) => {
      const holder = renderer[name];
      if (Array.isArray(holder)) holder.length = 0;
      Object.assign(holder, this.held[i]);
    });
    Object.assign(renderer, this.fields);
  }
}

function copyOf(holder: object): object {
  return Array.isArray(holder) ? (holder as unknown[]).slice() : { ...holder };
}
