import { join } from 'node:path';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { networkHash } from '../accounts/ConnectRequests.js';
import { normalizeEmail } from '../accounts/Players.js';
import { limitBody } from '../http/limitBody.js';
import { ServiceError } from '../http/ServiceError.js';
import { clientAddress, type ServiceContext, type ServiceEnv } from '../http/ServiceEnv.js';
import { accountRoutes } from './accountRoutes.js';
import { done, wantsJson } from './answers.js';
import { gameItem, homePage, messagePage, signInPage, type HomeView } from './pages.js';
import { passCrossSite } from './passCrossSite.js';
import { keepOpener, popupRoutes } from './popupRoutes.js';
import { passkeyRoutes } from './passkeyRoutes.js';
import { requestCard } from './requestCard.js';
import { requestRoutes } from './requestRoutes.js';
import { securityHeaders } from './securityHeaders.js';
import { serveAsset } from './serveAsset.js';
import { Visitors, type Visitor } from './Visitors.js';
import type { WebAppParts } from './WebAppParts.js';

/** The browser part of the passkeys' library, from the package's root. */
const BROWSER_WEBAUTHN = 'node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js';
/** How often an open page looks again, so that expired requests go without a notice. */
const LOOK_AGAIN_MS = 5000;

/** The service's own pages: sign in, see which games ask, confirm or deny. To be mounted at `/app`. */
export function createWebApp(parts: WebAppParts): Hono<ServiceEnv> {
  const { players, connectRequests, sessions, webSessions, notices, limits, now, random } = parts;
  const visitors = new Visitors(players, webSessions, random, parts.origin);
  const app = new Hono<ServiceEnv>();

  app.use(securityHeaders);
  app.use(limitBody(16));
  app.use('/popup/*', keepOpener);
  app.use(passCrossSite);
  for (const file of ['app.css', 'app.js', 'passkeys.js', 'popup.js']) serveAsset(app, join(parts.assets, file));
  serveAsset(app, join(parts.assets, '../../../..', BROWSER_WEBAUTHN), 'webauthn.js');

  app.get('/', async (c) => {
    const visitor = await visitors.signedIn(c);
    if (visitor === undefined) return c.html(signInPage({ csrf: visitors.strangerCsrf(c) }));
    return c.html(homePage(await homeView(visitor, c)));
  });

  app.post('/sign-in', async (c) => {
    const form = await visitors.strangerForm(c);
    const next = ownPath(form.get('next'));
    const problem = await trySignIn(c, form);
    if (problem === undefined) return c.redirect(next ?? '/app', 303);
    const view = { csrf: visitors.strangerCsrf(c), problem: problem.message };
    return c.html(signInPage(next === undefined ? view : { ...view, next }), problem.status);
  });

  app.post('/sign-out', async (c) => {
    await visitors.signOut(c);
    return c.redirect('/app', 303);
  });

  app.route('/requests', requestRoutes(parts, visitors));
  app.route('/popup', popupRoutes(parts, visitors, trySignIn));
  app.route('/passkeys', passkeyRoutes(parts, visitors));
  app.route('/account', accountRoutes(parts, visitors));

  app.post('/games/:id/disconnect', async (c) => {
    const { player } = await visitors.sender(c);
    await sessions.revokeAll(c.req.param('id'), player.playerId);
    notices.tell(player.playerId);
    return done(c);
  });

  app.get('/events', async (c) => {
    const visitor = await visitors.signedIn(c);
    if (visitor === undefined) throw new ServiceError(401, 'not_signed_in', 'Sign in first.');
    // Nobody would ever read the stream, nor end it.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' });
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
          const current = await homeView(visitor, c);
          // The time passes; that alone is no news.
          const state = JSON.stringify([current.requests, current.games]);
          if (state !== shown) {
            await stream.writeSSE({ event: 'home', data: JSON.stringify(await liveView(current)) });
            shown = state;
          }
          const timer = setTimeout(wake, LOOK_AGAIN_MS);
          await changed;
          clearTimeout(timer);
        }
      } catch {
        // The page asks again: that request is answered as any other, and what is wrong is logged.
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

  async function trySignIn(c: ServiceContext, form: URLSearchParams): Promise<ServiceError | undefined> {
    const attempt = { email: normalizeEmail(form.get('email') ?? '').slice(0, 254), address: clientAddress(c) };
    const password = form.get('password') ?? '';
    try {
      await limits.spendLogin(attempt);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      c.header('Retry-After', String(error.details.retryAfterSeconds ?? 60));
      return error;
    }
    const player = password.length > 1024 ? undefined : await players.authenticate(attempt.email, password);
    if (player === undefined) return new ServiceError(401, 'invalid_credentials', 'E-mail or password is wrong.');
    await limits.forgiveLogin(attempt, player.playerId);
    await visitors.signIn(c, player.playerId);
    return undefined;
  }

  async function homeView({ csrf, player }: Visitor, c: ServiceContext): Promise<HomeView> {
    return {
      displayName: player.displayName,
      csrf,
      requests: await connectRequests.pendingOf(player.playerId),
      games: await sessions.applicationsOf(player.playerId),
      networkHash: networkHash(clientAddress(c)),
      now: now(),
    };
  }
}

/** What an open page needs to bring itself up to date: the items of its lists, as the page itself has them. */
async function liveView(view: HomeView) {
  return {
    requests: await Promise.all(
      view.requests.map(async (request) => ({
        id: request.connectRequestId,
        html: (await requestCard(request, view)).toString(),
      })),
    ),
    games: await Promise.all(
      view.games.map(async (game) => ({ id: game.applicationId, html: (await gameItem(game, view.csrf)).toString() })),
    ),
  };
}

/** A page of the web app, where a form says so; nothing else is gone to. */
function ownPath(path: string | null): string | undefined {
  return path !== null && /^\/app(\/[\w-]+)*$/.test(path) ? path : undefined;
}
