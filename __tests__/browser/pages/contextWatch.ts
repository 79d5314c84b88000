import type { Stage } from '../oracle/Stage.js';

type Call = (...args: unknown[]) => unknown;

/** Every call of the context with what it is given, while `work` runs. */
export function callsDuring(gl: WebGLRenderingContext, work: () => void): string {
  const context = gl as unknown as Record<string, unknown>;
  const log: string[] = [];
  const ids = new Map<unknown, number>();
  const show = (value: unknown): string => {
    if (ArrayBuffer.isView(value))
      return `[${new Uint8Array(value.buffer, value.byteOffset, value.byteLength).join()}]`;
    if (typeof value !== 'object' || value === null) return String(value);
    if (!ids.has(value)) ids.set(value, ids.size);
    return `#${ids.get(value)}`;
  };
  const names: string[] = [];
  for (const name in context) if (typeof context[name] === 'function' && !/^(get|is)/.test(name)) names.push(name);
  const natives = names.map((name) => context[name] as Call);
  names.forEach((name, i) => {
    context[name] = (...args: unknown[]): unknown => {
      log.push(`${name}(${args.map(show).join()})`);
      return natives[i]!.apply(gl, args);
    };
  });
  try {
    work();
  } finally {
    names.forEach((name, i) => (context[name] = natives[i]));
  }
  return log.join('\n');
}

/** What cameras and objects note that a drawing may change, with the function each object is drawn by. */
export function sceneNotes({ game }: Stage, method: 'renderWebGL' | 'renderWebGLStep'): unknown[] {
  const cameras = game.scene.scenes.flatMap(({ cameras: { cameras } }) =>
    cameras.map((camera) => {
      const { scrollX, scrollY, dirty, worldView, midPoint } = camera;
      const { matrix, renderList } = camera as unknown as { matrix: { matrix: Float32Array }; renderList: unknown[] };
      return [scrollX, scrollY, dirty, worldView, midPoint, [...matrix.matrix], renderList.length];
    }),
  );
  const objects: unknown[] = [];
  const note = (object: Phaser.GameObjects.GameObject): void => {
    const { alpha, scrollFactorX, renderFlags } = object as Phaser.GameObjects.Sprite;
    const { list, sortChildrenFlag } = object as unknown as Phaser.GameObjects.Layer;
    objects.push([
      object.type,
      alpha,
      scrollFactorX,
      renderFlags,
      sortChildrenFlag,
      idOf((object as unknown as Record<typeof method, object>)[method]),
    ]);
    if (Array.isArray(list)) for (const child of list) note(child);
  };
  for (const scene of game.scene.scenes) for (const child of scene.children.list) note(child);
  return [cameras, objects];
}

/** What the context is set to. */
export function stateOf(gl: WebGLRenderingContext): string {
  const names = ['ACTIVE_TEXTURE', 'BLEND', 'BLEND_DST_ALPHA', 'BLEND_DST_RGB', 'BLEND_SRC_ALPHA', 'BLEND_SRC_RGB', 'BLEND_EQUATION_RGB', 'COLOR_CLEAR_VALUE', 'COLOR_WRITEMASK', 'SCISSOR_BOX', 'SCISSOR_TEST', 'STENCIL_FUNC', 'STENCIL_REF', 'STENCIL_TEST', 'STENCIL_PASS_DEPTH_PASS', 'VIEWPORT'] as const; // prettier-ignore
  const bindings = ['ARRAY_BUFFER_BINDING', 'CURRENT_PROGRAM', 'FRAMEBUFFER_BINDING'] as const;
  const values: unknown[] = names.map((name) => gl.getParameter(gl[name]) as unknown);
  for (const name of bindings) values.push(idOf(gl.getParameter(gl[name])));
  const unit = gl.getParameter(gl.ACTIVE_TEXTURE) as number;
  for (let i = 0; i < 8; i++) {
    gl.activeTexture(gl.TEXTURE0 + i);
    values.push(idOf(gl.getParameter(gl.TEXTURE_BINDING_2D)));
  }
  gl.activeTexture(unit);
  return JSON.stringify(values);
}
const ids = new WeakMap<object, number>();
let nextId = 1;
function idOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (!ids.has(value)) ids.set(value, nextId++);
  return ids.get(value)!;
}
