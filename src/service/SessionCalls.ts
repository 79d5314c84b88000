import type { ConnectRequest, Grant, Player } from './decode.js';
import type { PollVerdict } from './SessionMachine.js';

/** A grant that begins a session says for whom. */
export type FirstGrant = Grant & { readonly player: Player };

/** The requests a session makes. Each settles within the client's time limit and rejects with AdsError only. */
export interface SessionCalls {
  connect(email: string): Promise<ConnectRequest>;
  poll(requestId: string): Promise<{ readonly verdict: PollVerdict } | { readonly grant: FirstGrant }>;
  login(email: string, password: string): Promise<FirstGrant>;
  refresh(refreshToken: string): Promise<Grant | 'refused'>;
  revoke(token: string): Promise<void>;
  cancel(requestId: string): Promise<void>;
}
