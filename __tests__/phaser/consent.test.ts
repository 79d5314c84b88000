import type { ConsentProvider, ConsentSignals } from '../../src/consentRules.js';
import { AdsGlobalPlugin } from '../../src/plugin/AdsGlobalPlugin.js';
import type { SessionFact } from '../../src/report/AdEvent.js';
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
  readonly signals: (AbortSignal | undefined)[] = [];
  url = IMAGE_URL;
  hold: Promise<void> | null = null;

  async getAdSurfaces() {
    return { items: [] };
  }

  async getAd(_id: string, options?: CallOptions): Promise<Ad> {
    this.asked.push(options?.consent);
    this.signals.push(options?.signal);
    options?.note?.('the exchange says something');
    const { length } = this.asked;
    await this.hold;
    const trackers = [{ event: 'impression', url: 'https://t.example.com/?c=${GDPR_CONSENT_7}' } as const];
    return {
      adId: `bid-${length}`,
      url: this.url,
      clickUrl: 'https://shop.example.com/?c=${GDPR_CONSENT_7}',
      trackers,
    };
  }
}

/** A consent manager that can be opened again. */
class Provider implements ConsentProvider {
  signals: ConsentSignals = YES;
  isDecided = true;
  #tell = (): void => undefined;

  watch(onChange: () => void) {
    this.#tell = onChange;
    return () => undefined;
  }

