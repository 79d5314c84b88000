import { join } from 'node:path';
import { Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { streamSSE } from 'hono/streaming';
import type { AccountData } from '../accounts/AccountData.js';
import type { AccountLimits } from '../accounts/AccountLimits.js';
import type { AccountSessions } from '../accounts/AccountSessions.js';
import type { ConnectRequests } from '../accounts/ConnectRequests.js';
import type { PlayerNotices } from '../accounts/PlayerNotices.js';
import { normalizeEmail, type Player, type Players } from '../accounts/Players.js';
import type { PlayerSessions } from '../accounts/PlayerSessions.js';
import { limitBody } from '../http/limitBody.js';
import { ServiceError } from '../http/ServiceError.js';
import { clientAddress, clientDevice, type ServiceContext, type ServiceEnv } from '../http/ServiceEnv.js';
import { newSecret, type Random } from '../secrets.js';
import { homePage, messagePage, signInPage, type HomeView } from './pages.js';
import { securityHeaders } from './securityHeaders.js';
import { serveAsset } from './serveAsset.js';
import { csrfToken, isCsrfToken, type WebSessions } from './WebSessions.js';

export interface WebAppParts {
  readonly players: Players;
  readonly connectRequests: ConnectRequests;
  readonly sessions: PlayerSessions;
  readonly webSessions: WebSessions;
  readonly accountSessions: AccountSessions;
  readonly accountData: AccountData;
  readonly notices: PlayerNotices;
  readonly limits: AccountLimits;
  readonly now: () => number;
  readonly random: Random;
  /** Folder with app.css and app.js. */
  readonly assets: string;
}

const SESSION_COOKIE = 'inview_session';
/** Ties the sign-in form to the browser it was shown in, before there is a session. */
const FORM_COOKIE = 'inview_form';
/** How often an open page looks again, so that expired requests go without a notice. */
const LOOK_AGAIN_MS = 5000;

/** The service's own pages: sign in, see which games ask, confirm or deny. To be mounted at `/app`. */
export function createWebApp(parts: WebAppParts): Hono<ServiceEnv> {
  const { players, connectRequests, sessions, webSessions, notices, limits, now, random } = parts;
  const app = new Hono<ServiceEnv>();

  app.use(securityHeaders);
  app.use(limitBody(16));
  serveAsset(app, join(parts.assets, 'app.css'));
  serveAsset(app, join(parts.assets, 'app.js'));

  app.get('/', async (c) => {
    const visitor = await signedIn(c);
    if (visitor === undefined) return c.html(signInPage(csrfToken(formCookie(c))));
    return c.html(homePage(await homeView(visitor)));
  });

  app.post('/sign-in', async (c) => {
    const form = await readForm(c, getCookie(c, FORM_COOKIE));
    const email = normalizeEmail(form.get('email') ?? '').slice(0, 254);
    const problem = await trySignIn(c, email, form.get('password') ?? '');
    if (problem === undefined) return c.redirect('/app', 303);
    return c.html(signInPage(csrfToken(formCookie(c)), problem.message), problem.status);
  });

  app.post('/sign-out', async (c) => {
    const cookie = getCookie(c, SESSION_COOKIE);
    await readForm(c, cookie);
    if (cookie !== undefined) await webSessions.end(cookie);
    deleteCookie(c, SESSION_COOKIE, { path: '/app' });
    return c.redirect('/app', 303);
  });

  app.post('/requests/:id/:verb{confirm|deny}', async (c) => {
    const { player } = await requireVisitor(c);
    const decision = c.req.param('verb') === 'confirm' ? 'confirmed' : 'denied';
    const decided = await connectRequests.decide(player.playerId, c.req.param('id'), decision);
    notices.tell(player.playerId);
    if (!decided) throw new ServiceError(404, 'nothing_to_decide', 'This request is not open any more.');
    return done(c);
  });

  app.post('/games/:id/disconnect', async (c) => {
    const { player } = await requireVisitor(c);
    await sessions.revokeAll(c.req.param('id'), player.playerId);
    notices.tell(player.playerId);
    return done(c);
  });

  app.get('/events', async (c) => {
    const visitor = await signedIn(c);
    if (visitor === undefined) throw new ServiceError(401, 'not_signed_in', 'Sign in first.');
    return streamSSE(c, async (stream) => {
      let wake = () => {};
      const stopListening = notices.listen(visitor.player.playerId, () => wake());
      stream.onAbort(() => wake());
      let shown = '';
      try {
        while (!stream.aborted && !stream.closed) {
          const changed = new Promise<void>((resolve) => (wake = resolve));
          if ((await webSessions.playerOf(visitor.cookie)) === undefined) {
            await stream.writeSSE({ event: 'signed-out', data: '' });
            return;
          }
          const current = await homeView(visitor);
          // The time passes; that alone is no news.
          const state = JSON.stringify([current.requests, current.games]);
          if (state !== shown) {
            await stream.writeSSE({ event: 'home', data: JSON.stringify(liveView(current)) });
            shown = state;
          }
          const timer = setTimeout(wake, LOOK_AGAIN_MS);
          await changed;
          clearTimeout(timer);
        }
      } finally {
        stopListening();
      }
    });
  });

  app.onError((error, c) => {
    if (!(error instanceof ServiceError) || wantsJson(c)) throw error;
    return c.html(messagePage('That did not work', error.message), error.status);
  });

  return app;

  async function signedIn(c: ServiceContext): Promise<Visitor | undefined> {
    const cookie = getCookie(c, SESSION_COOKIE);
    const playerId = cookie === undefined ? undefined : await webSessions.playerOf(cookie);
    const player = playerId === undefined ? undefined : await players.byId(playerId);
    return cookie === undefined || player === undefined ? undefined : { cookie, player };
  }

  /** For what changes something: signed in, and sent by our own page. */
  async function requireVisitor(c: ServiceContext): Promise<Visitor> {
    const visitor = await signedIn(c);
    await readForm(c, visitor?.cookie);
    if (visitor === undefined) throw new ServiceError(401, 'not_signed_in', 'You are signed out; sign in again.');
    return visitor;
  }

  async function trySignIn(c: ServiceContext, email: string, password: string): Promise<ServiceError | undefined> {
    try {
      await limits.spend('login', email, clientAddress(c));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      c.header('Retry-After', String(error.details.retryAfterSeconds ?? 60));
      return error;
    }
    const player = password.length > 1024 ? undefined : await players.authenticate(email, password);
    if (player === undefined) return new ServiceError(401, 'invalid_credentials', 'E-mail or password is wrong.');
    await limits.forgiveLogin(email);
    deleteCookie(c, FORM_COOKIE, { path: '/app' });
    setCookie(c, SESSION_COOKIE, await webSessions.begin(player.playerId, clientDevice(c)), {
      ...cookieOptions(c),
      maxAge: webSessions.lifetimeSeconds,
    });
    return undefined;
  }

  function formCookie(c: ServiceContext): string {
    const present = getCookie(c, FORM_COOKIE);
    if (present !== undefined) return present;
    const fresh = newSecret('pre', random);
    setCookie(c, FORM_COOKIE, fresh, cookieOptions(c));
    return fresh;
  }

  async function homeView({ cookie, player }: Visitor): Promise<HomeView> {
    return {
      displayName: player.displayName,
      csrf: csrfToken(cookie),
      requests: await connectRequests.pendingOf(player.playerId),
      games: await sessions.applicationsOf(player.playerId),
      now: now(),
    };
  }
}

interface Visitor {
  readonly cookie: string;
  readonly player: Player;
}

/** What an open page needs to bring itself up to date. */
function liveView({ requests, games, now }: HomeView) {
  return {
    requests: requests.map((request) => ({
      id: request.connectRequestId,
      game: request.applicationName,
      code: request.bindingCode,
      secondsLeft: Math.max(0, Math.ceil((request.expiresAt - now) / 1000)),
    })),
    games: games.map((game) => ({ id: game.applicationId, name: game.name })),
  };
}

/**
 * The fields of a form that our own page sent.
 *
 * @throws ServiceError 403 `cross_site` when another site may have sent it: the browser says so, or the token that
 *   belongs to the cookie is missing.
 */
async function readForm(c: ServiceContext, cookie: string | undefined): Promise<URLSearchParams> {
  const site = c.req.header('Sec-Fetch-Site');
  const origin = c.req.header('Origin');
  const sameSite = site === undefined || site === 'same-origin';
  const sameOrigin = origin === undefined || (URL.canParse(origin) && new URL(origin).host === c.req.header('Host'));
  const form = new URLSearchParams(await c.req.text());
  const token = form.get('csrf');
  if (!sameSite || !sameOrigin || cookie === undefined || token === null || !isCsrfToken(cookie, token)) {
    throw new ServiceError(403, 'cross_site', 'This form was not sent by this page; open the page again.');
  }
  return form;
}

function done(c: ServiceContext): Response {
  return wantsJson(c) ? c.json({}) : c.redirect('/app', 303);
}

function wantsJson(c: ServiceContext): boolean {
  return c.req.header('Accept') === 'application/json';
}

function cookieOptions(c: ServiceContext) {
  const secure = new URL(c.req.url).protocol === 'https:';
  return { path: '/app', httpOnly: true, sameSite: 'Strict', secure } as const;
}
