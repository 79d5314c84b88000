import type { ConsentProvider, ConsentSignals } from '../../../src/consentRules.js';
import type { AdsError } from '../../../src/errors.js';
import { ConsentKeeper } from '../../../src/plugin/ConsentKeeper.js';

const YES = { gdprApplies: true, tcString: 'YES' };
const NO = { gdprApplies: true, tcString: 'NO' };
const gone = new Error('the ad is gone');

/** A consent manager, and how often it is listened to. */
class Provider implements ConsentProvider {
  signals: ConsentSignals = YES;
  isDecided = false;
  readonly listeners = new Set<() => void>();
  letGo = 0;

  watch(onChange: () => void): () => void {
    this.listeners.add(onChange);
    return () => {
      this.letGo++;
      this.listeners.delete(onChange);
    };
  }

  say(signals: ConsentSignals, isDecided = true): void {
    Object.assign(this, { signals, isDecided });
    for (const listener of this.listeners) listener();
  }
}

function start(consent: ConsentProvider | ConsentSignals | null = new Provider()) {
  const faults: unknown[] = [];
  const warnings: string[] = [];
  const keeper = new ConsentKeeper(
    { consent, waitForConsent: true, underAge: false },
    (_message, error) => faults.push(error),
    (message) => warnings.push(message),
  );
  return { keeper, provider: consent as Provider, faults, warnings };
}

