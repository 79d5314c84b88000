import { UploadWatch } from '../../../src/phaser/reading/UploadWatch.js';

/** The ways of Phaser 3.90: a `CanvasTexture` is updated, a `Text` calls `canvasToTexture` itself. */
it.each(['updateCanvasTexture', 'createCanvasTexture', 'canvasToTexture', 'updateVideoTexture', 'createVideoTexture'])(
  'a picture has another version after it was sent to the GPU by %s, and no other picture has',
  (method) => {
    const send = jest.fn((_image: object, texture: string) => texture);
    const renderer: Record<string, typeof send> = { [method]: send };
    const watch = UploadWatch.of(renderer);
    const image = {};
    const other = {};
    const before = [watch.versionOf(image), watch.versionOf(other)];
    expect(renderer[method]!(image, 'texture')).toBe('texture');
    expect(send).toHaveBeenCalledWith(image, 'texture');
    expect(watch.versionOf(image)).not.toBe(before[0]);
    expect(watch.versionOf(other)).toBe(before[1]);
  },
);

test('pictures are looked at again after the filter of a texture has changed', () => {
  const renderer = { setTextureFilter: jest.fn() };
  const watch = UploadWatch.of(renderer);
  const before = watch.total;
  renderer.setTextureFilter({}, 1);
  expect(watch.total).not.toBe(before);
});
