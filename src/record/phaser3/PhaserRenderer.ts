import type * as Phaser from 'phaser';

import type { PhaserShader } from './programs.js';

/** A `WebGLPipeline` of Phaser 3. */
export interface Pipeline {
  readonly currentShader: PhaserShader;
  readonly shaders?: readonly PhaserShader[];
  activeTextures: object[];
  activeBuffer?: object | null | undefined;
  bind(shader: PhaserShader): unknown;
  onRender(scene: unknown, camera: unknown): void;
}

interface MaskInForce {
  mask: object | null;
  camera: object | null;
}

/** The WebGL renderer of Phaser 3: the members that the record reads, or that a rehearsal has to put back. */
export interface PhaserRenderer {
  readonly gl: WebGLRenderingContext;
  readonly width: number;
  readonly height: number;
  readonly contextLost: boolean;
  readonly pipelines: {
    readonly current: Pipeline | null;
    readonly previous: Pipeline | null;
    readonly pipelines: { readonly entries: Readonly<Record<string, Pipeline>> };
    /** Not in 3.60. */
    readonly postPipelineInstances?: readonly Pipeline[];
  };
  readonly fboStack: object[];
  readonly maskStack: object[];
  readonly scissorStack: (number[] | null)[];
  readonly currentMask: MaskInForce;
  readonly currentCameraMask: MaskInForce;
  /** Kept by versions that wrap what the context makes. */
  readonly glTextureWrappers?: readonly { readonly webGLTexture: WebGLTexture }[];
  readonly glFramebufferWrappers?: readonly {
    readonly webGLFramebuffer: WebGLFramebuffer;
    readonly renderTexture?: { readonly webGLTexture: WebGLTexture } | null;
  }[];
  readonly currentFramebuffer: object | null;
  readonly currentProgram: object | null;
  currentScissor: number[] | null;
  readonly drawingBufferHeight: number;
  emit: (...args: unknown[]) => boolean;
  on(event: string, listener: () => void): unknown;
  flush(): void;
  setBlendMode(mode: number, force?: boolean): boolean;
  preRender(): void;
  render(scene: Phaser.Scene, children: object[], camera: object): void;
  preRenderCamera(camera: Phaser.Cameras.Scene2D.Camera): void;
  postRenderCamera(camera: Phaser.Cameras.Scene2D.Camera): void;
}

/** The WebGL object in a wrapper of later versions; in versions without wrappers, the object itself. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the wrappers are told apart by their fields alone
export function rawOf<T>(wrapper: object | null | undefined, field: string): T | null {
  if (!wrapper) return null;
  return field in wrapper ? ((wrapper as Record<string, T | null>)[field] ?? null) : (wrapper as T);
}

/** Finds Phaser's objects by the context's. */
export class RendererIndex {
  readonly #textures = new WeakMap<WebGLTexture, object>();

  constructor(private readonly renderer: PhaserRenderer) {}

  /** A texture as game objects have it. */
  handleOf(texture: WebGLTexture): object {
    const { glTextureWrappers } = this.renderer;
    if (glTextureWrappers === undefined) return texture;
    const known = this.#textures.get(texture) as { readonly webGLTexture?: WebGLTexture } | undefined;
    if (known?.webGLTexture === texture) return known;
    const wrapper = glTextureWrappers.find((one) => one.webGLTexture === texture) ?? texture;
    this.#textures.set(texture, wrapper);
    return wrapper;
  }

  /** The texture a framebuffer draws into; null when Phaser did not make it. */
  textureBehind(framebuffer: WebGLFramebuffer): WebGLTexture | null {
    const { glFramebufferWrappers } = this.renderer;
    if (glFramebufferWrappers === undefined) {
      return (framebuffer as { readonly renderTexture?: WebGLTexture }).renderTexture ?? null;
    }
    const wrapper = glFramebufferWrappers.find(({ webGLFramebuffer }) => webGLFramebuffer === framebuffer);
    return wrapper?.renderTexture?.webGLTexture ?? null;
  }

  /** Phaser's shader of a program; null when Phaser did not make the program. */
  shaderOf(program: WebGLProgram): PhaserShader | null {
    const { pipelines } = this.renderer;
    const { entries } = pipelines.pipelines;
    for (const key in entries) {
      const shader = shaderIn(entries[key]!, program);
      if (shader !== null) return shader;
    }
    for (const pipeline of pipelines.postPipelineInstances ?? []) {
      const shader = shaderIn(pipeline, program);
      if (shader !== null) return shader;
    }
    return null;
  }
}

function shaderIn({ shaders }: Pipeline, program: WebGLProgram): PhaserShader | null {
  return shaders?.find((shader) => (shader.program.webGLProgram ?? shader.program) === program) ?? null;
}

export function bytesOf(data: unknown): Uint8Array | null {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : null;
}
