import { html } from 'hono/html';
import type { PendingConnect } from '../accounts/ConnectRequests.js';
import { layout, logoOf, type Html } from './layout.js';
import { requestCard, type RequestView } from './requestCard.js';

const AREA = 'InView Accounts';
export const logo = logoOf(AREA);

export interface ConnectedGame {
  readonly applicationId: string;
  readonly name: string;
}

export interface HomeView extends RequestView {
  readonly displayName: string;
  readonly requests: readonly PendingConnect[];
  readonly games: readonly ConnectedGame[];
}

export interface SignInView {
  readonly csrf: string;
  /** What went wrong at the last try. */
  readonly problem?: string;
  /** Path to go on to. */
  readonly next?: string;
  /** Default: the whole web app's. */
  readonly action?: string;
}

export function signInPage({ csrf, problem, next, action = '/app/sign-in' }: SignInView): Html {
  return page(
    'Sign in',
    html`<main class="card narrow">
      ${logo}
      <h1>Sign in</h1>
      <p class="soft">Here you decide which games may use your account.</p>
      ${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
      <form method="post" action="${action}">
        <input type="hidden" name="csrf" value="${csrf}" />
        ${next === undefined ? '' : html`<input type="hidden" name="next" value="${next}" />`}
        <label for="email">E-mail</label>
        <input id="email" name="email" type="email" autocomplete="username" required maxlength="254" autofocus />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          maxlength="1024"
        />
        <button class="primary wide" type="submit">Sign in</button>
      </form>
      <form
        method="post"
        action="/app/passkeys/sign-in"
        data-passkey="use"
        data-next="${next ?? '/app'}"
        aria-label="Passkey"
        hidden
      >
        <input type="hidden" name="csrf" value="${csrf}" />
        <button class="quiet wide" type="submit">Use a passkey</button>
        <p class="status" role="status" aria-live="polite"></p>
      </form>
    </main>`,
    PASSKEY_SCRIPTS,
  );
}

/** The page works without its script; with it, the lists stay current by themselves. */
export function homePage(view: HomeView): Html {
  return page(
    'Your games',
    html`${header(view.csrf)}
      <main class="column" id="home" data-csrf="${view.csrf}">
        <h1>Hello, ${view.displayName}</h1>
        ${statusLine}
        <section aria-labelledby="requests-title">
          <h2 id="requests-title">Waiting for you</h2>
          <ul id="requests" class="list">
            ${view.requests.map((request) => requestCard(request, view))}
          </ul>
          <p id="no-requests" class="card empty" ${view.requests.length > 0 ? 'hidden' : ''}>
            No game is asking for you right now. Start “connect” in a game, and its request appears here.
          </p>
        </section>
        <section aria-labelledby="games-title">
          <h2 id="games-title">Connected games</h2>
          <ul id="games" class="list">
            ${view.games.map((game) => gameItem(game, view.csrf))}
          </ul>
          <p id="no-games" class="soft" ${view.games.length > 0 ? 'hidden' : ''}>None yet.</p>
        </section>
        <p><a class="button" href="/app/account">Your account: sessions, blocked games, your data</a></p>
        <noscript><p class="soft">Without scripts, reload this page to see new requests.</p></noscript>
      </main>`,
  );
}

export function messagePage(title: string, message: string): Html {
  return page(
    title,
    html`<main class="card narrow">
      ${logo}
      <h1>${title}</h1>
      <p>${message}</p>
      <p><a class="button" href="/app">Back to your games</a></p>
    </main>`,
  );
}

/**
 * Stands for a moment where a link of another site leads: with that the browser sends no session cookie, which is for
 * our own pages alone. This page is one, so the next step brings it along.
 */
export function passingPage(path: string): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="refresh" content="0;url=${path}" />
        <title>One moment · ${AREA}</title>
      </head>
      <body>
        <a href="${path}">Go on</a>
      </body>
    </html>`;
}

export const statusLine = html`<p id="status" role="status" aria-live="polite" class="status"></p>`;

/** The top of every page of somebody who is signed in. */
export function header(csrf: string): Html {
  return html`<header class="bar">
    ${logo}
    <form method="post" action="/app/sign-out">
      <input type="hidden" name="csrf" value="${csrf}" />
      <button class="quiet" type="submit">Sign out</button>
    </form>
  </header>`;
}

export function gameItem(game: ConnectedGame, csrf: string): Html {
  return html`<li class="card row" data-id="${game.applicationId}">
    <span class="game">${game.name}</span>
    <form method="post" action="/app/games/${game.applicationId}/disconnect" data-done="Disconnected: ${game.name}.">
      <input type="hidden" name="csrf" value="${csrf}" />
      <button class="quiet" type="submit" aria-label="Disconnect ${game.name}">Disconnect</button>
    </form>
  </li>`;
}

/** What a page with a form for passkeys runs. */
export const PASSKEY_SCRIPTS = ['/app/webauthn.js', '/app/passkeys.js'];

export function page(title: string, body: Html, scripts: readonly string[] = ['/app/app.js']): Html {
  return layout({ title, area: AREA, styles: ['/app/app.css'], scripts }, body);
}
