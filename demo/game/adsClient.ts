import type * as Phaser from 'phaser';
import { AdsGlobalPlugin, type ServiceClient } from '../../src/index.js';

/** The client of the ad and account service that belongs to a game. */
export function adsClient(game: Phaser.Game): ServiceClient {
  return AdsGlobalPlugin.of(game).client;
}
