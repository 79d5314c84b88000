import { StrayBatches } from '../../../src/record/phaser3/StrayBatches.js';

/** A renderer as far as the watch knows it. */
function fakeRenderer() {
  const listeners: (() => void)[] = [];
  return {
    currentFramebuffer: null as unknown,
    pipelines: { current: { vertexCount: 0 } },
    setFramebuffer(framebuffer: unknown, ..._: unknown[]): unknown {
      this.currentFramebuffer = framebuffer;
      return this;
    },
    on: (_: string, listener: () => void) => listeners.push(listener),
    beginFrame: () => listeners.forEach((listener) => listener()),
  };
}

const texture = { renderTexture: {} };

it('notes a batch that is left undrawn when a render texture takes the place of the screen, until the next frame', () => {
  const renderer = fakeRenderer();
  const strays = StrayBatches.of(renderer);
  renderer.setFramebuffer(texture);
  expect(strays.hasAny).toBe(false);
  renderer.setFramebuffer(null);
  renderer.pipelines.current.vertexCount = 6;
  expect(renderer.setFramebuffer(texture)).toBe(renderer);
  expect(strays.hasAny).toBe(true);
  expect(renderer.currentFramebuffer).toBe(texture);
  renderer.beginFrame();
  expect(strays.hasAny).toBe(false);
});

it('notes nothing where the batch is drawn first, or was begun elsewhere', () => {
  const renderer = fakeRenderer();
  const strays = StrayBatches.of(renderer);
  renderer.pipelines.current.vertexCount = 6;
  renderer.setFramebuffer(texture, false, false);
  renderer.setFramebuffer(texture);
  renderer.setFramebuffer(null);
  expect(strays.hasAny).toBe(false);
});
