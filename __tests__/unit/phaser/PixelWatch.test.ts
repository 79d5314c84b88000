import fc from 'fast-check';

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

const pausesOf = (max: number): fc.Arbitrary<number[]> => fc.array(fc.nat(max), { minLength: 60, maxLength: 80 });

test('a change is known to be as old as it is or up to 50 ms older, for half a second', () => {
  const gl = { texImage2D: jest.fn() };
  const watch = PixelWatch.of({ gl });
  const image = {};
  const now = jest.spyOn(performance, 'now');
  fc.assert(
    fc.property(fc.oneof(pausesOf(20), pausesOf(300)), (pauses) => {
      const changes = pauses.map((pause) => {
        now.mockReturnValue(performance.now() + pause);
        const version = watch.versionOf(image);
        gl.texImage2D(0, image);
        return { version, at: performance.now() };
      });
      for (const { version, at } of changes) {
        const told = watch.changedAt(image, version);
        expect(told).toBeLessThanOrEqual(at);
        if (performance.now() - at <= 500) expect(told).toBeGreaterThan(at - 50);
      }
      expect(watch.changedAt({}, 0)).toBe(-Infinity);
    }),
  );
  now.mockRestore();
});

test('a canvas is as its texture for a tenth of a second, unless it is sent to another one', () => {
  class Canvas {
    readonly width = 1;
  }
  globalThis.HTMLCanvasElement = Canvas as unknown as typeof HTMLCanvasElement;
  const canvas = new Canvas();
  const [one, other] = [{}, { webGLTexture: {} }];
  const gl = { texImage2D: jest.fn(), TEXTURE_BINDING_2D: 1, getParameter: jest.fn() };
  const watch = PixelWatch.of({ gl });
  const now = jest.spyOn(performance, 'now').mockReturnValue(1000);
  expect(watch.isJustSent(canvas, one)).toBe(false);
  gl.getParameter.mockReturnValue(one);
  gl.texImage2D(0, canvas);
  expect(watch.isJustSent(canvas, one)).toBe(true);
  now.mockReturnValue(1099);
  expect([watch.isJustSent(canvas, one), watch.isJustSent(canvas, other)]).toEqual([true, false]);
  gl.getParameter.mockReturnValue(other.webGLTexture);
  gl.texImage2D(0, canvas);
  expect([watch.isJustSent(canvas, one), watch.isJustSent(canvas, other)]).toEqual([false, true]);
  now.mockReturnValue(1200);
  expect(watch.isJustSent(canvas, other)).toBe(false);
  now.mockRestore();
  delete (globalThis as { HTMLCanvasElement?: unknown }).HTMLCanvasElement;
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

  it.each(['blitFrame', 'copyFrame', 'copyFrameRect'] as const)(
    'is counted once if Phaser copies into it unnoticed by its renderer, however many are watched: %s',
    (method) => {
      const copy = jest.fn(() => 'done');
      const pipeline: Partial<Record<typeof method, (...given: unknown[]) => unknown>> = { [method]: copy };
      const watch = PixelWatch.of({ ...rendererOf(), pipelines: { UTILITY_PIPELINE: pipeline } });
      const other = {};
      watch.watchDrawing(texture);
      watch.watchDrawing(other);
      const before = watch.total;
      const versions = [watch.versionOf(texture), watch.versionOf(other)];
      const target = { texture };
      expect(pipeline[method]!(null, target, 1, true)).toBe('done');
      expect(copy).toHaveBeenCalledWith(null, target, 1, true);
      expect(watch.versionOf(texture)).not.toBe(versions[0]);
      expect(watch.versionOf(other)).toBe(versions[1]);
      expect(watch.total).toBe(before + 1);
      pipeline[method]!(null, null);
      pipeline[method]!(null, { texture: {} });
      expect(watch.total).toBe(before + 1);
    },
  );

  it('is heard of copies that Phaser makes later, once it has what makes them', () => {
    const pipelines: { UTILITY_PIPELINE: Record<string, (...given: unknown[]) => unknown> | null } = { UTILITY_PIPELINE: null }; // prettier-ignore
    const watch = PixelWatch.of({ ...rendererOf(), pipelines });
    watch.watchDrawing({});
    pipelines.UTILITY_PIPELINE = { copyFrame: () => undefined };
    watch.watchDrawing(texture);
    pipelines.UTILITY_PIPELINE.copyFrame!(null, { texture });
    expect(watch.versionOf(texture)).not.toBe(0);
  });

  it('has a version of its own each time, also after it was lost', () => {
    const renderer = rendererOf();
    const watch = PixelWatch.of(renderer);
    watch.watchDrawing(texture);
    const versions = new Set<number>();
    for (const isLost of [false, true, false, false, true, true, false]) {
      if (isLost) renderer.emit('restorewebgl');
      else renderer.setFramebuffer(framebuffer);
      versions.add(watch.versionOf(texture));
      renderer.currentFramebuffer = null;
    }
    expect(versions.size).toBe(7);
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
