import { createRoute, z } from '@hono/zod-openapi';
import { plainEmail } from './accounts/Players.js';
import { ACCOUNT_TIMES } from './accounts/times.js';

/*
 * Contract v1 as data: every path, field and answer. The service is built on these routes and docs/openapi.yaml is
 * written from them, so that neither can drift from the other.
 */

const seconds = (meaning: string) => z.int().min(0).describe(`${meaning}, seconds`);
const secret = (meaning: string) => z.string().min(1).max(512).describe(meaning);
/** A secret as the service writes it, which may travel in a header. */
const newSecret = (meaning: string) => secret(meaning).regex(/^[!-~]+$/);
/** Text without control characters. The document gets a pattern that needs no flag: there it would be part of the pattern. */
const line = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[^\p{Cc}]*$/u)
    .openapi({ pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' });
const label = (maxLength: number) => line(maxLength).min(1);
const address = () => z.url().max(2048);
const side = () => z.int().positive().max(16_384);
const email = z
  .string()
  .overwrite(plainEmail)
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/)
  .describe('E-mail address of the player');

/** RFC 9457, with the fields that programs and tickets go by as extensions. */
export const ErrorBody = z
  .object({
    type: z.literal('about:blank').describe('The status says what kind of problem it is; `error` says which'),
    title: z.string().describe('The words of the status'),
    status: z.int(),
    detail: z.string().describe('The same as error_description'),
    error: z
      .string()
      .regex(/^[a-z][a-z0-9_]*$/)
      .describe('For programs'),
    error_description: z.string().describe('For people'),
    request_id: z.string().describe('Names the request in the log of the service'),
    server_time: z.int().optional().describe('With clock_skew: the time of the service, seconds since 1970 UTC'),
  })
  .openapi('Error');

const AdSurfaceList = z
  .object({
    items: z.array(
      z.object({
        adSurfaceId: label(200).describe('Not only blanks'),
        name: line(256).describe('Display name from the portal'),
        width: side().describe('Native width of its creatives, pixels'),
        height: side().describe('Native height of its creatives, pixels'),
      }),
    ),
  })
  .openapi('AdSurfaceList');

const Ad = z
  .object({
    adId: label(256).describe('Not only blanks'),
    url: address().describe('Address of the image'),
    serveId: label(256).describe('Unique for each answer; not only blanks'),
    width: side(),
    height: side(),
    clickUrl: address().optional(),
    alt: z.string().max(1024).optional().describe('Text alternative of the image'),
    expiresInSeconds: z
      .number()
      .min(1)
      .max(86_400)
      .optional()
      .describe('How long the ad may hang before it is asked for anew'),
  })
  .openapi('Ad');

const NoAd = z.object({}).strict().describe('No fill: there is no ad for the surface now').openapi('NoAd');

const PlayerProfile = z
  .object({ playerId: label(256).describe('Not only blanks'), displayName: line(256) })
  .openapi('Player');

const ConnectRequest = z
  .object({
    login_hint: email,
    code_challenge: z
      .string()
      .regex(/^[\w-]{43}$/)
      .optional()
      .describe('PKCE (RFC 7636, S256): the player may also answer in a popup of the page, at popup_url'),
    state: z
      .string()
      .regex(/^[\w-]{16,128}$/)
      .optional()
      .describe('With code_challenge: handed back by the popup'),
  })
  .openapi('ConnectRequest');

const StartedConnect = z
  .object({
    auth_req_id: newSecret('Name of the request towards the token endpoint'),
    expires_in: seconds('Time the player has for the decision'),
    interval: seconds('Time to wait between polls'),
    binding_message: line(4)
      .min(4)
      .describe('Code to show in the game: on the web app the player picks it out of three'),
    confirm_url: address().describe(
      'Page of the web app with this request, for a link or a QR code; opens nothing by itself',
    ),
    popup_url: address()
      .optional()
      .describe(
        'With code_challenge, to a page: to be opened by it as a popup, which tells it (postMessage, from the origin of ' +
          'this address) { state, code } or { state, error: "access_denied" }',
      ),
    hold: seconds('The longest a poll may ask to be held'),
  })
  .openapi('StartedConnect');

const TokenAnswer = z
  .object({
    access_token: newSecret('For the Authorization header'),
    token_type: z.enum(['Bearer', 'DPoP']).describe('DPoP: bound to the key of the proof the request had'),
    expires_in: seconds('Lifetime of the access token'),
    refresh_token: newSecret('Good for one refresh, and for repetitions of it'),
    refresh_expires_in: seconds('Rest of the session; a refresh does not prolong it'),
    player: PlayerProfile,
  })
  .openapi('TokenAnswer');

const Undecided = z
  .object({
    status: z
      .enum(['authorization_pending', 'slow_down'])
      .describe('slow_down: polled too soon; wait 5 seconds longer between polls from now on'),
  })
  .openapi('Undecided');

const ApplicationToken = z
  .object({ token: secret('For the Application-Token header'), expires_in: seconds('Lifetime of the token') })
  .openapi('ApplicationToken');

/** How far a video has played, in the words of OMID and VAST. */
export const VIDEO_KINDS = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'] as const;

/** What can happen to an ad. */
export const EVENT_KINDS = [
  'loaded',
  'noFill',
  'impression',
  'visible',
  'blocked',
  'viewable',
  'click',
  ...VIDEO_KINDS,
  'summary',
  'error',
  'finish',
] as const;

/** The most bytes one event may have as JSON. */
export const MAX_EVENT_BYTES = 4096;
/** The largest instant ECMAScript knows. */
const MAX_INSTANT = 8.64e15;
/** The largest number of a 32-bit column. */
const MAX_COUNT = 2_147_483_647;

const eventId = z.uuid().describe('Made with the event and never changed: a repeated event is known by it');
const areaPx = (meaning: string) => z.number().min(0).describe(`${meaning}, canvas pixels²`);
const percentage = (meaning: string) => z.number().min(0).max(100).describe(`${meaning}, 0–100`);
const milliseconds = (meaning: string) => z.number().min(0).max(MAX_INSTANT).describe(`${meaning}, milliseconds`);
const instant = (meaning: string) => milliseconds(`${meaning}; since 1970 UTC`);
const count = (meaning: string) => z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe(meaning);
const reason = z.string().regex(/^[A-Za-z][A-Za-z-]{0,39}$/);
const standardId = z
  .string()
  .regex(/^[A-Za-z0-9][\w.:/-]{0,59}$/)
  .describe('Name of a viewability standard');
const trace = z
  .unknown()
  .optional()
  .describe('For placements chosen by hash: the samples that were measured, enough to replay the verdict');

/** The most members a record of an event may have. */
const MAX_MEMBERS = 40;
const fewMembers = (record: object) => Object.keys(record).length <= MAX_MEMBERS;

const eventOfAd = {
  id: eventId,
  sessionId: z.uuid().describe('One run of one game'),
  time: z.number().min(0).max(MAX_INSTANT).describe('Milliseconds since the session began, by a monotonic clock'),
  wallTime: instant('The clock of the device').optional(),
  placementId: z.uuid().optional().describe('One served ad in one place, from its start to its end'),
  sequence: z.int().min(0).max(MAX_COUNT).optional().describe('Number of the event within the placement, from 0'),
  previousHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe('SHA-256 of the canonical JSON (RFC 8785) of the placement’s event before; absent in the first'),
  ordinal: z.int().min(1).max(MAX_COUNT).optional().describe('Number of the event among those of its kind, from 1'),
  adSurfaceId: label(200).optional().describe('Absent for a sprite the game made itself'),
  adId: label(256).optional().describe('Absent while no ad is served'),
  serveId: label(256).optional().describe('As getAd answered it'),
};

const seenFigures = {
  percentageInView: percentage('Share of the ad in view'),
  visibleArea: areaPx('Area of the ad in view'),
  totalArea: areaPx('Area of the whole ad'),
  screenCoveragePercentage: percentage('Share of the canvas that is the ad in view'),
  reasons: z.array(reason).max(20).describe('Why not all of it is in view'),
  blockerCount: z.int().min(0).describe('Game objects that take visible area away'),
};

/** What a standard said about a placement in the end. */
export const VERDICTS = ['viewable', 'notViewable', 'undetermined'] as const;

/** One thing that happened to one ad. */
export const AdEvent = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.enum(['loaded', 'noFill', 'click']), ...eventOfAd }),
    z.object({ kind: z.enum(['impression', 'visible', 'blocked']), ...eventOfAd, ...seenFigures }),
    z.object({
      kind: z.enum(VIDEO_KINDS),
      ...eventOfAd,
      ...seenFigures,
      videoDurationMs: milliseconds('Length of the whole video'),
    }),
    z.object({
      kind: z.literal('viewable'),
      ...eventOfAd,
      ...seenFigures,
      standard: standardId,
      rule: z
        .record(z.string().max(60), z.unknown())
        .refine(fewMembers)
        .describe('The numbers of the standard as used'),
      durationMs: milliseconds('Time in view without a break when the standard was met'),
      trace,
    }),
    z.object({
      kind: z.literal('summary'),
      ...eventOfAd,
      isFinal: z.boolean().describe('False: the page was hidden, and another may follow'),
      finishReason: z
        .string()
        .regex(/^[A-Za-z][A-Za-z-]{0,39}$/)
        .optional(),
      verdicts: z.record(standardId, z.enum(VERDICTS)).refine(fewMembers).describe('By standard'),
      timeInViewMs: milliseconds('Time in which the rule of the first standard was met, its duration aside'),
      longestInViewMs: milliseconds('The longest of it without a break'),
      maxPercentageInView: percentage('The most of it that was in view'),
      measurableMs: milliseconds('Time in which it could be measured'),
      unmeasurableMs: milliseconds('Time in which it could not'),
      reasonsMs: z
        .record(reason, milliseconds('Time'))
        .refine(fewMembers)
        .describe('How long each reason kept it out of view'),
      attention: z
        .object({
          dwellMs: milliseconds('Time in which any part of it was in view'),
          meanScreenPercentage: percentage('Its part of the canvas on average over that time'),
          looks: count('Times it came into view'),
        })
        .optional()
        .describe('How long, how large and how often it was in view at all; absent when it never was'),
      refusedClicks: z
        .record(reason, count('Presses'))
        .refine(fewMembers)
        .optional()
        .describe(
          'Presses released on the ad that were no clicks, by reason: it was hidden there, or no player pressed on the canvas. Invalid traffic, no `click` events; absent when there were none',
        ),
      timeline: z
        .array(z.tuple([z.number().min(0).max(MAX_INSTANT), z.number().min(0).max(100)]))
        .max(64)
        .describe('[milliseconds since the first measured frame, percentage in view], in order'),
      trace,
    }),
    z.object({
      kind: z.literal('error'),
      ...eventOfAd,
      errorCode: z.string().regex(/^[a-z]+\/[a-z0-9-]{1,60}$/),
    }),
    z
      .object({
        kind: z.literal('finish'),
        ...eventOfAd,
        finishReason: z.enum(['destroyed', 'unobserved', 'texture-changed', 'refreshed', 'scene-ended', 'game-ended']),
      })
      .describe('Of games that send no summaries'),
  ])
  .superRefine((event, context) => {
    if (event.placementId === undefined) return;
    for (const field of ['sequence', 'ordinal', 'wallTime'] as const) {
      if (event[field] === undefined) context.addIssue({ code: 'custom', path: [field] });
    }
    const isFirst = event.sequence === 0;
    if (isFirst !== (event.previousHash === undefined)) context.addIssue({ code: 'custom', path: ['previousHash'] });
  })
  .openapi('AdEvent');

