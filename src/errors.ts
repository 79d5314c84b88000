/**
 * Every way this package can refuse or fail, as one typed error.
 *
 * A code is stable and made for programs; the message is made for people. Neither ever carries an API key, a private
 * key, a token, a password or an e-mail address.
 */

/** What a code means by default: may the same call succeed later, and what should the developer do. */
interface ErrorCodeEntry {
  readonly retryable: boolean;
  readonly hint: string;
}

const table = {
  // --- configuration: the developer's own setup. Thrown at once by constructors. ---
  'config/missing': fix('Pass { apiKey, getToken, baseUrl }, or { testMode: true } to begin.'),
  'config/api-key': fix('apiKey must be the non-empty string the publisher portal shows.'),
  'config/private-key': fix(
    'privateKey must be the non-empty string the publisher portal shows, not the API key. Better: getToken.',
  ),
  'config/ambiguous-credentials': fix('Pass either privateKey or getToken, not both.'),
  'config/base-url': fix('baseUrl must be the absolute https: URL of your service (http: only for localhost).'),
  'config/timeout': fix('A timeout must be a number of milliseconds from 1 to 120000.'),
  'config/option': fix('See docs/options.md.'),
  'config/token-provider': retry(
    'getToken must resolve to { token, expiresInSeconds } or { access_token, expires_in } within 10 seconds.',
  ),
  'config/credentials-rejected': fix(
    'The service does not accept these application credentials; check them in the portal.',
  ),
  'config/origin-not-allowed': fix('Add the origin of this page to the application in the publisher portal.'),
  'config/not-installed': fix(
    'Add AdsGlobalPlugin to plugins.global and AdsScenePlugin to plugins.scene of the game config.',
  ),
  'config/standards': fix('standards takes ids such as iig-display, and standards of your own; see docs/measured.md.'),
  'config/phaser-version': fix('phaser-inview needs Phaser 3.60 or later, below 5.'),
  'config/browser': fix('phaser-inview needs Chrome or Edge 100, Firefox 97, Safari 15.4, or a later browser.'),

  // --- arguments of public functions ---
  'arg/email': fix('Pass one e-mail address as a string.'),
  'arg/password': fix('Pass the password as a non-empty string of at most 1024 characters.'),
  'arg/surface-id': fix('Pass an adSurfaceId as returned by getAdSurfaces().'),
  'arg/position': fix('x and y must be finite numbers.'),
  'arg/size': fix('Pass width and height: only an entry of getAdSurfaces() may have a size of its own.'),
  'arg/option': fix('See docs/options.md.'),
  'arg/sprite': fix('Pass a Phaser game object that is drawn by a scene.'),
  'arg/scene': fix('Pass the running scene the sprite belongs to.'),
  'arg/scene-mismatch': fix('The sprite belongs to another scene.'),
  'arg/camera': fix('Pass a camera of the scene the sprite belongs to.'),
  'arg/obstruction': fix('Pass a game object, a purpose, and a reason of at most 50 letters, digits and spaces.'),
  'arg/signal': fix('signal must be an AbortSignal.'),
  'arg/handler': fix('An event handler must be a function.'),

  // --- network ---
  'net/offline': retry('The device is offline; try again when it is back.'),
  'net/timeout': retry('The service did not answer in time.'),
  'net/unreachable': retry('The service could not be reached; is baseUrl right and the service running?'),
  'net/blocked-or-cors': retry('Blocked, or the service lacks the Access-Control-Allow-Origin header for this origin.'),
  'net/aborted': fix('The call was cancelled by its AbortSignal.'),

  // --- what the service answered ---
  'service/unavailable': retry('The service has a temporary fault; try again later.'),
  'service/rate-limited': retry('Too many requests; wait retryAfterMs.'),
  'service/not-found': fix(
    'The service does not know this address; check baseUrl: that of the local service ends in /api.',
  ),
  'service/refused': fix('The service refused the request.'),
  'service/redirected': fix('The service redirects, which is not followed; set baseUrl to the final address.'),
  'service/clock-skew': fix('The clock of this device is wrong and the service gave no usable time.'),
  'response/not-json': retry('The answer is not JSON; a captive portal or proxy may have answered instead.'),
  'response/schema': fix('The answer does not follow contract v1 (docs/openapi).'),
  'response/too-large': fix('The answer exceeds the size limit.'),
  'response/too-deep': fix('The answer is nested too deeply.'),
  'response/forbidden-key': fix('The answer holds a key such as __proto__ and was refused.'),

  // --- the player account ---
  'session/user-required': fix('Connect or log in a player first: this operation is private.'),
  'session/invalid-credentials': fix('E-mail or password is wrong.'),
  'session/no-pending-request': fix('Call connect(email) first.'),
  'session/already-connected': fix('A player is signed in; log out first or pass { replace: true }.'),
  'session/expired-on-arrival': retry('The session was already expired when it arrived.'),
  'session/superseded': fix('A newer session operation replaced this one.'),
  'session/refresh-failed': retry('The session could not be refreshed right now.'),

  // --- ads and creatives ---
  'ad/unknown-surface': fix('The service does not know this ad surface; see getAdSurfaces().'),
  'ad/url-invalid': fix('The creative address is not an absolute URL of at most 2048 characters.'),
  'ad/url-scheme': fix(
    'A creative must be served over https, or come from where the page does (http only from localhost).',
  ),
  'ad/url-credentials': fix('A creative address must not carry user information.'),
  'ad/url-host': fix('The host of the creative is not in creativeHosts.'),
  'ad/redirect': fix('A creative must not redirect.'),
  'ad/http-status': retry('The creative could not be fetched.'),
  'ad/cors': fix('The image host must send Access-Control-Allow-Origin.'),
  'ad/timeout': retry('The creative did not arrive in time.'),
  'ad/type': fix('A creative must be a PNG, JPEG, WebP, AVIF or GIF image, or a WebM or MP4 video.'),
  'ad/too-large': fix('An image may weigh at most 1 MiB, a video 4 MiB.'),
  'ad/dimensions': fix('An image may be at most 4096 px on a side and 8388608 px in area, a video 2073600 px.'),
  'ad/duration': fix('A video may last at most 60 seconds.'),
  'ad/autoplay': fix(
    'The browser does not let even a muted video play; its first frame is shown until the player presses something.',
  ),
  'ad/decode': fix('The image or video cannot be decoded.'),
  'ad/texture': retry('The image could not be uploaded; has the game lost its WebGL context?'),

  // --- placing ---
  'place/scene-not-running': fix('Call place() from create() or later, while the scene runs.'),
  'place/scene-stopped': fix('The scene ended before the ad arrived.'),
  'place/too-many': retry('Too many ads wait for their creative; place fewer at once.'),

  // --- clicks ---
  'click/url': fix('A click-through address must be an https: URL without user information.'),

  // --- life cycle ---
  'lifecycle/destroyed': fix('The game or client has been destroyed.'),
  'internal/unexpected': fix('This is a defect of phaser-inview; please report it.'),
} as const satisfies Record<string, ErrorCodeEntry>;

