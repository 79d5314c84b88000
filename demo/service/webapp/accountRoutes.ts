import { Hono } from 'hono';
import { ServiceError } from '../http/ServiceError.js';
import type { ServiceEnv } from '../http/ServiceEnv.js';
import { accountPage } from './accountPage.js';
import { done } from './answers.js';
import type { WebAppParts } from './WebAppParts.js';
import { messagePage, signInPage } from './pages.js';
import { requirePassword } from './requirePassword.js';
import type { Visitors } from './Visitors.js';

const DELETED =
  'With it all that the service knew of you. Hashes of your e-mail address, by which open requests of games are found and ' +
  'guesses of passwords counted, go within two days.';

/** Where a player is signed in, which games are blocked, and what is kept: to see, to end, to take along, to delete. */
export function accountRoutes(parts: WebAppParts, visitors: Visitors) {
  const { accountSessions, accountData, blockedGames, passkeys, notices, now } = parts;
  const app = new Hono<ServiceEnv>();

  app.get('/', async (c) => {
    const visitor = await visitors.signedIn(c);
    if (visitor === undefined) return c.html(signInPage({ csrf: visitors.strangerCsrf(c), next: '/app/account' }));
    const { playerId, displayName } = visitor.player;
    return c.html(
      accountPage({
        displayName,
        csrf: visitor.csrf,
        sessions: await accountSessions.list(playerId, visitor.cookie),
        passkeys: await passkeys.of(playerId),
        blockedGames: await blockedGames.of(playerId),
        now: now(),
      }),
    );
  });

  app.post('/sessions/:id/end', async (c) => {
    const { player } = await visitors.sender(c);
    const ended = await accountSessions.end(player.playerId, c.req.param('id'));
    notices.tell(player.playerId);
    if (!ended) throw new ServiceError(404, 'no_such_session', 'This session is over already.');
    return done(c, '/app/account');
  });

  app.post('/sign-out-everywhere', async (c) => {
    const { player } = await visitors.sender(c);
    await accountSessions.endAll(player.playerId);
    visitors.forget(c);
    notices.tell(player.playerId);
    return done(c);
  });

  app.post('/blocked/:id/unblock', async (c) => {
    const { player } = await visitors.sender(c);
    await blockedGames.unblock(player.playerId, c.req.param('id'));
    return done(c, '/app/account');
  });

  app.get('/export', async (c) => {
    const visitor = await visitors.signedIn(c);
    if (visitor === undefined) throw new ServiceError(401, 'not_signed_in', 'Sign in first.');
    c.header('Content-Disposition', 'attachment; filename="account.json"');
    return c.json(await accountData.export(visitor.player.playerId));
  });

  app.post('/delete', async (c) => {
    const { player, form } = await visitors.sender(c);
    await requirePassword(c, parts, player.playerId, form);
    await accountData.delete(player.playerId);
    visitors.forget(c);
    notices.tell(player.playerId);
    return c.html(messagePage('Your account is deleted', DELETED));
  });

  return app;
}