export type AdEvent = z.infer<typeof AdEvent>;

const OutboxLedger = z
  .object({
    outboxId: z.uuid().describe('Where the events waited'),
    revision: count('Grows with each change; the newest counts'),
    created: count('Events ever made'),
    accepted: count('Acknowledged as accepted'),
    duplicate: count('Acknowledged as known'),
    rejected: count('Acknowledged as refused'),
    dropped: z
      .object({
        overflow: count('The outbox was full'),
        tooOld: count('Waited too long'),
        tooLarge: count('Too large for an event'),
        corrupt: count('Unreadable when it was to be sent'),
        storageLost: count('The storage was cleared'),
      })
      .describe('Given up, by reason'),
    pending: count('Waiting now'),
  })
  .describe('created = accepted + duplicate + rejected + all of dropped + pending')
  .openapi('OutboxLedger');

export type OutboxLedger = z.infer<typeof OutboxLedger>;

const MAX_EVENTS_PER_BATCH = 50;

// Each event is judged by itself, so that one bad one does not take the others of its batch with it; only the id must
// be there, for without one there is no way to answer.
const EventBatch = z
  .object({
    sentAt: instant('The clock of the device when the batch left; corrects the events’ wallTime').optional(),
    durability: z.enum(['disk', 'memory']).optional().describe('Whether waiting events survive the page'),
    ledger: OutboxLedger.optional(),
    events: z
      .array(z.looseObject({ id: eventId }))
      .max(MAX_EVENTS_PER_BATCH)
      .openapi({
        type: 'array',
        items: { $ref: '#/components/schemas/AdEvent' },
        maxItems: MAX_EVENTS_PER_BATCH,
      }),
  })
  .refine(({ events, ledger }) => events.length > 0 || ledger !== undefined, { path: ['events'] })
  .openapi('EventBatch');

