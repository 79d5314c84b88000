import { ConsentSource, type ConsentSourceOptions } from '../../../src/consent/ConsentSource.js';
import { FakeCmp, FakeWindow } from '../../helpers/FakeCmp.js';
import { withCode } from '../../helpers/withCode.js';
import { FakeWorld, settle } from '../service/FakeWorld.js';

function start(options: ConsentSourceOptions = {}, page: FakeWindow | null = new FakeWindow(), privacy = false) {
  const world = new FakeWorld();
  let running = 0;
  let started = 0;
  const source = new ConsentSource(options, {
    window: page?.asWindow ?? null,
    asksForPrivacy: () => privacy,
    after(ms, callback) {
      running++;
      started++;
      const cancel = world.after(ms, () => {
        running--;
        callback();
      });
      return () => {
        running--;
        cancel();
      };
    },
  });
  const changes: unknown[] = [];
  const stop = source.watch(() => changes.push(source.signals));
  return { world, source, page: page!, changes, stop, timers: () => running, started: () => started };
}

const TC = (eventStatus: string, more: object = {}) => ({ gdprApplies: true, tcString: 'CPXx', eventStatus, ...more });
const PING = (signalStatus: string, more: object = {}) => ({
  eventName: 'signalStatus',
  pingData: { gppVersion: '1.1', signalStatus, gppString: 'DBAA~BVQ', applicableSections: [7], ...more },
});

