import * as Phaser from 'phaser';
import { paintSteps } from '../art/paintEverything.js';
import { SURFACES_ANSWERED, visit } from '../session.js';
import { text } from '../ui/Button.js';
import { isAdsError } from '../../../src/index.js';
import { VIEW_WIDTH } from '../world/layout.js';
import { art, zoomTo } from '../resolution.js';
import { SceneKey } from './sceneKeys.js';

/** Ads may hold the game up for this long, not longer; later ones come in while it plays. */
const ADS_PATIENCE_MS = 4000;
/** As many as the first picture shows. */
const PRELOADED_ADS = 6;

/** Paints the pictures and asks the service for its ad surfaces, all under one progress bar. */
export class PreloaderScene extends Phaser.Scene {
  constructor() {
    super(SceneKey.PRELOADER);
  }

  preload(): void {
    this.showProgress();
    for (const paint of paintSteps) {
      this.load.rexAwait((done) => {
        paint(this.textures);
        (done as () => void)();
      });
    }
    this.load.rexAwait((ok) => {
      const done = ok as () => void;
      // Whatever happens, `done` is called once: without it the game would wait for ever.
      const patience = setTimeout(done, ADS_PATIENCE_MS);
      void this.askForSurfaces().finally(() => {
        clearTimeout(patience);
        done();
      });
    });
  }

  create(): void {
    this.scene.start(SceneKey.MENU);
  }

  private async askForSurfaces(): Promise<void> {
    try {
      visit.surfaces = (await this.ads.getAdSurfaces()).items;
      visit.surfacesError = null;
      // Files may be added while others load: the bar waits for these ads too, but not for ever.
      void this.ads.preload(visit.surfaces.slice(0, PRELOADED_ADS), { timeoutMs: ADS_PATIENCE_MS });
    } catch (error) {
      if (!isAdsError(error)) throw error;
      visit.surfacesError = error;
    }
    this.game.events.emit(SURFACES_ANSWERED);
  }

  private showProgress(): void {
    zoomTo(this.cameras.main, 1);
    const middle = VIEW_WIDTH / 2;
    art(this.add.image(middle, 200, 'title'), 0.8);
    const words = text(this, middle, 376, 'Painting the street…', 16, '#aab0e6', '600').setOrigin(0.5);
    this.add.rectangle(middle, 342, 360, 10, 0xffffff, 0.12);
    const bar = this.add
      .rectangle(middle - 180, 342, 360, 10, 0xffb45c)
      .setOrigin(0, 0.5)
      .setScale(0, 1);
    this.load.on('progress', (share: number) => {
      bar.setScale(share, 1);
      if (share > 0.8) words.setText('Hanging up the billboards…');
    });
  }
}