export type EventBatch = z.infer<typeof EventBatch>;

/** Headers a copy sent at unload may carry inside, in lower case: those that prove who sends it. */
export const UNLOAD_HEADERS = [
  'signature',
  'signature-input',
  'content-digest',
  'authorization',
  'application-token',
  'api-key',
  'private-key',
] as const;

/** A request as a page can send it while it goes away: without a preflight, hence with its headers in the body. */
export const UnloadCopy = z
  .object({
    headers: z
      .record(z.string().max(40), z.string().max(2048))
      .refine((headers) =>
        Object.keys(headers).every((name) => (UNLOAD_HEADERS as readonly string[]).includes(name.toLowerCase())),
      )
      .describe(`What the application/json request would carry: ${UNLOAD_HEADERS.join(', ')}`),
    body: z.string().describe('The body of the application/json request: an EventBatch as JSON'),
  })
  .openapi('UnloadCopy');

/** Why an event is not stored, now or ever. */
export const REJECTIONS = ['invalid_event', 'event_too_large', 'unknown_ad_surface'] as const;

const Acknowledgement = z
  .object({
    accepted: z.array(eventId).describe('Stored now'),
    duplicate: z.array(eventId).describe('Stored before, and not counted again'),
    rejected: z
      .array(
        z.object({
          id: eventId,
          error: z.enum(REJECTIONS),
          error_description: z.string(),
        }),
      )
      .describe('Not stored, now or ever'),
  })
  .openapi('Acknowledgement');

