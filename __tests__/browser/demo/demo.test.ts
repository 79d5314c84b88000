import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type * as Phaser from 'phaser';
import type { GameScene } from '../../../demo/game/scenes/GameScene.js';
import { DEMO_APPLICATION } from '../../../demo/service/seedDemo.js';
import { startExchange } from '../../../examples/prebid/exchange.js';
import { bundlePage } from '../../helpers/bundlePage.js';
import { launchBrowser } from '../../helpers/launchBrowser.js';
import { until } from '../../helpers/until.js';
import { DemoPage } from './DemoPage.js';
import { type RunningDemo, serveDemo } from './serveDemo.js';

const SHOTS = path.resolve('node_modules/.cache/demo-screenshots');

let browser: Browser;
/** Folder of the page. */
let bundle: string;
let server: RunningDemo;
/** The page of the test that runs; the tests of a group may share one. */
let demo: DemoPage;

// Without a graphics card, and with other test files beside it, a page takes its time to start.
jest.setTimeout(240_000);

beforeAll(async () => {
  await mkdir(SHOTS, { recursive: true });
  bundle = await bundlePage('demo/game/main.ts', { template: 'demo/index.html' });
  [server, browser] = await Promise.all([serveDemo(bundle), launchBrowser()]);
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Opens one page for the tests of a group; each begins in the menu, and none may leave an uncaught error behind. */
function shareOnePage(): void {
  beforeAll(async () => {
    demo = await DemoPage.open(browser, server.origin);
  });
  beforeEach(() => demo.toMenu());
  afterEach(() => expect(demo.errors).toEqual([]));
  afterAll(() => demo.close());
}

describe('a ride', () => {
  shareOnePage();

  it('tells that the poster is blocked while the bus passes it, and visible again behind the bus', async () => {
    await demo.ride();
    await demo.until('the poster visible', (hook) =>
      hook.log().some(({ ad, event }) => ad === 'bus-stop poster' && event === 'advisible'),
    );
    await demo.until('the poster blocked by the bus', (hook) => {
      const last = hook
        .log()
        .filter(({ ad }) => ad === 'bus-stop poster')
        .at(-1);
      return last?.event === 'adblocked' && last.detail.includes('bus');
    });

    // Further down the street there may be another, which still waits for its ad.
    const during = await demo.read((hook) =>
      hook.ads().find(({ name, blockers }) => name === 'bus-stop poster' && blockers.length > 0),
    );
    expect(during).toMatchObject({ state: 'partly', blockers: ['bus'] });
    expect(during?.percentage).toBeLessThan(100);
    await demo.screenshot(path.join(SHOTS, 'bus.png'));

    await demo.until('the poster visible again', (hook) => {
      const last = hook
        .log()
        .filter(({ ad }) => ad === 'bus-stop poster')
        .at(-1);
      return last?.event === 'advisible';
    });
  });

  it('is played by keys: jump, dash, pause, resume, and another ride after the last', async () => {
    await demo.ride();
    await demo.until('the start', (hook) => hook.ride().countdown <= 0);
    await demo.page.keyboard.press('Space');
    await demo.until('a jump', (hook) => hook.ride().height > 40, 20);
    await demo.until('the landing', (hook) => hook.ride().height === 0, 60);
    const before = await demo.read((hook) => hook.ride().x);
    await demo.page.keyboard.press('Shift');
    await demo.until('some way', () => false, 5).catch(() => undefined);
    expect((await demo.read((hook) => hook.ride().x)) - before).toBeGreaterThan(110);

    await demo.page.keyboard.press('p');
    await demo.until('the pause', (hook) => hook.scenes().includes('Pause') && !hook.scenes().includes('Game'), 10);
    await demo.until(
      'ads behind the pause menu',
      (hook) => hook.ads().some(({ blockers }) => blockers.includes('pause dimmer')),
      10,
    );
    await demo.page.keyboard.press('p');
    await demo.until(
      'the ride going on',
      (hook) => hook.scenes().includes('Game') && !hook.scenes().includes('Pause'),
      10,
    );

    await demo.tell((hook) => {
      hook.game.scene.getScene<GameScene>('Game').secondsLeft = 0.02;
    });
    await demo.until('the end', (hook) => hook.scenes().includes('GameOver'), 120);
    await demo.until('the score', () => false, 24).catch(() => undefined);
    await demo.screenshot(path.join(SHOTS, 'game-over.png'));
    // The score lies over the street for longer than any ad was in view before.
    await demo.until('a long look at the score', () => false, 120).catch(() => undefined);
    expect(await demo.read((hook) => hook.lint())).toEqual([]);
    await demo.page.keyboard.press('Enter');
    await demo.until(
      'another ride',
      (hook) => hook.scenes().includes('Game') && !hook.ride().isOver && hook.ride().secondsLeft > 40,
      30,
    );
  });

  it('shows with V, and hides with V, what is measured, on a canvas that is no part of the game', async () => {
    await demo.ride();
    await demo.until('the picture faded in', (hook) => hook.ride().countdown < 2);
    const countPixels = () =>
      demo.page.evaluate(() => {
        const canvas = document
          .querySelector('body > [data-phaser-inview-overlay]')!
          .shadowRoot!.querySelector('canvas')!;
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        let painted = 0;
        for (let i = 3; i < data.length; i += 4) if (data[i]! > 0) painted++;
        return canvas.hidden ? 0 : painted;
      });
    // Nothing moves any more, so that nothing but the overlay can change what is measured.
    await demo.tell((hook) => hook.game.scene.pause('Game'));
    const shares = () => demo.read((hook) => hook.ads().map(({ percentage }) => percentage));
    await demo.until('figures at rest', () => false, 20).catch(() => undefined);
    const without = await shares();

    await demo.page.keyboard.press('v');
    await demo.until('one frame', () => true, 1, 1);
    expect(await countPixels()).toBeGreaterThan(5000);
    await demo.until('a look at the page', () => false, 20).catch(() => undefined);
    expect(await shares()).toEqual(without);
    await demo.screenshot(path.join(SHOTS, 'overlay.png'));

    await demo.page.click('button.marks');
    expect(await countPixels()).toBe(0);
  });
});

it('R4: what the page downloads holds no private key', async () => {
  const scripts = (await readdir(bundle)).filter((file) => file.endsWith('.js'));
  const sources = await Promise.all(scripts.map((file) => readFile(path.join(bundle, file), 'utf8')));
  expect(sources.some((source) => source.includes(DEMO_APPLICATION.apiKey))).toBe(true);
  for (const source of sources) expect(source.includes(DEMO_APPLICATION.privateKey)).toBe(false);
});

describe('on a phone', () => {
  it('every button is at least 24 CSS pixels tall and wide', async () => {
    const phone = await DemoPage.open(browser, server.origin, (page) =>
      page.setViewportSize({ width: 390, height: 844 }),
    );
    const sizes = () =>
      phone.read(({ game }) => {
        const cssPerPixel = game.canvas.getBoundingClientRect().width / game.scale.gameSize.width;
        return game.scene.getScenes(true).flatMap((scene) =>
          scene.children
            .getAll()
            .flatMap((child) => ('list' in child ? (child.list as Phaser.GameObjects.Image[]) : [child]))
            .filter((child) => child.input?.enabled === true && child.name.includes('button'))
            .map((child) => {
              // A button's picture has room for its shadow: its face is 56 of 76 pixels tall.
              const { width, height } = (child as Phaser.GameObjects.Image).getBounds();
              const face = child.name === 'button' ? 56 / 76 : 1;
              return { name: child.name, width: width * cssPerPixel, height: height * cssPerPixel * face };
            }),
        );
      });
    const inMenu = await sizes();
    await phone.ride();
    const inRide = await sizes();
    const inPanel = await phone.page.locator('#panel :is(button, summary)').evaluateAll((parts) =>
      parts
        .map((part) => {
          const { width, height } = part.getBoundingClientRect();
          return { name: part.textContent, width, height };
        })
        .filter(({ width }) => width > 0),
    );
    expect(inMenu.length).toBeGreaterThanOrEqual(3);
    expect(inRide.length).toBeGreaterThanOrEqual(3);
    expect(inPanel.length).toBeGreaterThanOrEqual(5);
    for (const button of [...inMenu, ...inRide, ...inPanel]) {
      expect(button).toEqual({ ...button, width: Math.max(24, button.width), height: Math.max(24, button.height) });
    }
    await phone.close();
  });
});

describe('the ads', () => {
  shareOnePage();
  beforeAll(() => demo.context.route('https://example.com/**', (route) => route.fulfill({ body: 'the shop' })));
  beforeEach(() => demo.read((hook) => hook.clearLog()));

  /** A point on a fully visible ad with an address, away from the menu's buttons. */
  async function clickableAd(): Promise<readonly [x: number, y: number]> {
    await demo.until(
      'an ad to click',
      (hook) =>
        hook.ads().some(({ state, at: [x, y] }) => state === 'visible' && x > 420 && x < 900 && y > 60 && y < 500),
      800,
    );
    const ads = await demo.read((hook) => hook.ads());
    return ads.find(({ state, at: [x, y] }) => state === 'visible' && x > 420 && x < 900 && y > 60 && y < 500)!.at;
  }
  const events = () => demo.read((hook) => hook.log().map(({ event }) => event));
  const clicked = () => demo.until('the click', (hook) => hook.log().some(({ event }) => event === 'adclick'), 100);

  it('open their address in a tab that cannot reach back, when the player clicks', async () => {
    const at = await clickableAd();
    const tab = await demo.clickForTab(at);
    await tab.waitForLoadState();
    expect(tab.url()).toMatch(/^https:\/\/example\.com\/[a-z]+$/);
    expect(await tab.evaluate(() => [window.opener === null, document.referrer])).toEqual([true, '']);
    await tab.close();
    await clicked();
    expect((await events()).filter((event) => event.includes('click'))).toEqual(['adbeforeclick', 'adclick']);
  });

  it('open nothing when the game prevents it, nor for a pointer made by a script', async () => {
    const at = await clickableAd();
    await demo.page.evaluate(([x, y]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('#game canvas')!;
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const where = { clientX: left + (x * width) / 960, clientY: top + (y * height) / 540, bubbles: true, button: 0 };
      for (const [type, buttons] of [['mousemove', 0], ['mousedown', 1], ['mouseup', 0]] as const) {
        canvas.dispatchEvent(new MouseEvent(type, { ...where, buttons }));
      }
    }, at); // prettier-ignore
    await demo.until('some frames', () => false, 5, 1).catch(() => undefined);
    expect(await events()).not.toContain('adbeforeclick');

    await demo.tell((hook) =>
      hook.game.scene
        .getScene('MainMenu')
        .events.once('adbeforeclick', ({ preventDefault }: { preventDefault(): void }) => preventDefault()),
    );
    await demo.click(at);
    await clicked();
    expect(await events()).toContain('adbeforeclick');
    expect(demo.context.pages()).toHaveLength(1);
  });

  it('hang where the Tiled map says, and make room for the next one once they were seen', async () => {
    await demo.until('a board of the map', (hook) =>
      hook.ads().some(({ name, shows }) => name === 'pavement board' && shows === 'image'),
    );
    await demo.until('a viewable ad', (hook) => hook.log().some(({ event }) => event === 'adviewable'), 600, 100);
    await demo.skip(15_000);
    // The street goes on: in time an ad stands in full view that has been there long enough.
    await demo.until('the next ad', (hook) => hook.log().some(({ event }) => event === 'adrefresh'), 800, 100);
  });

  it('play a film on the video wall while it is in view, and say how far it is', async () => {
    // A street with its video wall in the first picture.
    await demo.tell((hook) => (hook.seed = 15));
    await demo.ride();
    // Hardly any game time passes: the wall stays where the ride begins.
    await demo.until('the film', (hook) => hook.log().some(({ event }) => event === 'advideostart'), 2_000, 1);
    const films = await demo.read((hook) => hook.ads().filter(({ shows }) => shows === 'video').map(({ name }) => name)); // prettier-ignore
    expect(films).toContain('video wall');
    const picture = () =>
      demo.page.evaluate(() => {
        const { game, ads } = window.__demo!;
        const { texture } = ads().find(({ shows }) => shows === 'video')!;
        const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 36 });
        const pen = canvas.getContext('2d')!;
        pen.drawImage(game.textures.get(texture).getSourceImage() as CanvasImageSource, 0, 0, 64, 36);
        return canvas.toDataURL();
      });
    const first = await picture();
    // The picture of the game stands, real time goes on.
    await demo.until('the first quartile', (hook) => hook.log().some(({ event }) => event === 'advideofirstquartile'), 4_000, 0.05); // prettier-ignore
    expect(await picture()).not.toBe(first);
    await demo.screenshot(path.join(SHOTS, 'film.png'));
    // Long enough for the waits to end by themselves: they tell what the film is at.
  }, 900_000);

  it("make room for the game's own while the service is stopped", async () => {
    await demo.page.route(/\/(api|game-backend|creatives)\//, (route) => route.abort('connectionrefused'));
    await demo.ride();
    const without = (await demo.read((hook) => hook.ads())).filter(({ error }) => error !== null);
    expect(without.length).toBeGreaterThan(0);
    for (const { shows, texture, error } of without) {
      expect([shows, texture, error]).toEqual(['texture', expect.stringMatching(/^house-ad-/), expect.stringMatching(/^net\//)]); // prettier-ignore
    }
    await demo.until('the picture faded in', (hook) => hook.ride().countdown < 1);
    await demo.screenshot(path.join(SHOTS, 'house-ads.png'));
    await demo.page.unrouteAll();
  });
});

describe('with Prebid Server as its exchange', () => {
  it('shows, views and bills image and video bids once each; no bid is no ad, a refusal says why', async () => {
    const exchange = await startExchange(`${server.origin}/creatives`);
    const called: string[] = [];
    const address = `${server.origin}/?exchange=${encodeURIComponent(exchange.endpoint)}`;
    demo = await DemoPage.open(browser, address, async (page) => {
      await page.exposeFunction('noteCall', (url: string) => called.push(url));
      // Of the buyers there are none.
      await page.addInitScript(() => {
        const { fetch } = window;
        window.fetch = (input, init) => {
          const url = input instanceof Request ? input.url : String(input);
          if (!url.startsWith('https:')) return fetch(input, init);
          void (window as unknown as { noteCall(called: string): Promise<void> }).noteCall(url);
          return Promise.resolve(new Response(null));
        };
      });
    });
    const auctionsOf = (kind: string) =>
      called.filter((url) => url.startsWith(`https://buyer.example/${kind}`)).map((url) => /[?&]a=(\w+)$/.exec(url)![1]);
    try {
      // A street with a film in its first picture, where the ride waits for its start; it plays for six seconds of the world outside.
      await demo.tell((hook) => (hook.seed = 15));
      await demo.ride();
      // The ride stands until the film has come.
      await demo.until('a film', (hook) => hook.log().some(({ event }) => event === 'advideostart'), 2_000, 1);
      await demo.until('a film that has been seen', (hook) => hook.log().some(({ event, detail }) => event === 'adviewable' && detail.startsWith('iig-video')), 300, 100);
      await demo.until('a picture that has been seen', (hook) => hook.log().some(({ event, detail }) => event === 'adviewable' && detail.startsWith('iig-display')));
      await demo.until('no ad, and a refusal', (hook) => ['adnofill', 'aderror'].every((name) => hook.log().some(({ event }) => event === name)));
      await demo.screenshot(path.join(SHOTS, 'exchange.png'));
      const refusals = await demo.read(({ game }) =>
        game.scene.scenes.flatMap(({ ads }) => ads?.all() ?? []).filter(({ error }) => error?.code === 'service/refused').map(({ surface, diagnosis }) => [surface?.adSurfaceId, ...diagnosis]),
      );
      expect(refusals[0]).toEqual(['park-board', 'The exchange answered 400: Invalid request: request.imp[0].ext.prebid.bidder must contain at least one bidder']);
      const kinds = ['image/impression', 'image/bill', 'video/impression', 'video/bill', 'video/start', 'video/viewable'];
      await until(() => kinds.every((kind) => auctionsOf(kind).length > 0));
      // Each call names its auction: what is told twice would be there twice.
      expect(new Set(called).size).toBe(called.length);
      for (const kind of ['image', 'video']) {
        expect(auctionsOf(`${kind}/impression`)).toEqual(expect.arrayContaining(auctionsOf(`${kind}/bill`)));
      }
      expect(called.filter((url) => url.includes('/error'))).toEqual([]);
      expect(demo.errors).toEqual([]);
    } finally {
      await demo.close();
      await exchange.close();
    }
  }); // prettier-ignore
});

describe('when the service fails', () => {
  afterEach(async () => {
    server.faults.clear();
    await demo.close();
    expect(demo.errors).toEqual([]);
  });

  it('plays on without ads and shows the typed error while the service cannot be reached', async () => {
    demo = await DemoPage.open(browser, server.origin, (page) =>
      page.route(/\/(api|game-backend)\//, (route) => route.abort('connectionrefused')),
    );
    await demo.page.keyboard.press('Enter');
    await demo.until('the ride moving', (hook) => hook.scenes().includes('Game') && hook.ride().x > 200);
    const shown = demo.page.locator('#status[data-state=error]');
    await shown.waitFor();
    expect(await shown.textContent()).toMatch(/^(net|config)\/[a-z-]+: ./);
    await demo.screenshot(path.join(SHOTS, 'service-down.png'));
  });

  it('plays on with placeholders and shows ad/http-status while every image is missing', async () => {
    server.faults.add({ path: '/creatives', fault: { kind: 'status', status: 404 } });
    demo = await DemoPage.open(browser, server.origin);
    await demo.ride();
    const ads = (await demo.read((hook) => hook.ads())).filter(({ state }) => state !== 'empty');
    expect(new Set(ads.map(({ error }) => error))).toEqual(new Set(['ad/http-status']));
    const told = await demo.read((hook) => hook.log().filter(({ event }) => event === 'aderror'));
    expect(told.map(({ detail }) => detail)).toContain('ad/http-status');
    await demo.page.locator('.ads [data-state=error] .detail').filter({ hasText: 'ad/http-status' }).first().waitFor();
    await demo.until('the ride moving', (hook) => hook.ride().x > 200);
    await demo.screenshot(path.join(SHOTS, 'images-missing.png'));
  });
});
