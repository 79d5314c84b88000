import * as Phaser from 'phaser';
import type { PlacedAd } from '../../src/index.js';

/** The Image of an ad this game has placed. (An ad that is only observed may be any game object.) */
export function spriteOf(ad: PlacedAd): Phaser.GameObjects.Image {
  if (ad.sprite instanceof Phaser.GameObjects.Image) return ad.sprite;
  throw new TypeError('This game places all its ads itself');
}
