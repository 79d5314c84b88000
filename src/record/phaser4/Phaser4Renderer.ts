import type * as Phaser from 'phaser';

type Camera = Phaser.Cameras.Scene2D.Camera;
type Matrix = Phaser.GameObjects.Components.TransformMatrix;

/** A texture of the GPU as Phaser holds it. */
export interface TextureWrapper {
  readonly width: number;
  readonly height: number;
  /** Its place in the batch that is being filled; -1 for none. */
  batchUnit: number;
}

/** Where the numbers of a vertex lie in their buffer. */
export interface BufferLayout {
  readonly stride: number;
  readonly layout: readonly { readonly name: string; readonly offset: number; readonly size: number }[];
}

/** What a draw call takes its vertices from. */
export interface VertexArray {
  readonly attributeBufferLayouts: readonly {
    readonly layout: BufferLayout;
    readonly buffer: { readonly viewF32: Float32Array; readonly viewU32: Uint32Array };
  }[];
  readonly indexBuffer: { readonly viewU16: Uint16Array } | null;
}

interface ValueMap {
  get(name: string): unknown;
}

/** A shader program, and the values it has been or is about to be given. */
export interface ShaderProgram {
  readonly vertexSource: string;
  readonly fragmentSource: string;
  readonly glUniforms: ValueMap;
  readonly uniformRequests: ValueMap;
}

/** What is drawn on, and how. */
export interface DrawingContext {
  /** It is the screen. */
  readonly useCanvas: boolean;
  readonly texture: TextureWrapper | null;
  readonly camera: Camera | null;
  readonly width: number;
  readonly height: number;
  readonly state: ContextState;
  getClone(): DrawingContext;
  setCamera(camera: Camera): void;
  setScissorBox(x: number, y: number, width: number, height: number): void;
  use(): void;
  release(): void;
}

export interface ContextState {
  readonly blend: { readonly equation: readonly number[]; readonly func: readonly number[] };
  /** Not before 4.2. */
  readonly colorWritemask?: readonly boolean[];
  readonly scissor: { readonly box: readonly number[]; readonly enable: boolean };
  /** Not before 4.2. */
  readonly stencil?: StencilState;
  readonly viewport: readonly number[];
}

export interface StencilState {
  readonly enabled: boolean;
  readonly func: { readonly func: number; readonly ref: number; readonly mask: number };
  readonly op: { readonly fail: number; readonly zpass: number };
  readonly clear: number;
  readonly writeMask?: number;
}

/** What the context is set to, as Phaser's own fields say. */
export interface GlobalState extends ContextState {
  readonly bindings: {
    readonly framebuffer: FramebufferWrapper | null;
    readonly arrayBuffer?: object | null;
    readonly activeTexture?: number;
    readonly program?: object | null;
  };
  readonly colorClearValue?: readonly number[];
}

export interface FramebufferWrapper {
  readonly useCanvas: boolean;
  readonly renderTexture: TextureWrapper | null;
}

export type DrawElements = (
  context: DrawingContext,
  textures: readonly (TextureWrapper | null)[],
  program: ShaderProgram,
  vertices: VertexArray,
  count: number,
  offset: number,
  topology?: number,
) => void;

export type DrawInstances = (
  context: DrawingContext,
  textures: readonly (TextureWrapper | null)[],
  program: ShaderProgram,
  vertices: VertexArray,
  first: number,
  count: number,
  instances: number,
  topology?: number,
) => void;

export type RunCamera = (
  context: DrawingContext,
  children: unknown,
  camera: Camera,
  parent?: Matrix,
  ...rest: unknown[]
) => void;

/** The WebGL renderer of Phaser 4: the members that a rehearsal and the record need. */
export interface Phaser4Renderer {
  readonly gl: WebGLRenderingContext;
  readonly width: number;
  readonly height: number;
  readonly contextLost: boolean;
  readonly config?: { readonly clearBeforeRender?: boolean; readonly stencil?: boolean };
  /** Number of texture units; what a draw with more textures shows is unknown. */
  readonly maxTextures: number;
  /** The camera that is being drawn. */
  readonly currentViewCamera: object | null;
  readonly baseDrawingContext: DrawingContext;
  readonly cameraRenderNode: { run: RunCamera };
  readonly glWrapper: { readonly state: GlobalState; update(state: object): void };
  /** All textures. */
  readonly glTextureWrappers: readonly TextureWrapper[];
  readonly glTextureUnits?: {
    readonly units: readonly (TextureWrapper | null | undefined)[];
    bindUnits(textures: readonly (TextureWrapper | null | undefined)[]): void;
  };
  readonly renderNodes: {
    finishBatch(): void;
    /** The node whose batch is being filled, if there is one. */
    readonly currentBatchNode?: object | null;
    getNode(name: string): object | null;
    hasNode(name: string, isMade: boolean): boolean;
  };
  drawElements: DrawElements;
  drawInstancedArrays: DrawInstances;
  emit: (...args: unknown[]) => boolean;
  render(scene: Phaser.Scene, children: object[], camera: Camera): void;
}

/** True for the WebGL renderer of Phaser 4. */
export function isPhaser4Renderer(renderer: object | null): boolean {
  return renderer !== null && 'renderNodes' in renderer;
}
