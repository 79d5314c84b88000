import type { PhaserRenderer } from './PhaserRenderer.js';

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
 * Saves the fields in which Phaser's WebGL renderer keeps its state. The context's own state is not in it.
 *
 * @returns puts them back; call it while the context still paints nothing, since Phaser draws and binds for that. The
 * context's own state comes after: program, buffer and textures in force.
 */
export function saveRenderer(renderer: PhaserRenderer): () => void {
  const all = renderer as unknown as Readonly<Record<string, unknown>>;
  const fields = Object.fromEntries(FIELDS.map((field) => [field, all[field]]));
  const held = HOLDERS.map((name) => copyOf(renderer[name]));
  const { pipelines } = renderer;
  const { current, previous } = pipelines;
  const shader = current?.currentShader ?? null;
  const activeTextures = current?.activeTextures.slice() ?? [];
  const activeBuffer = current?.activeBuffer;
  return () => {
    // An object that failed may have left quads in its batch.
    renderer.flush();
    // The layout of vertices belongs to the pipeline and the shader in force.
    if (current !== null && shader !== null && (pipelines.current !== current || current.currentShader !== shader)) {
      current.bind(shader);
    }
    Object.assign(pipelines, { current, previous });
    if (current !== null) {
      current.activeTextures.splice(0, Infinity, ...activeTextures);
      current.activeBuffer = activeBuffer;
    }
    HOLDERS.forEach((name, i) => {
      const holder = renderer[name];
      if (Array.isArray(holder)) holder.length = 0;
      Object.assign(holder, held[i]);
    });
    Object.assign(renderer, fields);
  };
}

function copyOf(holder: object): object {
  return Array.isArray(holder) ? (holder as unknown[]).slice() : { ...holder };
}
