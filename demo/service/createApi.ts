import { OpenAPIHono } from '@hono/zod-openapi';
import type { AccountLimits } from './accounts/AccountLimits.js';
import type { BlockedGames } from './accounts/BlockedGames.js';
import type { ConnectRequests } from './accounts/ConnectRequests.js';
import type { DpopProofs } from './accounts/DpopProofs.js';
import type { HeldPolls } from './accounts/HeldPolls.js';
import type { PlayerNotices } from './accounts/PlayerNotices.js';
import { callerOf } from './accounts/place.js';
import { normalizeEmail, type Player, type Players } from './accounts/Players.js';
import type { PopupSignIns } from './accounts/PopupSignIns.js';
import type { PlayerSessions, SessionTokens } from './accounts/PlayerSessions.js';
import { ACCOUNT_TIMES } from './accounts/times.js';
import type { AdInventory } from './ads/AdInventory.js';
import { applicationLevel, type ApplicationLevelParts } from './application/applicationLevel.js';
import { isOriginAllowed } from './application/origins.js';
import * as contract from './contract.js';
import type { EventLog } from './events/EventLog.js';
import { unwrapUnload } from './events/unwrapUnload.js';
import { cors } from './http/cors.js';
import { limitBody } from './http/limitBody.js';
import { ServiceError } from './http/ServiceError.js';
import { clientAddress, clientDevice, type ServiceContext, type ServiceEnv, whenGone } from './http/ServiceEnv.js';
import { hashSecret } from './secrets.js';

const MAX_BODY_KIB = 64;

/**
 * A connect request has reached a player's account. For whatever carries it to the player beside the web app. The code is
 * not in it: the player shall read that in the game.
 */
export interface ConnectNotice {
  readonly playerId: string;
  readonly displayName: string;
  readonly applicationName: string;
  /** Such as "Firefox on Windows". */
  readonly device: string;
}

export interface ApiParts extends ApplicationLevelParts {
  readonly players: Players;
  readonly sessions: PlayerSessions;
  readonly connectRequests: ConnectRequests;
  readonly blockedGames: BlockedGames;
  readonly popupSignIns: PopupSignIns;
  readonly limits: AccountLimits;
  readonly notices: PlayerNotices;
  readonly inventory: AdInventory;
  readonly events: EventLog;
  /** Does not throw. */
  readonly notify: (notice: ConnectNotice) => void;
  readonly heldPolls: HeldPolls;
  readonly proofs: DpopProofs;
  /** Where the web app and the creatives are, given the request that asks. */
  readonly origin: (c: ServiceContext) => string;
}

