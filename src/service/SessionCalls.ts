import type { ConnectRequest, FirstGrant, Grant } from './decode.js';
import type { PollVerdict } from './SessionMachine.js';

/** What a poll brings: the tokens, or how the request stands. */
export type PollAnswer = { readonly verdict: PollVerdict } | { readonly grant: FirstGrant };

/** The requests a session makes. Each settles within the client's time limit and rejects with AdsError only. */
export interface SessionCalls {
  /** @param wantsPopup whether the player may answer in a popup of this page */
  connect(email: string, wantsPopup: boolean): Promise<ConnectRequest>;
  /**
   * @param holdMs how long the service may hold its answer, beyond the time limit; 0 for an answer at once
   * @param signal ends a call nobody waits for any more
   */
  poll(requestId: string, holdMs: number, signal: AbortSignal): Promise<PollAnswer>;
  login(email: string, password: string): Promise<FirstGrant>;
  refresh(refreshToken: string): Promise<Grant | 'refused'>;
  revoke(token: string): Promise<void>;
  cancel(requestId: string): Promise<void>;
  /** Closes the popup of a request, if it has one, without a word to the service. */
  letGo(requestId: string): void;
}
