import type Phaser from 'phaser';

import { type AdOverlay, showAdOverlay } from '../../../src/debug.js';
import { namesOfHtml } from '../../../src/debug/htmlOver.js';
import { nameOf } from '../../../src/debug/nameOf.js';
import { AdsError } from '../../../src/errors.js';
import { OVERLAY_ATTRIBUTE } from '../../../src/page/flatTree.js';
import { openPage, type PageCover, type PageView } from '../../../src/page/PageView.js';
import * as reading from '../../../src/page/readPage.js';
import { AdsGlobalPlugin } from '../../../src/plugin/AdsGlobalPlugin.js';
import type { SessionSnapshot } from '../../../src/service/SessionSnapshot.js';
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
  expect(drawnMarks(test, overlay).words.slice(0, 2)).toEqual(['crate', 'div#cookie-bar']);
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

it('says that no ad is booked, why none is counted without focus, and what else the ad warns of', async () => {
  const { scene } = await withAd();
  const [ad] = scene.ads.all();
  const overlay = showAdOverlay(scene);
  const details = (): string[] => {
    refreshed(overlay);
    return wordsAt('.detail li');
  };
  expect(details()).toEqual([]);
  const [summary] = scene.ads.summary();
  jest.spyOn(scene.ads, 'summary').mockReturnValue([{ ...summary!, reasons: ['noWindowFocus'] }]);
  const unfocused = expect.stringMatching(/^The window has no focus\./) as string;
  expect(details()).toEqual([unfocused]);
  const warnings = jest.spyOn(ad!, 'warnings', 'get');
  warnings.mockReturnValue([{ code: 'ad/tracker', message: 'told to developers' }] as never);
  expect(details()).toEqual([unfocused, 'ad/tracker: told to developers']);
  jest.spyOn(ad!, 'state', 'get').mockReturnValue('noFill');
  expect(details()).toEqual([
    expect.stringMatching(/^The service has no ad for this surface right now\./),
    'ad/tracker: told to developers',
  ]);
  jest.spyOn(ad!, 'error', 'get').mockReturnValue(new AdsError('net/timeout', 'told to programs'));
  expect(details()).toEqual([expect.stringMatching(/^net\/timeout: /), 'ad/tracker: told to developers']);
  // The game ends with the ad as it is.
  jest.restoreAllMocks();
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

/** The words of each element that a selector finds in the panel. */
const wordsAt = (selector: string): string[] => [...panel().querySelectorAll(selector)].map((one) => one.textContent);

it('calls an ad by the name of its sprite, or else by its surface, its ad or its type', () => {
  const own = { sprite: { name: 'board', type: 'Image' }, surface: { adSurfaceId: 'billboard' }, ad: { adId: 'ad-1' } };
  const unnamed = { ...own, sprite: { ...own.sprite, name: '' } };
  const unserved = { ...unnamed, surface: null };
  const names = [own, unnamed, unserved, { ...unserved, ad: null }].map((one) => nameOf(one as never));
  expect(names).toEqual(['board', 'billboard', 'ad-1', 'Image']);
});

it('calls HTML by its id, or else by its first class or its tag, and says that of the canvas it is the style', () => {
  const page = document.createElement('div');
  page.innerHTML = '<p id="note" class="big"></p><p class="big red"></p><p></p><p></p><canvas id="game"></canvas>';
  expect(namesOfHtml([...page.children])).toEqual(['p#note', 'p.big', 'p', 'canvas (its CSS)']);
});

it('of a game that is not ready yet is there, and hears every scene, once it is', async () => {
  const { test } = await withAd();
  const overlay = showAdOverlay(test.game, { isVisible: false });
  const [host] = hosts();
  host!.remove();
  const late = test.game.scene.add('late', {}, true)!;
  test.game.events.emit('ready');
  expect(hosts()).toEqual([host]);
  late.events.emit('adnofill', { placedAd: null, adSurfaceId: 'tower' });
  expect(overlay.log.at(-1)).toMatchObject({ event: 'adnofill', detail: 'tower' });
});

it('says of an ad how much of it is seen, in the same figures everywhere', async () => {
  const { test, scene } = await withAd();
  const overlay = showAdOverlay(scene);
  const { sprite } = scene.ads.all()[0]! as unknown as { readonly sprite: Phaser.GameObjects.Image };
  const crate = scene.add.rectangle(100, 150, 0, 0, 0xff0000).setName('crate');
  const row = (): (string | undefined)[] => {
    test.step(3);
    const one = refreshed(overlay).querySelector<HTMLElement>('.ads > li')!;
    const bar = one.querySelector<HTMLElement>('.bar')!.style.transform;
    return [one.dataset.state, ...['.badge', '.share', '.figures'].map((of) => one.querySelector(of)!.textContent), bar, wordsAt('.status')[0]]; // prettier-ignore
  };
  expect(row()).toEqual(['visible', 'fully visible', '100 %', 'billboard · 10.0 % of the screen · 12,000 px² seen', 'scaleX(1.000)', '1 ad · 1 fully visible']); // prettier-ignore
  // The ad is 120 pixels wide.
  crate.setPosition(126, 150).setSize(100, 200);
  expect(row()).toEqual(['partly', 'partly visible', '70 %', 'billboard · 10.0 % of the screen · 8,400 px² seen', 'scaleX(0.700)', '1 ad · 0 fully visible']); // prettier-ignore
  crate.setPosition(200, 150).setSize(400, 200);
  expect(row()).toEqual(['blocked', 'not visible', '0 %', 'billboard · 10.0 % of the screen · 0 px² seen', 'scaleX(0.000)', '1 ad · 0 fully visible']); // prettier-ignore
  sprite.setPosition(900, 150);
  expect(row().slice(0, 3)).toEqual(['away', 'off screen', '0 %']);
  // Wherever it is, what is not drawn is not off the screen.
  sprite.setPosition(200, 150).setVisible(false);
  expect(row().slice(0, 3)).toEqual(['away', 'not drawn', '0 %']);
  sprite.setVisible(true).removeFromDisplayList();
  expect(row().slice(0, 3)).toEqual(['away', 'not drawn', '0 %']);
  sprite.addToDisplayList();
  scene.ads.place('tower', { x: 60, y: 50, width: 100, height: 90 });
  expect(row().at(-1)).toBe('2 ads · 1 fully visible');
  expect(wordsAt('.ads .badge')[1]).toBe('loading');
  expect([wordsAt('.ads .share')[1], wordsAt('.ads .figures')[1]]).toEqual(['', 'tower']);
  for (const ad of scene.ads.all()) ad.destroy();
  test.step();
  refreshed(overlay);
  expect([wordsAt('.ads > li'), wordsAt('.status')]).toEqual([[], ['No ads in the running scenes']]);
});

it('shows of each standard how far it is, and for how long a met one was', async () => {
  const { test, scene } = await withAd();
  const overlay = showAdOverlay(scene);
  const standards = () => {
    refreshed(overlay);
    return [...panel().querySelectorAll<HTMLElement>('.standards li')].map(({ dataset, style, children }) => [
      children[0]!.textContent,
      dataset.standing,
      style.getPropertyValue('--done'),
      children[2]!.textContent,
    ]);
  };
  await test.play(500);
  for (const [, standing, done, words] of standards()) {
    expect([standing, Number(done) > 0.4 && Number(done) < 0.6]).toEqual(['counting', true]);
    expect(words).toMatch(/^waits for time: 0\.[45] of 1\.0 s/);
  }
  await test.play(1_000);
  expect(standards()).toEqual(['IIG', 'MRC', 'Full view'].map((name) => [name, 'viewable', '1.000', expect.stringMatching(/^viewable; 1\.[45] s/) as unknown])); // prettier-ignore
  scene.ads.all()[0]!.destroy();
  await scene.ads.place('tower', { ...PLACE, x: 380 }).ready;
  test.step(3);
  expect(standards().at(-1)!.slice(1, 3)).toEqual(['failing', '0.000']);
});

it('tells of each placement that is at fault what it is and what to do, with the figures of now', async () => {
  const { test, scene } = await withAd();
  const overlay = showAdOverlay(scene);
  const time = jest.spyOn(window, 'setInterval');
  const warnings = (): string[] => {
    test.step(3);
    time.mockClear();
    overlay.hide();
    overlay.show();
    const refresh = time.mock.calls[0]![0];
    for (let i = 0; i < 7; i++) refresh();
    return wordsAt('.warnings li');
  };
  const summary = () => panel().querySelectorAll('summary')[1]!;
  expect([warnings(), summary().textContent, summary().className]).toEqual([[], 'Placement: nothing to warn of', '']);
  scene.ads.all()[0]!.destroy();
  const small = scene.ads.place('tower', { x: 200, y: 150, width: 30, height: 25 });
  await small.ready;
  const [words, ...others] = warnings();
  expect(others).toEqual([]);
  expect(words).toMatch(/^towerThe ad takes 0\.62 % .*Make each side at least /);
  expect([summary().textContent, summary().className]).toEqual(['Placement: 1 to look at', 'urgent']);
  expect(panel().querySelector<HTMLElement>('.warnings li')!.dataset).toMatchObject({ rule: 'too-small', severity: 'error' }); // prettier-ignore
  small.sprite.setScale(0.13);
  expect(warnings()).toEqual([expect.stringMatching(/^towerThe ad takes 1\.05 % /)]);
});

it('notes of each event what happened, in a few words', async () => {
  const { scene } = await withAd();
  const overlay = showAdOverlay(scene);
  const placedAd = scene.ads.all()[0]!;
  const box = (name = '') => scene.add.rectangle(0, 0, 1, 1).setName(name);
  const ad = { adId: 'ad-1', url: '' };
  const coverage = { screenCoveragePercentage: 12.34 };
  for (const [event, payload, detail] of [
    ['adloaded', { ad: { ...ad, alt: 'Cola' } }, 'Cola'],
    ['adloaded', { ad }, 'ad-1'],
    ['adnofill', { adSurfaceId: 'billboard' }, 'billboard'],
    ['aderror', { error: new AdsError('net/timeout', 'told to programs') }, 'net/timeout'],
    ['adblocked', { blockingSprites: [box('crate'), box('crate'), box()], reasons: ['obstructed'], coverage }, 'crate, Rectangle'],
    ['adblocked', { blockingSprites: ['a', 'b', 'c'].map(box), reasons: [], coverage }, 'a, b, c'],
    ['adblocked', { blockingSprites: ['a', 'b', 'c', 'd'].map(box), reasons: [], coverage }, 'a, b, c and more'],
    ['adblocked', { blockingSprites: [], reasons: ['viewport', 'clipped'], coverage }, 'viewport, clipped'],
    ['advisible', { coverage }, '12.3 % of the screen'],
    ['adviewable', { ad, coverage, standard: { id: 'mrc-display' }, durationMs: 2_040 }, 'mrc-display after 2.0 s'],
    ['adclick', { ad, isHouseAd: false, isOpened: false }, 'ad-1'],
    ['adclick', { ad: null, isHouseAd: true, isOpened: false }, 'house ad'],
    ['adclick', { ad: null, isHouseAd: true, isOpened: true }, 'house ad, new tab asked for'],
    ['adbeforeclick', { ad: null, isHouseAd: true }, 'house ad'],
    ['adclickrefused', { ad, isHouseAd: false, reason: 'no-address' }, 'no-address'],
    ['adfinish', { reason: 'destroyed' }, 'destroyed'],
  ] as const) {
    const before = overlay.log.at(-1)?.number ?? 0;
    scene.events.emit(event, { placedAd, ...payload });
    expect(overlay.log.at(-1)).toEqual({ number: before + 1, event, ad: 'billboard', detail });
  } // prettier-ignore
  scene.events.emit('aderror', { placedAd: null, error: new AdsError('net/timeout', '') });
  const last = overlay.log.at(-1)!;
  expect(last.ad).toBe('service');
  // An ad that moves says so in every frame.
  scene.events.emit('adgeometrychange', { placedAd, reasons: [] });
  expect(overlay.log.at(-1)).toBe(last);
});

it('keeps the last two hundred events, and lists the last forty, the newest first', async () => {
  const { scene } = await withAd();
  const overlay = showAdOverlay(scene);
  const placedAd = scene.ads.all()[0]!;
  const first = overlay.log.at(-1)?.number ?? 0;
  const emit = (from: number, to: number): void => {
    for (let i = from; i <= to; i++) scene.events.emit('adnofill', { placedAd, adSurfaceId: `no ${i}` });
    refreshed(overlay);
  };
  emit(1, 30);
  expect(wordsAt('.log li').slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, i) => `adnofillbillboardno ${30 - i}`)); // prettier-ignore
  expect(panel().querySelector<HTMLElement>('.log li')!.dataset.event).toBe('adnofill');
  emit(31, 250);
  expect(wordsAt('.log em')).toEqual(Array.from({ length: 40 }, (_, i) => `no ${250 - i}`));
  expect(overlay.log.map(({ detail }) => detail)).toEqual(Array.from({ length: 200 }, (_, i) => `no ${51 + i}`));
  expect(overlay.log.at(-1)!.number).toBe(first + 250);
});

