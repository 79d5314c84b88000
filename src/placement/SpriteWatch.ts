import type * as Phaser from 'phaser';

import { isAlive } from '../meter/isAlive.js';

type GameObject = Phaser.GameObjects.GameObject;

const DESTROY = 'destroy';

/** The sprite of an ad: whether it is there, and still shows what it was given; and how it goes. */
export class SpriteWatch {
  /** The texture at the last call of `note`; null before the first, when the sprite may show whatever the game likes. */
  #texture: unknown = null;

  /** The sprite is being destroyed right now. */
  #isGoing = false;

  /** @param onDestroy called when somebody destroys the sprite */
  constructor(
    private readonly sprite: GameObject,
    private readonly onDestroy: () => void,
  ) {
    sprite.once(DESTROY, this.#onSpriteDestroy, this);
  }

  /** Listens no more. */
  end(): void {
    this.sprite.off(DESTROY, this.#onSpriteDestroy, this);
  }

  /** Notes that what the sprite shows now is the ad, or what stands in for it. */
  note(): void {
    this.#texture = textureOf(this.sprite);
  }

  get isAlive(): boolean {
    return isAlive(this.sprite);
  }

  /** The game has given the sprite another texture: what it shows is no ad of ours any more. */
  get isTakenByGame(): boolean {
    const texture = textureOf(this.sprite);
    if (this.#texture === null || texture === this.#texture) return false;
    // An animation may go through several textures, all of them the ad, and stop with the frame that brings another one.
    if (!isOfAnimation(this.sprite, texture)) return true;
    this.#texture = texture;
    return false;
  }

  /**
   * Destroys a sprite that was made for the ad.
   * @param onException called with what a handler of its end has thrown
   */
  drop(onException: (error: unknown) => void): void {
    if (!this.isAlive) return;
    // The texture goes with its last user, and Phaser breaks when it has to draw one that is gone.
    (this.sprite as Phaser.GameObjects.Image).setTexture('__DEFAULT');
    if (this.#isGoing) return;
    try {
      this.sprite.destroy();
    } catch (error) {
      onException(error);
    }
  }

  #onSpriteDestroy(): void {
    this.#isGoing = true;
    // A handler of the ad's end may destroy the sprite, which is on its way: Phaser breaks when that happens twice.
    this.sprite.ignoreDestroy = true;
    try {
      this.onDestroy();
    } finally {
      this.sprite.ignoreDestroy = false;
    }
  }
}

function textureOf(sprite: GameObject): unknown {
  // A video makes its texture when it begins to play.
  return sprite.type === 'Video' ? null : ((sprite as { texture?: unknown }).texture ?? null);
}

function isOfAnimation(sprite: GameObject, texture: unknown): boolean {
  const { anims } = sprite as Partial<Phaser.GameObjects.Sprite>;
  return anims?.currentAnim?.frames.some(({ frame }) => frame.texture === texture) === true;
}
