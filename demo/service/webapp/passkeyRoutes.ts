import { Hono } from 'hono';
import { passkeySite, type PasskeySite } from '../accounts/Passkeys.js';
import { ServiceError } from '../http/ServiceError.js';
import { clientAddress, clientDevice, type ServiceContext, type ServiceEnv } from '../http/ServiceEnv.js';
import { done } from './answers.js';
import type { WebAppParts } from './WebAppParts.js';
import { requirePassword } from './requirePassword.js';
import type { Visitors } from './Visitors.js';

/** Passkeys are made, used and removed here. The token of the form ties a challenge to the browser that asked for it. */
export function passkeyRoutes(parts: WebAppParts, visitors: Visitors) {
  const { passkeys, limits, origin } = parts;
  const app = new Hono<ServiceEnv>();
  const holderOf = (form: URLSearchParams) => form.get('csrf') ?? '';

  function site(c: ServiceContext): PasskeySite {
    const found = passkeySite(origin(c));
    if (found === undefined) throw new ServiceError(400, 'no_passkeys_here', 'Passkeys need a page with a host name.');
    return found;
  }

  app.post('/sign-in/options', async (c) => {
    const form = await visitors.strangerForm(c);
    await limits.spendPasskey(clientAddress(c));
    return c.json(await passkeys.signInOptions(site(c), holderOf(form)));
  });

  app.post('/sign-in', async (c) => {
    const form = await visitors.strangerForm(c);
    const playerId = await passkeys.playerOf(site(c), holderOf(form), form.get('answer') ?? '');
    if (playerId === undefined) {
      throw new ServiceError(401, 'invalid_passkey', 'This passkey is not known here (any more).');
    }
    await visitors.signIn(c, playerId);
    return done(c);
  });

  app.post('/options', async (c) => {
    const { player, form } = await visitors.sender(c);
    await requirePassword(c, parts, player.playerId, form);
    return c.json(await passkeys.creationOptions(site(c), player, holderOf(form)));
  });

  app.post('/', async (c) => {
    const { player, form } = await visitors.sender(c);
    const answer = form.get('answer') ?? '';
    if (!(await passkeys.add(site(c), player.playerId, holderOf(form), answer, clientDevice(c)))) {
      throw new ServiceError(
        400,
        'invalid_passkey',
        'No passkey was added: it is known already, or there are too many.',
      );
    }
    return done(c, '/app/account');
  });

  app.post('/:id/remove', async (c) => {
    const { player } = await visitors.sender(c);
    await passkeys.remove(player.playerId, c.req.param('id'));
    return done(c, '/app/account');
  });

  return app;
}
