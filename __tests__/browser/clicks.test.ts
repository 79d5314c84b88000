import type { Browser, CDPSession, Page } from 'playwright-core';
import { bundlePage } from '../helpers/bundlePage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { type PageServer, servePages } from '../helpers/servePages.js';
import type { Carrier, ClickOutcome, RendererName } from './pages/clicks.js';

let browser: Browser;
let server: PageServer;
let page: Page;
/** The browser's own input: pens, and fingers that are put down in one place and lifted in another. */
let input: CDPSession;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await servePages({
    '/': await bundlePage(PAGE),
    '/4/': await bundlePage(PAGE, { phaserPackage: 'phaser-4.2' }),
  });
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 600, height: 450 } });
  page = await context.newPage();
  input = await context.newCDPSession(page);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const PAGE = '__tests__/browser/pages/clicks.ts';
const SETTINGS = [
  ['webgl', 'Phaser 3.90', '/'],
  ['canvas', 'Phaser 3.90', '/'],
  ['webgl', 'Phaser 4.2', '/4/'],
] as const;
const CENTRE = [200, 150] as const;
type Point = readonly [x: number, y: number];

const start = (renderer: RendererName, carrier?: Carrier) =>
  page.evaluate(([r, c]) => window.clicks!.start(r, c), [renderer, carrier] as const);
const stage = (situation: string) => page.evaluate((name) => window.clicks!.stage(name), situation);
const outcome = (): Promise<ClickOutcome> => page.evaluate(() => window.clicks!.outcome());

const mouse = async (down: Point, up: Point = down): Promise<void> => {
  await page.mouse.move(...down);
  await page.mouse.down();
  await page.mouse.move(...up);
  await page.mouse.up();
};

const pen = async ([x, y]: Point): Promise<void> => {
  const about = { x, y, button: 'left', clickCount: 1, pointerType: 'pen' } as const;
  await input.send('Input.dispatchMouseEvent', { ...about, type: 'mousePressed', buttons: 1 });
  await input.send('Input.dispatchMouseEvent', { ...about, type: 'mouseReleased', buttons: 0 });
};

const touch = async (down: Point, up: Point = down): Promise<void> => {
  const at = ([x, y]: Point) => ({ x, y, id: 1 });
  await input.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(down)] });
  if (up !== down) await input.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(up)] });
  await input.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
};

const POINTERS = { mouse, pen, touch } as const;

const OPENED: ClickOutcome = { clicks: 1, refused: [], opened: ['https://example.com/'] };
const refusedFor = (reason: string): ClickOutcome => ({ clicks: 0, refused: [reason], opened: [] });

/** What comes of a press in the middle of the ad, by situation: null where it is a click. */
const EXPECTED: Readonly<Record<string, string | null>> = {
  'nothing is in the way': null,
  'an HTML dialog with a button of its own lies above the canvas': 'notOnCanvas',
  'a picture of the page lies above the canvas and lets the pointer through': 'obstructed',
  'a clear element of the page lies above the canvas': 'notOnCanvas',
  'a clear picture of the page lets the pointer through': null,
  'an opaque sprite that is not interactive lies over the ad': 'obstructed',
  'an opaque sprite covers another part of the ad': null,
  'two sprites that hide it only together lie over the ad': 'obstructed',
  'a faint sprite lies over the ad': null,
  'the point lies in a hole of what is above': null,
  'the camera has faded out': 'obstructed',
  'the camera flashes': 'obstructed',
  'a mask hides the point': 'clipped',
  'a mask shows the point': null,
  'the game has cropped the point away': 'clipped',
  'the ad is fainter than half': 'transparent',
  'the ad is only a little faint': null,
  'the ad is in a container fainter than half': 'transparent',
  'a scene above covers the ad': 'obstructed',
  'another camera shows something else there': 'obstructed',
  'a friendly obstruction lies over the ad': 'obstructed',
  'the texels of the ad are clear there': 'clipped',
  'nobody knows how the ad is drawn': 'unmeasurable',
  'the ad is in a container with a scroll factor': null,
  'the ad is in turned containers with scroll factors, and has one itself': null,
  'one camera of several shows the ad, which is in a container with a scroll factor': null,
  'the game is paused': 'unmeasurable',
};