it('folds and closes, and shows and hides the marks, by its buttons', async () => {
  const { test } = await withAd();
  const overlay = showAdOverlay(test.game);
  const fold = find('button.fold');
  const stands = () => [panel().dataset.open, fold.ariaExpanded ?? fold.getAttribute('aria-expanded'), fold.getAttribute('aria-label'), fold.textContent]; // prettier-ignore
  expect(stands()).toEqual(['true', 'true', 'Fold the panel', '–']);
  fold.click();
  expect(stands()).toEqual(['false', 'false', 'Unfold the panel', '+']);
  fold.click();
  expect(stands()).toEqual(['true', 'true', 'Fold the panel', '–']);

  const button = find('button.marks');
  const shown = () => [overlay.isVisible, overlay.areMarksShown, !marks().hidden, button.getAttribute('aria-pressed')];
  expect(shown()).toEqual([true, true, true, 'true']);
  button.click();
  expect(shown()).toEqual([true, false, false, 'false']);
  button.click();
  expect(shown()).toEqual([true, true, true, 'true']);
  find('button.close').click();
  expect(shown().slice(0, 3)).toEqual([false, false, false]);
});

/** What was drawn onto the picture since the marks were shown anew: words, and what is around them; lines and their dashes. */
function drawnMarks(test: TestGame, overlay: AdOverlay): { words: unknown[]; grounds: unknown[]; lines: unknown[] } {
  const pen = marks().getContext('2d')!;
  const words: unknown[] = [];
  const grounds: unknown[] = [];
  const lines: unknown[] = [];
  const fills = jest.spyOn(pen, 'fillText').mockImplementation((text) => words.push(text));
  const areas = jest.spyOn(pen, 'fill').mockImplementation((path) => path ?? grounds.push(pen.fillStyle));
  const strokes = jest.spyOn(pen, 'stroke').mockImplementation(() => lines.push([pen.strokeStyle, pen.getLineDash()]));
  overlay.hide();
  overlay.show();
  test.step();
  for (const spy of [fills, areas, strokes]) spy.mockRestore();
  return { words, grounds, lines };
}

