/** Methods of a 2D context that add to its path, which is painted later. */
// prettier-ignore
export const PATH_CALLS: ReadonlySet<string> = new Set([
  'beginPath', 'moveTo', 'lineTo', 'closePath', 'rect', 'roundRect', 'arc', 'arcTo', 'ellipse', 'quadraticCurveTo',
  'bezierCurveTo',
]);

/** Methods of a 2D context that change no pixel. Any other, even an unknown one, counts as a change. */
// prettier-ignore
export const HARMLESS: ReadonlySet<string> = new Set([
  'save', 'restore', 'scale', 'rotate', 'translate', 'transform', 'setTransform', 'resetTransform', 'getTransform',
  'createConicGradient', 'createLinearGradient', 'createRadialGradient', 'createPattern', 'createImageData',
  'getImageData', 'getContextAttributes', 'isContextLost', 'isPointInPath', 'isPointInStroke', 'measureText',
  'clip', 'setLineDash', 'getLineDash', ...PATH_CALLS,
]);

/** Names of the methods of a context that may change a pixel. */
export function paintingMethods(context: object): string[] {
  const members = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(context)));
  const isPainting = (name: string): boolean => name !== 'constructor' && !HARMLESS.has(name);
  return members.flatMap(([name, { value }]) => (typeof value === 'function' && isPainting(name) ? [name] : []));
}

/** `HTMLMediaElement.HAVE_CURRENT_DATA`. */
const HAVE_CURRENT_DATA = 2;

type AnyCanvas = HTMLCanvasElement | OffscreenCanvas;
type Method = (...values: unknown[]) => unknown;

/**
 * Tells when a canvas may show something else: each call that paints on it, and each new size, is counted from the first
 * time it is asked about. A canvas with another context than a 2D context, and a video, cannot be counted like this.
 */
export class CanvasWatch {
  /** One for all games of the page: a canvas is watched once. */
  static readonly shared = new CanvasWatch();

  readonly isPaintedDirectly = true;
  /** Changes of all canvases together. */
  total = 0;
  readonly #versions = new WeakMap<object, { number: number }>();

  /** Equal numbers mean equal pixels; not-a-number equals nothing. */
  versionOf(picture: unknown): number {
    const { currentTime, seeking, readyState = HAVE_CURRENT_DATA } = picture as Partial<HTMLVideoElement>;
    // Its time is at once that of the picture it looks for; it goes on showing the last one, or none, until that has come.
    if (currentTime !== undefined) return seeking === true || readyState < HAVE_CURRENT_DATA ? NaN : currentTime;
    return (this.#versions.get(picture as object) ?? this.#watch(picture as AnyCanvas)).number;
  }

  #watch(canvas: AnyCanvas): { number: number } {
    const version = { number: 0 };
    this.#versions.set(canvas, version);
    const context = contextOf(canvas);
    if (context === null) {
      version.number = NaN;
      return version;
    }
    const count = (): void => {
      version.number++;
      this.total++;
    };
    for (const name of paintingMethods(context)) {
      // The context's own method, not the prototype's: another tool may have replaced it.
      const paint = (context as unknown as Record<string, Method>)[name]!;
      (context as unknown as Record<string, Method>)[name] = function (this: unknown, ...values) {
        count();
        return paint.apply(this, values);
      };
    }
    countSizes(canvas, 'width', count);
    countSizes(canvas, 'height', count);
    return version;
  }
}

/** A new size, even of the same number, clears a canvas. */
function countSizes(canvas: AnyCanvas, side: 'width' | 'height', count: () => void): void {
  let at: object | null = canvas;
  let found: PropertyDescriptor | undefined;
  while (at !== null && found === undefined) {
    found = Object.getOwnPropertyDescriptor(at, side);
    at = Object.getPrototypeOf(at) as object | null;
  }
  if (found?.get === undefined || found.set === undefined) return;
  const { get, set, enumerable = true } = found;
  Object.defineProperty(canvas, side, {
    configurable: true,
    enumerable,
    get,
    set(this: unknown, size: number) {
      count();
      set.call(this, size);
    },
  });
}

/** Null for a canvas of another kind of context, or one given away to a worker. */
function contextOf(canvas: AnyCanvas): object | null {
  try {
    return canvas.getContext('2d');
  } catch {
    return null;
  }
}