describe.each(SETTINGS)('a press on a clickable ad, %s, %s', (renderer, _version, path) => {
  beforeAll(async () => {
    await page.goto(server.url + path);
    await page.addStyleTag({ content: 'html, body { margin: 0 } canvas { display: block }' });
    await page.waitForFunction(() => 'clicks' in window);
  });

  it.each(Object.entries(EXPECTED))('E1: where %s: %s', async (situation, reason) => {
    await start(renderer, situation === 'the texels of the ad are clear there' ? 'observed' : 'placed');
    await stage(situation);
    await mouse(CENTRE);
    expect(await outcome()).toEqual(reason === null ? OPENED : refusedFor(reason));
  });

  it.each(['placed', 'observed', 'houseAd'] as const)(
    'E1: opens the address of what is seen, by every pointer: %s',
    async (carrier) => {
      for (const press of Object.values(POINTERS)) {
        await start(renderer, carrier);
        await press(CENTRE);
        expect(await outcome()).toEqual(OPENED);
      }
    },
  );

  it.each(['observed', 'houseAd'] as const)('E1: opens nothing that is hidden, by no pointer: %s', async (carrier) => {
    for (const press of Object.values(POINTERS)) {
      await start(renderer, carrier);
      await stage('an opaque sprite that is not interactive lies over the ad');
      await press(CENTRE);
      expect(await outcome()).toEqual(refusedFor('obstructed'));
      await start(renderer, carrier);
      await stage('an HTML dialog with a button of its own lies above the canvas');
      await press(CENTRE);
      expect(await outcome()).toEqual(refusedFor('notOnCanvas'));
    }
  });

  it('E1: is looked for where the ad is drawn, not where the scroll factor of its container is left out', async () => {
    await start(renderer);
    await stage('an ad in a container with a scroll factor is 130 px to the right of where it scrolls with the camera');
    await mouse(CENTRE);
    expect(await outcome()).toEqual({ clicks: 0, refused: [], opened: [] });
    // By the finger that presses, not by the mouse that lies elsewhere.
    await touch([330, 150]);
    expect(await outcome()).toEqual(OPENED);
  });

  it('E1: counts by the place of the press and of the release, both', async () => {
    const COVERED = 'an opaque sprite covers another part of the ad';
    await start(renderer);
    await stage(COVERED);
    // The cover ends at 180; a click may travel 10 px.
    await mouse([177, 150], [183, 150]);
    expect(await outcome()).toEqual(refusedFor('obstructed'));
    await mouse([183, 150], [177, 150]);
    expect(await outcome()).toEqual({ ...refusedFor('obstructed'), refused: ['obstructed', 'obstructed'] });
    await mouse([183, 150], [186, 150]);
    expect(await outcome()).toMatchObject({ clicks: 1 });
  });

  it('E1: is none when it began outside of the canvas, or ended on another element', async () => {
    await start(renderer);
    await mouse([500, 150], CENTRE);
    await mouse(CENTRE, [500, 150]);
    expect(await outcome()).toEqual({ clicks: 0, refused: [], opened: [] });
    await page.evaluate(() => {
      const button = document.createElement('button');
      button.className = 'staged';
      button.style.cssText = 'position: fixed; left: 205px; top: 100px; width: 100px; height: 100px; opacity: 0';
      document.body.append(button);
    });
    await mouse([202, 150], [207, 150]);
    await mouse([207, 150], [202, 150]);
    await touch([202, 150], [207, 150]);
    expect(await outcome()).toEqual({ clicks: 0, refused: ['notOnCanvas', 'notOnCanvas', 'notOnCanvas'], opened: [] });
  });

  it('E1: is judged where the player pressed, also when the page has moved since the game looked', async () => {
    await start(renderer);
    await stage('the page has moved, and the game has not noticed');
    await mouse([200, 150]);
    expect(await outcome()).toEqual(refusedFor('clipped'));
  });

  it('E1: of a dialog that closes under the finger is not one on the ad below', async () => {
    await start(renderer);
    await page.evaluate(() => {
      const dialog = document.createElement('div');
      dialog.className = 'staged';
      dialog.style.cssText = 'position: fixed; left: 100px; top: 100px; width: 200px; height: 100px; background: #222';
      dialog.addEventListener('touchend', () => dialog.remove());
      document.body.append(dialog);
    });
    await touch(CENTRE);
    const { clicks, opened } = await outcome();
    expect([clicks, opened]).toEqual([0, []]);
  });
});
