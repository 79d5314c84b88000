import type { Player } from './decode.js';
import type { OperationTag } from './operations.js';
import type { ExpiredReason, SessionState } from './SessionMachine.js';

/** What can be told of a session; holds no token and no e-mail address. */
export interface SessionSnapshot {
  readonly state: SessionState;
  /** `user` while a player is signed in. */
  readonly level: OperationTag;
  readonly player: Player | null;
  /** Signed in, but the access token is over and could not be renewed yet. */
  readonly isStale: boolean;
  /** Only in state `expired`. */
  readonly expiredReason: ExpiredReason | null;
  /** Only in state `pending`: the code the player compares. */
  readonly bindingCode: string | null;
  /** Only in state `pending`: where the player can confirm; empty when the service gives no address. */
  readonly confirmUrl: string | null;
  /** Only in state `pending`: when the request ends, in milliseconds since 1970 by this device's clock. */
  readonly requestExpiresAt: number | null;
}