describe('P5: a consent manager', () => {
  it.each([0, 700, 8_000])('that comes %d ms late is found, and heard', async (lateMs) => {
    const { world, source, page } = start();
    await world.advance(lateMs);
    const cmp = new FakeCmp(page, '__tcfapi').installStub().load();
    await world.advance(1_000);
    expect(source.isDecided).toBe(false);
    cmp.tell(TC('tcloaded'));
    expect(source.isDecided).toBe(true);
    expect(source.signals).toEqual({ gdprApplies: true, tcString: 'CPXx' });
  });

  it('that asks the player for minutes is waited for, without a timer; what it held before is no answer', async () => {
    const { world, source, page, timers } = start();
    const cmp = new FakeCmp(page, '__tcfapi').installStub();
    await world.advance(60);
    cmp.load();
    cmp.tell(TC('cmpuishown'));
    await world.advance(600_000);
    expect(timers()).toBe(0);
    expect(source.isDecided).toBe(false);
    expect(source.signals).toEqual({ gdprApplies: true });
    cmp.tell(TC('useractioncomplete'));
    expect(source.isDecided).toBe(true);
    expect(source.signals.tcString).toBe('CPXx');
  });

  it.each([
    [false, 'tcloaded'],
    [0, 'tcloaded'],
    [false, 'cmpuishown'],
    [false, undefined],
  ])('that says the GDPR does not apply (%p, %p) needs nobody to act', async (gdprApplies, eventStatus) => {
    const { world, source, page } = start();
    const cmp = new FakeCmp(page, '__tcfapi').installStub().load();
    await world.advance(60);
    cmp.tell({ gdprApplies, tcString: '', eventStatus });
    expect(source.isDecided).toBe(true);
    expect(source.signals).toEqual({ gdprApplies: false });
  });

  it('is heard when the player changes their mind; until then the earlier decision holds', async () => {
    const { world, source, page, changes } = start();
    const cmp = new FakeCmp(page, '__tcfapi').installStub().load();
    await world.advance(60);
    cmp.tell(TC('tcloaded'));
    cmp.tell(TC('cmpuishown', { tcString: 'other' }));
    expect([source.isDecided, source.signals.tcString]).toEqual([true, 'CPXx']);
    cmp.tell(TC('useractioncomplete', { tcString: 'CNEW' }));
    expect(source.signals.tcString).toBe('CNEW');
    expect(changes.at(-1)).toEqual(source.signals);
  });

  it.each([
    ['__tcfapi', TC('tcloaded')],
    ['__gpp', PING('ready')],
  ] as const)('of the page itself (%s) is told when nobody listens any more', (name, word) => {
    const page = new FakeWindow();
    const cmp = new FakeCmp(page, name).installStub().load();
    const { stop } = start({}, page);
    cmp.tell(word);
    cmp.tell(word, false);
    stop();
    expect(cmp.removed).toEqual([1]);
  });

  it.each([false, true])('of a page around frames is asked by messages (answers in text: %p)', async (inText) => {
    const top = new FakeWindow();
    const middle = new FakeWindow(top);
    const page = new FakeWindow(middle);
    top.isForeign = middle.isForeign = true;
    top.sender = page;
    const cmp = new FakeCmp(top, '__tcfapi', inText).installStub().load();
    cmp.tell(TC('cmpuishown'));
    const { world, source, stop } = start({}, page);
    await world.advance(60);
    await settle();
    expect(source.signals).toEqual({ gdprApplies: true });
    cmp.tell(TC('useractioncomplete'));
    await settle();
    expect([source.isDecided, source.signals.tcString]).toEqual([true, 'CPXx']);
    stop();
    await settle();
    expect(cmp.removed).toEqual([1]);
    // Nothing that the page or a frame sends is heard any more.
    const { removed, added } = page.messageListeners;
    expect([added, removed]).toEqual([1, 1]);
  });

  it('of GPP of a page around this frame is asked by messages, too, and stopped', async () => {
    const top = new FakeWindow();
    const page = new FakeWindow(top);
    top.sender = page;
    const cmp = new FakeCmp(top, '__gpp').installStub().load();
    const { world, source, stop } = start({}, page);
    await world.advance(60);
    cmp.tell(PING('ready'));
    await settle();
    expect([source.isDecided, source.signals]).toEqual([true, { gppString: 'DBAA~BVQ', gppSections: [7] }]);
    stop();
    await settle();
    expect(cmp.removed).toEqual([1]);
  });

  it('is not believed when another frame answers for it', async () => {
    const top = new FakeWindow();
    const page = new FakeWindow(top);
    top.names['__tcfapiLocator'] = {};
    const { world, source } = start({}, page);
    await world.advance(60);
    for (const callId of ['phaser-inview-__tcfapi-1', 1]) {
      page.receive({ __tcfapiReturn: { returnValue: TC('tcloaded'), success: true, callId } }, new FakeWindow());
    }
    await settle();
    expect(source.isDecided).toBe(false);
  });

  it('whose page sends other messages, too, is heard among them', async () => {
    const top = new FakeWindow();
    const page = new FakeWindow(top);
    top.sender = page;
    const cmp = new FakeCmp(top, '__tcfapi').installStub().load();
    const { world, source } = start({}, page);
    await world.advance(60);
    await settle();
    for (const message of [null, undefined, 7, 'text', '{', '{}', [], { __tcfapiReturn: null }, { __tcfapiReturn: { callId: 9 } }, { __tcfapiReturn: { callId: { toString: 1, valueOf: 1 } } }, '{"__tcfapiReturn":{"callId":{"toString":1}}}']) {
      page.receive(message, top);
    }
    cmp.tell(TC('tcloaded'));
    await settle();
    expect(source.isDecided).toBe(true);
  }); // prettier-ignore

  it('of GPP is waited for until it is ready', async () => {
    const { world, source, page } = start();
    const cmp = new FakeCmp(page, '__gpp').installStub().load();
    await world.advance(60);
    cmp.tell(PING('not ready'));
    expect(source.isDecided).toBe(false);
    cmp.tell(PING('ready'));
    expect(source.isDecided).toBe(true);
    expect(source.signals).toEqual({ gppString: 'DBAA~BVQ', gppSections: [7] });
  });

  it.each([
    ['disabled', true],
    ['hidden', false],
  ])('of GPP that is not ready and whose display is %s: whether it is not waited for after the deadline is %p', async (cmpDisplayStatus, isDecided) => {
    const { world, source, page } = start();
    new FakeCmp(page, '__gpp').installStub().load().tell(PING('not ready', { cmpDisplayStatus }));
    new FakeCmp(page, '__tcfapi').installStub().load().tell(TC('tcloaded'));
    await world.advance(20_060);
    expect(source.isDecided).toBe(isDecided);
  }); // prettier-ignore

  it('with both is decided once neither waits for the player', async () => {
    const { world, source, page } = start();
    const tcf = new FakeCmp(page, '__tcfapi').installStub().load();
    const gpp = new FakeCmp(page, '__gpp').installStub().load();
    await world.advance(60);
    tcf.tell(TC('tcloaded'));
    gpp.tell(PING('not ready'));
    expect(source.isDecided).toBe(false);
    gpp.tell(PING('ready', { applicableSections: [2] }));
    expect(source.isDecided).toBe(true);
    expect(source.signals).toEqual({ gdprApplies: true, tcString: 'CPXx', gppString: 'DBAA~BVQ', gppSections: [2] });
  });

  it.each([
    ['__gpp', PING('ready')],
    ['__tcfapi', TC('tcloaded')],
  ] as const)('of which only the stub of %s is there yet is waited for, though the other one has decided; not for ever', async (late, word) => {
    const { world, source, page } = start();
    new FakeCmp(page, late === '__gpp' ? '__tcfapi' : '__gpp').installStub().load().tell(late === '__gpp' ? TC('tcloaded') : PING('ready'));
    const cmp = new FakeCmp(page, late).installStub();
    await world.advance(9_000);
    expect(source.isDecided).toBe(false);
    await world.advance(3_000);
    expect(source.isDecided).toBe(true);
    // What it says too late holds all the same.
    cmp.load().tell(word);
    expect(source.signals).toEqual({ gdprApplies: true, tcString: 'CPXx', gppString: 'DBAA~BVQ', gppSections: [7] });
  }); // prettier-ignore

  it.each([
    ['__tcfapi', TC('tcloaded'), TC('tcloaded', { gdprApplies: false })],
    ['__gpp', PING('ready'), PING('ready', { applicableSections: [-1] })],
  ] as const)('that fails (%s) has said nothing, whatever comes with it', async (api, word, other) => {
    const { world, source, page } = start();
    const cmp = new FakeCmp(page, api).installStub().load();
    await world.advance(60);
    cmp.tell(word, false);
    expect([source.isDecided, source.signals]).toEqual([false, {}]);
    cmp.tell(word);
    const { signals } = source;
    cmp.tell(other, false);
    expect([source.isDecided, source.signals]).toEqual([true, signals]);
  });

  it.each<[string, (page: FakeWindow) => void]>([
    ['that is not there', () => undefined],
    ['of which only the stub ever comes', (page) => void new FakeCmp(page, '__tcfapi').installStub()],
    ['that throws', (page) => void Object.assign(page, { __tcfapi: () => { throw new Error('theirs'); } })],
    ['whose page throws when it is asked for it', (page) => { for (const name of ['__tcfapi', '__gpp']) Object.defineProperty(page, name, { get() { throw new Error('theirs'); } }); }],
    ['of a frame that has been taken out of its page', (page) => void Object.assign(page, { parent: null })],
    ['that speaks nonsense', (page) => new FakeCmp(page, '__tcfapi').installStub().load().tell({ eventStatus: 7 })],
  ])('%s is given up at the deadline, which decides nothing unless the game says what holds then', async (_name, prepare) => {
    for (const withoutManager of [undefined, { gdprApplies: false }]) {
      const page = new FakeWindow();
      prepare(page);
      const { world, source, timers } = start(withoutManager === undefined ? {} : { withoutManager }, page);
      await world.advance(5_000);
      expect(source.isDecided).toBe(false);
      await world.advance(20_000);
      expect(timers()).toBe(0);
      expect(source.isDecided).toBe(withoutManager !== undefined);
      expect(source.signals).toEqual(withoutManager ?? {});
    }
  }); // prettier-ignore

  it('that throws after it has spoken is believed', async () => {
    const page = new FakeWindow();
    const call = (...[, , hear]: [string, number, (word: object, success: boolean) => void]): void => {
      hear(TC('tcloaded'), true);
      throw new Error('theirs');
    };
    Object.assign(page, { __tcfapi: call });
    const { world, source } = start({ withoutManager: { gdprApplies: false } }, page);
    await world.advance(20_000);
    expect([source.isDecided, source.signals]).toEqual([true, { gdprApplies: true, tcString: 'CPXx' }]);
  });

  it.each([
    ['is no string', { gppString: '<script>' }],
    ['is too long', { gppString: 'x'.repeat(20_000) }],
    ['is not there', { gppString: undefined }],
  ])('of GPP whose word %s, though sections apply, has decided nothing', async (_name, more) => {
    const { world, source, page } = start();
    const cmp = new FakeCmp(page, '__gpp').installStub().load();
    await world.advance(60);
    cmp.tell(PING('ready', more));
    expect(source.isDecided).toBe(false);
    cmp.tell(PING('ready'));
    expect(source.isDecided).toBe(true);
    // A manager that is out of order does not take back what the player has said.
    cmp.tell(PING('ready', more));
    expect(source.signals.gppString).toBe('DBAA~BVQ');
    cmp.tell(PING('ready', { gppString: '', applicableSections: [-1] }));
    expect([source.isDecided, source.signals]).toEqual([true, {}]);
  });

  it('tells the vendors of Google that the player has said yes to, beside the TC string', async () => {
    const { world, source, page } = start();
    const cmp = new FakeCmp(page, '__tcfapi').installStub().load();
    await world.advance(60);
    for (const [given, addtlConsent] of [['2~1.35.41~dv.9', '2~1.35.41~dv.9'], ['', undefined], [7, undefined]]) {
      cmp.tell(TC('tcloaded', { addtlConsent: given }));
      expect(source.signals.addtlConsent).toBe(addtlConsent);
    }
  }); // prettier-ignore

  it('that gives what is no consent string gives none', async () => {
    const { world, source, page } = start();
    const cmp = new FakeCmp(page, '__tcfapi').installStub().load();
    await world.advance(60);
    for (const tcString of ['<script>', 'x'.repeat(20_000), 7, null]) {
      cmp.tell(TC('tcloaded', { tcString }));
      expect(source.signals).toEqual({ gdprApplies: true });
    }
  });
});

