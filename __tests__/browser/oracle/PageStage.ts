import { GameMeter } from '../../../src/meter/GameMeter.js';
import { calculateAdCoverage, checkAdFullVisibility } from '../../../src/meter/tracking.js';
import { nextLook } from '../pages/nextLook.js';
import type { Drawable } from './displayTree.js';
import { Stage } from './Stage.js';
import { putAd } from './traps/Trap.js';

/** What the product says of the ad as the page around the canvas shows it: visible share in percent. */
export interface PageVerdict {
  share: number;
  isFullyVisible: boolean;
  /** Nobody can know. The tracking functions have no word for it. */
  isUnmeasurable?: boolean;
}

/** In an iframe the browser tells what the pages around leave of the canvas no more often, in milliseconds. */
const OBSERVED_EVERY_MS = 100;

/** What watches the page for a game. */
interface Watcher {
  readonly isBehind: boolean;
  readonly frame: { readonly hasVouched: boolean; readonly isDenied: boolean } | null;
}

/** A game of 400 × 300 in the page's element `#game`, with an ad of 80 × 40 in its middle and nothing over it. */
export class PageStage {
  /** Renewed with every frame. */
  private everyFrame: PageVerdict = { share: -1, isFullyVisible: false };
  private readonly stopObserving: () => void;

  static async open(): Promise<PageStage> {
    const config = { parent: 'game', dom: { createContainer: true } };
    const stage = await Stage.open({ renderer: 'canvas', width: 400, height: 300, config });
    stage.clear();
    return new PageStage(stage, putAd(stage.scene(0)));
  }

  private constructor(
    private readonly stage: Stage,
    private readonly ad: Drawable,
  ) {
    this.stopObserving = GameMeter.of(stage.game).observe(ad, ({ percentageInView, isFullyVisible, reasons }) => {
      const isUnmeasurable = reasons.includes('unmeasurable');
      this.everyFrame = { share: percentageInView, isFullyVisible, isUnmeasurable };
    });
    stage.step();
  }

  /** A form as Phaser's own DOM element, over the ad although far below it by depth. */
  addForm(): void {
    const form = document.createElement('form');
    form.style.cssText = 'width: 200px; height: 100px; background: #334455; margin: 0';
    this.stage.scene(1).add.dom(200, 150, form).setDepth(-1000);
    this.stage.step();
  }

  /** Gives what draws another width, without the scale manager. */
  setWidth(of: 'canvas' | 'renderer', width: number): void {
    const { canvas, renderer } = this.stage.game;
    if (of === 'canvas') canvas.width = width;
    else renderer.resize(width, renderer.height);
  }

  hideFormScene(): void {
    this.stage.scene(1).sys.setVisible(false);
    this.stage.step();
  }

  /** The browser has told that no page around this one lies over the game. */
  get isVouchedFor(): boolean {
    return this.watcher.frame?.hasVouched === true;
  }

  /** The browser does not say so now. */
  get isDenied(): boolean {
    return this.watcher.frame?.isDenied === true;
  }

  /** Waits as long as a change may go unseen that nothing announces. */
  readonly nextLook = nextLook;

  /** Waits until the product has looked at all that the browser tells of the page, then draws a frame and asks both ways. */
  async verdicts(): Promise<{ everyFrame: PageVerdict; trackingFunctions: PageVerdict }> {
    if (window.parent !== window) await new Promise((resolve) => setTimeout(resolve, OBSERVED_EVERY_MS));
    // What is told with a frame is told by the second.
    for (let frames = 0; frames < 2 || this.watcher.isBehind; frames++) await nextFrame();
    this.stage.step();
    const { ad } = this;
    const { visibleArea, totalArea } = calculateAdCoverage(ad, ad.scene.cameras.main);
    const { isFullyVisible } = checkAdFullVisibility(ad, ad.scene);
    return {
      everyFrame: this.everyFrame,
      trackingFunctions: { share: (100 * visibleArea) / totalArea, isFullyVisible },
    };
  }

  /** Leaves nothing of the game on the page. */
  close(): void {
    this.stopObserving();
    this.stage.close();
  }

  private get watcher(): Watcher {
    return (GameMeter.of(this.stage.game) as unknown as { page: Watcher }).page;
  }
}

function nextFrame(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}
