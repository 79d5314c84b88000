import type { Browser, BrowserContext, Page } from 'playwright-core';
import { DEMO_PLAYER } from '../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../demo/service/startService.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { adEvent } from '../service/server/adEvents.js';
import { ServiceCaller } from '../service/server/ServiceCaller.js';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

let browser: Browser;
let service: RunningService;
let caller: ServiceCaller;
let context: BrowserContext;
let page: Page;
/** What the page complained about: errors of its script, and what its own policy blocked. */
let complaints: string[];

beforeAll(async () => {
  browser = await launchBrowser();
}, 120_000);
afterAll(() => browser.close());

beforeEach(async () => {
  service = await startService();
  caller = new ServiceCaller(service);
  context = await browser.newContext({ viewport: PHONE, timezoneId: 'UTC' });
  page = await context.newPage();
  complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
});
afterEach(async () => {
  await context.close();
  await service.close();
});

/** Nothing sticks out of the page sideways, and every button is large enough for a finger. */
async function expectToFit(): Promise<void> {
  const faults = await page.evaluate(() => {
    const found: string[] = [];
    const wide = document.documentElement.scrollWidth - window.innerWidth;
    if (wide > 0) found.push(`the page is ${String(wide)} px too wide`);
    for (const target of document.querySelectorAll('button, select, input:not([type=hidden])')) {
      const { width, height } = target.getBoundingClientRect();
      if (width > 0 && Math.min(width, height) < 44) found.push(`${target.outerHTML} is ${String(height)} px high`);
    }
    return found;
  });
  expect(faults).toEqual([]);
}