export type Acknowledgement = z.infer<typeof Acknowledgement>;

const Nothing = z.object({}).strict().openapi('Nothing');

export const CIBA_GRANT = 'urn:openid:params:grant-type:ciba';

const TokenRequest = z
  .discriminatedUnion('grant_type', [
    z.object({
      grant_type: z.literal(CIBA_GRANT),
      auth_req_id: secret('From bc-authorize'),
      wait: z
        .int()
        .min(1)
        .max(ACCOUNT_TIMES.longestHoldSeconds)
        .optional()
        .describe('Hold the answer until the player decides, at most so many seconds'),
    }),
    z.object({
      grant_type: z.literal('authorization_code'),
      code: secret('From the popup; good for one session, within repeatGraceSeconds (info.x-times)'),
      code_verifier: z
        .string()
        .regex(/^[\w.~-]{43,128}$/)
        .describe('Its SHA-256, base64url, was the code_challenge'),
    }),
    z.object({ grant_type: z.literal('refresh_token'), refresh_token: secret('From the last token answer') }),
  ])
  .openapi('TokenRequest');
export type TokenRequest = z.infer<typeof TokenRequest>;

const AdSurfaceIdParameter = z.object({
  adSurfaceId: z
    .string()
    .min(1)
    .max(200)
    .openapi({ param: { name: 'adSurfaceId', in: 'path' } }),
});

/** Ways to prove the application; one is enough. */
const applicationSecurity: Record<string, string[]>[] = [
  { signature: [], signatureInput: [] },
  { applicationToken: [] },
  { apiKey: [], privateKey: [] },
];

