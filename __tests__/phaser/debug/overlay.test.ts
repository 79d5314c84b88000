import type Phaser from 'phaser';

import { type AdOverlay, showAdOverlay } from '../../../src/debug.js';
import { AdsError } from '../../../src/errors.js';
import { OVERLAY_ATTRIBUTE } from '../../../src/page/flatTree.js';
import { openPage, type PageCover, type PageView } from '../../../src/page/PageView.js';
import * as reading from '../../../src/page/readPage.js';
import { FakeWorld } from '../support/FakeWorld.js';
import { countListeners, OPTIONS, TestGame } from '../support/TestGame.js';

afterEach(() => TestGame.endAll());

const PLACE = { x: 200, y: 150, width: 200, height: 100 };
const hosts = () => [...document.querySelectorAll<HTMLElement>(`[${OVERLAY_ATTRIBUTE}]`)];
const find = (selector: string) =>
  hosts().flatMap((host) => [...host.shadowRoot!.querySelectorAll<HTMLElement>(selector)])[0]!;
const panel = () => find('.panel');
const marks = () => find('canvas.marks') as HTMLCanvasElement;
const press = (key: string, init: KeyboardEventInit = {}, target: EventTarget = window) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...init }));

beforeEach(() =>
  jest
    .spyOn(HTMLCanvasElement.prototype, 'getBoundingClientRect')
    .mockReturnValue({ left: 0, top: 0, width: 400, height: 300 } as DOMRect),
);

async function withAd(data: object = {}, world = new FakeWorld()): Promise<{ test: TestGame; scene: Phaser.Scene }> {
  const test = await TestGame.start({ data, world });
  const scene = test.scene();
  await scene.ads.place('billboard', PLACE).ready;
  test.step(3);
  return { test, scene };
}

/** Brings the panel up to date: only time does so, and here there is none. */
function refreshed(overlay: AdOverlay): HTMLElement {
  overlay.hide();
  overlay.show();
  return panel();
}

it('shows each ad with its figures, what it waits for, and why it is not wholly seen', async () => {
  const { test, scene } = await withAd();
  scene.add.rectangle(150, 150, 100, 100, 0xff0000).setName('crate');
  test.step(3);
  const overlay = showAdOverlay(scene);
  const row = refreshed(overlay).querySelector('.ads li')!;
  expect(row.querySelector('.name')!.textContent).toBe('billboard');
  expect(row.querySelector('.detail')!.textContent).toContain('Covered by crate.');
  expect(row.querySelectorAll('.standards li')).toHaveLength(3);
  expect(row.querySelector('.standards')!.textContent).toContain('waits for 100 % in view');
});

it('takes the key events without a key that browsers make when they fill in a form', async () => {
  const { scene } = await withAd();
  const overlay = showAdOverlay(scene);
  const faults = jest.fn((event: Event) => event.preventDefault());
  window.addEventListener('error', faults);
  window.dispatchEvent(new Event('keydown'));
  window.removeEventListener('error', faults);
  expect(faults).not.toHaveBeenCalled();
  expect(overlay.isVisible).toBe(true);
});

it('names the HTML that covers an ad, and does not advise another depth against it', async () => {
  const page: PageView = openPage(400, 300);
  const bar = document.createElement('div');
  const beside = document.createElement('p');
  const over = (element: Element, minX: number, opacity = 1, isCertain = true): PageCover =>
    ({ element, minX, maxX: minX + 40, minY: 90, maxY: 300, shape: null, opacity, isCertain, owner: null }); // prettier-ignore
  jest.spyOn(reading, 'readPage').mockImplementation(() => page);
  const { test, scene } = await withAd();
  const overlay = showAdOverlay(scene);
  bar.id = 'cookie-bar';
  const words = (covers: readonly PageCover[]): string => {
    Object.assign(page, { covers });
    test.step(3);
    return refreshed(overlay).querySelector('.ads .detail')!.textContent;
  };

  expect(words([over(bar, 120), over(beside, 10), over(beside, 200, 0.2)])).toBe(
    'Covered by div#cookie-bar of the page. Move it off the ad: HTML lies above every depth of the game.',
  );
  scene.add.rectangle(250, 150, 20, 20, 0xff0000).setName('crate');
  expect(words([over(bar, 120)])).toMatch(/^Covered by crate\..*Covered by div#cookie-bar of the page\./);
  expect(words([])).not.toContain('of the page');
  expect(words([over(bar, 120, 1, false)])).toContain(
    'not known what the player sees beneath or through div#cookie-bar',
  );
});

it('says what failed and what to do about it', async () => {
  const world = new FakeWorld();
  world.ads.set('billboard', new AdsError('net/timeout', 'told to programs'));
  const { scene } = await withAd({}, world);
  const row = refreshed(showAdOverlay(scene)).querySelector<HTMLElement>('.ads li')!;
  expect(row.dataset.state).toBe('error');
  expect(row.querySelector('.detail')!.textContent).toBe('net/timeout: The service did not answer in time.');
});

it('is one for a game, and stays while its scenes restart', async () => {
  const { test, scene } = await withAd();
  const overlay = showAdOverlay(scene);
  scene.scene.restart();
  test.step(3);
  expect(showAdOverlay(test.game)).toBe(overlay);
  expect(hosts()).toHaveLength(1);
  await scene.ads.place('tower', PLACE).ready;
  test.step(3);
  expect(refreshed(overlay).querySelector('.ads .name')!.textContent).toBe('tower');
  expect(overlay.log.map(({ event, ad }) => `${event} ${ad}`)).toEqual(
    expect.arrayContaining(['adfinish billboard', 'adloaded tower']),
  );
});

it('leaves nothing behind: not in the page, not in the emitters, no timer', async () => {
  const { test, scene } = await withAd();
  const before = countListeners(test.game);
  const timers = jest.spyOn(window, 'setInterval');
  const cleared = jest.spyOn(window, 'clearInterval');
  const overlay = showAdOverlay(scene);
  overlay.destroy();
  expect(hosts()).toEqual([]);
  expect(countListeners(test.game)).toEqual(before);
  expect(cleared.mock.calls.map(([id]) => id)).toEqual(timers.mock.results.map(({ value }) => value as number));
  press('F9');
  expect(overlay.isVisible).toBe(false);

  const second = showAdOverlay(scene);
  expect(second).not.toBe(overlay);
  test.destroy();
  expect(hosts()).toEqual([]);
  expect([second.isVisible, second.isDestroyed]).toEqual([false, true]);
});

it('costs nothing while hidden: no frame and no timer runs it, events are noted all the same', async () => {
  const { test, scene } = await withAd();
  const inFrames = test.game.events.listenerCount('postrender');
  const timers = jest.spyOn(window, 'setInterval');
  const overlay = showAdOverlay(scene, { isVisible: false });
  expect(timers).not.toHaveBeenCalled();
  expect(test.game.events.listenerCount('postrender')).toBe(inFrames);
  expect(marks().hidden).toBe(true);
  overlay.show();
  // The marks are drawn, and placements are watched.
  expect(test.game.events.listenerCount('postrender')).toBe(inFrames + 2);
  overlay.hide();
  expect(test.game.events.listenerCount('postrender')).toBe(inFrames);
  scene.ads.all()[0]!.destroy();
  expect(overlay.log.at(-1)).toMatchObject({ event: 'adfinish', ad: 'billboard', detail: 'destroyed' });
  overlay.show();
  expect(panel().querySelector('.log')!.textContent).toContain('adfinish');
});

it('is shown and hidden by its key, but not while the player types or plays shortcuts', async () => {
  const { test } = await withAd();
  const overlay = showAdOverlay(test.game);
  press('F9');
  expect(overlay.isVisible).toBe(false);
  press('F9');
  expect(overlay.isVisible).toBe(true);
  const input = document.body.appendChild(document.createElement('input'));
  press('F9', {}, input);
  for (const odd of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { repeat: true }]) press('F9', odd);
  expect(overlay.isVisible).toBe(true);
  input.remove();
});

