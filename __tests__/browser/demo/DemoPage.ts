import type * as Phaser from 'phaser';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { DemoHook } from '../../../demo/game/testHook.js';

/** Game time of one step, in milliseconds. */
const STEP_MS = 50;

/** In the game's own pixels. */
type CanvasPoint = readonly [x: number, y: number];

/**
 * The demo in a browser tab, with its loop in the test's hand: software rendering draws a few frames a second, so
 * waiting for time would be slow and never the same twice. Keys, clicks, network and measurement are the real ones.
 */
export class DemoPage {
  /** Errors nobody caught. A test that leaves any has failed. */
  readonly errors: Error[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on('pageerror', (error) => this.errors.push(error));
  }

  static async open(browser: Browser, url: string, prepare?: (page: Page) => Promise<unknown>): Promise<DemoPage> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await context.addInitScript(rasteriseOnRequest);
    await context.addInitScript(keepOwnClock);
    const demo = new DemoPage(context, await context.newPage());
    await prepare?.(demo.page);
    await demo.page.goto(url, { waitUntil: 'commit' });
    await demo.takeOver();
    return demo;
  }

  /** The same game in another tab of the same browser. */
  async openTab(): Promise<DemoPage> {
    const tab = new DemoPage(this.context, await this.context.newPage());
    await tab.page.goto(this.page.url(), { waitUntil: 'commit' });
    await tab.takeOver();
    return tab;
  }

  /** What the player does with F5. */
  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'commit' });
    await this.takeOver();
  }

  /** Loading goes at its own pace; from the menu on, the test moves the game. */
  private async takeOver(): Promise<void> {
    await this.page.waitForFunction(() => window.__demo?.scenes().includes('MainMenu') === true, null, { polling: 50 });
    await this.tell((demo) => demo.game.loop.stop());
  }

  /**
   * Moves the game on until the condition holds, step by step, with room for the network between two steps.
   * @param condition runs in the page; it may use nothing but its argument
   * @param stepMs game time of one step; a small one lets the network catch up with hardly any
   */
  async until(what: string, condition: (demo: DemoHook) => boolean, steps = 400, stepMs = STEP_MS): Promise<void> {
    const predicate = await this.page.evaluateHandle<(demo: DemoHook) => boolean>(`(${condition.toString()})`);
    const reached = await this.page.evaluate(
      async ([holds, most, ms]) => {
        const demo = window.__demo!;
        const time = window as unknown as { testTime?: number };
        time.testTime ??= performance.now();
        let done = false;
        for (let i = 0; i < most && !done; i++) {
          demo.game.step((time.testTime += ms), ms);
          done = holds(demo);
          await new Promise((resolve) => setTimeout(resolve, ms < 10 ? 10 : 0));
        }
        return done;
      },
      [predicate, steps, stepMs] as const,
    );
    if (!reached) throw new Error(`After ${steps} steps still not: ${what}\n${await this.describe()}`);
  }

  /** Back to the menu, whatever runs. */
  async toMenu(): Promise<void> {
    await this.page.evaluate(() => {
      const { scene } = window.__demo!.game;
      for (const { sys } of scene.scenes) if (!sys.isSleeping()) scene.stop(sys.settings.key);
      scene.start('MainMenu');
    });
    await this.until('the menu', (demo) => demo.scenes().join() === 'MainMenu', 20);
  }

  /** From the menu into a ride whose ads have all been answered, the log begun anew; hardly any game time passes. */
  async ride(): Promise<void> {
    await this.tell((demo) => demo.clearLog());
    await this.page.keyboard.press('Enter');
    await this.until('the ride', (demo) => demo.scenes().includes('Game'));
    await this.until(
      'ads answered',
      (demo) => demo.ads().length > 3 && demo.ads().every(({ state }) => state !== 'waiting'),
      800,
      1,
    );
  }

  /** A picture of the page with the game's next frame in it. */
  async screenshot(file: string): Promise<void> {
    await this.page.evaluate(() => {
      const { game } = window.__demo!;
      const { gl } = game.renderer as Phaser.Renderer.WebGL.WebGLRenderer;
      const time = window as unknown as { testTime: number; rasterises?: boolean };
      time.rasterises = true;
      game.step((time.testTime += 1), 1);
      time.rasterises = false;
      // Waits for the picture; it would otherwise be taken while the frame is still being drawn.
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    });
    await this.page.screenshot({ path: file });
  }

  /** Lets time pass in no time; for everything that waits it is one long frame. */
  async skip(ms: number): Promise<void> {
    await this.page.evaluate((by) => ((window as unknown as { skippedMs: number }).skippedMs += by), ms);
  }

  /** Clicks the canvas at a point of the game's own pixels. */
  async click([x, y]: CanvasPoint): Promise<void> {
    const box = await this.restingBox();
    await this.page.mouse.click(box.x + (x * box.width) / 960, box.y + (y * box.height) / 540);
  }

  /** The tab that a click on the canvas opens. */
  async clickForTab(at: CanvasPoint): Promise<Page> {
    const [tab] = await Promise.all([this.context.waitForEvent('page', { timeout: 60_000 }), this.click(at)]).catch(
      async (cause: unknown) => {
        throw new Error(`No tab for the click at ${at.join()}\n${await this.describe()}`, { cause });
      },
    );
    return tab;
  }

  /** Where the canvas lies once what the page loads no longer moves it: it has lain there for half a second. */
  private async restingBox(): Promise<{ x: number; y: number; width: number; height: number }> {
    const canvas = this.page.locator('#game canvas').first();
    await this.page.waitForLoadState();
    let last = '';
    for (let same = 0; ;) {
      const box = await canvas.boundingBox();
      if (!box) throw new Error('The game has no canvas');
      same = JSON.stringify(box) === last ? same + 1 : 0;
      if (same === 10) return box;
      last = JSON.stringify(box);
      await this.page.waitForTimeout(50);
    }
  }

  /** @param ask gives something small: all that hangs on it is sent, with a Phaser object the whole game, in half a minute */
  read<T>(ask: (demo: DemoHook) => T): Promise<T> {
    return this.page.evaluate<T>(`(${ask.toString()})(window.__demo)`);
  }

  /** Has the game do something; what comes back of it stays there. */
  async tell(act: (demo: DemoHook) => unknown): Promise<void> {
    await this.page.evaluate(`void (${act.toString()})(window.__demo)`);
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  private async describe(): Promise<string> {
    const state = await this.read((demo) => ({ scenes: demo.scenes(), ads: demo.ads(), log: demo.log().slice(-20) }));
    return JSON.stringify(state, null, 1);
  }
}

/** Runs in the page before the game: the monotonic clock can be moved on. */
function keepOwnClock(): void {
  const clock = window as unknown as { skippedMs: number };
  clock.skippedMs = 0;
  const now = performance.now.bind(performance);
  performance.now = () => now() + clock.skippedMs;
}

/**
 * Runs in the page before the game. Without a graphics card, painting a frame takes a hundred times as long as all the
 * rest of it, so frames are painted only for screenshots. Phaser batches every frame all the same, and that is what
 * is measured.
 */
function rasteriseOnRequest(): void {
  const prototype = WebGLRenderingContext.prototype;
  const paint = prototype.drawArrays;
  prototype.drawArrays = function (this: WebGLRenderingContext, ...what) {
    if ((window as unknown as { rasterises?: boolean }).rasterises === true) paint.apply(this, what);
  };
}
