import { Hono } from 'hono';
import { ServiceError } from '../http/ServiceError.js';
import type { ServiceEnv } from '../http/ServiceEnv.js';
import { done } from './answers.js';
import type { WebAppParts } from './WebAppParts.js';
import { messagePage, signInPage } from './pages.js';
import type { Visitors } from './Visitors.js';

/** The player's answers to what games ask. */
export function requestRoutes({ connectRequests, blockedGames, notices }: WebAppParts, visitors: Visitors) {
  const app = new Hono<ServiceEnv>();

  /** Where a link or QR code of the game leads. */
  app.get('/:id', async (c) => {
    const visitor = await visitors.signedIn(c);
    const id = c.req.param('id');
    if (visitor === undefined) {
      return c.html(signInPage({ csrf: visitors.strangerCsrf(c), next: `/app/requests/${encodeURIComponent(id)}` }));
    }
    const pending = await connectRequests.pendingOf(visitor.player.playerId);
    if (pending.some(({ connectRequestId }) => connectRequestId === id)) return c.redirect('/app', 303);
    return c.html(messagePage('Nothing to decide', `${NOTHING} You are signed in as ${visitor.player.displayName}.`));
  });

  app.post('/:id/confirm', async (c) => {
    const { player, form } = await visitors.sender(c);
    const code = form.get('code');
    if (code === null) throw new ServiceError(400, 'no_code', 'Pick the code that the game shows.');
    const outcome = await connectRequests.pick(player.playerId, c.req.param('id'), code);
    notices.tell(player.playerId);
    if (outcome === 'wrong code') throw new ServiceError(400, 'wrong_code', WRONG_CODE);
    if (outcome !== 'confirmed') throw nothingToDecide();
    return done(c);
  });

  app.post('/:id/deny', async (c) => {
    const { player } = await visitors.sender(c);
    const game = await connectRequests.deny(player.playerId, c.req.param('id'));
    notices.tell(player.playerId);
    if (game === undefined) throw nothingToDecide();
    return done(c);
  });

  app.post('/:id/block', async (c) => {
    const { player } = await visitors.sender(c);
    const game = await connectRequests.deny(player.playerId, c.req.param('id'));
    if (game === undefined) throw nothingToDecide();
    await blockedGames.block(player.playerId, game);
    notices.tell(player.playerId);
    return done(c);
  });

  return app;
}

const NOTHING = 'This request has been answered, is over, or is for another account.';
const WRONG_CODE =
  'That is not the code this request came with, so it was declined. If you did start it, ask again in the game.';

function nothingToDecide(): ServiceError {
  return new ServiceError(404, 'nothing_to_decide', 'This request is not open any more.');
}