/** For looking at the pages: SCREENSHOTS=<folder>. */
async function photograph(name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

describe('the web app on a phone', () => {
  beforeEach(async () => {
    await page.goto(`${service.origin}/app`);
    await page.getByLabel('E-mail').fill(DEMO_PLAYER.email);
    await page.getByLabel('Password').fill(DEMO_PLAYER.password);
    await expectToFit();
    expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0);
    await expectContrast();
    await photograph('sign-in');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: `Hello, ${DEMO_PLAYER.displayName}` }).waitFor();
  });

  /** Every text stands out from what is behind it by 4.5 to 1 at least (WCAG 1.4.3), every control by 3 to 1 (1.4.11). */
  async function expectContrast(): Promise<void> {
    const faults = await page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
      const light = (color: string, over: number[]): number[] => {
        canvas.fillStyle = `rgb(${over.join()})`;
        canvas.fillRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
      };
      const luminance = (rgb: number[]): number => {
        const [r = 0, g = 0, b = 0] = rgb.map((byte) => {
          const share = byte / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const behind = (element: Element | null): number[] =>
        element === null
          ? [255, 255, 255]
          : light(getComputedStyle(element).backgroundColor, behind(element.parentElement));
      const ratioOf = (color: string, back: number[]): number => {
        const [a, b] = [luminance(light(color, back)), luminance(back)];
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      };
      const found: string[] = [];
      for (const control of document.querySelectorAll('button, input:not([type=hidden])')) {
        const { borderTopColor, backgroundColor, textDecorationLine } = getComputedStyle(control);
        if (textDecorationLine === 'underline' || control.getClientRects().length === 0) continue;
        const back = behind(control.parentElement);
        const ratio = Math.max(ratioOf(borderTopColor, back), ratioOf(backgroundColor, back));
        if (ratio < 3) found.push(`edge ${ratio.toFixed(2)}: ${control.outerHTML.slice(0, 120)}`);
      }
      for (const element of document.body.querySelectorAll('*')) {
        const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent!.trim() !== '');
        if (!hasText || element.getClientRects().length === 0) continue;
        const ratio = ratioOf(getComputedStyle(element).color, behind(element));
        if (ratio < 4.5) found.push(`${ratio.toFixed(2)}: ${element.outerHTML.slice(0, 120)}`);
      }
      return found;
    });
    expect(faults).toEqual([]);
  }

  const codes = () => page.locator('#requests button[name=code]');

  it('A1: shows a request as it comes, whole, with answers of one size; light and dark, small and large', async () => {
    await page.getByText('No game is asking for you right now').waitFor();
    await caller.connect();
    await page.getByText('Decline if you did not start this.').waitFor();
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expectToFit();
        await expectContrast();
        await photograph(`request-${size.width}-${colorScheme}`);
      }
    }
    const [decline, ...picks] = await Promise.all(
      [page.getByRole('button', { name: 'Decline: Rush Street' }), ...(await codes().all())].map((answer) =>
        answer.evaluate((button) => {
          const { backgroundColor, borderColor, color } = getComputedStyle(button);
          const { width, height } = button.getBoundingClientRect();
          return { width, height, style: [backgroundColor, borderColor, color].join() };
        }),
      ),
    );
    expect(picks).toHaveLength(3);
    for (const { style, height, width } of picks) {
      expect(style).toBe(decline!.style);
      expect(decline!.height).toBeGreaterThanOrEqual(height - 2);
      expect(decline!.width).toBeGreaterThan(width);
    }
    expect(complaints).toEqual([]);
  });

  it('A2: a tap on the code that the game shows connects the game', async () => {
    const { authReqId, code } = await caller.connect();
    await page.getByRole('button', { name: `${code}: Rush Street` }).click();
    await page.getByText('Confirmed: Rush Street is connecting.').waitFor();
    expect(await caller.poll(authReqId)).toMatchObject({
      status: 200,
      body: { player: { displayName: DEMO_PLAYER.displayName } },
    });
    await page.getByRole('button', { name: 'Disconnect Rush Street' }).waitFor();
    await expectToFit();
    await photograph('connected');
    expect(complaints).toEqual([]);
  });

  it('A2: a tap on another code declines, and says so', async () => {
    const { authReqId, code } = await caller.connect();
    await codes().first().waitFor();
    await codes().filter({ hasNotText: code }).first().click();
    await page.getByText('so it was declined').waitFor();
    expect((await caller.poll(authReqId)).body).toMatchObject({ error: 'access_denied' });
    expect(await codes().count()).toBe(0);
    // The browser's own line about the status; no fault of the page.
    expect(complaints.filter((line) => !line.includes('400'))).toEqual([]);
  });

  it('A2: Decline refuses the game, and a new request takes the place of the one before', async () => {
    await caller.connect();
    const { authReqId, code } = await caller.connect();
    await page.getByRole('button', { name: `${code}: Rush Street` }).waitFor();
    expect(await codes().count()).toBe(3);
    await page.getByRole('button', { name: 'Decline: Rush Street' }).click();
    await page.getByText('Declined: Rush Street.').waitFor();
    expect((await caller.poll(authReqId)).body).toMatchObject({ error: 'access_denied' });
    expect(complaints).toEqual([]);
  });

  it('A2: a blocked game is declined and asks no more', async () => {
    const { authReqId } = await caller.connect();
    await page.getByRole('button', { name: 'Decline and block this game: Rush Street' }).click();
    await page.getByText('Blocked: Rush Street cannot ask you any more.').waitFor();
    expect((await caller.poll(authReqId)).body).toMatchObject({ error: 'access_denied' });
    await caller.connect();
    await page.reload();
    await page.getByText('No game is asking for you right now').waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the report page', () => {
  const report = (...events: unknown[]) => caller.post('/v1/events', { events });
  const blocked = () =>
    adEvent({
      kind: 'blocked',
      percentageInView: 37.5,
      visibleArea: 1875,
      screenCoveragePercentage: 1.6,
      reasons: ['obstructed', 'clipped'],
      blockerCount: 2,
    });

  async function fillIn(): Promise<void> {
    await report(adEvent({ kind: 'loaded' }), adEvent(), blocked(), adEvent({ kind: 'click' }));
    const bridge = { adSurfaceId: 'bridge-banner', adId: 'ad_bridge-banner_1' };
    await report(adEvent({ ...bridge, kind: 'loaded' }), adEvent({ ...bridge, percentageInView: 100 }));
    await report(adEvent({ adSurfaceId: 'empty-lot-board', kind: 'noFill', adId: undefined }));
    await report(adEvent({ adSurfaceId: 'broken-sign', kind: 'error', adId: undefined, errorCode: 'ad/http-status' }));
    await report(adEvent({ ...bridge, kind: 'finish', finishReason: 'scene-ended' }));
  }

  const items = () => page.locator('.event');

  it('shows events as they arrive, newest first, without a reload', async () => {
    await page.goto(`${service.origin}/reports`);
    await page.getByText('Nothing has arrived yet').waitFor();
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    await report(adEvent());
    await page.locator('.event .kind.visible').waitFor();
    await report(blocked());
    await page.getByText('38 % in view · 1.6 % of the screen · 2 in front · obstructed · clipped').waitFor();
    expect(await items().locator('.kind').allTextContents()).toEqual(['Blocked', 'Visible']);
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ])('fits a %s, filters at a choice, and keeps the choice over a reload and the way back', async (name, size) => {
    await page.setViewportSize(size);
    await fillIn();
    await page.goto(`${service.origin}/reports`);
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await items().count()).toBe(9);
    await expectToFit();
    await photograph(`reports-${name}`);

    await page.getByLabel('Surface', { exact: true }).selectOption({ label: 'Banner on the bridge' });
    await page.getByText('3 events').waitFor();
    await page.getByLabel('Kind', { exact: true }).selectOption({ label: 'Visible' });
    await page.getByText('1 event', { exact: true }).waitFor();
    await page.reload();
    expect(await page.getByLabel('Kind', { exact: true }).inputValue()).toBe('visible');
    expect(await items().count()).toBe(1);
    await page.goBack();
    await page.getByText('3 events').waitFor();
    expect(await page.getByLabel('Kind', { exact: true }).inputValue()).toBe('');
    expect(complaints).toEqual([]);
  });

  it('says when the service is out of reach, and goes on when it is back', async () => {
    await page.goto(`${service.origin}/reports`);
    await page.getByText('Live', { exact: true }).waitFor();
    await context.setOffline(true);
    await page.getByText('No connection').waitFor();
    await context.setOffline(false);
    await page.getByText('Live', { exact: true }).waitFor();
  });
});
