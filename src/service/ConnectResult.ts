import type { CallOptions } from './AdService.js';
import type { Player } from './decode.js';

export interface ConnectOptions extends CallOptions {
  /** Signs the present player out first; otherwise the call rejects with `session/already-connected`. Default false. */
  readonly replace?: boolean;
  /**
   * For `connect`, called from a press or key of the player: opens the web app in a popup, where the player answers at
   * once, without a code, when both share the browser. Where the popup is blocked, closed, or not to be had, the player is
   * asked as without this option. Default false.
   */
  readonly popup?: boolean;
}

/** A connect request the player is asked to confirm in the service's web app. */
export interface ConnectResult {
  readonly game: {
    /**
     * Resolves true when the player confirms; false when the player denies, the request expires, is cancelled or
     * replaced. Aborting the signal cancels the request.
     * @throws AdsError `net/aborted`, `lifecycle/destroyed`, or the fault that broke the request
     */
    waitForGameConnect(options?: CallOptions): Promise<boolean>;
  };
  /** When the request ends, in milliseconds since 1970 by this device's clock: for a countdown. */
  readonly expiresAt: number;
  /** Show it: in the web app the player picks it out of three, and so confirms the right request. Empty when there is none. */
  readonly bindingCode: string;
  /**
   * Page of the service's web app that shows this request: for a link, or a QR code the player's phone reads. Opens nothing
   * by itself: the player signs in there. Empty when the service gives none.
   */
  readonly confirmUrl: string;
  /** Withdraws the request; waiters get false. Does nothing once it is settled. */
  cancel(): void;
}

/** Answer of a login. The tokens stay inside the client. */
export interface LoginResult {
  readonly player: Player;
  /** When the access token ends, in milliseconds since 1970 by this device's clock; it is renewed by itself. */
  readonly expiresAt: number;
}
