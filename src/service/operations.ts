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
  readonly repeatable: boolean;
  /** A success without a body is enough. */
  readonly mayBeEmpty: boolean;
}

/**
 * Every operation of contract v1. The application level goes with every request; `user` operations are refused before
 * any request while no player is signed in.
 */
export const operations = {
  getAdSurfaces: operation('getAdSurfaces', 'application', 'GET', '/v1/ad-surfaces', true),
  getAd: operation('getAd', 'application', 'GET', '/v1/ad-surfaces/{adSurfaceId}/ad', true, true),
  // A repeated connect would notify the player twice, a repeated login would count as a second try.
  connect: operation('connect', 'application', 'POST', '/v1/bc-authorize', false),
  login: operation('login', 'application', 'POST', '/v1/login', false),
  // Polling and refreshing have timing rules of their own; see SessionMachine.
  poll: operation('poll', 'application', 'POST', '/v1/token', false),
  exchange: operation('exchange', 'application', 'POST', '/v1/token', true),
  refresh: operation('refresh', 'application', 'POST', '/v1/token', false),
  // Reports repeat what needs it themselves, and wait longer than a call may.
  reportEvents: operation('reportEvents', 'application', 'POST', '/v1/events', false),
  revoke: operation('revoke', 'application', 'POST', '/v1/revoke', true, true),
  cancelConnect: operation('cancelConnect', 'application', 'POST', '/v1/bc-cancel', true, true),
  getPlayer: operation('getPlayer', 'user', 'GET', '/v1/player', true),
} as const;

function operation(
  name: string,
  tag: OperationTag,
  method: 'GET' | 'POST',
  path: string,
  repeatable: boolean,
  mayBeEmpty = false,
): Operation {
  return Object.freeze({ name, tag, method, path, repeatable, mayBeEmpty });
}
