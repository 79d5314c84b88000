import * as Phaser from 'phaser';
import AwaitLoaderPlugin from 'phaser3-rex-plugins/plugins/awaitloader-plugin.js';
import { AdsGlobalPlugin, AdsScenePlugin, type PlacedAd } from '../../src/index.js';
import { showAdOverlay } from '../../src/debug.js';
import { demoOptions } from './credentials.js';
import { exchangeSource } from './exchange.js';
import { BootScene } from './scenes/BootScene.js';
import { GameOverScene } from './scenes/GameOverScene.js';
import { GameScene } from './scenes/GameScene.js';
import { HudScene, TOGGLE_OVERLAY } from './scenes/HudScene.js';
import { MainMenuScene } from './scenes/MainMenuScene.js';
import { PauseScene } from './scenes/PauseScene.js';
import { PreloaderScene } from './scenes/PreloaderScene.js';
import { SceneKey } from './scenes/sceneKeys.js';
import { showStatus } from './showStatus.js';
import { installTestHook } from './testHook.js';
import { VIEW_HEIGHT, VIEW_WIDTH } from './world/layout.js';
import { RESOLUTION } from './resolution.js';

const game = new Phaser.Game({
  type: new URLSearchParams(location.search).get('renderer') === 'canvas' ? Phaser.CANVAS : Phaser.AUTO,
  parent: 'game',
  width: VIEW_WIDTH * RESOLUTION,
  height: VIEW_HEIGHT * RESOLUTION,
  backgroundColor: '#0b0d26',
  scale: { mode: Phaser.Scale.FIT, autoCenter: Phaser.Scale.CENTER_BOTH },
  dom: { createContainer: true },
  audio: { noAudio: true },
  // A shader that picks among sixteen textures saves a few draw calls, and costs twice as much where there is no GPU.
  // Effects are not used here; their shaders alone would take longer to compile than the game to start.
  disablePreFX: true,
  disablePostFX: true,
  render: { maxTextures: 1 },
  plugins: {
    global: [
      {
        key: 'AdsGlobalPlugin',
        plugin: AdsGlobalPlugin,
        start: true,
        data: { ...demoOptions(location), ...exchangeSource(location.search) },
      },
      { key: 'rexAwaitLoader', plugin: AwaitLoaderPlugin, start: true },
    ],
    scene: [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' }],
  },
  scene: [BootScene, PreloaderScene, MainMenuScene, GameScene, HudScene, PauseScene, GameOverScene],
});

game.events.once('ready', () => {
  const scenesWithAds = [SceneKey.MENU, SceneKey.GAME].map((key) => game.scene.getScene(key));
  const ads = (): PlacedAd[] => scenesWithAds.flatMap((scene) => [...(scene.ads?.all() ?? [])]);
  const panel = document.querySelector<HTMLElement>('#panel > div')!;
  const overlay = showAdOverlay(game, { key: 'V', panel, isVisible: false });
  game.events.on(TOGGLE_OVERLAY, overlay.toggle, overlay);
  showStatus(document.querySelector('#status')!, game);
  window.addEventListener('keydown', (event) => {
    // The page must not scroll under a jumping courier.
    if (event.target === document.body && (event.key === ' ' || event.key === 'ArrowUp')) event.preventDefault();
  });
  installTestHook(game, overlay, ads);
});
