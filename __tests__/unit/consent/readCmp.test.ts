import { readGppEvent, readTcData } from '../../../src/consent/readCmp.js';

describe('what a consent manager says', () => {
  const TC_STRING = 'CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA';
  const GPP = { gppString: 'DBAA~BVQ', applicableSections: [7] };

  it.each([
    [true, { gdprApplies: true }],
    [1, { gdprApplies: true }],
    [undefined, {}],
    [2, {}],
    [-1, {}],
    ['1', {}],
    [null, {}],
  ])('with gdprApplies as %j', (gdprApplies, applies) => {
    const say = (eventStatus: string) => readTcData({ gdprApplies, eventStatus, tcString: TC_STRING });
    const decided = { isDecided: true, signals: { ...applies, tcString: TC_STRING } };
    expect([say('tcloaded'), say('useractioncomplete')]).toStrictEqual([decided, decided]);
    expect(say('cmpuishown')).toStrictEqual({ isDecided: false, signals: applies });
    expect(say('other')).toBeNull();
  });

  it.each([false, 0])('with gdprApplies as %j nothing has to be decided', (gdprApplies) => {
    const word = { isDecided: true, signals: { gdprApplies: false } };
    expect(readTcData({ gdprApplies, eventStatus: 'cmpuishown', tcString: TC_STRING })).toStrictEqual(word);
  });

  it.each([
    [undefined, null],
    [{ ...GPP }, null],
    [{ ...GPP, signalStatus: 'loading' }, null],
    [{ ...GPP, signalStatus: 'not ready', cmpDisplayStatus: 'disabled' }, null],
    [
      { ...GPP, signalStatus: 'not ready', cmpDisplayStatus: 'visible' },
      { isDecided: false, signals: {} },
    ],
    [
      { ...GPP, signalStatus: 'ready', gppString: 7 },
      { isDecided: false, signals: {} },
    ],
    [
      { ...GPP, signalStatus: 'ready' },
      { isDecided: true, signals: { gppString: 'DBAA~BVQ', gppSections: [7] } },
    ],
    ...[7, '7', { 0: 7 }, ['x'], [7.5], [[7]], Array(101).fill(7)].map((applicableSections): [object, object] => [
      { signalStatus: 'ready', applicableSections },
      { isDecided: false, signals: {} },
    ]),
    ...[undefined, null, [], [-1], [0]].map((applicableSections): [object, object] => [
      { signalStatus: 'ready', applicableSections },
      { isDecided: true, signals: {} },
    ]),
  ])('by GPP: %j', (pingData, word) => {
    expect(readGppEvent({ eventName: 'signalStatus', pingData })).toStrictEqual(word);
  });
});
