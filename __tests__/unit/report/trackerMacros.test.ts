import {
  fillConsent,
  fillErrorCode,
  fillFiringTime,
  fillVerificationReason,
} from '../../../src/report/trackerMacros.js';

const SIGNALS = {
  gdprApplies: true,
  tcString: 'CPX-y.Z_1',
  gppString: 'DBA~BVQ.Y',
  gppSections: [7, 8],
  usPrivacy: '1YNN',
  addtlConsent: '2~1.35~dv.',
};

describe('P4: macros of trackers', () => {
  it.each([
    ['${GDPR}', '1'],
    ['${GDPR_CONSENT_755}', 'CPX-y.Z_1'],
    ['${GDPR_CONSENT}', 'CPX-y.Z_1'],
    ['${GPP_STRING_755}', 'DBA~BVQ.Y'],
    ['${GPP_SID}', '7%2C8'],
    ['${US_PRIVACY}', '1YNN'],
    ['${ADDTL_CONSENT}', '2~1.35~dv.'],
    ['%24%7BGDPR%7D', '1'],
    ['$%7bgdpr_consent_12%7d', 'CPX-y.Z_1'],
    ['[GDPRCONSENT]', 'CPX-y.Z_1'],
    ['[REGULATIONS]', 'gdpr'],
    ['%5BREGULATIONS%5D', 'gdpr'],
    ['%5bGDPRCONSENT%5d', 'CPX-y.Z_1'],
  ])('%s is filled', (macro, value) => {
    expect(fillConsent(`https://t.example.com/${macro}?a=${macro}`, SIGNALS)).toBe(
      `https://t.example.com/${value}?a=${value}`,
    );
  });

  it('what is not known becomes empty, what is no macro of consent stays', () => {
    const address =
      'https://t.example.com/?a=${GDPR}&b=${GDPR_CONSENT_1}&c=${GPP_SID}&d=${US_PRIVACY}&e=${OTHER}&f=[x]' +
      '&g=${GPP_STRING_1}&h=${ADDTL_CONSENT}&i=[GDPRCONSENT]&j=[REGULATIONS]';
    expect(fillConsent(address, {})).toBe('https://t.example.com/?a=&b=&c=&d=&e=${OTHER}&f=[x]&g=&h=&i=&j=');
    expect(fillConsent('${GDPR}', { gdprApplies: false })).toBe('0');
  });

  it.each([
    [{ gdprApplies: true, underAge: true }, 'gdpr%2Ccoppa'],
    [{ gdprApplies: false, underAge: true }, 'coppa'],
    [{ gdprApplies: true, underAge: false }, 'gdpr'],
    [{ gdprApplies: false, underAge: false }, ''],
  ])('the regulations that apply to %j are %j', (signals, regulations) => {
    expect(fillConsent('[REGULATIONS]', signals)).toBe(regulations);
  });

  it('a macro that is not known yet, or never, stays as it is written', () => {
    const address = 'https://t.example.com/${AUCTION_ID}/%24%7BOTHER%7D/[OTHER]/%5BOTHER%5D/[other]';
    const fills = [fillFiringTime(address, 1), fillErrorCode(address, 1), fillVerificationReason(address)];
    expect([...fills, fillConsent(address, SIGNALS)]).toEqual(Array(4).fill(address));
  });

  it('a name that only contains that of a macro gets nothing of the player', () => {
    const address = ['X_GDPR_CONSENT_1', 'GDPR_CONSENT_1X', 'X_GPP_STRING_1', 'GPP_STRING_X', 'GDPR_CONSENTS']
      .map((name) => `\${${name}}`)
      .join('/');
    expect(fillConsent(address, SIGNALS)).toBe(address);
  });

  it('a value cannot change the address around it', () => {
    expect(fillConsent('https://t.example.com/?a=${US_PRIVACY}&b', { usPrivacy: '1&x=#' })).toBe(
      'https://t.example.com/?a=1%26x%3D%23&b',
    );
  });

  it.each(['[GDPRCONSENT]', '${GDPR_CONSENT}'])(
    'an address that is nothing but %s does not grow without bounds',
    (macro) => {
      const signals = { tcString: 'C'.repeat(16_384) };
      for (const length of [1_000, 16_384, 1_000_000]) {
        const address = `https://t.example.com/${macro.repeat(length / macro.length)}`;
        const filled = fillConsent(address, signals);
        expect(filled.length).toBeGreaterThan(16_384);
        expect(filled.length).toBeLessThan(address.length + 65_536 + 16_385);
      }
      const thrice = `https://t.example.com/${macro.repeat(3)}`;
      expect(fillConsent(thrice, signals)).toBe(`https://t.example.com/${'C'.repeat(3 * 16_384)}`);
    },
  );

  it('times and error codes are filled when the event has happened', () => {
    const at = Date.UTC(2026, 0, 2, 3, 4, 5);
    const address = 'https://t.example.com/${AUCTION_IMP_TS}/[TIMESTAMP]/[CACHEBUSTING]';
    expect(fillFiringTime(address, at)).toMatch(
      new RegExp(`^https://t.example.com/${at}/2026-01-02T03%3A04%3A05.000Z/\\d{8}$`),
    );
    expect(fillFiringTime(address, at + 0.4)).toBe(fillFiringTime(address, at));
    expect(fillFiringTime('[CACHEBUSTING]', 20_000 * 90_000_000 + 7)).toBe('10000007');
    expect(fillErrorCode('https://t.example.com/[ERRORCODE]', 401)).toBe('https://t.example.com/401');
    expect(fillVerificationReason('https://t.example.com/%5BREASON%5D')).toBe('https://t.example.com/2');
  });
});