it('marks on the picture how an ad stands, and what lies above it', async () => {
  const { test, scene } = await withAd();
  const overlay = showAdOverlay(scene);
  const crate = scene.add.rectangle(110, 150, 0, 0, 0xff0000).setName('crate');
  const { sprite } = scene.ads.all()[0]! as unknown as { readonly sprite: Phaser.GameObjects.Image };
  const box = { left: 0, top: 0, width: 400, height: 300 };
  jest.spyOn(HTMLCanvasElement.prototype, 'getBoundingClientRect').mockImplementation(() => box as DOMRect);
  const after = () => {
    test.step(3);
    return drawnMarks(test, overlay);
  };
  expect(after()).toEqual({ words: ['billboard  100 %'], grounds: ['#b8f34a'], lines: [['#b8f34a', []]] });
  Object.assign(box, { width: 800, height: 600 });
  expect(after().words).toEqual(['billboard  100 %  fully visible']);
  crate.setPosition(126, 150).setSize(100, 200);
  expect(after()).toEqual({
    words: ['crate', 'billboard  70 %  obstructed'],
    grounds: ['#ff5c7a', '#ffb45c'],
    lines: [['#ffffff', [5, 4]], ['#ffb45c', []]], // prettier-ignore
  });
  crate.setPosition(200, 150).setSize(400, 200);
  expect(after().lines.at(-1)).toEqual(['#ff5c7a', []]);
  sprite.setPosition(900, 150);
  expect(after()).toEqual({ words: [], grounds: [], lines: [] });
  scene.ads.place('tower', PLACE);
  expect(drawnMarks(test, overlay)).toEqual({
    words: ['tower  requesting'],
    grounds: ['#8d93c4'],
    lines: [['#8d93c4', [6, 5]]],
  });
});

