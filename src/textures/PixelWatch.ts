import { oneFor } from '../oneFor.js';
import type { Framebuffer, SetFramebuffer } from '../record/objects/isElsewhere.js';
import { type DrawingContext, isPhaser4Renderer, type Phaser4Renderer } from '../record/phaser4/Phaser4Renderer.js';
import { watchDrawing } from '../record/phaser4/watchDrawing.js';
import { isDynamic, isVideo } from './AlphaReader.js';
import { type GlTexture, textureOf } from './gpuTexels.js';

/** Functions of the context by which pixels reach the GPU: those of a canvas or video, and of a picture or array sent once more. */
const UPLOADS = ['texImage2D', 'texSubImage2D'] as const;

/** Event of Phaser's WebGL renderer: a lost context is back, but what was drawn into textures is gone. */
const RESTORE = 'restorewebgl';

/** Of the changes of one picture within so many milliseconds the first is kept, and so many of these: more than half a second. */
const CHANGES_STEP_MS = 50;
const CHANGES_KEPT = 12;

/** So long after it was sent to the GPU, in milliseconds, a canvas is taken to be as it was sent. */
const JUST_SENT_MS = 100;

/** Methods of the pipeline through which Phaser 3 draws into a texture without its renderer noticing. */
const COPIES = ['blitFrame', 'copyFrame', 'copyFrameRect'] as const;

type Method = (...given: unknown[]) => unknown;

type Asked = Pick<WebGLRenderingContext, 'getParameter' | 'TEXTURE_BINDING_2D'>;

interface WatchedRenderer {
  readonly gl?: Partial<Record<(typeof UPLOADS)[number], Method> & Asked> | null;
  setTextureFilter?: Method;
  readonly currentFramebuffer?: Framebuffer | null;
  setFramebuffer?: SetFramebuffer;
  /** Of Phaser 3. */
  readonly pipelines?: { readonly UTILITY_PIPELINE: Partial<Record<(typeof COPIES)[number], Method>> | null } | null;
  on?(event: string, listener: () => void): void;
}

/**
 * Counts how often each canvas, video or picture was uploaded in a WebGL renderer: what is drawn on a canvas changes nothing
 * on screen before `CanvasTexture.refresh`, `Text.updateText` or a video frame sends it to the GPU. It also counts how often
 * Phaser began to draw into textures of the GPU, but only into those given to {@link watchDrawing}: effects draw into their
 * own in every frame.
 */
export class PixelWatch {
  /** The watch of a renderer. The renderer keeps its wrapped methods for life: taking them off would slow it down. */
  static readonly of = oneFor((renderer: object) => new PixelWatch(renderer));
  readonly isPaintedDirectly = false;
  /** Uploads and drawings of all textures together, and changes of how they are smoothed. */
  total = 0;
  /** How often everything drawn into textures was lost. */
  #restored = 0;
  readonly #drawn = new WeakSet();
  readonly #versions = new WeakMap<object, number>();
  /** By canvas: the texture it was sent to last, and when. */
  readonly #sent = new WeakMap<object, { readonly texture: unknown; readonly at: number }>();
  /** The version of pixels that changed, and when, in order. */
  readonly #changes = new WeakMap<object, { readonly from: number; readonly at: number }[]>();
  #hearsCopies = false;

  private constructor(private readonly renderer: WatchedRenderer) {
    const count = (source: unknown): void => {
      if (typeof source === 'object' && source !== null) this.#count(source);
    };
    for (const method of UPLOADS) {
      // The source is the last argument.
      watchCalls(renderer.gl ?? {}, method, (given) => {
        const picture = given[given.length - 1];
        count(picture);
        this.#noteSent(picture);
      });
    }
    watchCalls(renderer, 'setTextureFilter', (given) => count(given[0]));
    this.#wrapDrawing(renderer);
    if (isPhaser4Renderer(renderer)) {
      const count = ({ useCanvas, texture }: DrawingContext): void => {
        if (!useCanvas && texture !== null) this.#countDrawn(texture);
      };
      watchDrawing(renderer as unknown as Phaser4Renderer, {
        onDraw: count,
        onInstances: count,
        onClear: (_bits, framebuffer) => {
          if (framebuffer?.renderTexture) this.#countDrawn(framebuffer.renderTexture);
        },
      });
    }
    renderer.on?.(RESTORE, () => {
      this.total++;
      this.#restored++;
    });
  }

