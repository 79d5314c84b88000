import { ServiceError } from '../http/ServiceError.js';
import { clientAddress, type ServiceContext } from '../http/ServiceEnv.js';
import type { WebAppParts } from './WebAppParts.js';

/**
 * For what a session left open on a shared computer does not suffice for: the password of whoever is signed in. Guesses
 * are counted as at the sign-in.
 *
 * @throws ServiceError 401 `invalid_credentials`, 429 `too_many_requests`
 */
export async function requirePassword(
  c: ServiceContext,
  { limits, players }: Pick<WebAppParts, 'limits' | 'players'>,
  playerId: string,
  form: URLSearchParams,
): Promise<void> {
  await limits.spendLogin({ email: playerId, address: clientAddress(c) });
  const password = form.get('password') ?? '';
  if (password.length > 1024 || !(await players.isPasswordOf(playerId, password))) {
    throw new ServiceError(401, 'invalid_credentials', 'The password is wrong. Nothing was changed.');
  }
}