  say(signals: ConsentSignals, isDecided = true): void {
    this.signals = signals;
    this.isDecided = isDecided;
    this.#tell();
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

  it('lets any number of ads wait for it, and refuses none before', async () => {
    const run = await start({ waitForConsent: true });
    const ads = Array.from({ length: 300 }, () => run.scene.ads.place('roof', PLACE));
    await letRun(run);
    expect([...new Set(ads.map(({ state, error }) => `${state} ${error?.code}`))]).toEqual(['requesting undefined']);
    run.plugin.setConsent(YES);
    await expect(ads[0]!.ready).resolves.toBe('shown');
  });

  it('is not listened for any more after the game', async () => {
    const stop = jest.fn();
    const run = await start({ consent: { signals: YES, isDecided: true, watch: () => stop } });
    expect(stop).not.toHaveBeenCalled();
    run.test.destroy();
    expect(stop).toHaveBeenCalledTimes(1);
  });

  it('does not hold back a source that asks nobody', async () => {
    const { scene } = await start({ waitForConsent: true }, new StaticAds({ ads: [{ url: IMAGE_URL }] }));
    await expect(scene.ads.place('roof', PLACE).ready).resolves.toBe('shown');
  });

  it('holds trackers back while it is open again, and drops what waits at the end', async () => {
    const consent = new Provider();
    const run = await start({ waitForConsent: true, consent });
    await run.scene.ads.place('roof', PLACE).ready;
    consent.say(YES, false);
    await letRun(run);
    expect(run.world.trackersCalled).toEqual([]);
    consent.say(YES);
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

  it("changed after an ad of the studio's own was preloaded: nobody else is concerned, and it hangs", async () => {
    const own = new StaticAds({ ads: [{ url: IMAGE_URL }] });
    const asked = jest.spyOn(own, 'getAd');
    const run = await start({ consent: YES }, own);
    await run.scene.ads.preload(['roof']);
    run.plugin.setConsent(NO);
    await expect(run.scene.ads.place('roof', PLACE).ready).resolves.toBe('shown');
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('goes into the notices that a source calls itself', async () => {
    const source = new (class extends Exchange {
      override async getAd(id: string, options?: CallOptions): Promise<Ad> {
        options!.call!('https://t.example.com/lost?c=${GDPR_CONSENT_7}');
        return super.getAd(id, options);
      }
    })();
    const run = await start({ consent: YES }, source);
    await run.scene.ads.place('roof', PLACE).ready;
    await letRun(run);
    expect(run.world.trackersCalled).toContain('https://t.example.com/lost?c=YES');
  });

  it('changed while a creative is on its way: that is let go of, and another ad is asked for', async () => {
    const run = await start({ consent: YES });
    run.world.holdImages = true;
    const ad = run.scene.ads.place('roof', PLACE);
    await letRun(run);
    expect([ad.state, ad.ad?.adId]).toEqual(['loading', 'bid-1']);
    run.plugin.setConsent(NO);
    run.world.releaseImages();
    await expect(ad.ready).resolves.toBe('shown');
    await letRun(run);
    expect([run.exchange.asked, ad.ad?.adId]).toEqual([[YES, NO], 'bid-2']);
    expect([run.world.openImages.size, run.world.trackersCalled]).toEqual([1, ['https://t.example.com/?c=NO']]);
  });

  it('open again while a creative is on its way: no ad hangs before it is decided', async () => {
    const provider = new Provider();
    const run = await start({ waitForConsent: true, consent: provider });
    run.world.holdImages = true;
    const ad = run.scene.ads.place('roof', PLACE);
    await letRun(run);
    provider.say(YES, false);
    run.world.releaseImages();
    await letRun(run);
    expect([ad.state, ad.ad, run.exchange.asked.length]).toEqual(['requesting', null, 1]);
    provider.say(NO);
    await expect(ad.ready).resolves.toBe('shown');
    expect(run.exchange.asked).toEqual([YES, NO]);
  });

  it('changed while the next ad is on its way: the present one stays until there is one on the new terms', async () => {
    const run = await start({ consent: YES });
    const ad = run.scene.ads.place('roof', { ...PLACE, refresh: true });
    await ad.ready;
    await letRun(run);
    run.world.holdImages = true;
    run.world.images.set('https://cdn.example.com/next.png', run.world.images.get(IMAGE_URL)!);
    run.exchange.url = 'https://cdn.example.com/next.png';
    const rule = { minPercentageInView: 50, minDurationMs: 1000 };
    ad.noteFact({ kind: 'viewable', standard: 'iig-display', rule, durationMs: 1000 } as SessionFact);
    run.world.pass(31_000);
    await letRun(run);
    expect(run.exchange.asked).toEqual([YES, YES]);
    run.plugin.setConsent(NO);
    run.world.releaseImages();
    await letRun(run);
    expect([run.exchange.asked, ad.ad?.adId]).toEqual([[YES, YES, NO], 'bid-3']);
  });

  it('open again while ads wait for their turn: nobody is asked before it is decided', async () => {
    const provider = new Provider();
    const run = await start({ waitForConsent: true, consent: provider });
    run.world.holdImages = true;
    const ads = Array.from({ length: 7 }, (_, i) => run.scene.ads.place(`roof-${i}`, PLACE));
    await letRun(run);
    expect(run.exchange.asked).toHaveLength(6);
    provider.say(YES, false);
    ads[0]!.destroy();
    run.world.releaseImages();
    await letRun(run);
    expect(run.exchange.asked).toHaveLength(6);
  });

  it('changed during an auction: who is asked hears of it, so that nothing else is asked on the old terms', async () => {
    const run = await start({ consent: YES });
    run.exchange.hold = new Promise(() => undefined);
    run.scene.ads.place('roof', PLACE);
    await letRun(run);
    run.plugin.setConsent(NO);
    await letRun(run);
    expect(run.exchange.signals.map((signal) => signal?.aborted)).toEqual([true, false]);
  });

  it('changed again and again while creatives are on their way: no ad, and nothing is left behind', async () => {
    const run = await start({ consent: YES });
    run.world.holdImages = true;
    const ad = run.scene.ads.place('roof', PLACE);
    for (const said of [NO, YES, NO]) {
      await letRun(run);
      run.plugin.setConsent(said);
    }
    run.world.releaseImages();
    await expect(ad.ready).resolves.toBe('noFill');
    await letRun(run);
    expect([run.world.openImages.size, run.exchange.asked.length]).toEqual([0, 3]);
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

  it.each([true, false])('is printed with the option debug alone: %s', async (debug) => {
    const { scene, world } = await start({ debug });
    await scene.ads.place('roof', PLACE).ready;
    expect(world.notes).toEqual(debug ? ['phaser-inview: the exchange says something'] : []);
  });
});
