import * as Phaser from 'phaser';

/**
 * Starts a game of one scene, lets it play, and ends the game whatever comes of it. What came of it is told last: Chromium
 * may drop an answer to a test when memory is collected between a promise that settled and what waits for it.
 */
export function playScene<T>(
  play: (scene: Phaser.Scene) => Promise<T>,
  type: number = Phaser.AUTO,
  config: Phaser.Types.Core.GameConfig = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const game = new Phaser.Game({
      type,
      width: 400,
      height: 300,
      banner: false,
      audio: { noAudio: true },
      ...config,
      scene: {
        create(this: Phaser.Scene) {
          void play(this)
            .finally(() => {
              game.destroy(true);
              // It ends with its next frame, which a game whose loop rests does not draw by itself.
              if (!game.loop.running) game.step(performance.now(), 0);
            })
            .then(resolve, reject);
        },
      },
    });
  });
}
