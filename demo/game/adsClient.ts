import type * as Phaser from 'phaser';
import { AdsGlobalPlugin, type ServiceClient } from '../../src/index.js';

/** The client of the ad and account service that belongs to this game. */
export function adsClient(scene: Phaser.Scene): ServiceClient {
  return AdsGlobalPlugin.of(scene.sys.game).client;
}
