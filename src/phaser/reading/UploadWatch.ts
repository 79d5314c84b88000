/**
 * Methods of the WebGL renderer through which the pixels of a canvas or video reach the GPU, and the one that says whether a
 * texture is smoothed. `Text` calls `canvasToTexture` itself.
 */
const METHODS = [
  'canvasToTexture',
  'updateCanvasTexture',
  'updateVideoTexture',
  'createCanvasTexture',
  'createVideoTexture',
  'setTextureFilter',
] as const;

type Upload = (source: object, ...rest: unknown[]) => unknown;
type UploadRenderer = Partial<Record<(typeof METHODS)[number], Upload>>;

/**
 * Counts how often each canvas or video was uploaded in a WebGL renderer: what is drawn on a canvas changes nothing on
 * screen before `CanvasTexture.refresh`, `Text.updateText` or a video frame sends it to the GPU.
 */
export class UploadWatch {
  private static readonly watches = new WeakMap<object, UploadWatch>();
  /** Uploads of all images together, and changes of how textures are smoothed. */
  total = 0;
  private readonly versions = new WeakMap<object, number>();

  /** The watch of a renderer. The renderer keeps its wrapped methods for life: taking them off would slow it down. */
  static of(renderer: object): UploadWatch {
    let watch = UploadWatch.watches.get(renderer);
    if (watch === undefined) {
      watch = new UploadWatch();
      watch.wrap(renderer);
      UploadWatch.watches.set(renderer, watch);
    }
    return watch;
  }

  /** Uploads of the image so far; equal numbers mean equal pixels on screen. */
  versionOf(image: unknown): number {
    return this.versions.get(image as object) ?? 0;
  }

  private wrap(renderer: UploadRenderer): void {
    const count = (source: object): void => {
      this.total++;
      this.versions.set(source, this.versionOf(source) + 1);
    };
    for (const method of METHODS) {
      const original = renderer[method];
      if (original === undefined) continue;
      renderer[method] = function (this: unknown, source: object, ...rest: unknown[]): unknown {
        if (source) count(source);
        return original.call(this, source, ...rest);
      };
    }
  }
}
