/**
 * What jsdom lacks. Above all images that load: Phaser is ready only when its three built-in textures are.
 */
import { Buffer } from 'node:buffer';
import { TextEncoder } from 'node:util';

Object.assign(globalThis, { TextEncoder });

/** Width and height of a PNG data URI; 1 × 1 of everything else. */
function sizeOf(address: string): { width: number; height: number } {
  const [, data] = /^data:image\/png;base64,(.+)$/.exec(address) ?? [];
  if (data === undefined) return { width: 1, height: 1 };
  const bytes = Buffer.from(data, 'base64');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

Object.defineProperty(HTMLImageElement.prototype, 'src', {
  configurable: true,
  get(this: HTMLImageElement) {
    return this.getAttribute('src') ?? '';
  },
  set(this: HTMLImageElement, address: string) {
    this.setAttribute('src', address);
    const { width, height } = sizeOf(address);
    Object.defineProperties(this, {
      naturalWidth: { configurable: true, value: width },
      naturalHeight: { configurable: true, value: height },
      width: { configurable: true, value: width },
      height: { configurable: true, value: height },
      complete: { configurable: true, value: true },
    });
    queueMicrotask(() => this.dispatchEvent(new Event('load')));
  },
});

window.focus = () => undefined;

// The canvas mock paints nothing and reads back clear pixels, with which every ad would be transparent.
const getContext = HTMLCanvasElement.prototype.getContext as (type: string) => CanvasRenderingContext2D;
HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, type: string) {
  const context = getContext.call(this, type);
  const opaque = (_x: number, _y: number, width: number, height: number): ImageData =>
    new ImageData(new Uint8ClampedArray(4 * width * height).fill(255), width, height);
  return Object.assign(context, { getImageData: opaque });
} as typeof HTMLCanvasElement.prototype.getContext;