it('is in the full screen while there is one, and in the page otherwise', async () => {
  const { test } = await withAd();
  const { canvas } = test.game;
  const overlay = showAdOverlay(test.game);
  const room = document.body.appendChild(document.createElement('main'));
  const within = (fullscreenElement: Element | null) => {
    Object.defineProperty(document, 'fullscreenElement', { value: fullscreenElement, configurable: true });
    document.dispatchEvent(new Event('fullscreenchange'));
    return hosts()[0]?.parentElement;
  };
  try {
    // A canvas shows nothing that is inside of it.
    expect([within(room), within(canvas), within(room), within(null)]).toEqual([room, document.body, room, document.body]); // prettier-ignore
    overlay.destroy();
    expect(within(room)).toBeUndefined();
  } finally {
    Reflect.deleteProperty(document, 'fullscreenElement');
    room.remove();
  }
});

it('begins folded where there is no room beside the game, but not where it has a place of its own', async () => {
  const { test } = await withAd();
  const dock = document.createElement('aside');
  const width = jest.replaceProperty(window, 'innerWidth', 700);
  for (const [px, place, isOpen] of [
    [700, null, 'true'],
    [699, null, 'false'],
    [699, dock, 'true'],
  ] as const) {
    width.replaceValue(px);
    document.body.append(dock);
    const overlay = showAdOverlay(test.game, { panel: place });
    expect(panel().dataset.open).toBe(isOpen);
    overlay.destroy();
  }
  dock.remove();
});

