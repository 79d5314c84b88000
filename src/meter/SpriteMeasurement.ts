import type * as Phaser from 'phaser';

import type { AdMeasurement } from '../measure/AdMeasurement.js';

export type SpriteMeasurement = AdMeasurement<Phaser.GameObjects.GameObject, Phaser.Cameras.Scene2D.Camera>;