/** The interface games use: contract v1, to be mounted below the base path. */
export function createApi(parts: ApiParts): OpenAPIHono<ServiceEnv> {
  const { applications, tokens, players, sessions, connectRequests, blockedGames, limits, notices } = parts;
  const { popupSignIns, heldPolls, proofs, inventory, events, notify } = parts;
  const api = new OpenAPIHono<ServiceEnv>({
    defaultHook: (result) => {
      if (result.success) return;
      // The place only: a value may be a password.
      const places = result.error.issues.map((issue) => ['$', ...issue.path].join('.'));
      throw new ServiceError(400, 'invalid_request', `Missing or malformed: ${[...new Set(places)].join(', ')}.`);
    },
  });

  api.use(cors((origin) => applications.knowsOrigin(origin)));
  api.use('/v1/*', (c, next) => {
    // Hono answers HEAD as GET, so an ad would count as served to someone who does not read the answer.
    if (c.req.method === 'HEAD') throw new ServiceError(404, 'not_found', 'The contract has no HEAD requests.');
    return next();
  });
  api.use(limitBody(MAX_BODY_KIB));
  api.use(contract.reportEvents.path, unwrapUnload);
  api.use(
    '/v1/*',
    applicationLevel(parts, (path) =>
      path.endsWith(contract.mintApplicationToken.path) ? ['signature'] : ['signature', 'token', 'plain'],
    ),
  );

  api.openapi(contract.listAdSurfaces, async (c) =>
    c.json({ items: await inventory.surfacesOf(c.var.application.applicationId) }, 200, NOT_STORED),
  );

  api.openapi(contract.getAd, async (c) => {
    const served = await inventory.serve(c.var.application.applicationId, c.req.valid('param').adSurfaceId);
    if (served === 'unknown') {
      throw new ServiceError(404, 'unknown_ad_surface', 'The application has no ad surface of this id.');
    }
    if (served === 'no fill') return c.json({}, 200, NOT_STORED);
    const { creative, clickUrl, alt, ...ad } = served;
    return c.json(
      {
        ...ad,
        url: `${parts.origin(c)}/creatives/${creative}`,
        ...(clickUrl === undefined ? {} : { clickUrl }),
        ...(alt === undefined ? {} : { alt }),
      },
      200,
      NOT_STORED,
    );
  });

  api.openapi(contract.reportEvents, async (c) => {
    return c.json(await events.receive(c.var.application.applicationId, c.req.valid('json')), 200, NOT_STORED);
  });

  api.openapi(contract.startConnect, async (c) => {
    const { login_hint, code_challenge, state } = c.req.valid('json');
    const email = normalizeEmail(login_hint);
    const { applicationId, name } = c.var.application;
    const asker = { email, device: clientDevice(c), address: clientAddress(c) };
    await limits.spendConnect(applicationId, asker);
    const keyThumbprint = await keyOf(c);
    const player = await players.byEmail(email);
    const isBlocked = await blockedGames.has(player?.playerId ?? '', applicationId);
    const started = await connectRequests.start(applicationId, isBlocked ? undefined : player?.playerId, asker);
    const page = c.req.header('Origin');
    const challenge = page === undefined || state === undefined ? undefined : code_challenge;
    const popupId =
      challenge === undefined
        ? undefined
        : await popupSignIns.offer(started.connectRequestId, { challenge, state: state ?? '', origin: page ?? '' });
    if (keyThumbprint !== undefined) await connectRequests.bind(started.connectRequestId, keyThumbprint);
    // After the answer, and the same for an e-mail address without an account: neither the time of the answer nor what
    // the next one has to wait for tells whether there is one.
    setImmediate(() => {
      notices.tell(started.channel);
      if (popupId !== undefined) return;
      const tell = (may: boolean): void => {
        if (may && player !== undefined && !isBlocked)
          notify({ ...player, applicationName: name, device: asker.device });
      };
      void limits.mayNotify(applicationId, started.channel).then(tell, nothing);
    });
    return c.json(
      {
        auth_req_id: started.authReqId,
        expires_in: started.expiresInSeconds,
        interval: started.intervalSeconds,
        binding_message: started.bindingCode,
        confirm_url: `${parts.origin(c)}/app/requests/${started.connectRequestId}`,
        ...(popupId === undefined ? {} : { popup_url: `${parts.origin(c)}/app/popup/${popupId}` }),
        hold: ACCOUNT_TIMES.longestHoldSeconds,
      },
      200,
      NOT_STORED,
    );
  });

  api.openapi(contract.cancelConnect, async (c) => {
    const { applicationId } = c.var.application;
    const authReqId = c.req.valid('json').auth_req_id;
    await connectRequests.cancel(applicationId, authReqId);
    const channel = await connectRequests.channelOf(applicationId, authReqId);
    if (channel !== undefined) notices.tell(channel);
    return c.json({}, 200, NOT_STORED);
  });

  api.openapi(contract.token, async (c) => {
    const issued = await granted(c, c.req.valid('json'));
    // An ordinary answer: browsers print every other status in the console.
    if (typeof issued === 'string') return c.json({ status: issued }, 200, NOT_STORED);
    notices.tell(issued.playerId);
    return c.json(tokenAnswer(issued, await knownPlayer(issued.playerId)), 200, NOT_STORED);
  });

  api.openapi(contract.login, async (c) => {
    const { applicationId } = c.var.application;
    const { email, password } = c.req.valid('json');
    const keyThumbprint = await keyOf(c);
    const account = normalizeEmail(email);
    const attempt = { email: account, address: clientAddress(c) };
    await limits.spendLogin(attempt);
    const player = await players.authenticate(account, password);
    if (player === undefined) throw new ServiceError(401, 'invalid_credentials', 'E-mail or password is wrong.');
    await limits.forgiveLogin(attempt, player.playerId);
    const issued = await sessions.begin({
      applicationId,
      playerId: player.playerId,
      device: clientDevice(c),
      keyThumbprint,
    });
    notices.tell(player.playerId);
    return c.json(tokenAnswer(issued, player), 200, NOT_STORED);
  });

  api.openapi(contract.revoke, async (c) => {
    await sessions.revoke(c.var.application.applicationId, c.req.valid('json').token);
    return c.json({}, 200, NOT_STORED);
  });

  api.openapi(contract.getPlayer, async (c) => {
    const [, scheme, accessToken] = /^(Bearer|DPoP) (\S+)$/i.exec(c.req.header('Authorization') ?? '') ?? [];
    if (accessToken === undefined) throw new ServiceError(401, 'invalid_token', 'An access token is required.');
    const keyThumbprint = scheme?.toLowerCase() === 'dpop' ? await keyOf(c, accessToken) : undefined;
    const playerId = await sessions.playerOf(c.var.application.applicationId, accessToken, keyThumbprint);
    return c.json(await knownPlayer(playerId), 200, NOT_STORED);
  });

  api.openapi(contract.mintApplicationToken, async (c) => {
    const { applicationId, allowedOrigins } = c.var.application;
    const { origin } = c.req.valid('json');
    if (origin !== undefined && !isOriginAllowed(allowedOrigins, origin)) {
      throw new ServiceError(403, 'origin_not_allowed', 'The application did not register this origin.');
    }
    const { token, expiresInSeconds } = await tokens.mint({ applicationId, origin });
    return c.json({ token, expires_in: expiresInSeconds }, 200, NOT_STORED);
  });

  // No route names it as its body: the events of a batch are judged one by one.
  api.openAPIRegistry.register('AdEvent', contract.AdEvent);
  // The handler never sees it: it is unwrapped before.
  api.openAPIRegistry.register('UnloadCopy', contract.UnloadCopy);
  for (const [name, scheme] of Object.entries(contract.securitySchemes)) {
    api.openAPIRegistry.registerComponent('securitySchemes', name, scheme);
  }
  return api;

  /** The key the request has proved to hold. */
  function keyOf(c: ServiceContext, accessToken?: string): Promise<string | undefined> {
    const url = parts.origin(c) + new URL(c.req.url).pathname;
    const proven = { proof: c.req.header('DPoP'), method: c.req.method, url };
    return proofs.keyOf({ ...proven, ...(accessToken === undefined ? {} : { accessToken }) });
  }

  /** @param wait seconds to hold the answer while the player has not decided */
  async function granted(c: ServiceContext, grant: contract.TokenRequest) {
    const { applicationId } = c.var.application;
    const keyThumbprint = await keyOf(c);
    switch (grant.grant_type) {
      case 'refresh_token':
        return sessions.refresh(applicationId, grant.refresh_token, keyThumbprint);
      case 'authorization_code':
        return popupSignIns.exchange(applicationId, grant.code, grant.code_verifier, clientDevice(c), keyThumbprint);
      default:
        return poll(c, grant.auth_req_id, keyThumbprint, grant.wait);
    }
  }

  async function poll(c: ServiceContext, authReqId: string, keyThumbprint: string | undefined, wait = 0) {
    const { applicationId } = c.var.application;
    const ask = (wasHeld: boolean) =>
      connectRequests.poll(applicationId, authReqId, clientDevice(c), keyThumbprint, wasHeld);
    const answer = await ask(false);
    if (answer !== 'authorization_pending' || wait === 0) return answer;
    const isDecided = await heldPolls.hold({
      key: hashSecret(authReqId),
      caller: `${applicationId} ${callerOf(clientAddress(c))}`,
      channel: await connectRequests.channelOf(applicationId, authReqId),
      seconds: wait,
      isOpen: () => connectRequests.isOpen(applicationId, authReqId),
      whenGone: (callback) => whenGone(c, callback),
    });
    return isDecided ? ask(true) : answer;
  }

  async function knownPlayer(playerId: string): Promise<Player> {
    const player = await players.byId(playerId);
    if (player === undefined) throw new ServiceError(401, 'invalid_token', 'The player is not known any more.');
    return player;
  }
}

function nothing(): void {}

const NOT_STORED = { 'Cache-Control': 'no-store' };

function tokenAnswer(issued: SessionTokens, player: Player) {
  return {
    access_token: issued.accessToken,
    token_type: issued.isBound ? ('DPoP' as const) : ('Bearer' as const),
    expires_in: issued.accessExpiresInSeconds,
    refresh_token: issued.refreshToken,
    refresh_expires_in: issued.refreshExpiresInSeconds,
    player,
  };
}