it('has no key when it is told so, and names the one it has', async () => {
  const { test } = await withAd();
  for (const [options, named] of [
    [{ key: null }, []],
    [{}, ['F9']],
    [{ key: 'V' }, ['V']],
  ] as const) {
    const overlay = showAdOverlay(test.game, options);
    expect(wordsAt('kbd')).toEqual(named);
    // The page scrolls, or whatever else the key does, only when it is not the overlay's.
    const isLeft = ['F9', 'v'].map((key) => window.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }))); // prettier-ignore
    expect(isLeft).toEqual([named[0] !== 'F9', named[0] !== 'V']);
    expect(overlay.isVisible).toBe(named.length === 0);
    overlay.destroy();
  }
});

it('is brought up to date by itself while it is shown, a docked one always', async () => {
  const { test, scene } = await withAd();
  const timers = jest.spyOn(window, 'setInterval');
  const cleared = jest.spyOn(window, 'clearInterval');
  const dock = document.body.appendChild(document.createElement('aside'));
  const running = () => {
    const ended = cleared.mock.calls.map(([id]) => id);
    return timers.mock.calls.filter((_, i) => !ended.includes(timers.mock.results[i]!.value as number));
  };
  for (const [place, isShown, isHidden] of [
    [null, 1, 0],
    [dock, 1, 1],
  ] as const) {
    const overlay = showAdOverlay(test.game, { panel: place });
    overlay.show();
    expect(running()).toHaveLength(isShown);
    const [refresh, ms] = running()[0] as [() => void, number];
    expect(ms).toBeLessThanOrEqual(250);
    const { sprite } = scene.ads.all()[0]!;
    sprite.setName(`board ${isHidden}`);
    refresh();
    expect(wordsAt('.ads .name')).toEqual([`board ${isHidden}`]);
    overlay.hide();
    expect(running()).toHaveLength(isHidden);
    overlay.destroy();
    expect(running()).toEqual([]);
  }
  dock.remove();
});

