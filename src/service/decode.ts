import * as v from 'valibot';

import { AdsError } from '../errors.js';
import { hasUserInfo, isSecure, parseUrl } from '../hosts.js';
import type { Ad, AdSurface, AdSurfaceList } from './AdService.js';
import { present } from './present.js';

/** The player behind the user level. */
export interface Player {
  readonly playerId: string;
  readonly displayName: string;
}

/** What a confirmed connect, a login or a refresh grants. Lifetimes count from the moment of receipt. */
export interface Grant {
  readonly accessToken: string;
  readonly lifetimeMs: number;
  /** Null when the session cannot be refreshed. */
  readonly refreshToken: string | null;
  readonly refreshLifetimeMs: number;
  /** Null when a refresh does not repeat it. */
  readonly player: Player | null;
}

/** A grant that begins a session says for whom. */
export type FirstGrant = Grant & { readonly player: Player };

/** An accepted connect request. */
export interface ConnectRequest {
  readonly requestId: string;
  readonly expiresInMs: number;
  readonly intervalMs: number;
  /** Short code shown in the game and in the web app; empty when the service gives none. */
  readonly bindingCode: string;
  /** Page of the web app that shows this request; empty when the service gives none. */
  readonly confirmUrl: string;
  /** Where a popup can answer it; empty when the service offers none. */
  readonly popupUrl: string;
  /** The longest a poll may ask to be held; 0 when the service holds none. */
  readonly holdMs: number;
}

/** What became of reported events, by id. */
export interface Acknowledgement {
  /** Counted now. */
  readonly accepted: readonly string[];
  /** Counted before. */
  readonly duplicate: readonly string[];
  /** Never to be counted. */
  readonly rejected: readonly string[];
}

const MAX_SURFACES = 1_000;
/** A session lives at most this long without being confirmed by the service. */
export const MAX_SESSION_MS = 7 * 24 * 3_600_000;

const noControls = v.regex(/^[^\p{Cc}]*$/u);
const id = v.pipe(v.string(), v.maxLength(256), v.regex(/\S/), noControls);
const sizePx = v.pipe(v.number(), v.minValue(Number.MIN_VALUE), v.maxValue(16_384));
/** Seconds as OAuth servers write them: a number, or its digits as text. */
const seconds = v.union([v.number(), v.pipe(v.string(), v.regex(/^\s*\d{1,12}(\.\d+)?\s*$/), v.transform(Number))]);
/** Travels in a header: visible ASCII only, so that no line break can add another header. */
export const tokenSchema = v.pipe(v.string(), v.maxLength(8_192), v.regex(/^[\x21-\x7e]+$/));

const surfaceSchema = v.object({
  adSurfaceId: id,
  name: v.nullish(v.pipe(v.string(), v.maxLength(256), noControls)),
  width: v.nullish(sizePx),
  height: v.nullish(sizePx),
});
const surfaceListSchema = v.object({ items: v.array(v.unknown()) });

const adSchema = v.object({
  adId: id,
  url: v.string(),
  serveId: v.nullish(id),
  width: v.nullish(sizePx),
  height: v.nullish(sizePx),
  clickUrl: v.nullish(v.string()),
  alt: v.nullish(v.pipe(v.string(), v.maxLength(1_024))),
  expiresInSeconds: v.nullish(v.pipe(v.number(), v.minValue(1), v.maxValue(86_400))),
});

const connectSchema = v.object({
  auth_req_id: v.pipe(v.string(), v.minLength(1), v.maxLength(1_024), noControls),
  expires_in: v.nullish(v.number()),
  interval: v.nullish(v.number()),
  binding_message: v.nullish(v.pipe(v.string(), v.maxLength(20), noControls)),
  confirm_url: v.nullish(v.unknown()),
  popup_url: v.nullish(v.unknown()),
  hold: v.nullish(v.number()),
});

export const playerSchema = v.object({
  playerId: id,
  displayName: v.pipe(v.string(), v.maxLength(256), noControls),
});

