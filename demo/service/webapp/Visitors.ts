import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Player, Players } from '../accounts/Players.js';
import { ServiceError } from '../http/ServiceError.js';
import { clientDevice, type ServiceContext } from '../http/ServiceEnv.js';
import { newSecret, type Random } from '../secrets.js';
import { csrfToken, isCsrfToken, type WebSessions } from './WebSessions.js';

const SESSION_COOKIE = 'inview_session';
/** Ties the sign-in form to the browser it was shown in, before there is a session. */
const FORM_COOKIE = 'inview_form';

export interface Visitor {
  readonly cookie: string;
  readonly player: Player;
  /** What forms of this visitor's pages must carry. */
  readonly csrf: string;
}

/** Who uses the web app, told by cookies; and which forms come from our own pages. */
export class Visitors {
  readonly #players: Players;
  readonly #webSessions: WebSessions;
  readonly #random: Random;
  readonly #origin: (c: ServiceContext) => string;

  /** @param origin of the web app, given the request that asks. */
  constructor(players: Players, webSessions: WebSessions, random: Random, origin: (c: ServiceContext) => string) {
    this.#players = players;
    this.#webSessions = webSessions;
    this.#random = random;
    this.#origin = origin;
  }

  async signedIn(c: ServiceContext): Promise<Visitor | undefined> {
    const cookie = getCookie(c, SESSION_COOKIE);
    const playerId = cookie === undefined ? undefined : await this.#webSessions.playerOf(cookie);
    const player = playerId === undefined ? undefined : await this.#players.byId(playerId);
    return cookie === undefined || player === undefined ? undefined : { cookie, player, csrf: csrfToken(cookie) };
  }

  /**
   * For what changes something: signed in, and sent by our own page.
   *
   * @throws ServiceError 403 `cross_site`, 401 `not_signed_in`
   */
  async sender(c: ServiceContext): Promise<Visitor & { readonly form: URLSearchParams }> {
    const visitor = await this.signedIn(c);
    const form = await this.#readForm(c, visitor?.cookie);
    if (visitor === undefined) throw new ServiceError(401, 'not_signed_in', 'You are signed out; sign in again.');
    return { ...visitor, form };
  }

  /** The token for a form of somebody who is not signed in. */
  strangerCsrf(c: ServiceContext): string {
    const present = getCookie(c, FORM_COOKIE);
    if (present !== undefined) return csrfToken(present);
    const fresh = newSecret('pre', this.#random);
    setCookie(c, FORM_COOKIE, fresh, this.#cookieOptions(c));
    return csrfToken(fresh);
  }

  /** @throws ServiceError 403 `cross_site` */
  strangerForm(c: ServiceContext): Promise<URLSearchParams> {
    return this.#readForm(c, getCookie(c, FORM_COOKIE));
  }

  async signIn(c: ServiceContext, playerId: string): Promise<void> {
    deleteCookie(c, FORM_COOKIE, { path: '/app' });
    setCookie(c, SESSION_COOKIE, await this.#webSessions.begin(playerId, clientDevice(c)), {
      ...this.#cookieOptions(c),
      maxAge: this.#webSessions.lifetimeSeconds,
    });
  }

  /** @throws ServiceError 403 `cross_site` */
  async signOut(c: ServiceContext): Promise<void> {
    const cookie = getCookie(c, SESSION_COOKIE);
    await this.#readForm(c, cookie);
    if (cookie !== undefined) await this.#webSessions.end(cookie);
    this.forget(c);
  }

  /** The session has ended already. */
  forget(c: ServiceContext): void {
    deleteCookie(c, SESSION_COOKIE, { path: '/app' });
  }

  /**
   * The fields of a form that our own page sent.
   *
   * @throws ServiceError 403 `cross_site` when another site may have sent it: the browser says so, or the token that
   *   belongs to the cookie is missing.
   */
  async #readForm(c: ServiceContext, cookie: string | undefined): Promise<URLSearchParams> {
    const site = c.req.header('Sec-Fetch-Site');
    const origin = c.req.header('Origin');
    const sameSite = site === undefined || site === 'same-origin';
    const sameOrigin =
      origin === undefined ||
      origin === this.#origin(c) ||
      (URL.canParse(origin) && new URL(origin).host === c.req.header('Host'));
    const form = new URLSearchParams(await c.req.text());
    const token = form.get('csrf');
    if (!sameSite || !sameOrigin || cookie === undefined || token === null || !isCsrfToken(cookie, token)) {
      throw new ServiceError(403, 'cross_site', 'This form was not sent by this page; open the page again.');
    }
    return form;
  }

  #cookieOptions(c: ServiceContext) {
    const secure = this.#origin(c).startsWith('https:');
    return { path: '/app', httpOnly: true, sameSite: 'Strict', secure } as const;
  }
}