it('a docked panel has no button that closes it, and its other one is for the marks', async () => {
  const { test } = await withAd();
  const dock = document.body.appendChild(document.createElement('aside'));
  const overlay = showAdOverlay(test.game, { panel: dock });
  expect([panel().className, hosts()[0]!.classList.contains('docked'), find('button.close')]).toEqual(['panel docked', true, undefined]); // prettier-ignore
  find('button.marks').click();
  expect([overlay.isVisible, overlay.areMarksShown, find('button.marks').ariaPressed ?? find('button.marks').getAttribute('aria-pressed')]).toEqual([false, false, 'false']); // prettier-ignore
  find('button.marks').click();
  expect([overlay.isVisible, overlay.areMarksShown]).toEqual([true, true]);
  overlay.destroy();
  dock.remove();
});

it('says where the ads come from, and what is wrong with the plugin', async () => {
  const lines = (game: Phaser.Game): string[] => {
    showAdOverlay(game);
    return wordsAt('.lines li');
  };
  const { test } = await withAd();
  expect(lines(test.game)).toEqual([
    expect.stringMatching(/^Kept in memory only/),
    expect.stringMatching(/^\d+ events = /),
    'The ads come from a source without accounts: there is no player to sign in.',
  ]);
  const session = { state: 'connected', isStale: false, expiredReason: null } as SessionSnapshot;
  jest.spyOn(AdsGlobalPlugin.of(test.game), 'session', 'get').mockReturnValue(session);
  refreshed(showAdOverlay(test.game));
  expect(wordsAt('.lines li').at(-1)).toBe('A player is signed in.');
  test.destroy();
  const trial = await withAd({ testMode: true });
  expect(lines(trial.test.game)[0]).toBe('Test mode: test ads only, and nothing is paid for.');
  trial.test.destroy();
  const bare = await TestGame.start({ plugins: {} });
  expect(lines(bare.game)).toEqual([expect.stringMatching(/^config\/[a-z-]+: [A-Z].+\.$/)]);
});

it('shows the picture of an ad whole, and in the middle', async () => {
  const { test, scene } = await withAd();
  for (const ad of scene.ads.all()) ad.destroy();
  scene.textures.createCanvas('own', 500, 100)!.add('part', 0, 100, 20, 310, 46);
  const image = scene.add.image(200, 150, 'own', 'part');
  scene.ads.observe(image, { adId: 'own', url: '' });
  test.step(3);
  const drawn = jest.spyOn(CanvasRenderingContext2D.prototype, 'drawImage').mockReturnValue();
  showAdOverlay(scene, { isVisible: false });
  const overlay = showAdOverlay(scene);
  refreshed(overlay);
  refreshed(overlay);
  const source = scene.textures.get('own').getSourceImage();
  // It is drawn again only when the ad shows another.
  expect(drawn.mock.calls).toEqual([[source, 100, 20, 310, 46, 0, expect.closeTo(36.8), 124, expect.closeTo(18.4)]]);
  image.setFrame('__BASE');
  refreshed(overlay);
  expect(drawn.mock.calls.slice(1)).toEqual([[source, 0, 0, 500, 100, 0, expect.closeTo(33.6), 124, expect.closeTo(24.8)]]); // prettier-ignore
});

