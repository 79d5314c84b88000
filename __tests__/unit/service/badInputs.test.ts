import { DEFAULT_BASE_URL } from '../../../src/options.js';
import { credentialsOf, resolveOptions } from '../../../src/resolveOptions.js';
import { ServiceClient } from '../../../src/service/ServiceClient.js';
import { API_KEY, BASE_URL, CONNECT, GRANT, PRIVATE_KEY } from './FakeService.js';
import { ODD_EMAILS } from '../../helpers/oddEmails.js';
import { withCode } from '../../helpers/withCode.js';
import { FakeWorld } from './FakeWorld.js';
import { faultOf, outcomeOf, startClient, stopClients, watch } from './startClient.js';

const good = { apiKey: API_KEY, privateKey: PRIVATE_KEY, baseUrl: BASE_URL };
const trap = new Proxy({}, { get: () => { throw new Error('trap'); }, ownKeys: () => { throw new Error('trap'); } }); // prettier-ignore

const optionFault = (options: unknown): { code?: string; message?: string } => {
  try {
    new ServiceClient(options as never, new FakeWorld()).destroy();
    return {};
  } catch (error) {
    return error as { code: string; message: string };
  }
};

afterEach(stopClients);

describe('options', () => {
  it.each([
    ['B39', undefined, 'config/missing'],
    ['B39', 'text', 'config/missing'],
    ['B39', null, 'config/missing'],
    ['B40', { ...good, apiKey: undefined }, 'config/api-key'],
    ['B40', { ...good, apiKey: '' }, 'config/api-key'],
    ['B40', { ...good, apiKey: '   ' }, 'config/api-key'],
    ['B40', { ...good, apiKey: 7 }, 'config/api-key'],
    ['B40', { ...good, apiKey: 'a\r\nX-Evil: 1' }, 'config/api-key'],
    ['B41', { ...good, privateKey: 7 }, 'config/private-key'],
    ['B41', { ...good, privateKey: '' }, 'config/private-key'],
    ['B41', { ...good, privateKey: API_KEY }, 'config/private-key'],
    ['B42', { ...good, getToken: async () => ({}) }, 'config/ambiguous-credentials'],
    ['B42', { apiKey: API_KEY, getToken: 'no' }, 'config/token-provider'],
    ['B43', { ...good, baseUrl: 'http://ads.example/api' }, 'config/base-url'],
    ['B43', { ...good, baseUrl: '/api' }, 'config/base-url'],
    ['B43', { ...good, baseUrl: 'https://user:pw@ads.example' }, 'config/base-url'],
    ['B43', { ...good, baseUrl: 'https://ads.example/?q=1' }, 'config/base-url'],
    ['B43', { ...good, baseUrl: 'javascript:alert(1)' }, 'config/base-url'],
    ['B43', { ...good, baseUrl: 'http://localhost.evil.example' }, 'config/base-url'],
    ['B43', { ...good, baseUrl: 'http://127.0.0.1.evil.example' }, 'config/base-url'],
    ['B43', { ...good, baseUrl: 'http://evil-localhost' }, 'config/base-url'],
    ['B45', { ...good, timeoutMs: 0 }, 'config/timeout'],
    ['B45', { ...good, timeoutMs: -1 }, 'config/timeout'],
    ['B45', { ...good, timeoutMs: NaN }, 'config/timeout'],
    ['B45', { ...good, timeoutMs: Infinity }, 'config/timeout'],
    ['B45', { ...good, timeoutMs: 120_001 }, 'config/timeout'],
    ['B45', { ...good, timeoutMs: '10' }, 'config/timeout'],
    ['B66', { ...good, blockingOpacity: 0 }, 'config/option'],
    ['B66', { ...good, creativeHosts: ['https://cdn.example/'] }, 'config/option'],
    ['B66', { ...good, creativeHosts: 'cdn.example' }, 'config/option'],
    ['B66', { ...good, persistSession: 'local' }, 'config/option'],
    ['B66', { ...good, clickHosts: [7] }, 'config/option'],
    ['B66', { ...good, fallback: 'nothing' }, 'config/option'],
    ['B66', { ...good, meter: true }, 'config/option'],
    ['B66', { ...good, meter: {} }, 'config/option'],
    ['B66', { ...good, refresh: { minIntervalMs: 1000 } }, 'config/option'],
    ['B66', { ...good, consent: { signals: {}, watch: () => () => undefined } }, 'config/option'],
    ['B66', { ...good, consent: { isDecided: null, watch: () => () => undefined } }, 'config/option'],
    ['B66', { source: {} }, 'config/option'],
    ['B66', { source: 'house-ads.json' }, 'config/option'],
    ['B66', { testMode: 'nothing' }, 'config/option'],
    ['B66', { testMode: 1 }, 'config/option'],
    ['B66', { ...good, allowPlainPrivateKey: 'yes' }, 'config/option'],
  ])('%s %p: %s, at once', (_row, options, code) => {
    expect(optionFault(options).code).toBe(code);
  });

  it('B66 whose reading throws: config/option, at once', () => {
    const toString = (): never => {
      throw new Error('trap');
    };
    const getter = Object.defineProperty({ ...good }, 'debug', { get: toString, enumerable: true });
    const inner = ['frequency', 'separateAdvertisers', 'source', 'meter'].map((name) => ({
      ...good,
      [name]: Object.defineProperties(
        {},
        Object.fromEntries(['perDay', 'a', 'getAd', 'of'].map((field) => [field, { get: toString, enumerable: true }])),
      ),
    }));
    const { proxy: hosts, revoke } = Proxy.revocable([], {});
    revoke();
    for (const options of [
      trap,
      getter,
      { ...good, placeholder: { toString } },
      ...inner,
      { ...good, clickHosts: hosts },
    ]) {
      expect(optionFault(options).code).toBe('config/option');
    }
  });

  it('B41 B43 never repeat a value that could be a secret', () => {
    for (const options of [
      { ...good, apiKey: 'canary value' },
      { ...good, privateKey: 'canary value' },
      { ...good, baseUrl: 'ftp://canary value' },
      { ...good, persistSession: 'canary value' },
    ]) {
      const fault = optionFault(options);
      expect(fault.code).toMatch(/^config\//);
      expect(fault.message).not.toContain('canary');
    }
  });

  it.each([
    ['timeuot', 'timeoutMs'],
    ['timeout', 'timeoutMs'],
    ['apikey', 'apiKey'],
    ['baseURL', 'baseUrl'],
    ['persistsession', 'persistSession'],
  ])('B44 an unknown option %s is warned of, with the likely name %s', (name, likely) => {
    const warnings: string[] = [];
    resolveOptions({ ...good, [name]: 1 }, (message) => warnings.push(message));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`\`${name}\``);
    expect(warnings[0]).toContain(`Did you mean \`${likely}\`?`);
  });

  it('B44 an option like no other is warned of without a guess', () => {
    const warnings: string[] = [];
    resolveOptions({ ...good, xyz: 1 }, (message) => warnings.push(message));
    expect(warnings[0]).not.toContain('Did you mean');
  });

  it('B43 a published game has to name its service: players would be sent to their own machines', () => {
    const open = (page: FakeWorld['page'], baseUrl?: string) => () =>
      new ServiceClient({ ...good, baseUrl } as typeof good, Object.assign(new FakeWorld(), { page })).destroy();
    const published = { hostname: 'game.example', origin: 'https://game.example' };
    expect(open(published)).toThrow(withCode('config/base-url'));
    expect(open(published, BASE_URL)).not.toThrow();
    for (const page of [
      null,
      { hostname: '', origin: 'null' },
      { hostname: '127.0.0.1', origin: 'http://127.0.0.1' },
    ]) {
      expect(open(page)).not.toThrow();
    }
  });

  it('are filled with the documented defaults, frozen, and pass through a second time unchanged', () => {
    const resolved = resolveOptions({ apiKey: API_KEY, privateKey: PRIVATE_KEY });
    expect(resolved).toEqual({
      credentialKind: 'signed',
      baseUrl: DEFAULT_BASE_URL,
      timeoutMs: 10_000,
      blockingOpacity: 0.5,
      creativeHosts: null,
      placeholder: null,
      persistSession: 'none',
      sessionBinding: 'none',
      debug: false,
      meter: null,
      reporting: true,
      beforeReport: null,
      consent: null,
      waitForConsent: false,
      underAge: false,
      frequency: null,
      label: null,
      separateAdvertisers: false,
      clickHosts: null,
      evidenceRatio: 0.01,
      fallback: 'placeholder',
      refreshMs: null,
      source: null,
      testMode: null,
    });
    expect(Object.isFrozen(resolved)).toBe(true);
    expect(resolveOptions(resolved)).toBe(resolved);
  });

  it.each([
    'http://localhost:8080/api/',
    'http://127.0.0.1/api',
    'http://[::1]:1/api',
    'https://ads.example/api//',
    'https://ads.example/api/?',
    'https://ads.example/api#',
  ])('take %s as a base address', (baseUrl) => {
    expect(resolveOptions({ ...good, baseUrl }).baseUrl).toMatch(/\/api$/);
  });
});

