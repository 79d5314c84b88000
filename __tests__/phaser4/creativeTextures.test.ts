import Phaser from 'phaser';

import { CreativeTextures } from '../../src/placement/CreativeTextures.js';
import { stubWebGL } from './support/stubWebGL.js';

let game: Phaser.Game;

beforeAll(async () => {
  stubWebGL();
  jest.spyOn(console, 'warn').mockImplementation();
  game = await new Promise((resolve) => {
    const started = new Phaser.Game({
      type: Phaser.WEBGL,
      banner: false,
      autoFocus: false,
      audio: { noAudio: true },
      canvas: document.createElement('canvas'),
      scene: { create: () => resolve(started) },
    });
  });
  game.loop.stop();
});
afterAll(() => {
  game.destroy(true);
  game.step(0, 16);
});

test('the pixels of an ad are held once: by the canvas that WebGL turns over', async () => {
  const image = await createImageBitmap(document.createElement('canvas'));
  const [{ width, height }, close] = [image, jest.spyOn(image, 'close')];
  const key = new CreativeTextures(game).add(image);
  const [source] = game.textures.get(key).source;
  expect(source).toMatchObject({ width, height });
  expect(source!.image).toBeInstanceOf(HTMLCanvasElement);
  expect(close).toHaveBeenCalledTimes(1);
});