  /** Counts from now on what is drawn into a texture of the GPU. */
  watchDrawing(texture: object): void {
    this.#drawn.add(texture);
    // The pipelines are made after the renderer, and before the first texture that is drawn into.
    if (!this.#hearsCopies) this.#wrapCopies();
  }

  /** Uploads of the image so far, or drawings into the texture; equal numbers mean equal pixels on screen. */
  versionOf(image: unknown): number {
    return this.#restored + (this.#versions.get(image as object) ?? 0);
  }

  /** See {@link PixelVersions}. */
  changedAt(image: unknown, version: number): number {
    let changedAt = -Infinity;
    for (const { from, at } of this.#changes.get(image as object) ?? []) if (from <= version) changedAt = at;
    return changedAt;
  }

  /** See {@link PixelVersions}. */
  isJustSent(image: unknown, texture: GlTexture): boolean {
    const sent = this.#sent.get(image as object);
    return sent !== undefined && sent.texture === textureOf(texture) && performance.now() - sent.at < JUST_SENT_MS;
  }

  #noteSent(picture: unknown): void {
    const { gl } = this.renderer;
    if (!isDynamic(picture) || isVideo(picture)) return;
    // Browsers know this without asking the GPU.
    const texture: unknown = gl?.getParameter?.(gl.TEXTURE_BINDING_2D!);
    this.#sent.set(picture as object, { texture, at: performance.now() });
  }

  /** Phaser draws into a texture from when its framebuffer is bound until another one is. */
  #wrapDrawing(renderer: WatchedRenderer): void {
    const { setFramebuffer } = renderer;
    if (setFramebuffer === undefined) return;
    renderer.setFramebuffer = (framebuffer, updateScissor, setViewport, texture, clear) => {
      this.#countDrawing(renderer.currentFramebuffer);
      this.#countDrawing(framebuffer);
      return setFramebuffer.call(renderer, framebuffer, updateScissor, setViewport, texture, clear);
    };
  }

  #wrapCopies(): void {
    const pipeline = this.renderer.pipelines?.UTILITY_PIPELINE;
    if (!pipeline) return;
    this.#hearsCopies = true;
    for (const method of COPIES) {
      watchCalls(pipeline, method, ([, target]) => {
        if (target) this.#countDrawn((target as { readonly texture: object }).texture);
      });
    }
  }

  #countDrawing(framebuffer: Framebuffer | null | undefined): void {
    const texture = framebuffer?.renderTexture;
    if (texture) this.#countDrawn(texture);
  }

  #countDrawn(texture: object): void {
    if (this.#drawn.has(texture)) this.#count(texture);
  }

  #count(source: object): void {
    const from = this.versionOf(source);
    this.total++;
    this.#versions.set(source, from - this.#restored + 1);
    const at = performance.now();
    const changes = this.#changes.get(source) ?? [];
    if (at - (changes.at(-1)?.at ?? -Infinity) < CHANGES_STEP_MS) return;
    changes.push({ from, at });
    if (changes.length > CHANGES_KEPT) changes.shift();
    this.#changes.set(source, changes);
  }
}

/** Wraps a method, if there is one: `tell` gets the arguments of each call. */
function watchCalls<T extends string>(
  on: Partial<Record<T, Method>>,
  method: T,
  tell: (given: readonly unknown[]) => void,
): void {
  const original = on[method];
  if (original === undefined) return;
  on[method] = function (this: unknown, ...given: unknown[]): unknown {
    tell(given);
    return original.apply(this, given);
  };
}