describe('what an option takes, to its bounds, and nothing beyond', () => {
  const call = (): void => undefined;
  const flag = [[true, false], ['yes', 1, null]] as const; // prettier-ignore
  const hosts = [
    [[], ['cdn.example'], ['cdn.example:8443', '10.0.0.1']],
    ['cdn.example', [7], ['a b.example'], ['//cdn.example'], ['cdn.example/'], ['cdn.example:'], ['cdn.example', '']],
  ] as const;

  it.each<[name: string, right: readonly unknown[], wrong: readonly unknown[]]>([
    ['timeoutMs', [1, 120_000], [0.999, 120_001, -Infinity, '1', true, null]],
    ['blockingOpacity', [Number.MIN_VALUE, 1], [0, -1, 1.001, NaN, '0.5', null]],
    ['evidenceRatio', [0, 1], [-0.001, 1.001, NaN, '0.5', null]],
    ['creativeHosts', ...hosts],
    ['clickHosts', ...hosts],
    ['placeholder', ['a'], ['', 7, null]],
    ['persistSession', ['none', 'tab'], ['', 'Tab', true, null]],
    ['sessionBinding', ['none', 'dpop'], ['', 'DPoP', true, null]],
    ['beforeReport', [call], [true, {}, null]],
    ['meter', [{ of: call }], [{ of: 1 }, null]],
    ['source', [{ getAd: call, getAdSurfaces: call }], [{ getAd: call }, { getAdSurfaces: call }, call, null]],
    ['fallback', ['placeholder', 'hide', { textureKey: 'a' }, call], ['', {}, 7, null]],
    ['label', ['Anzeige', true], ['', ' ', 'x'.repeat(21), 7, null]],
    ['debug', ...flag],
    ['reporting', ...flag],
    ['underAge', ...flag],
    ['waitForConsent', ...flag],
    ['separateAdvertisers', [true, false], ['yes', 1]],
  ])('%s', (name, right, wrong) => {
    for (const value of right) expect(resolveOptions({ ...good, [name]: value })).toMatchObject({ [name]: value });
    for (const value of wrong) {
      const { code, message } = optionFault({ ...good, [name]: value });
      expect([value, code]).toEqual([value, name === 'timeoutMs' ? 'config/timeout' : 'config/option']);
      expect(message).toContain(`\`${name}\``);
    }
  });

  it('hosts are compared in lower case, and nobody changes them later', () => {
    const given = ['CDN.Example:8443'];
    const { clickHosts, creativeHosts } = resolveOptions({ ...good, clickHosts: given, creativeHosts: given });
    given.push('evil.example');
    expect([clickHosts, creativeHosts]).toEqual([['cdn.example:8443'], ['cdn.example:8443']]);
    expect([clickHosts, creativeHosts].every(Object.isFrozen)).toBe(true);
  });

  it.each([
    ['apiKey', 256, 'config/api-key'],
    ['privateKey', 4_096, 'config/private-key'],
  ])('%s is 1 to %d visible letters that can travel in a header', (name, length, code) => {
    for (const key of ['!', '~', '~'.repeat(length)]) expect(optionFault({ ...good, [name]: key })).toEqual({});
    for (const key of ['~'.repeat(length + 1), 'k\n', '\nk', 'k ', ' k', 'k\x7f', 'ä', '', null, ['k']]) {
      expect([key, optionFault({ ...good, [name]: key }).code]).toEqual([key, code]);
    }
  });

  it('a base address is https, or http on this machine, and nothing but an address', () => {
    for (const baseUrl of [
      'https://:pw@ads.example',
      'https://user@ads.example',
      'https://ads.example/#part',
      'https://ads.example/?a',
      'ftp://localhost/api',
      'ws://localhost/api',
      'http://10.0.0.1/api',
      null,
      ['https://ads.example'],
    ]) {
      expect([baseUrl, optionFault({ ...good, baseUrl }).code]).toEqual([baseUrl, 'config/base-url']);
    }
  });

  const source = { getAd: call, getAdSurfaces: call };
  const token = { apiKey: API_KEY, getToken: call };
  it.each<[what: string, given: object, kind: string, reports: boolean]>([
    ['a private key signs', good, 'signed', true],
    ['a private key that may travel', { ...good, allowPlainPrivateKey: true }, 'plain', true],
    ['a token of the own backend', token, 'token', true],
    ['a source beside the service', { ...good, source }, 'signed', true],
    ['a source alone', { source }, 'none', false],
    ['test ads alone', { testMode: true }, 'none', false],
    ['test ads that never come', { testMode: 'noFill' }, 'none', false],
    ['test ads never reach the counters of a service', { ...good, testMode: true }, 'signed', false],
    ['nor with a token', { ...token, testMode: 'ad' }, 'token', false],
    ['test mode that is off', { ...token, testMode: false }, 'token', true],
    ['reports that are off', { ...good, reporting: false }, 'signed', false],
  ])('%s: proves itself and reports by what was given', (_what, given, credentialKind, reporting) => {
    const { testMode = false } = given as { testMode?: boolean | string };
    const resolved = resolveOptions(given);
    expect(resolved).toMatchObject({
      credentialKind,
      reporting,
      testMode: testMode === true ? 'ad' : testMode || null,
    });
    if (credentialKind !== 'none') expect(credentialsOf(resolved)).toMatchObject({ kind: credentialKind });
    else expect(() => credentialsOf(resolved)).toThrow(withCode('config/missing'));
    // The secrets hang on the options that were resolved, and go with no copy of them.
    expect(() => credentialsOf({ ...resolved })).toThrow(withCode('config/missing'));
  });

  it('B44 a name that is no option is warned of in printable letters, and cut', () => {
    const warnings: string[] = [];
    resolveOptions({ ...good, ['\n\x1b[31m' + 'x'.repeat(100)]: 1 }, (message) => warnings.push(message));
    expect(warnings[0]).toMatch(/`\?\?\?31mx{34}`\.$/);
  });
});