const ERROR_MEANINGS = {
  400: 'The request does not fit the contract, or the grant is refused',
  401: 'The application or the player is not authenticated',
  403: 'The application did not register the origin of the page',
  404: 'Unknown address or ad surface',
  413: 'The body exceeds 64 KiB',
  429: 'Too many attempts; Retry-After says how long to wait',
  500: 'Unexpected fault',
  503: 'Out of order for now; Retry-After says how long to wait',
} as const;

type ErrorCode = keyof typeof ERROR_MEANINGS;

const RetryAfter = {
  'Retry-After': { description: 'Seconds to wait', required: true, schema: { type: 'integer' as const } },
};

function errors(...specific: ErrorCode[]) {
  const statuses: ErrorCode[] = [401, 403, 413, 500, 503, ...specific];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: ERROR_MEANINGS[status],
        content: { 'application/problem+json': { schema: ErrorBody } },
        ...(status === 429 || status === 503 ? { headers: RetryAfter } : {}),
      },
    ]),
  );
}

function ok<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { 200: { description, content: { 'application/json': { schema } } } };
}

function body<Schema extends z.ZodType>(schema: Schema) {
  return { body: { required: true, content: { 'application/json': { schema } } } };
}

export const listAdSurfaces = createRoute({
  method: 'get',
  path: '/v1/ad-surfaces',
  summary: 'Lists the ad surfaces of the application',
  tags: ['ads'],
  security: applicationSecurity,
  responses: { ...ok(AdSurfaceList, 'Possibly empty: no surfaces are configured'), ...errors() },
});

export const getAd = createRoute({
  method: 'get',
  path: '/v1/ad-surfaces/{adSurfaceId}/ad',
  summary: 'Serves an ad for one surface',
  tags: ['ads'],
  security: applicationSecurity,
  request: { params: AdSurfaceIdParameter },
  responses: { ...ok(z.union([Ad, NoAd]), 'The ad, or an empty object'), ...errors(400, 404) },
});

export const startConnect = createRoute({
  method: 'post',
  path: '/v1/bc-authorize',
  summary: 'Asks a player, by e-mail address, to connect the game on the web app',
  description:
    'The answer is the same whether or not anybody has the e-mail address. The request takes the place of one that the ' +
    'same game has open for the same address, which is then answered with invalid_grant. A player who picks another ' +
    'code than the game shows has declined.',
  tags: ['account'],
  security: applicationSecurity,
  request: body(ConnectRequest),
  responses: { ...ok(StartedConnect, 'Started; poll the token endpoint'), ...errors(400, 429) },
});

export const cancelConnect = createRoute({
  method: 'post',
  path: '/v1/bc-cancel',
  summary: 'Withdraws a connect request',
  tags: ['account'],
  security: applicationSecurity,
  request: body(z.object({ auth_req_id: secret('From bc-authorize') }).openapi('CancelRequest')),
  responses: { ...ok(Nothing, 'Withdrawn, or there was nothing to withdraw'), ...errors(400) },
});

export const token = createRoute({
  method: 'post',
  path: '/v1/token',
  summary: 'Polls a connect request, or refreshes a session',
  description:
    'A poll before the player has decided is no fault, and answered with 200 and a status: browsers print every 400 in ' +
    'the console. Clients also understand 400 with authorization_pending or slow_down as error, which is what CIBA says. ' +
    'Refused with 400: expired_token, access_denied, invalid_grant, invalid_request. ' +
    'A request whose answer was lost may be repeated, as often as needed, for repeatGraceSeconds (info.x-times): the ' +
    'refresh token just replaced, the code of a popup with its verifier, and the connect request that has given its tokens, are answered with tokens again. ' +
    'The newest answer counts: a refresh token of an older one that is used siblingGraceSeconds after it ends the ' +
    'session, as does any other that was replaced. Clients repeat within the grace, several times. ' +
    'A poll with wait is answered when the player decides, or with authorization_pending when the time is over: then the ' +
    'next may follow at once. One of an interval before is too soon, held or not. A newer poll of a request ends an older ' +
    'one that is held; where too many are held, a poll is answered at once.',
  tags: ['account'],
  security: applicationSecurity,
  request: body(TokenRequest),
  responses: {
    ...ok(z.union([TokenAnswer, Undecided]), 'The tokens of the session, or that the player has not decided yet'),
    ...errors(400),
  },
});