/** How tokens are used: by whoever holds them, or with a proof of a key. */
export type TokenType = 'bearer' | 'dpop';

const grantSchema = v.object({
  access_token: tokenSchema,
  token_type: v.string(),
  expires_in: v.nullish(seconds),
  refresh_token: v.nullish(tokenSchema),
  refresh_expires_in: v.nullish(seconds),
  player: v.nullish(playerSchema),
});

/**
 * Items that break the contract are skipped, as one bad entry must not take the others away; a list of only bad items
 * is refused. Of items with the same id the first counts. At most {@link MAX_SURFACES} are kept.
 * @param note called for everything that is left out
 */
export function decodeSurfaces(json: unknown, note: (message: string) => void): AdSurfaceList {
  const { items } = parse(surfaceListSchema, json);
  const surfaces = new Map<string, AdSurface>();
  let firstFault: string | undefined;
  for (let i = 0; i < items.length && surfaces.size < MAX_SURFACES; i++) {
    const result = v.safeParse(surfaceSchema, items[i], { abortEarly: true });
    if (!result.success) {
      const path = `$.items[${i}]${pathOf(result.issues[0]).slice(1)}`;
      firstFault ??= path;
      note(`Surface skipped: ${path} does not follow contract v1`);
    } else if (surfaces.has(result.output.adSurfaceId)) {
      note(`Surface skipped: $.items[${i}] repeats an adSurfaceId`);
    } else {
      surfaces.set(result.output.adSurfaceId, Object.freeze(present(result.output)));
    }
  }
  if (items.length > MAX_SURFACES) note(`Only the first ${MAX_SURFACES} of ${items.length} surfaces are kept`);
  if (surfaces.size === 0 && firstFault !== undefined) throw schemaFault(firstFault);
  return Object.freeze({ items: Object.freeze([...surfaces.values()]) });
}

/** An answer without `adId` is the legal "no ad", told as `{ adId: '', url: '' }`. */
export function decodeAd(json: unknown): Ad {
  // A 204 has no body at all.
  if (json === null || json === undefined) return noAd;
  const { adId } = parse(v.object({ adId: v.nullish(v.string()) }), json);
  if (adId === undefined || adId === null || adId === '') return noAd;
  return Object.freeze(present(parse(adSchema, json)));
}

/** The answer without fill. */
export const noAd: Ad = Object.freeze({ adId: '', url: '' });

/**
 * Missing times take CIBA's defaults: 300 s to confirm, polled every 5 s, none held. Times are clamped to 1–3600 s, 1–60 s
 * and 0–60 s. An address a game must not show is left out.
 * @param note called for an address that is left out
 */
export function decodeConnect(json: unknown, note: (message: string) => void): ConnectRequest {
  const answer = parse(connectSchema, json);
  const confirmUrl = readPageUrl(answer.confirm_url);
  const popupUrl = readPageUrl(answer.popup_url);
  if (confirmUrl === null || popupUrl === null)
    note('The address to confirm at is left out: it is no https: address a game can show');
  return Object.freeze({
    requestId: answer.auth_req_id,
    expiresInMs: clamp(answer.expires_in ?? 300, 1, 3_600) * 1_000,
    intervalMs: clamp(answer.interval ?? 5, 1, 60) * 1_000,
    bindingCode: answer.binding_message ?? '',
    confirmUrl: confirmUrl ?? '',
    popupUrl: popupUrl ?? '',
    holdMs: clamp(answer.hold ?? 0, 0, 60) * 1_000,
  });
}

/**
 * A token without a lifetime (RFC 6749 §5.1 only recommends one) is used until it is refused.
 * @param type the type that was asked for: a token that is not bound to a key never passes for one that is
 * @throws AdsError `response/schema`, or `session/expired-on-arrival` for a lifetime of nothing
 */