/** Lets everything run that waits for nothing but its turn. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it('a provider is listened to until the game hands in signals of its own, or ends', () => {
  const [first, second] = [start(), start()];
  expect([first, second].map(({ provider }) => provider.listeners.size)).toEqual([1, 1]);
  first.keeper.set(NO);
  second.keeper.destroy();
  expect([first, second].map(({ provider }) => provider.listeners.size)).toEqual([0, 0]);
  expect([first.keeper.signals, first.keeper.isHeld]).toEqual([NO, false]);
  first.keeper.destroy();
  expect(first.provider.letGo).toBe(1);
});

it('where there is no provider, none is let go of', () => {
  const { keeper, faults } = start(YES);
  keeper.set(NO);
  keeper.destroy();
  expect([keeper.signals, faults]).toEqual([NO, []]);
});

it('the developer hears which of the handed-in signals are not understood, never what they say', () => {
  const { keeper, warnings } = start(null);
  keeper.set({ gdprApplies: true, tcString: 'CPXx', gppSections: [-1], usPrivacy: '', underAge: false });
  expect(warnings).toEqual([]);
  keeper.set({ gdprAplies: false, tcstring: 'CPXx', gppString: 'D B', usPrivacy: 7 });
  expect(warnings).toEqual([expect.stringMatching(/: gdprAplies, tcstring, gppString, usPrivacy$/)]);
  expect(keeper.signals).toEqual({});
});

describe.each<[string, Record<string, unknown>]>([
  ['of another kind', { gdprApplies: true, tcString: 7 }],
  ['with characters no string of consent has', { gdprApplies: true, tcString: 'no way' }],
  ['under another name', { gdprApplies: true, consentString: 'CPXx' }],
])('a signal %s may be a no, so nothing is decided until it is understood:', (_, unclear) => {
  const held = (keeper: ConsentKeeper): unknown[] => [keeper.isHeld, keeper.signals];

  it('signals the game hands in', () => {
    const { keeper, warnings } = start(YES);
    for (let time = 0; time < 2; time++) {
      keeper.set(unclear);
      expect(held(keeper)).toEqual([true, { gdprApplies: true }]);
    }
    keeper.set(NO);
    expect(held(keeper)).toEqual([false, NO]);
    expect(warnings).toEqual([expect.stringMatching(/: (tcString|consentString)$/)]);
  });

  it('signals of the option `consent`', () => {
    const { keeper, warnings } = start(unclear);
    expect(held(keeper)).toEqual([true, { gdprApplies: true }]);
    expect(warnings).toHaveLength(1);
  });

  it('signals of a provider', () => {
    const { keeper, provider, warnings } = start();
    for (const time of [1, 2]) provider.say({ ...unclear, usPrivacy: `1YN${'-YN'.charAt(time)}` });
    expect(keeper.isHeld).toBe(true);
    provider.say(YES);
    expect(held(keeper)).toEqual([false, YES]);
    expect(warnings).toHaveLength(1);
  });
});

it('a provider that goes on calling after the end changes nothing any more', () => {
  const provider = new Provider();
  const { keeper } = start(
    Object.assign(provider, { watch: (on: () => void) => (provider.listeners.add(on), () => 0) }),
  );
  const listener = jest.fn();
  keeper.onChange(listener);
  keeper.destroy();
  provider.say(NO);
  expect(listener).not.toHaveBeenCalled();
});

it('what a provider says while it begins to be listened to holds, too', () => {
  const provider = new Provider();
  const changing: ConsentProvider = {
    get signals() {
      return provider.signals;
    },
    isDecided: true,
    watch(onChange) {
      provider.signals = NO;
      return provider.watch(onChange);
    },
  };
  expect(start(changing).keeper.signals).toEqual(NO);
});

it.each(['isDecided', 'signals', 'watch'])('a provider whose %s throws has decided nothing, and it is told', (name) => {
  const provider = Object.defineProperty(new Provider(), name, {
    get() {
      throw gone;
    },
  });
  const { keeper, faults } = start(provider);
  expect([keeper.isHeld, faults.includes(gone)]).toEqual([true, true]);
  expect(keeper.signals).toEqual(name === 'signals' ? {} : YES);
});

it.each<[string, PropertyDescriptor]>([
  ['throw', { get: () => fail() }],
  ['are none', { value: null }],
])('a provider that says it has decided, but whose signals %s, is waited for', (_, signals) => {
  const { keeper, provider } = start(Object.assign(new Provider(), { isDecided: true }));
  expect([keeper.signals, keeper.isHeld]).toEqual([YES, false]);
  Object.defineProperty(provider, 'signals', { ...signals, configurable: true });
  for (const listener of provider.listeners) listener();
  expect([keeper.signals, keeper.isHeld]).toEqual([{}, true]);
  Object.defineProperty(provider, 'signals', { value: NO });
  for (const listener of provider.listeners) listener();
  expect([keeper.signals, keeper.isHeld]).toEqual([NO, false]);
});

it('tells of changes alone, as long as somebody listens', () => {
  const { keeper, provider } = start();
  const listener = jest.fn();
  const stop = keeper.onChange(listener);
  provider.say(YES, false);
  expect(listener).not.toHaveBeenCalled();
  for (const isDecided of [true, true, false]) provider.say(YES, isDecided);
  provider.say(NO, false);
  expect(listener).toHaveBeenCalledTimes(3);
  stop();
  provider.say(YES);
  expect(listener).toHaveBeenCalledTimes(3);
});

it('an end of listening that throws is told, and signals can be handed in all the same', () => {
  const provider = Object.assign(new Provider(), { watch: () => () => fail() });
  const { keeper, faults } = start(provider);
  keeper.set(NO);
  expect([keeper.signals, faults]).toEqual([NO, [gone]]);
});

describe('what waits for the decision', () => {
  it.each(['before', 'while'])('ends when nobody needs it any more: %s it waits', async (when) => {
    const { keeper } = start();
    const controller = new AbortController();
    const end = jest.spyOn(controller.signal, 'removeEventListener');
    if (when === 'before') controller.abort(gone);
    const waiting = keeper.whenDecided(controller.signal);
    if (when === 'while') controller.abort(gone);
    await expect(waiting).rejects.toBe(gone);
    expect(end).toHaveBeenCalled();
  });

  it('goes on when it is made, and lets go of the signal', async () => {
    const { keeper, provider } = start();
    const { signal } = new AbortController();
    const [begin, end] = [jest.spyOn(signal, 'addEventListener'), jest.spyOn(signal, 'removeEventListener')];
    const waiting = keeper.whenDecided(signal);
    provider.say(NO, false);
    expect(end).not.toHaveBeenCalled();
    provider.say(NO);
    await waiting;
    provider.say(YES);
    expect(end.mock.calls).toEqual(begin.mock.calls);
  });

  it('does not begin when the decision is taken back at once', async () => {
    const { keeper, provider } = start();
    const work = jest.fn(async () => 'ad');
    const result = keeper.byDecision(new AbortController().signal, work);
    provider.say(YES);
    provider.say(YES, false);
    await settle();
    expect(work).not.toHaveBeenCalled();
    provider.say(NO);
    await expect(result).resolves.toBe('ad');
  });
});

describe('work under a decision', () => {
  const endless = (signals: AbortSignal[]) => (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  };

  it('hears of the end of the ad it is done for, with the reason', async () => {
    const { keeper } = start(YES);
    const outer = new AbortController();
    const signals: AbortSignal[] = [];
    const result = keeper.byDecision(outer.signal, endless(signals));
    await settle();
    outer.abort(gone);
    await expect(result).rejects.toBe(gone);
    expect(signals.map(({ reason }) => reason as unknown)).toEqual([gone]);
  });

  it('hears of nothing any more once it is done', async () => {
    const { keeper } = start(YES);
    const outer = new AbortController();
    const signals: AbortSignal[] = [];
    await keeper.byDecision(outer.signal, async (signal) => void signals.push(signal));
    keeper.set(NO);
    await keeper.byDecision(outer.signal, async (signal) => void signals.push(signal));
    outer.abort(gone);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  });

  it('does not begin for an ad that is gone', async () => {
    const work = jest.fn();
    await expect(start(YES).keeper.byDecision(AbortSignal.abort(gone), work)).rejects.toBe(gone);
    expect(work).not.toHaveBeenCalled();
  });

  it('that fails fails once', async () => {
    const { keeper } = start(YES);
    const work = jest.fn(() => Promise.reject(gone));
    await expect(keeper.byDecision(new AbortController().signal, work)).rejects.toBe(gone);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('is done anew after each of three changes of mind, and then no more', async () => {
    const { keeper } = start(YES);
    const signals: AbortSignal[] = [];
    const result = keeper.byDecision(new AbortController().signal, endless(signals));
    for (const said of [NO, YES, NO, YES]) {
      await settle();
      keeper.set(said);
    }
    await expect(result).resolves.toBeNull();
    expect(signals.map(({ reason }) => (reason as AdsError).code)).toEqual(Array(3).fill('net/aborted'));
  });
});

function fail(): never {
  throw gone;
}
