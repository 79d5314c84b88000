import type { CreativeLease } from '../../../src/creative/CreativeStore.js';
import { PreloadedAds } from '../../../src/placement/PreloadedAds.js';
import type { Ad } from '../../../src/service/AdService.js';

const MAX_WAITING = 64;
const FIVE_MINUTES_MS = 300_000;

/** A game whose ads come at once, unless they are held up, with the creatives it has lent. */
function start(more: Partial<Ad> = {}) {
  const state = {
    now: 0,
    lent: new Set<string>(),
    asked: 0,
    areTexturesGone: false,
    signal: null as AbortSignal | null,
  };
  let held: Promise<void> = Promise.resolve();
  const ads = new PreloadedAds({
    sender: { send: () => undefined, wallNow: () => 0 },
    byDecision: (signal, work) => work(signal),
    requestAd: async (_adSurfaceId, signal): Promise<Ad> => {
      state.signal = signal;
      return { adId: `ad-${state.asked}`, url: `https://cdn.example.com/${state.asked++}.png`, ...more };
    },
    acquireCreative: async (url) => {
      await held;
      state.lent.add(url);
      const lease = {
        get isThere() {
          return !state.areTexturesGone;
        },
        release: () => state.lent.delete(url),
      };
      return lease as unknown as CreativeLease;
    },
    enqueue: (load) => load(),
    now: () => state.now,
  });
  const hold = (): (() => void) => {
    let release!: () => void;
    held = new Promise((resolve) => (release = resolve));
    return release;
  };
  return { ads, state, hold };
}

describe('R7: the creatives of preloaded ads are given back', () => {
  it('when the game ends, those that wait and those that come later', async () => {
    const { ads, state, hold } = start();
    for (const surface of ['roof', 'roof', 'wall']) await ads.load(surface);
    const release = hold();
    const late = ads.load('roof');
    await Promise.resolve();
    ads.destroy();
    expect([state.lent.size, state.signal!.aborted]).toEqual([0, true]);
    release();
    await late;
    expect(state.lent.size).toBe(0);
    expect(ads.take('roof')).toBeNull();
  });

  it('when the game ends, at any turn', async () => {
    for (let turns = 0; turns < 20; turns++) {
      const { ads, state } = start();
      const loaded = ads.load('roof');
      for (let i = 0; i < turns; i++) await Promise.resolve();
      ads.destroy();
      await loaded;
      expect([turns, state.lent.size]).toEqual([turns, 0]);
    }
  });

  it('when they make way for newer ones', async () => {
    const { ads, state } = start();
    for (let i = 0; i < MAX_WAITING + 3; i++) await ads.load('roof');
    expect(state.lent.size).toBe(MAX_WAITING);
    expect(ads.take('roof')?.ad.adId).toBe('ad-3');
  });

  it('when the game has removed their textures', async () => {
    const { ads, state } = start();
    await ads.load('roof');
    await ads.load('wall');
    state.areTexturesGone = true;
    expect(ads.take('roof')).toBeNull();
    expect(state.lent.size).toBe(0);
  });

  it('when nobody has placed them in time, and by who takes them then', async () => {
    const { ads, state } = start();
    await ads.load('roof');
    await ads.load('wall');
    const taken = ads.take('roof');
    state.now = FIVE_MINUTES_MS;
    expect(ads.take('wall')).toBeNull();
    expect(state.lent.size).toBe(1);
    taken!.lease.release();
    ads.destroy();
    expect(state.lent.size).toBe(0);
  });

  it('when others are preloaded after their time, which may be shorter', async () => {
    const { ads, state } = start({ expiresInSeconds: 20 });
    await ads.load('roof');
    await ads.load('roof');
    state.now = 19_999;
    expect(ads.take('roof')?.ad.adId).toBe('ad-0');
    state.now = 20_000;
    await ads.load('wall');
    expect([...state.lent]).toEqual(['https://cdn.example.com/0.png', 'https://cdn.example.com/2.png']);
  });
});

it('where there is no ad, none is kept', async () => {
  const { ads, state } = start({ adId: '', url: '' });
  await ads.load('roof');
  expect([ads.take('roof'), state.lent.size, state.asked]).toEqual([null, 0, 1]);
});
