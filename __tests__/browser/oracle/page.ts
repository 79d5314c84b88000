import * as PhaserLibrary from 'phaser';
import { changeAtRandom } from './changeAtRandom.js';
import { Laboratory } from './Laboratory.js';
import { PageStage } from './PageStage.js';
import { randomScene } from './randomScene.js';
import { runTrap } from './runTrap.js';
import { speakPhaser3 } from './speakPhaser3.js';

/** What a test reaches in the page. The library comes by script tag and is global; importing it asks for the tag. */
const api = { Laboratory, changeAtRandom, PageStage, randomScene, runTrap, phaserVersion: PhaserLibrary.VERSION };
export type LaboratoryPage = typeof api;

if (PhaserLibrary.VERSION.startsWith('4')) speakPhaser3();
(window as unknown as { laboratoryPage: LaboratoryPage }).laboratoryPage = api;