export function decodeGrant(json: unknown, type: TokenType): Grant {
  const answer = parse(grantSchema, json);
  if (answer.token_type.toLowerCase() !== type) throw schemaFault('$.token_type');
  const lifetimeSeconds = answer.expires_in ?? Infinity;
  if (lifetimeSeconds <= 0) {
    throw new AdsError('session/expired-on-arrival', 'The service granted a session that is over already');
  }
  return Object.freeze({
    accessToken: answer.access_token,
    lifetimeMs: Math.min(lifetimeSeconds * 1_000, MAX_SESSION_MS),
    refreshToken: answer.refresh_token ?? null,
    refreshLifetimeMs: clamp((answer.refresh_expires_in ?? Infinity) * 1_000, 0, MAX_SESSION_MS),
    player: answer.player ? Object.freeze(answer.player) : null,
  });
}

export function decodeFirstGrant(json: unknown, type: TokenType): FirstGrant {
  const grant = decodeGrant(json, type);
  if (grant.player === null) throw schemaFault('$.player');
  return { ...grant, player: grant.player };
}

export function decodePlayer(json: unknown): Player {
  return Object.freeze(parse(playerSchema, json));
}

/**
 * Only ids that were sent count, and a field that is not a list counts as empty.
 * @throws AdsError `response/schema` for an answer without any of the lists
 */
export function decodeAcknowledgement(json: unknown, sentIds: ReadonlySet<string>): Acknowledgement {
  const { accepted, duplicate, rejected } = (json ?? {}) as Readonly<Record<string, unknown>>;
  if (![accepted, duplicate, rejected].some((field) => Array.isArray(field))) throw schemaFault('$.accepted');
  const listOf = (field: unknown): readonly unknown[] => (Array.isArray(field) ? field : []);
  const own = (ids: unknown): readonly string[] =>
    Object.freeze(listOf(ids).filter((id): id is string => sentIds.has(id as string)));
  const rejectedIds = listOf(rejected).map((item) => (item as { id?: unknown } | null)?.id);
  return Object.freeze({ accepted: own(accepted), duplicate: own(duplicate), rejected: own(rejectedIds) });
}

/** The fields of an error body that may be used: never its text, which could repeat what was sent. */
export function decodeFault(json: unknown): { error?: string; requestId?: string; serverTimeSeconds?: number } {
  const fault: { error?: string; requestId?: string; serverTimeSeconds?: number } = {};
  if (typeof json !== 'object' || json === null) return fault;
  const { error, request_id, server_time } = json as Record<string, unknown>;
  if (typeof error === 'string' && /^[a-z_]{1,64}$/.test(error)) fault.error = error;
  if (typeof request_id === 'string' && /^[\w.-]{1,128}$/.test(request_id)) fault.requestId = request_id;
  // Between 2020 and 2100; anything else is no clock to trust.
  if (typeof server_time === 'number' && server_time > 1_577_836_800 && server_time < 4_102_444_800) {
    fault.serverTimeSeconds = server_time;
  }
  return fault;
}

/** An address the player is sent to: https, or http on this machine, without user information. Null for any other. */
function readPageUrl(value: unknown): string | null {
  if (value === undefined || value === null) return '';
  const url = parseUrl(value, 2_048);
  return url !== null && isSecure(url) && !hasUserInfo(url) ? url.href : null;
}

function parse<TSchema extends v.GenericSchema>(schema: TSchema, json: unknown): v.InferOutput<TSchema> {
  // valibot accepts an array as an object without the field.
  if (Array.isArray(json)) throw schemaFault('$');
  const result = v.safeParse(schema, json, { abortEarly: true });
  if (!result.success) throw schemaFault(pathOf(result.issues[0]));
  return result.output;
}

function schemaFault(path: string): AdsError {
  return new AdsError('response/schema', `The answer does not follow contract v1 at ${path}`, { path });
}

/** Where a value breaks its schema, as a JSON path. */
export function pathOf(issue: v.BaseIssue<unknown>): string {
  return (issue.path ?? []).reduce(
    (path, { key }) => (typeof key === 'number' ? `${path}[${key}]` : `${path}.${String(key)}`),
    '$',
  );
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