describe('arguments', () => {
  const surrogate = '\ud800';

  it.each([undefined, 7, null, {}, '', 'nobody', 'a@', '@b', 'a b@c', 'a@b@c', 'a@b.c\r\n', `${'a'.repeat(250)}@b.cd`])(
    'B48 connect and login refuse the e-mail address %p before any request',
    async (email) => {
      const { service, client } = startClient();
      expect(await outcomeOf(client.connect(email as never))).toBe('arg/email');
      expect(await outcomeOf(client.login(email as never, 'secret'))).toBe('arg/email');
      expect(service.seen).toEqual([]);
    },
  );

  it('B49 blanks around an e-mail address are trimmed', async () => {
    const { service, client } = startClient();
    service.on('/v1/bc-authorize', { body: CONNECT });
    await client.connect('  a@b.c ');
    expect(service.seen[0]!.body).toEqual({ login_hint: 'a@b.c' });
  });

  it.each([undefined, 7, null, '', 'x'.repeat(1_025)])('B50 login refuses the password %p', async (password) => {
    const { service, client } = startClient();
    const fault = await faultOf(client.login('a@b.c', password as never));
    expect(fault.code).toBe('arg/password');
    expect(service.seen).toEqual([]);
  });

  it('B48 B50 B52 take as much as they say, and not one letter more', async () => {
    const { service, client } = startClient();
    service.on('/v1/login', { body: GRANT }).on('', { body: {} });
    const email = (length: number) => `${'a'.repeat(length - 5)}@b.cd`;
    const calls = [
      () => client.login(email(254), 'x'),
      () => client.login(email(255), 'x'),
      () => client.login('a@b.c', 'x'.repeat(1_024), { replace: true }),
      () => client.login('a@b.c', 'x'.repeat(1_025), { replace: true }),
      () => client.getAd('x'.repeat(256)),
      () => client.getAd('x'.repeat(257)),
    ];
    const ends: string[] = [];
    for (const call of calls) ends.push(await outcomeOf(call()));
    expect(ends).toEqual(['ok', 'arg/email', 'ok', 'arg/password', 'ok', 'arg/surface-id']);
  });

  it('a player is replaced where `replace` is true, and by no other word', async () => {
    const { service, client } = startClient();
    service.on('/v1/login', { body: GRANT });
    await client.login('a@b.c', 'x');
    for (const replace of [undefined, false, null, 1, 'true']) {
      expect(await outcomeOf(client.login('a@b.c', 'x', { replace } as never))).toBe('session/already-connected');
    }
    expect(await outcomeOf(client.login('a@b.c', 'x', { replace: true }))).toBe('ok');
    expect(service.to('/v1/login')).toHaveLength(2);
  });

  it('B51 waitForGameConnect with nothing pending: session/no-pending-request, but true when connected', async () => {
    const { service, client } = startClient();
    service.on('/v1/login', { body: GRANT });
    expect(await outcomeOf(client.waitForGameConnect())).toBe('session/no-pending-request');
    await client.login('a@b.c', 'x');
    expect(await client.waitForGameConnect()).toBe(true);
  });

  it.each([undefined, 7, {}, '', '  ', '.', '..', 'a\nb', surrogate, 'x'.repeat(257)])(
    'B52 getAd refuses the surface id %p',
    async (id) => {
      const { service, client } = startClient();
      expect(await outcomeOf(client.getAd(id as never))).toBe('arg/surface-id');
      expect(service.seen).toEqual([]);
    },
  );

  it.each(['a/b', '../x', 'ä b?c#d', '%2e%2e', '$&'])(
    'B52 the surface id %p stays one part of the path',
    async (id) => {
      const { service, client } = startClient();
      service.on('', { body: {} });
      await client.getAd(id);
      expect(service.seen[0]!.path).toBe(`/v1/ad-surfaces/${encodeURIComponent(id)}/ad`);
    },
  );

  it('B53 an unknown surface: ad/unknown-surface with the known ids in the hint', async () => {
    const { service, client } = startClient();
    service.on('/v1/ad-surfaces', { body: { items: [{ adSurfaceId: 's1' }, { adSurfaceId: 's2' }] } });
    service.on('', { status: 404, body: { error: 'unknown_ad_surface' } });
    await client.getAdSurfaces();
    const fault = await faultOf(client.getAd('nope'));
    expect(fault).toMatchObject({ code: 'ad/unknown-surface', status: 404, retryable: false });
    expect(fault['hint']).toContain('"s1", "s2"');
  });

  it.each([
    ['a number', 7],
    ['text', 'x'],
    ['an object', {}],
    ['null', null],
    ['half a signal', { aborted: false }],
    ['the other half', { addEventListener: () => undefined }],
    ['a trap', trap],
  ])('B63 B66 a signal that is %s: arg/signal', async (_what, signal) => {
    const { service, client } = startClient();
    service.on('/v1/bc-authorize', { body: CONNECT });
    const options = { signal } as never;
    const calls = [client.getAdSurfaces(options), client.getAd('s', options), client.connect('a@b.c', options)];
    for (const call of calls) expect(await outcomeOf(call)).toBe('arg/signal');
    const { game } = await client.connect('a@b.c');
    expect(await outcomeOf(game.waitForGameConnect(options))).toBe('arg/signal');
    expect(client.session.state).toBe('pending');
  });

  it.each([
    ['null', null],
    ['a trap', trap],
  ])('B66 call options that are %s: arg/option', async (_what, options) => {
    const { client } = startClient();
    expect(await outcomeOf(client.getAdSurfaces(options as never))).toBe('arg/option');
  });

  it('B64 a handler that is no function: arg/handler', () => {
    const { client } = startClient();
    expect(() => client.on('sessionchange', 7 as never)).toThrow('[arg/handler]');
  });
});

