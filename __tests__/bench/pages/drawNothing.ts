import type * as Phaser from 'phaser';

/** From here on nothing is painted: without a GPU a frame of 10,000 objects takes seconds, and the cost measured is ours. */
export function drawNothing({ renderer }: Phaser.Game): void {
  const nothing = () => undefined;
  if ('gl' in renderer) Object.assign(renderer.gl, { drawArrays: nothing, drawElements: nothing });
  else Object.assign(renderer.gameContext, { drawImage: nothing, fillRect: nothing, clearRect: nothing });
}
