import type * as Phaser from 'phaser';
import { paintBuildings } from './paintBuildings.js';
import { paintCourier } from './paintCourier.js';
import { paintHouseAds } from './paintHouseAds.js';
import { paintNature } from './paintNature.js';
import { paintSky } from './paintSky.js';
import { paintStreet } from './paintStreet.js';
import { paintUi } from './paintUi.js';
import { paintVehicles } from './paintVehicles.js';

/** All pictures of the game, in the order in which a progress bar may show them. */
export const paintSteps: readonly ((textures: Phaser.Textures.TextureManager) => void)[] = [
  paintUi,
  paintSky,
  paintBuildings,
  paintStreet,
  paintHouseAds,
  paintNature,
  paintVehicles,
  paintCourier,
];