export const login = createRoute({
  method: 'post',
  path: '/v1/login',
  summary: 'Logs a player in by e-mail address and password',
  tags: ['account'],
  security: applicationSecurity,
  request: body(z.object({ email, password: z.string().min(1).max(1024) }).openapi('LoginRequest')),
  responses: { ...ok(TokenAnswer, 'The tokens of the session'), ...errors(400, 429) },
});

export const revoke = createRoute({
  method: 'post',
  path: '/v1/revoke',
  summary: 'Ends the session a token belongs to',
  tags: ['account'],
  security: applicationSecurity,
  request: body(z.object({ token: secret('Access or refresh token') }).openapi('RevokeRequest')),
  responses: { ...ok(Nothing, 'Ended, or there was nothing to end'), ...errors(400) },
});

export const getPlayer = createRoute({
  method: 'get',
  path: '/v1/player',
  summary: 'The profile of the connected player (user level)',
  tags: ['account'],
  security: applicationSecurity.map((way) => ({ ...way, player: [] })),
  responses: { ...ok(PlayerProfile, 'The player'), ...errors() },
});

// For the document alone: the handler gets the request it stands for.
const asText: object = { 'text/plain': { schema: { $ref: '#/components/schemas/UnloadCopy' } } };

export const reportEvents = createRoute({
  method: 'post',
  path: '/v1/events',
  summary: 'Takes in what happened to ads',
  description:
    'Every event is answered by its id and may then be forgotten by the sender. Sending one again is harmless: events ' +
    'are counted by id, and within a placement also by kind and ordinal. At most 50 events and 64 KiB in one batch, ' +
    '4 KiB in one event. As text/plain the same request travels with its headers inside.',
  tags: ['events'],
  security: applicationSecurity,
  request: {
    body: {
      required: true,
      content: { 'application/json': { schema: EventBatch }, ...asText },
    },
  },
  responses: { ...ok(Acknowledgement, 'What became of each event'), ...errors(400) },
});

export const mintApplicationToken = createRoute({
  method: 'post',
  path: '/v1/app-token',
  summary: 'Mints a short-lived application token; for the own backend of a game, by signed request only',
  tags: ['application'],
  security: applicationSecurity.slice(0, 1),
  request: body(
    z
      .object({ origin: z.string().max(300).optional().describe('The only origin whose pages may use the token') })
      .openapi('ApplicationTokenRequest'),
  ),
  responses: { ...ok(ApplicationToken, 'The token'), ...errors(400) },
});

/** The ways to authenticate, for the OpenAPI document. */
export const securitySchemes = {
  signatureInput: {
    type: 'apiKey',
    in: 'header',
    name: 'Signature-Input',
    description:
      'RFC 9421: sig1=("@method" "@path" "@query" ["@authority"] ["content-digest"] ["authorization"]);created=<unix seconds>;' +
      'nonce="<128 bits, hexadecimal>";keyid="<API key>";alg="hmac-sha256". Accepted within 300 s, once. ' +
      'Clients cover @authority, so that what one host was sent is worth nothing at another that knows the same key.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'Signature',
    description: 'sig1=:<base64>: HMAC-SHA-256 of the signature base; its key is the private key in UTF-8.',
  },
  applicationToken: { type: 'apiKey', in: 'header', name: 'Application-Token' },
  apiKey: { type: 'apiKey', in: 'header', name: 'Api-Key' },
  privateKey: { type: 'apiKey', in: 'header', name: 'Private-Key' },
  player: {
    type: 'http',
    scheme: 'bearer',
    description:
      'Access token of a player (user level). One that is bound to a key goes as "Authorization: DPoP <token>", with a proof.',
  },
  dpop: {
    type: 'apiKey',
    in: 'header',
    name: 'DPoP',
    description:
      'RFC 9449, ES256 only; with bc-authorize, token and login as a wish, with what is bound a must. The request and the ' +
      'session it leads to are bound to the key of the proof: without it, their ids and tokens are worth nothing, and are ' +
      'refused with invalid_dpop_proof. iat is accepted within 300 s, else the answer is clock_skew with server_time; a jti ' +
      'once. A session that is not bound is bound by the first refresh with a proof.',
  },
} as const;
