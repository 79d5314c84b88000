/** Which authentication level an operation needs: the interface document's tags `public` and `private`. */
export type OperationTag = 'application' | 'user';

/** One operation of contract v1. */
export interface Operation {
  readonly name: string;
  readonly tag: OperationTag;
  readonly method: 'GET' | 'POST';
  /** Below `baseUrl`; `{adSurfaceId}` is filled in by the caller, percent-encoded. */
  readonly path: string;
  /** Sending it twice does no harm, so a lost answer may be asked for again. */
  readonly repeatable?: boolean;
  /** A success without a body is enough. */
  readonly mayBeEmpty?: boolean;
  /** It asks for tokens: if tokens are bound to a key, the request proves that the key is here. */
  readonly asksForTokens?: boolean;
}

const get = { tag: 'application', method: 'GET', repeatable: true } as const;
const post = { tag: 'application', method: 'POST' } as const;

/**
 * Every operation of contract v1. The application level goes with every request; `user` operations are refused before
 * any request while no player is signed in.
 */
export const operations = {
  getAdSurfaces: { ...get, name: 'getAdSurfaces', path: '/v1/ad-surfaces' },
  getAd: { ...get, name: 'getAd', path: '/v1/ad-surfaces/{adSurfaceId}/ad', mayBeEmpty: true },
  getPlayer: { ...get, name: 'getPlayer', path: '/v1/player', tag: 'user' },
  // A repeated connect would notify the player twice, a repeated login would count as a second try.
  connect: { ...post, name: 'connect', path: '/v1/bc-authorize', asksForTokens: true },
  login: { ...post, name: 'login', path: '/v1/login', asksForTokens: true },
  // Polling and refreshing have timing rules of their own; see SessionMachine.
  poll: { ...post, name: 'poll', path: '/v1/token', asksForTokens: true },
  exchange: { ...post, name: 'exchange', path: '/v1/token', asksForTokens: true },
  refresh: { ...post, name: 'refresh', path: '/v1/token', asksForTokens: true },
  // Reports repeat what needs it themselves, and wait longer than a call may.
  reportEvents: { ...post, name: 'reportEvents', path: '/v1/events' },
  revoke: { ...post, name: 'revoke', path: '/v1/revoke', repeatable: true, mayBeEmpty: true },
  cancelConnect: { ...post, name: 'cancelConnect', path: '/v1/bc-cancel', repeatable: true, mayBeEmpty: true },
} as const satisfies Record<string, Operation>;