/** Every error code, for programs to compare with. */
export type AdsErrorCode = keyof typeof table;

/** All codes, for documentation and tests. */
export const ADS_ERROR_CODES = Object.freeze(Object.keys(table)) as readonly AdsErrorCode[];

export interface AdsErrorDetails {
  /** HTTP status, when the service answered. */
  status?: number;
  /** How long to wait before trying again, in milliseconds. */
  retryAfterMs?: number;
  /** Where in an answer or argument the fault lies, as a JSON path such as `$.items[0].adSurfaceId`. */
  path?: string;
  /** The request id the service gave, to quote in a support ticket. */
  requestId?: string;
  /** Overrides the hint of the code. */
  hint?: string;
  /** The underlying error. Never an error of the HTTP library: those print headers and bodies. */
  cause?: unknown;
}

/**
 * The one error class of this package. Tell failures apart by {@link AdsError.code}; `retryable` says whether the same
 * call may succeed later without a change, `hint` says what to do.
 */
export class AdsError extends Error {
  override readonly name = 'AdsError';
  readonly code: AdsErrorCode;
  readonly retryable: boolean;
  readonly hint: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly path?: string;
  readonly requestId?: string;

  constructor(code: AdsErrorCode, message: string, details: AdsErrorDetails = {}) {
    const entry: ErrorCodeEntry = table[code];
    const { hint = entry.hint, cause, status, retryAfterMs, path, requestId } = details;
    // Code and hint are part of the message, because consoles print nothing else of an error.
    super(`${message} [${code}] ${hint}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryable = entry.retryable;
    this.hint = hint;
    Object.assign(this, { status, retryAfterMs, path, requestId });
  }
}

/** True for an {@link AdsError}, also one made by a second copy of this package on the page; optionally of one code. */
export function isAdsError(error: unknown, code?: AdsErrorCode): error is AdsError {
  if (typeof error !== 'object' || error === null) return false;
  const candidate = error as { name?: unknown; code?: unknown };
  if (candidate.name !== 'AdsError' || !(ADS_ERROR_CODES as readonly unknown[]).includes(candidate.code)) return false;
  return code === undefined || candidate.code === code;
}

/** The error itself if it is one of this package; anything else as the cause of `internal/unexpected`. */
export function toAdsError(error: unknown): AdsError {
  if (isAdsError(error)) return error;
  return new AdsError('internal/unexpected', 'Placing an ad failed in an unforeseen way', { cause: error });
}

/** True for a fault that asking again cannot mend: a fault of the game, or one that the service itself calls permanent. */
export function isLasting({ code, retryable }: AdsError): boolean {
  return !retryable && (/^(config|arg|lifecycle|session)\//.test(code) || code === 'ad/unknown-surface');
}

function fix(hint: string): ErrorCodeEntry {
  return { retryable: false, hint };
}

function retry(hint: string): ErrorCodeEntry {
  return { retryable: true, hint };
}