it('marks an ad where it is in the page, whatever the size of the game and the density of the screen', async () => {
  const { test, scene } = await withAd();
  scene.add.rectangle(126, 150, 100, 200, 0xff0000).setName('crate');
  const density = jest.replaceProperty(window, 'devicePixelRatio', 1);
  const box = { left: 10, top: 20, width: 800, height: 900 };
  jest.spyOn(HTMLCanvasElement.prototype, 'getBoundingClientRect').mockReturnValue(box as DOMRect);
  const pointsOf = ({ moveTo, lineTo }: Path2D) => [...jest.mocked(moveTo).mock.calls, ...jest.mocked(lineTo).mock.calls];
  const pens = CanvasRenderingContext2D.prototype;
  const texts = jest.spyOn(pens, 'fillText').mockReturnValue();
  const images = jest.spyOn(pens, 'drawImage').mockReturnValue();
  const cleared = jest.spyOn(pens, 'clearRect').mockReturnValue();
  const fills: unknown[] = [];
  jest.spyOn(pens, 'fill').mockImplementation(function (this: CanvasRenderingContext2D, ...of: unknown[]) {
    if (of[0] instanceof Path2D) fills.push([this.fillStyle, this.globalCompositeOperation]);
  });
  const lines: [[x: number, y: number][], number][] = [];
  jest.spyOn(pens, 'stroke').mockImplementation(function (this: CanvasRenderingContext2D, ...of: unknown[]) {
    if (this.canvas === marks()) lines.push([pointsOf(of[0] as Path2D), this.lineWidth]);
  });
  const overlay = showAdOverlay(scene);
  for (const [ratio, pixels] of [[0.5, 1], [1, 1], [1.5, 1.5], [4, 2]] as const) {
    density.replaceValue(ratio);
    overlay.hide();
    overlay.show();
    for (const list of [fills, lines]) list.length = 0;
    for (const spy of [texts, images, cleared]) spy.mockClear();
    test.step();
    expect(marks().style.cssText).toBe('left: 10px; top: 20px; width: 800px; height: 900px;');
    expect([marks().width, marks().height]).toEqual([800 * pixels, 900 * pixels]);
    // The game has 400 × 300 pixels, the ad those from 140, 100 to 260, 200. The line around it is the last one.
    const [left, top, right, bottom] = [280 * pixels, 300 * pixels, 520 * pixels, 600 * pixels] as const;
    const [outline, thickness] = lines.at(-1)!;
    const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
    expect([Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]).toEqual([left, right, top, bottom]);
    expect([lines.length, thickness]).toEqual([2, 2 * pixels]);
    // Letters are 1 px wide here. The name of what covers it is below the middle of the ad, its own above its left end, in CSS pixels.
    const [below, above] = texts.mock.calls;
    expect([below!.slice(0, 3), above!.slice(1, 3)]).toEqual([['crate', 400 - 5 / 2, 601 + 9.5], [280 - 1 + 6, 300 - 4 - 9 + 0.5]]);
    // What is seen is hatched; on a canvas aside, what is taken away is all of the ad without what is seen.
    expect(fills).toEqual([[expect.any(CanvasPattern), 'source-over'], ['#ff5c7a', 'source-over'], ['#ff5c7a', 'destination-out']]);
    const part = [left - 1, top - 1, right - left + 2, bottom - top + 2];
    expect(images.mock.calls.map(([, ...of]) => of)).toEqual([[...part, ...part]]);
    expect(cleared.mock.calls).toEqual([[0, 0, marks().width, marks().height], part]);
  }
  // Of an ad that is cut by two edges, no more is asked for than there is of the canvas.
  density.replaceValue(1);
  for (const [x, y, part] of [[10, 20, [0, 0, 141, 211]], [390, 280, [659, 689, 141, 211]]] as const) {
    (scene.ads.all()[0]!.sprite as Phaser.GameObjects.Image).setPosition(x, y);
    images.mockClear();
    test.step(3);
    expect(images.mock.lastCall!.slice(1)).toEqual([...part, ...part]);
  }
}); // prettier-ignore
