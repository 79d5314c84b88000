import { randomBytes } from 'node:crypto';
import { Players } from '../../../demo/service/accounts/Players.js';
import { DEMO_APPLICATION, DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { ServiceCaller, tokens } from './ServiceCaller.js';
import { OWN_PAGE, WebAppVisitor } from './WebAppVisitor.js';

interface StreamEvent {
  event: string;
  data: string;
}

interface HomeEvent {
  requests: { id: string; html: string }[];
  games: { id: string; html: string }[];
}

describe('the web app', () => {
  let service: RunningService;
  let caller: ServiceCaller;
  let visitor: WebAppVisitor;

  beforeEach(async () => {
    service = await startService();
    service.clock.stop();
    caller = new ServiceCaller(service);
    visitor = new WebAppVisitor(service);
  });
  afterEach(() => service.close());

  describe('signing in', () => {
    test('with the right password leads to the player’s page, with a cookie scripts and other sites cannot use', async () => {
      expect((await visitor.open()).text).toContain('name="password"');
      const answer = await visitor.signIn();
      expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/app']);
      const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('inview_session=web_')) ?? '';
      for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/app']) expect(cookie).toContain(attribute);
      expect((await visitor.open()).text).toContain(`Hello, ${DEMO_PLAYER.displayName}`);
    });

    test.each([
      [DEMO_PLAYER.email, 'wrong'],
      ['nobody@example.com', DEMO_PLAYER.password],
      ['', ''],
    ])('as %j with %j shows the form again and says so', async (email, password) => {
      const answer = await visitor.signIn(email, password);
      expect(answer.status).toBe(401);
      expect(answer.text).toContain('role="alert"');
      expect(visitor.cookies.has('inview_session')).toBe(false);
    });

    test('shares the limit on wrong passwords with the login of games', async () => {
      for (let attempt = 0; attempt < 5; attempt += 1) {
        await visitor.signIn(DEMO_PLAYER.email, 'wrong');
        await caller.post('/v1/login', { email: DEMO_PLAYER.email, password: 'wrong' });
      }
      const answer = await visitor.signIn();
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    });

    test('counts wrong passwords of one account together, however its address is spelled', async () => {
      await new Players(service.db, randomBytes, { cost: 2, parallelization: 1 }).create(
        'jos\u00e9@example.com',
        'x',
        'J',
      );
      for (const typed of ['jos\u00e9', 'jose\u0301', 'jose\u200b\u0301', 'JOSE\u2060\u0301', 'jose\u00ad\u0301']) {
        for (let i = 0; i < 2; i++) await visitor.signIn(`${typed}@example.com`, 'wrong');
      }
      expect((await visitor.signIn('jos\u00e9@example.com', 'x')).status).toBe(429);
    });

    test('lasts twelve hours', async () => {
      await visitor.signIn();
      service.clock.advance(12 * 3_600_000 + 1);
      expect((await visitor.open()).text).toContain('name="password"');
    });

    test('out ends the session on the server too', async () => {
      await visitor.signIn();
      const before = new Map(visitor.cookies);
      expect((await visitor.submit('/sign-out')).status).toBe(303);
      for (const [name, value] of before) visitor.cookies.set(name, value);
      expect((await visitor.open()).text).toContain('name="password"');
    });
  });

  describe('against forged forms', () => {
    let id: string;
    let authReqId: string;
    let csrf: string;
    let code: string;

    beforeEach(async () => {
      await visitor.signIn();
      ({ authReqId } = await caller.connect());
      [id = ''] = await visitor.requestIds();
      [, csrf = ''] = /data-csrf="([^"]+)"/.exec((await visitor.open()).text) ?? [];
      code = await visitor.codeOf(id);
    });

    test.each<[string, () => Record<string, string>, () => Record<string, string>]>([
      ['no token', () => ({}), () => OWN_PAGE(service.origin)],
      ['an invented token', () => ({ csrf: 'x'.repeat(43) }), () => OWN_PAGE(service.origin)],
      ['the token, from another site', () => ({ csrf }), () => ({ Origin: 'https://elsewhere.example' })],
      ['the token, from another port', () => ({ csrf }), () => ({ Origin: 'http://127.0.0.1:1' })],
      ['the token, from a page without an origin', () => ({ csrf }), () => ({ Origin: 'null' })],
      ['the token, across sites as the browser says', () => ({ csrf }), () => ({ 'Sec-Fetch-Site': 'cross-site' })],
      ['the token, across subdomains as the browser says', () => ({ csrf }), () => ({ 'Sec-Fetch-Site': 'same-site' })],
    ])('a confirmation with %s is refused and confirms nothing', async (_, fields, headers) => {
      const answer = await visitor.send('POST', `/requests/${id}/confirm`, { code, ...fields() }, headers());
      expect(answer.status).toBe(403);
      expect((await caller.poll(authReqId)).body['status']).toBe('authorization_pending');
    });

    test('the token of one session is worth nothing in another', async () => {
      const other = new WebAppVisitor(service);
      await other.signIn();
      const answer = await other.send('POST', `/requests/${id}/confirm`, { csrf, code }, OWN_PAGE(service.origin));
      expect(answer.status).toBe(403);
    });

    test('a sign-in form without the token of its page is refused: nobody is signed in to another’s account', async () => {
      const fresh = new WebAppVisitor(service);
      const { email, password } = DEMO_PLAYER;
      expect((await fresh.send('POST', '/sign-in', { email, password }, OWN_PAGE(service.origin))).status).toBe(403);
    });

    test('a link cannot confirm', async () => {
      expect((await visitor.send('GET', `/requests/${id}/confirm?code=${code}`)).status).toBe(404);
    });

    test('without a session nothing is confirmed and the live stream is closed', async () => {
      const stranger = new WebAppVisitor(service);
      expect((await stranger.send('POST', `/requests/${id}/confirm`, { csrf, code })).status).toBe(403);
      expect((await stranger.open('/events')).status).toBe(401);
    });
  });

  test.each(['', '/app.css', '/app.js', '/nowhere'])(
    'every answer under /app%s carries strict security headers',
    async (path) => {
      const { headers } = await visitor.open(path);
      const policy = headers.get('Content-Security-Policy') ?? '';
      for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"]) {
        expect(policy).toContain(part);
      }
      expect(policy).not.toContain('unsafe');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Referrer-Policy')).toBe('same-origin');
      expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
    },
  );

  test('pages hold no inline script or style, which the policy would block', async () => {
    const signIn = (await visitor.open()).text;
    await visitor.signIn();
    await caller.connect();
    for (const text of [signIn, (await visitor.open()).text]) {
      expect(text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
    }
  });

  test('a name with markup in it is shown as text', async () => {
    await service.db.run('UPDATE applications SET name = ?', '<img src=x onerror=alert(1)>');
    await visitor.signIn();
    await caller.connect();
    const { text } = await visitor.open();
    expect(text).not.toContain('<img');
    expect(text).toContain('&lt;img');
  });

  test('a page that asks for JSON is answered with JSON, a form with a redirect', async () => {
    await visitor.signIn();
    await caller.connect();
    const [first = ''] = await visitor.requestIds();
    const [, csrf = ''] = /data-csrf="([^"]+)"/.exec((await visitor.open()).text) ?? [];
    const json = { Accept: 'application/json', ...OWN_PAGE(service.origin) };
    expect((await visitor.send('POST', `/requests/${first}/deny`, { csrf }, json)).text).toBe('{}');
    const code = await visitor.codeOf(first);
    const gone = await visitor.send('POST', `/requests/${first}/confirm`, { csrf, code }, json);
    expect([gone.status, JSON.parse(gone.text)]).toMatchObject([404, { error: 'nothing_to_decide' }]);
    await caller.connect();
    const [second = ''] = await visitor.requestIds();
    expect((await visitor.send('POST', `/requests/${second}/deny`, { csrf })).status).toBe(303);
  });

  test('a connected game is listed, and disconnecting it ends its sessions', async () => {
    await visitor.signIn();
    const session = await caller.login();
    expect((await visitor.open()).text).toContain(`Disconnect ${DEMO_APPLICATION.name}`);
    expect((await visitor.submit(`/games/${DEMO_APPLICATION.applicationId}/disconnect`)).status).toBe(303);
    expect((await caller.player(session.access_token)).body['error']).toBe('invalid_token');
    expect((await visitor.open()).text).not.toContain('Disconnect ');
  });

  describe('the live stream', () => {
    let stream: AsyncGenerator<StreamEvent, undefined>;
    let abort: AbortController;

    beforeEach(async () => {
      await visitor.signIn();
      abort = new AbortController();
      stream = listen(service, visitor, abort.signal);
    });
    afterEach(() => abort.abort());

    const nextHome = async () => {
      const { value } = await stream.next();
      expect(value?.event).toBe('home');
      return JSON.parse(String(value?.data)) as HomeEvent;
    };

    test('tells of a request, its decision and the connected game as they happen', async () => {
      expect(await nextHome()).toEqual({ requests: [], games: [] });
      const { authReqId, code } = await caller.connect();
      const { requests } = await nextHome();
      expect(requests).toHaveLength(1);
      for (const told of [DEMO_APPLICATION.name, code, 'data-left="300"']) expect(requests[0]?.html).toContain(told);
      await visitor.decide('confirm');
      expect(await nextHome()).toEqual({ requests: [], games: [] });
      const session = tokens(await caller.poll(authReqId));
      const html = expect.stringContaining(DEMO_APPLICATION.name) as string;
      expect(await nextHome()).toEqual({ requests: [], games: [{ id: DEMO_APPLICATION.applicationId, html }] });
      await caller.post('/v1/revoke', { token: session.refresh_token });
    });

    test('tells within its next look that a request has expired', async () => {
      await nextHome();
      await caller.connect();
      expect((await nextHome()).requests).toHaveLength(1);
      service.clock.advance(301_000);
      expect((await nextHome()).requests).toEqual([]);
    });

    test('a request for its headers alone begins none', async () => {
      const looks = jest.spyOn(service.db, 'all');
      const answer = await visitor.send('HEAD', '/events');
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
      // What a stream begins with is the lists of the home page.
      expect(looks).not.toHaveBeenCalled();
    });

    test('ends without a word to anybody when the database fails under it; the page asks again', async () => {
      const printed = jest.spyOn(console, 'error').mockImplementation();
      await nextHome();
      jest.spyOn(service.db, 'all').mockRejectedValue(new Error('a value of a row'));
      await caller.connect();
      expect((await stream.next()).done).toBe(true);
      expect(printed).not.toHaveBeenCalled();
    });

    test('ends with signed-out when the player signs out in another tab', async () => {
      await nextHome();
      await visitor.submit('/sign-out');
      expect((await stream.next()).value).toMatchObject({ event: 'signed-out' });
    });
  });
});

async function* listen(
  service: RunningService,
  visitor: WebAppVisitor,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, undefined> {
  const response = await fetch(`${service.origin}/app/events`, {
    headers: { Cookie: [...visitor.cookies].map((pair) => pair.join('=')).join('; ') },
    signal,
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const message = text.slice(0, end);
      text = text.slice(end + 2);
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(message)?.[1] ?? '';
      yield { event: field('event'), data: field('data') };
    }
  }
}