describe('answers', () => {
  const surfaces = async (body: unknown) => {
    const started = startClient({ debug: true });
    started.service.on('/v1/ad-surfaces', { body });
    return { ...started, call: started.client.getAdSurfaces() };
  };
  const ad = (body: unknown) => {
    const { service, client } = startClient();
    service.on('', { body });
    return client.getAd('s');
  };

  it.each([null, [], 'x', 42])('B1 surfaces %p: response/schema at $', async (body) => {
    expect(await faultOf((await surfaces(body)).call)).toMatchObject({ code: 'response/schema', path: '$' });
  });

  it.each([{}, { items: null }, { items: {} }])('B2 surfaces %p: response/schema at $.items', async (body) => {
    expect(await faultOf((await surfaces(body)).call)).toMatchObject({ code: 'response/schema', path: '$.items' });
  });

  it('B3 no surfaces is a legal, empty list', async () => {
    expect(await (await surfaces({ items: [] })).call).toEqual({ items: [] });
  });

  it.each([
    null,
    7,
    { adSurfaceId: 7 },
    { adSurfaceId: '' },
    { adSurfaceId: ' ' },
    { adSurfaceId: 'a\u0000' },
    { adSurfaceId: 'x'.repeat(257) },
  ])(
    // prettier-ignore
    'B4 B5 B6 the item %p is skipped with a note; all bad is response/schema',
    async (item) => {
      const mixed = await surfaces({ items: [item, { adSurfaceId: 'good' }] });
      expect((await mixed.call).items.map(({ adSurfaceId }) => adSurfaceId)).toEqual(['good']);
      expect(mixed.world.notes.join()).toContain('$.items[0]');
      const path = typeof item === 'object' && item !== null ? '$.items[0].adSurfaceId' : '$.items[0]';
      expect(await faultOf((await surfaces({ items: [item] })).call)).toMatchObject({ code: 'response/schema', path });
    },
  );

  it('B7 B8 B10 an id like __proto__ is text, of equal ids the first wins, unknown fields are left out', async () => {
    const { world, call } = await surfaces({
      items: [
        { adSurfaceId: '__proto__', extra: 1 },
        { adSurfaceId: 'a', name: '1' },
        { adSurfaceId: 'a', name: '2' },
      ],
    });
    expect((await call).items).toEqual([{ adSurfaceId: '__proto__' }, { adSurfaceId: 'a', name: '1' }]);
    expect(world.notes.join()).toContain('$.items[2] repeats');
  });

  it('B9 more than 10,000 surfaces are cut at 1000', async () => {
    const items = Array.from({ length: 10_001 }, (_, i) => ({ adSurfaceId: String(i) }));
    const { world, call } = await surfaces({ items });
    expect((await call).items).toHaveLength(1_000);
    expect(world.notes.join()).toContain('1000 of 10001');
    const all = await surfaces({ items: items.slice(0, 1_000) });
    expect([(await all.call).items.length, all.world.notes]).toEqual([1_000, []]);
  });

  it.each([null, {}, { adId: '' }, { adId: null, url: 'x' }])('B11 the ad %p is the legal no-ad', async (body) => {
    expect(await ad(body)).toEqual({ adId: '', url: '' });
  });

  it('an ad has all that the contract gives it, and nothing that only an exchange may say', async () => {
    const own = {
      adId: 'a',
      url: 'x',
      serveId: 's',
      width: 1,
      height: 2,
      clickUrl: 'y',
      alt: 'z',
      expiresInSeconds: 3,
    };
    const foreign = { label: 'l', advertiser: 'b', revenue: { value: 1 }, trackers: [{ event: 'click', url: 'https://t.example.com/' }] }; // prettier-ignore
    expect(await ad({ ...own, ...foreign })).toEqual(own);
    expect(await ad({ ...own, serveId: null, alt: null })).not.toHaveProperty('alt');
  });

  it.each([
    ['B12', { adId: 7, url: 'x' }, '$.adId'],
    ['B12', { adId: {}, url: 'x' }, '$.adId'],
    ['B13', { adId: 'a' }, '$.url'],
    ['B27', { adId: 'a', url: 'x', width: -0 }, '$.width'],
    ['B1', [], '$'],
  ])('%s the ad %p: response/schema at %s', async (_row, body, path) => {
    expect(await faultOf(ad(body))).toMatchObject({ code: 'response/schema', path });
  });

  it.each<[path: string, fits: unknown, isTooMuch: unknown]>([
    ['ad.width', 16_384, 16_385],
    ['ad.height', 0.5, 0],
    ['ad.alt', 'x'.repeat(1_024), 'x'.repeat(1_025)],
    ['ad.expiresInSeconds', 1, 0.9],
    ['ad.expiresInSeconds', 86_400, 86_401],
    ['surfaces.name', 'x'.repeat(256), 'x'.repeat(257)],
    ['surfaces.adSurfaceId', 'x'.repeat(256), 'x'.repeat(257)],
    ['connect.auth_req_id', 'x'.repeat(1_024), 'x'.repeat(1_025)],
    ['connect.binding_message', 'x'.repeat(20), 'x'.repeat(21)],
    ['player.displayName', 'x'.repeat(256), 'x'.repeat(257)],
    ...['surfaces.name', 'connect.auth_req_id', 'connect.binding_message', 'player.playerId', 'player.displayName'].map(
      (path): [string, unknown, unknown] => [path, 'a b', 'a\nb'],
    ),
    ['grant.access_token', 'x'.repeat(8_192), 'x'.repeat(8_193)],
    ['grant.refresh_token', 'x'.repeat(8_192), 'x'.repeat(8_193)],
  ])('the limit of %s: what fits is taken, more is response/schema', async (path, ...values) => {
    const [what, field] = path.split('.') as [string, string];
    const ends: string[] = [];
    for (const value of values) {
      const { service, client } = startClient();
      const item = { adSurfaceId: 's', [field]: value };
      if (what === 'ad') service.on('', { body: { adId: 'a', url: 'x', [field]: value } });
      else if (what === 'surfaces') service.on('', { body: { items: [item] } });
      else if (what === 'connect') service.on('', { body: { ...CONNECT, [field]: value } });
      else if (what === 'grant') service.on('', { body: { ...GRANT, [field]: value } });
      else service.on('', { body: { ...GRANT, player: { ...GRANT.player, [field]: value } } });
      const calls: Record<string, () => Promise<unknown>> = {
        ad: () => client.getAd('s'),
        surfaces: () => client.getAdSurfaces(),
        connect: () => client.connect('a@b.c'),
        player: () => client.login('a@b.c', 'x'),
        grant: () => client.login('a@b.c', 'x'),
      };
      ends.push(await outcomeOf(calls[what]!()));
    }
    expect(ends).toEqual(['ok', 'response/schema']);
  });

  it('B27 a number beyond all numbers: response/schema', async () => {
    const { service, client } = startClient();
    service.on('', { text: '{"adId":"a","url":"x","width":1e999}' });
    expect(await faultOf(client.getAd('s'))).toMatchObject({ code: 'response/schema', path: '$.width' });
  });

  const connect = (answer: object) => {
    const started = startClient();
    started.service.on('/v1/bc-authorize', { body: answer });
    return { ...started, call: started.client.connect('a@b.c') };
  };

  it.each([
    ['B28', { ...CONNECT, auth_req_id: undefined }, '$.auth_req_id'],
    ['B28', { ...CONNECT, auth_req_id: '' }, '$.auth_req_id'],
    ['B29', { ...CONNECT, expires_in: '300' }, '$.expires_in'],
    ['B30', { ...CONNECT, interval: '5' }, '$.interval'],
  ])('%s the connect answer %p: response/schema', async (_row, answer, path) => {
    const { client, call } = connect(answer);
    expect(await faultOf(call)).toMatchObject({ code: 'response/schema', path });
    expect(client.session.state).toBe('application');
  });

  it.each([
    [undefined, 300],
    [0, 1],
    [-5, 1],
    [86_401, 3_600],
  ])('B29 expires_in %p is taken as %d s', async (expires_in, seconds) => {
    const { world, call } = connect({ ...CONNECT, expires_in });
    expect((await call).expiresAt - world.wall).toBe(seconds * 1_000);
  });

  it.each([
    [undefined, 5],
    [0, 1],
    [-5, 1],
    [1e9, 60],
  ])('B30 interval %p is taken as %d s', async (interval, seconds) => {
    const { service, world, call } = connect({ ...CONNECT, interval });
    service.on('/v1/token', { status: 400, body: { error: 'authorization_pending' } });
    await call;
    await world.advance(seconds * 1_000 - 10);
    expect(service.to('/v1/token')).toHaveLength(0);
    await world.advance(20);
    expect(service.to('/v1/token')).toHaveLength(1);
  });

  it.each([
    { status: 400, body: { error: 'almost_there' } },
    { status: 200, body: { status: 'half_confirmed' } },
    { status: 400, body: { error: 'constructor' } },
  ])('B31 a poll answered %p stays pending', async (answer) => {
    const { service, world, client, call } = connect(CONNECT);
    service.on('/v1/token', answer);
    await call;
    await world.advance(5_100);
    expect(client.session.state).toBe('pending');
  });

  it.each([
    ['B32', {}],
    ['B32', { status: 'confirmed' }],
    ['B33', { ...GRANT, access_token: 'a\r\nX-Evil: 1' }],
    ['B33', { ...GRANT, access_token: 7 }],
    ['B33', { ...GRANT, access_token: 'x'.repeat(8_193) }],
    ['B33', { ...GRANT, refresh_token: 'a b' }],
    ['B32', { ...GRANT, player: undefined }],
  ])('%s confirmed with %p: waiters reject response/schema, the state is expired', async (_row, body) => {
    const { service, world, client, call } = connect(CONNECT);
    service.on('/v1/token', { body });
    const wait = watch((await call).game.waitForGameConnect());
    await world.advance(5_100);
    expect([wait.code, client.session.state]).toEqual(['response/schema', 'expired']);
  });

  it.each([
    ['text', { ...GRANT, expires_in: '3599', refresh_expires_in: '28800' }, 3_599_000],
    ['nothing', { ...GRANT, expires_in: undefined }, 7 * 86_400_000],
    ['null', { ...GRANT, expires_in: null }, 7 * 86_400_000],
  ])(
    'S16: a lifetime given as %s is read; without one the token is used until it is refused',
    async (_what, body, ms) => {
      const { service, world, client } = startClient();
      service.on('/v1/login', { body }).on('/v1/player', { body: GRANT.player });
      expect((await client.login('a@b.c', 'x')).expiresAt).toBe(world.wall + ms);
      expect(await client.getPlayer()).toEqual(GRANT.player);
      service
        .on('/v1/player', { status: 401, body: { error: 'invalid_token' } }, { body: GRANT.player })
        .on('/v1/token', { body: { ...GRANT, access_token: 'access-2' } });
      expect(await client.getPlayer()).toEqual(GRANT.player);
      expect(service.to('/v1/token')).toHaveLength(1);
    },
  );

  it.each(['x60', '60x', '-60', '', '1e3', '6'.repeat(13), true, [60]])('S16: %p is no lifetime: response/schema', async (expires_in) => {
    for (const field of ['expires_in', 'refresh_expires_in']) {
      const { service, client } = startClient();
      service.on('/v1/login', { body: { ...GRANT, [field]: expires_in } });
      expect(await faultOf(client.login('a@b.c', 'x'))).toMatchObject({ code: 'response/schema', path: `$.${field}` });
    }
  }); // prettier-ignore

  it('S22: invisible characters in an e-mail address are removed, and its letters brought to their plain form', async () => {
    const { service, client } = startClient();
    service.on('/v1/login', { body: GRANT });
    for (const typed of ODD_EMAILS) await client.login(typed, 'x', { replace: true });
    expect(service.to('/v1/login').map(({ body }) => body['email'])).toEqual(ODD_EMAILS.map(() => 'ada@example.com'));
    await client.login('jose\u200b\u0301@b.c', 'x', { replace: true });
    expect(service.to('/v1/login').at(-1)!.body['email']).toBe('jos\u00e9@b.c');
  });

  it.each<['none' | 'dpop', string]>([
    ['none', 'DPoP'],
    ['none', 'mac'],
    ['dpop', 'Bearer'],
  ])('a session bound to %s takes no token of type %s', async (sessionBinding, token_type) => {
    const { service, client } = startClient({ sessionBinding });
    service.on('/v1/login', { body: { ...GRANT, token_type } });
    expect(await faultOf(client.login('a@b.c', 'x'))).toMatchObject({ code: 'response/schema', path: '$.token_type' });
    expect(client.session.state).toBe('application');
  });

  it.each([0, -1])('B34 a login granted for %d s: session/expired-on-arrival', async (expires_in) => {
    const { service, client } = startClient();
    service.on('/v1/login', { body: { ...GRANT, expires_in } });
    expect(await outcomeOf(client.login('a@b.c', 'x'))).toBe('session/expired-on-arrival');
    expect(client.session.state).toBe('application');
  });
});
