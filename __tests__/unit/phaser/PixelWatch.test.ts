import { PixelWatch } from '../../../src/textures/PixelWatch.js';

it.each(['texImage2D', 'texSubImage2D'])(
  'a picture has another version after it was sent to the GPU by %s, and no other picture has',
  (method) => {
    const send = jest.fn((...given: unknown[]) => given.length);
    const gl: Record<string, typeof send> = { [method]: send };
    const watch = PixelWatch.of({ gl });
    const image = {};
    const other = {};
    const before = [watch.versionOf(image), watch.versionOf(other), watch.total];
    expect(gl[method]!(0, 1, 2, 3, 4, image)).toBe(6);
    expect(send).toHaveBeenCalledWith(0, 1, 2, 3, 4, image);
    expect(watch.versionOf(image)).not.toBe(before[0]);
    expect(watch.versionOf(other)).toBe(before[1]);
    expect(watch.total).not.toBe(before[2]);
    expect(gl[method]!(0, 1, 2, 3, 4, 5, 6, 7, null)).toBe(9);
  },
);

test('pictures are looked at again after the filter of a texture has changed', () => {
  const renderer = { setTextureFilter: jest.fn() };
  const watch = PixelWatch.of(renderer);
  const before = watch.total;
  renderer.setTextureFilter({}, 1);
  expect(watch.total).not.toBe(before);
});

describe('what is drawn into a texture of the GPU', () => {
  const texture = {};
  const framebuffer = { renderTexture: texture };

  /** A renderer as Phaser's: what is bound stays until something else is. */
  function rendererOf() {
    const listeners = new Map<string, () => void>();
    const renderer = {
      currentFramebuffer: null as object | null,
      setFramebuffer(bound: object | null) {
        renderer.currentFramebuffer = bound;
        return renderer;
      },
      on: (event: string, listener: () => void) => void listeners.set(event, listener),
      emit: (event: string) => listeners.get(event)?.(),
    };
    return renderer;
  }

  it('is counted from when it is asked for, when its framebuffer is bound and when it is left', () => {
    const renderer = rendererOf();
    const watch = PixelWatch.of(renderer);
    renderer.setFramebuffer(framebuffer);
    expect(renderer.setFramebuffer(null)).toBe(renderer);
    expect(watch.total).toBe(0);
    watch.watchDrawing(texture);
    const versions = [watch.versionOf(texture)];
    renderer.setFramebuffer(framebuffer);
    versions.push(watch.versionOf(texture));
    renderer.setFramebuffer(null);
    versions.push(watch.versionOf(texture));
    expect(new Set(versions).size).toBe(3);
    expect(watch.total).not.toBe(0);
  });

  it('is not what is drawn into others, as effects do in every frame', () => {
    const renderer = rendererOf();
    const watch = PixelWatch.of(renderer);
    watch.watchDrawing(texture);
    renderer.setFramebuffer({ renderTexture: {} });
    renderer.setFramebuffer({});
    renderer.setFramebuffer(null);
    expect([watch.total, watch.versionOf(texture)]).toEqual([0, 0]);
  });

  it('is lost with the context', () => {
    const renderer = rendererOf();
    const watch = PixelWatch.of(renderer);
    watch.watchDrawing(texture);
    renderer.emit('restorewebgl');
    expect(watch.versionOf(texture)).not.toBe(0);
    expect(watch.total).not.toBe(0);
  });
});
