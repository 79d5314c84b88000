import type { Player } from './decode.js';

/** Answer of a login. The tokens stay inside the client. */
export interface LoginResult {
  readonly player: Player;
  /** When the access token ends, in milliseconds since 1970 by this device's clock; it is renewed by itself. */
  readonly expiresAt: number;
}