describe('ConsentSource', () => {
  it('tells what the browser asks for by itself', () => {
    expect(start({}, null, true).source.signals).toEqual({ globalPrivacyControl: true });
  });

  it('listens only while somebody watches, and begins anew', async () => {
    const { world, source, page, stop, timers, changes } = start();
    stop();
    expect(timers()).toBe(0);
    const cmp = new FakeCmp(page, '__tcfapi').installStub().load();
    cmp.tell(TC('tcloaded'));
    await world.advance(20_000);
    expect([source.isDecided, changes.length]).toEqual([false, 1]);
    source.watch(() => undefined);
    expect(source.isDecided).toBe(true);
  });

  it('knows nothing any more once nobody watches: the next game hears nothing of a decision taken back meanwhile', async () => {
    const { world, source, page, stop } = start();
    const cmp = new FakeCmp(page, '__tcfapi').installStub().load();
    await world.advance(60);
    cmp.tell(TC('tcloaded'));
    expect(source.isDecided).toBe(true);
    stop();
    expect([source.isDecided, source.signals]).toEqual([false, {}]);
    cmp.tell(TC('cmpuishown'));
    const heard: unknown[] = [];
    source.watch(() => heard.push([source.isDecided, source.signals]));
    expect(heard).toEqual([[false, { gdprApplies: true }]]);
  });

  it('tells what is known at the beginning once, and all of it', () => {
    const page = new FakeWindow();
    new FakeCmp(page, '__tcfapi').installStub().load().tell(TC('tcloaded'));
    new FakeCmp(page, '__gpp').installStub().load().tell(PING('ready'));
    const { changes, source } = start({}, page);
    expect(source.isDecided).toBe(true);
    expect(changes).toEqual([source.signals]);
  });

  it('takes back from a manager only what it has taken', async () => {
    const { world, page, stop } = start();
    const cmp = new FakeCmp(page, '__tcfapi').installStub();
    await world.advance(60);
    stop();
    cmp.load();
    expect(cmp.removed).toHaveLength(0);
  });

  it('stops even where the manager throws at being told so, and goes on telling', async () => {
    const { world, page, stop, timers, changes } = start();
    const cmp = new FakeCmp(page, '__tcfapi').installStub().load();
    await world.advance(60);
    cmp.tell(TC('tcloaded'));
    const heard = changes.length;
    Object.assign(page, {
      __tcfapi() {
        throw new Error('unknown listener');
      },
    });
    expect(stop).not.toThrow();
    cmp.tell(TC('useractioncomplete', { tcString: 'CNEW' }));
    expect([timers(), changes.length]).toEqual([0, heard]);
  });

  it('listens on while another one still watches', async () => {
    const { world, source, page, stop, timers } = start();
    const searching = timers();
    source.watch(() => undefined);
    // Both hear of one search.
    expect(timers()).toBe(searching);
    const cmp = new FakeCmp(page, '__tcfapi').installStub().load();
    await world.advance(60);
    stop();
    cmp.tell(TC('tcloaded'));
    expect(source.isDecided).toBe(true);
  });

  it('looks for a manager until the deadline, to the millisecond, with growing pauses', async () => {
    const { world, source, started } = start({ deadlineMs: 10_000, withoutManager: { gdprApplies: false } });
    await world.advance(1_000);
    const begun = started();
    await world.advance(8_999);
    expect(source.isDecided).toBe(false);
    await world.advance(1);
    expect(source.isDecided).toBe(true);
    expect([begun < 15, started() - begun < 25]).toEqual([true, true]);
  });

  it('decides nothing by signals that are not understood, and the console names them', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const { world, source } = start({ deadlineMs: 10_000, withoutManager: { gdprApplies: 'no' as never } });
    await world.advance(10_000);
    expect([source.isDecided, source.signals]).toEqual([false, {}]);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/: gdprApplies$/)]]);
    warn.mockRestore();
  });

  it.each([
    [{ deadlineMs: -1 }, 'config/timeout'],
    [{ deadlineMs: 120_001 }, 'config/timeout'],
    [{ deadlineMs: '5' as never }, 'config/timeout'],
    [{ withoutManager: 7 as never }, 'config/option'],
  ] as const)('refuses %j', (options, code) => {
    expect(() => new ConsentSource(options)).toThrow(withCode(code));
  });

  it.each([0, 120_000])('takes a deadline of %d ms', (deadlineMs) => {
    expect(() => new ConsentSource({ deadlineMs })).not.toThrow();
  });

  it('has decided nothing before somebody watches, and asks the browser itself', () => {
    Object.assign(globalThis, { navigator: { globalPrivacyControl: true } });
    const source = new ConsentSource({ withoutManager: { gdprApplies: false } });
    expect([source.isDecided, source.signals]).toEqual([false, { globalPrivacyControl: true }]);
    Reflect.deleteProperty(globalThis, 'navigator');
    expect(source.signals).toEqual({});
    const stop = source.watch(() => undefined);
    // There is no page here on which one could come.
    expect([source.isDecided, source.signals]).toEqual([true, { gdprApplies: false }]);
    stop();
  });
});