it('fills an element of the page when told to: the panel stays there, the key is for the marks', async () => {
  const { scene } = await withAd();
  const dock = document.body.appendChild(document.createElement('aside'));
  const overlay = showAdOverlay(scene, { key: 'V', panel: dock, isVisible: false });
  expect(hosts().map(({ parentElement }) => parentElement)).toEqual([dock, document.body]);
  expect(panel().querySelectorAll('.ads > li')).toHaveLength(1);
  press('v');
  expect([overlay.isVisible, marks().hidden]).toEqual([true, false]);
  press('V');
  expect([overlay.isVisible, marks().hidden]).toEqual([false, true]);
  overlay.destroy();
  expect(dock.childElementCount).toBe(0);
  dock.remove();
});

it('shows no key, token or address of a creative', async () => {
  const { scene } = await withAd();
  const words = refreshed(showAdOverlay(scene)).textContent;
  expect(words).toContain('Kept in memory only');
  for (const secret of [OPTIONS.apiKey, OPTIONS.privateKey, 'https://']) expect(words).not.toContain(secret);
});

it('lets the game go on when an ad is gone without a word, or something in it cannot be drawn', async () => {
  const { test, scene } = await withAd();
  const overlay = showAdOverlay(scene);
  const { sprite } = scene.ads.all()[0]!;
  // Before the next frame only the overlay looks at it: what measures comes after.
  sprite.removeAllListeners();
  sprite.destroy();
  test.step(2);
  expect(overlay.areMarksShown).toBe(true);

  await scene.ads.place('tower', PLACE).ready;
  test.step();
  scene.cameras.remove(scene.cameras.main);
  test.step();
  expect(overlay.areMarksShown).toBe(true);
  scene.cameras.add(0, 0, 400, 300);
  const told = jest.spyOn(console, 'error').mockImplementation();
  jest.spyOn(marks().getContext('2d')!, 'stroke').mockImplementation(() => {
    throw new Error('broken');
  });
  expect(() => test.step(2)).not.toThrow();
  expect(told).toHaveBeenCalledTimes(1);
  expect(overlay.areMarksShown).toBe(false);
});

it('draws its marks when something of the picture has changed, and not in every frame', async () => {
  const { test, scene } = await withAd();
  const crate = scene.add.rectangle(150, 150, 100, 100, 0xff0000).setName('crate');
  test.step(3);
  showAdOverlay(scene);
  const drawn = jest.spyOn(marks().getContext('2d')!, 'clearRect');
  const after = (change: () => unknown) => {
    change();
    // The first frame shows the change; the figures of the ad are those of the frame before.
    test.step(2);
    drawn.mockClear();
    change();
    test.step(2);
    const often = drawn.mock.calls.length;
    test.step(20);
    return [often, drawn.mock.calls.length - often];
  };
  test.step(2);
  drawn.mockClear();
  test.step(20);
  expect(drawn).not.toHaveBeenCalled();
  const sprite = scene.ads.all()[0]!.sprite as Phaser.GameObjects.Image;
  for (const change of [
    () => (crate.x += 5),
    () => (crate.angle += 9),
    () => (sprite.y -= 4),
    () => scene.cameras.main.scrollX++,
    () => sprite.setName(`${sprite.name}!`),
  ]) {
    // prettier-ignore
    const [now, later] = after(change);
    expect([change.toString(), now! > 0, later]).toEqual([change.toString(), true, 0]);
  }
});
