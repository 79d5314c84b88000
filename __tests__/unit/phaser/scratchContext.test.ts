import { scratchContext } from '../../../src/textures/scratchContext.js';

const onPage = { of: 'a canvas of the page' };
const offPage = { of: 'a canvas off the page' };
const page = { createElement: () => ({ getContext: () => onPage }) } as unknown as Document;

/** A browser whose canvases off the page give this context. */
function browserWith(context: object | null): void {
  (globalThis as { OffscreenCanvas?: unknown }).OffscreenCanvas = class {
    getContext = () => context;
  };
}

afterEach(() => {
  delete (globalThis as { OffscreenCanvas?: unknown }).OffscreenCanvas;
});

describe('what pixels are read through', () => {
  it('is off the page, where nothing waits for the GPU', () => {
    browserWith(offPage);
    expect(scratchContext(page)).toBe(offPage);
  });

  it('is a canvas of the page in a browser without others, or that does not draw in two dimensions on them', () => {
    expect(scratchContext(page)).toBe(onPage);
    browserWith(null);
    expect(scratchContext(page)).toBe(onPage);
  });
});
