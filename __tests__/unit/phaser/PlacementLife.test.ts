import { AdsError } from '../../../src/errors.js';
import { PlacementLife } from '../../../src/placement/PlacementLife.js';

const lifeOf = (refreshMs: number | null = null, isOnline = () => true) =>
  new PlacementLife(refreshMs, () => 0, isOnline);

describe('a placement', () => {
  it('has nothing to do while an ad is on its way', () => {
    const life = lifeOf(5_000);
    life.asked();
    expect(life.isRefreshDue(1e9, true)).toBe(false);
    expect(life.due(1e9)).toBeNull();
  });

  it('refreshes only after the interval, a viewable impression, and while all of the ad is in view', () => {
    const life = lifeOf(30_000);
    life.shown(0, 0, undefined);
    life.seen();
    expect(life.isRefreshDue(60_000, true)).toBe(false);
    life.viewable();
    expect(life.isRefreshDue(29_999, true)).toBe(false);
    expect(life.isRefreshDue(60_000, false)).toBe(false);
    expect(life.isRefreshDue(30_000, true)).toBe(true);
    life.asked();
    expect(life.isRefreshDue(60_000, true)).toBe(false);
    // The next ad has to earn it anew.
    life.shown(60_000, 60_000, undefined);
    life.seen();
    expect(life.isRefreshDue(200_000, true)).toBe(false);
  });

  it('never refreshes without the rule', () => {
    const life = lifeOf(null);
    life.shown(0, 0, undefined);
    life.seen();
    life.viewable();
    expect(life.isRefreshDue(1e9, true)).toBe(false);
  });

  it('lets an ad nobody has seen expire after five minutes, or when it says so, counted from the answer', () => {
    const life = lifeOf();
    life.shown(0, 0, undefined);
    expect(life.due(299_999)).toBeNull();
    expect(life.due(300_000)).toBe('expire');
    life.shown(100_000, 90_000, 20);
    expect(life.due(109_999)).toBeNull();
    expect(life.due(110_000)).toBe('expire');
  });

  it('keeps an ad that was seen', () => {
    const life = lifeOf();
    life.shown(0, 0, 1);
    life.seen();
    expect(life.due(1e9)).toBeNull();
  });

  it('asks again after no ad, once', () => {
    const life = lifeOf();
    life.failed(0, null);
    expect(life.due(29_999)).toBeNull();
    expect(life.due(30_000)).toBe('ask');
    life.asked();
    expect(life.due(30_000)).toBeNull();
  });

  it('asks a second after the device is back online, once, and not for what asking again cannot mend', () => {
    const offline = new AdsError('net/offline', 'no network');
    let isOnline = false;
    const life = lifeOf(null, () => isOnline);
    for (let i = 0; i < 5; i++) life.failed(0, offline);
    expect([life.due(10_000), life.due(60_000)]).toEqual([null, null]);
    isOnline = true;
    expect(life.due(10_000)).toBeNull();
    expect(life.due(11_000)).toBe('ask');
    life.asked();
    expect(life.due(50_000)).toBeNull();
    // The device is online now: this is the fault of something else, and the waits begin anew.
    life.failed(50_000, offline);
    expect(life.due(79_999)).toBeNull();
    expect(life.due(80_000)).toBe('ask');

    isOnline = false;
    life.failed(0, new AdsError('ad/unknown-surface', 'no such surface'));
    isOnline = true;
    expect([life.due(0), life.due(1e9)]).toEqual([null, null]);
  });

  it('asks for no second ad when the device comes online while one is on its way or hangs there', () => {
    let isOnline = false;
    const life = lifeOf(null, () => isOnline);
    life.failed(0, new AdsError('net/offline', 'no network'));
    expect(life.due(1e6)).toBe('ask');
    life.asked();
    isOnline = true;
    expect([life.due(1e6), life.due(1e6 + 60_000)]).toEqual([null, null]);
    life.shown(1e6, 1e6, undefined);
    life.seen();
    expect(life.due(1e9)).toBeNull();
  });

  it('waits only half a minute again once an ad was seen', () => {
    const life = lifeOf();
    for (let i = 0; i < 3; i++) life.failed(0, null);
    life.asked();
    life.shown(0, 0, undefined);
    life.seen();
    life.failed(0, null);
    expect(life.due(30_000)).toBe('ask');
  });

  it('takes an ad down once, and waits before it asks for another when that one went unseen, too', () => {
    const life = lifeOf();
    for (const waitMs of [0, 30_000]) {
      life.asked();
      life.shown(0, 0, 1);
      expect(life.due(1_000)).toBe('expire');
      life.expired(1_000);
      expect(life.due(1_000 + waitMs - 1)).toBeNull();
      expect(life.due(1_000 + waitMs)).toBe('ask');
    }
  });

  it('gives up where asking is pointless', () => {
    const life = lifeOf();
    life.failed(0, new AdsError('ad/unknown-surface', ''));
    expect(life.due(1e12)).toBeNull();
  });

  it('tries a refresh that failed later again', () => {
    const life = lifeOf(5_000);
    life.shown(0, 0, undefined);
    life.seen();
    life.viewable();
    life.asked();
    life.refreshFailed(5_000, new AdsError('service/rate-limited', '', { retryAfterMs: 60_000 }));
    expect(life.isRefreshDue(64_999, true)).toBe(false);
    expect(life.isRefreshDue(65_000, true)).toBe(true);
    life.asked();
    life.refreshFailed(65_000, new AdsError('ad/unknown-surface', ''));
    expect(life.isRefreshDue(1e12, true)).toBe(false);
  });
});
