import { readFileSync } from 'node:fs';

import { AdsEvents, type AdsEventName } from '../../src/events.js';
import type { Ad } from '../../src/service/AdService.js';
import { FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { WEBM } from './support/imageFiles.js';
import { press } from './support/press.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

const AT = { x: 200, y: 150, width: 200, height: 160 };
const FILM_URL = 'https://cdn.example.com/ad.webm';

/** By event what the table in docs/events.md says it tells besides `placedAd`. */
function documented(): Map<AdsEventName, string[]> {
  const wordsIn = (cell: string): string[] => [...cell.matchAll(/`([a-z]\w*)/g)].map(([, word]) => word!);
  const rows = readFileSync('docs/events.md', 'utf8').split('\n').filter((line) => line.startsWith('| `ad')); // prettier-ignore
  return new Map(
    rows.flatMap((row) => {
      const cells = row.split('|');
      return wordsIn(cells[1]!).map((event) => [event as AdsEventName, wordsIn(cells[4]!)]);
    }),
  );
}

async function start() {
  const world = new FakeWorld();
  world.videoSeconds = 2;
  world.images.set(FILM_URL, { body: WEBM, type: 'video/webm' });
  const revenue = { value: 1, currency: 'EUR', precision: 'exact', line: 'deal' } as const;
  const picture: Ad = { adId: 'picture', url: IMAGE_URL, clickUrl: 'https://shop.example.com/', revenue, expiresInSeconds: 30 }; // prettier-ignore
  world.ads.set('wall', picture);
  world.ads.set('film', { adId: 'film', url: FILM_URL });
  world.ads.set('none', { adId: '', url: '' });
  world.ads.set('broken', { adId: 'broken', url: 'https://cdn.example.com/none.png' });
  const test = await TestGame.start({ world });
  const scene = test.scene();
  const told: { readonly event: AdsEventName; readonly payload: Record<string, unknown>; readonly adNow: Ad | null }[] =
    [];
  for (const event of Object.values(AdsEvents)) {
    scene.ads.on(event, (payload) =>
      told.push({ event, payload: { ...payload }, adNow: payload.placedAd?.ad ?? null }),
    );
  }
  return { world, test, scene, told, picture };
}

it('each event tells all that its documentation names, of the ad that hangs and the session it is reported in', async () => {
  const { world, test, scene, told, picture } = await start();
  const ids = new Map<object, Set<string>>();
  const place = async (surface: string, more: object = {}) => {
    const placedAd = scene.ads.place(surface, { ...AT, ...more });
    await placedAd.ready;
    ids.set(placedAd, new Set([placedAd.placementId]));
    return placedAd;
  };
  const wall = await place('wall', { refresh: true, clickable: true });
  await test.play(1_200);
  press(test, wall.sprite);
  const cover = scene.add.rectangle(AT.x, AT.y, 500, 500, 0);
  press(test, wall.sprite);
  cover.destroy();
  await test.settle();
  const next = { ...picture, adId: 'next' };
  world.ads.set('wall', next);
  world.pass(60_000);
  await test.play(1_200);
  ids.get(wall)!.add(wall.placementId);
  wall.reportAd('dull');
  wall.destroy();
  await place('none');
  await place('broken');
  const later = { ...picture, adId: 'later' };
  world.ads.set('wall', later);
  const unseen = await place('wall', { x: -500 });
  world.pass(31_000);
  await test.play(32);
  unseen.destroy();
  const film = await place('film');
  await test.play(3_000);
  film.destroy();
  await test.settle();

  const fields = documented();
  expect([...fields.keys()].sort()).toEqual(Object.values(AdsEvents).sort());
  expect([...new Set(told.map(({ event }) => event))].sort()).toEqual(Object.values(AdsEvents).sort());
  const adOf = new Map<unknown, Ad>([[film, world.ads.get('film') as Ad], [unseen, later]]); // prettier-ignore
  expect(told.find(({ event }) => event === AdsEvents.REFRESH)!.payload['previousAd']).toEqual(picture);
  for (const { event, payload, adNow } of told) {
    const has = Object.keys(payload).filter((name) => payload[name] !== undefined);
    expect([event, has]).toEqual([event, expect.arrayContaining(['placedAd', ...fields.get(event)!])]);
    if ('placementId' in payload) expect(ids.get(payload['placedAd'] as object)).toContain(payload['placementId']);
    const whose = adOf.get(payload['placedAd']) ?? (event === AdsEvents.REFRESH ? next : adNow);
    if ('ad' in payload) expect([event, payload['ad']]).toEqual([event, whose]);
  }
});
