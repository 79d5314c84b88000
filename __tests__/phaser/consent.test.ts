import type { ConsentProvider, ConsentSignals } from '../../src/consentRules.js';
import { AdsGlobalPlugin } from '../../src/plugin/AdsGlobalPlugin.js';
import type { Ad, CallOptions } from '../../src/service/AdService.js';
import { StaticAds } from '../../src/sources/StaticAds.js';
import { withCode } from '../helpers/withCode.js';
import { FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

const PLACE = { x: 200, y: 150, width: 200, height: 100 };
const YES = { gdprApplies: true, tcString: 'YES' };
const NO = { gdprApplies: true, tcString: 'NO' };

/** An exchange that answers everything, and what it was asked with. */
class Exchange {
  readonly asked: (ConsentSignals | undefined)[] = [];
  hold: Promise<void> | null = null;

  async getAdSurfaces() {
    return { items: [] };
  }

  async getAd(_id: string, options?: CallOptions): Promise<Ad> {
    this.asked.push(options?.consent);
    options?.note?.('the exchange says something');
    const { length } = this.asked;
    await this.hold;
    const trackers = [{ event: 'impression', url: 'https://t.example.com/?c=${GDPR_CONSENT_7}' } as const];
    return {
      adId: `bid-${length}`,
      url: IMAGE_URL,
      clickUrl: 'https://shop.example.com/?c=${GDPR_CONSENT_7}',
      trackers,
    };
  }
}

async function start(options: object, source: object = new Exchange()) {
  const world = new FakeWorld();
  const test = await TestGame.start({ world, data: { source, ...options } });
  const plugin = AdsGlobalPlugin.of(test.game);
  return { world, test, plugin, scene: test.scene(), exchange: source as Exchange };
}

async function letRun({ test, world }: { test: TestGame; world: FakeWorld }): Promise<void> {
  for (let i = 0; i < 3; i++) {
    world.pass(0);
    test.step(2);
    await test.settle();
  }
}

describe('P5: what the player has consented to', () => {
  it('goes with every request, into trackers, and to beforeReport', async () => {
    const reported: unknown[] = [];
    const beforeReport = (_event: unknown, consent: unknown): void => void reported.push(consent);
    const run = await start({ consent: YES, beforeReport });
    await run.scene.ads.place('roof', PLACE).ready;
    await letRun(run);
    expect(run.exchange.asked).toEqual([YES]);
    expect(run.world.trackersCalled).toEqual(['https://t.example.com/?c=YES']);
    expect(reported.length).toBeGreaterThan(0);
    expect(reported.every((consent) => consent === run.plugin.consent)).toBe(true);
  });

  it('of a child is told as that, whatever else is known', async () => {
    const { scene, exchange } = await start({ consent: YES, underAge: true });
    await scene.ads.place('roof', PLACE).ready;
    expect(exchange.asked).toEqual([{ ...YES, underAge: true }]);
  });

  it('holds auctions back with waitForConsent; the game goes on, with its house ads', async () => {
    const houseAd = { url: 'https://cdn.example.com/house.png' };
    const run = await start({ waitForConsent: true, fallback: { houseAd } });
    run.world.images.set(houseAd.url, run.world.images.get(IMAGE_URL)!);
    const ad = run.scene.ads.place('roof', PLACE);
    await letRun(run);
    expect(run.exchange.asked).toEqual([]);
    expect([ad.state, ad.fallback]).toEqual(['requesting', 'houseAd']);

    run.plugin.setConsent(YES);
    await expect(ad.ready).resolves.toBe('shown');
    expect(run.exchange.asked).toEqual([YES]);
  });

  it('does not hold back a source that asks nobody', async () => {
    const { scene } = await start({ waitForConsent: true }, new StaticAds({ ads: [{ url: IMAGE_URL }] }));
    await expect(scene.ads.place('roof', PLACE).ready).resolves.toBe('shown');
  });

  it('holds trackers back while it is open again, and drops what waits at the end', async () => {
    let isDecided = true;
    let tell!: () => void;
    const consent: ConsentProvider = {
      signals: YES,
      get isDecided() {
        return isDecided;
      },
      watch: (onChange) => {
        tell = onChange;
        return () => undefined;
      },
    };
    const run = await start({ waitForConsent: true, consent });
    await run.scene.ads.place('roof', PLACE).ready;
    isDecided = false;
    tell();
    await letRun(run);
    expect(run.world.trackersCalled).toEqual([]);
    isDecided = true;
    tell();
    await letRun(run);
    expect(run.world.trackersCalled).toHaveLength(1);
  });

  it('is what holds when a tracker leaves: a change of mind takes effect at once', async () => {
    const run = await start({ consent: YES });
    await run.scene.ads.place('roof', PLACE).ready;
    run.plugin.setConsent(NO);
    await letRun(run);
    expect(run.world.trackersCalled).toEqual(['https://t.example.com/?c=NO']);
  });

  it('changed during an auction: the auction is held again, its bid not used', async () => {
    const run = await start({ consent: YES });
    let answer!: () => void;
    run.exchange.hold = new Promise((resolve) => (answer = resolve));
    const ad = run.scene.ads.place('roof', PLACE);
    await letRun(run);
    run.plugin.setConsent(NO);
    answer();
    await ad.ready;
    expect(run.exchange.asked).toEqual([YES, NO]);
    expect(ad.ad?.adId).toBe('bid-2');
  });

  it('changed before a preloaded ad is placed: another one is asked for', async () => {
    const run = await start({ consent: YES });
    await run.scene.ads.preload(['roof']);
    run.plugin.setConsent(NO);
    const ad = run.scene.ads.place('roof', PLACE);
    await ad.ready;
    expect(ad.ad?.adId).toBe('bid-2');
  });

  it('that is none is refused', async () => {
    await expect(start({ consent: 7 })).rejects.toMatchObject({ code: 'config/option' });
    const { plugin } = await start({});
    expect(() => plugin.setConsent(null as never)).toThrow(withCode('arg/option'));
  });

  it.each([
    ['throws', () => { throw new Error('removed already'); }],
    ['is no function', { unsubscribe: () => undefined }],
  ])('of a provider whose end of watching %s can be withdrawn, and the game ends whole', async (_what, end) => {
    const consent = { signals: YES, isDecided: true, watch: () => end as () => void };
    const { plugin, test, world } = await start({ consent });
    plugin.setConsent(NO);
    expect(plugin.consent).toEqual(NO);
    test.destroy();
    const again = await start({ consent });
    again.test.destroy();
    expect([world, again.world].map(({ clients }) => clients[0]!.isDestroyed)).toEqual([true, true]);
  }); // prettier-ignore

  it('of a provider that throws is nothing, and nothing is asked with waitForConsent', async () => {
    const consent = { isDecided: true, get signals(): never { throw new Error('mine'); }, watch: () => { throw new Error('mine'); } }; // prettier-ignore
    const { scene, exchange, world } = await start({ consent });
    await scene.ads.place('roof', PLACE).ready;
    expect(exchange.asked).toEqual([{}]);
    expect(world.reported.length).toBeGreaterThan(0);
  });
});

describe('P3: the diagnosis of a placed ad', () => {
  it('holds what the source has said of the last request', async () => {
    const { scene } = await start({});
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    expect(ad.diagnosis).toEqual(['the exchange says something']);
  });
});
