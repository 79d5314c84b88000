import { html } from 'hono/html';
import type { PendingConnect } from '../accounts/ConnectRequests.js';
import { layout, logoOf, type Html } from './layout.js';

const AREA = 'InView Accounts';
const logo = logoOf(AREA);

export interface ConnectedGame {
  readonly applicationId: string;
  readonly name: string;
}

export interface HomeView {
  readonly displayName: string;
  readonly csrf: string;
  readonly requests: readonly PendingConnect[];
  readonly games: readonly ConnectedGame[];
  readonly now: number;
}

export function signInPage(csrf: string, problem?: string): Html {
  return page(
    'Sign in',
    html`<main class="card narrow">
      ${logo}
      <h1>Sign in</h1>
      <p class="soft">Here you decide which games may use your account.</p>
      ${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
      <form method="post" action="/app/sign-in">
        <input type="hidden" name="csrf" value="${csrf}" />
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
    </main>`,
  );
}

/** The page works without its script; with it, the lists stay current by themselves. */
export function homePage(view: HomeView): Html {
  return page(
    'Your games',
    html`<header class="bar">
        ${logo}
        <form method="post" action="/app/sign-out">
          <input type="hidden" name="csrf" value="${view.csrf}" />
          <button class="quiet" type="submit">Sign out</button>
        </form>
      </header>
      <main class="column" id="home" data-csrf="${view.csrf}">
        <h1>Hello, ${view.displayName}</h1>
        <p id="status" role="status" aria-live="polite" class="status"></p>
        <section aria-labelledby="requests-title">
          <h2 id="requests-title">Waiting for you</h2>
          <ul id="requests" class="list">
            ${view.requests.map((request) => requestItem(request, view))}
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
      <p><a href="/app">Back to your games</a></p>
    </main>`,
  );
}

function requestItem(request: PendingConnect, view: HomeView): Html {
  const secondsLeft = Math.max(0, Math.ceil((request.expiresAt - view.now) / 1000));
  return html`<li class="card request" data-id="${request.connectRequestId}">
    <p class="game">${request.applicationName}</p>
    <p class="soft">wants to connect to your account. Does the game show this code?</p>
    <p class="code" aria-label="Code ${request.bindingCode.split('').join(' ')}">${request.bindingCode}</p>
    <p class="soft"><span class="left" data-left="${secondsLeft}">${Math.ceil(secondsLeft / 60)} min left</span></p>
    <div class="actions">
      ${decisionForm(request, 'deny', 'quiet', view.csrf)} ${decisionForm(request, 'confirm', 'primary', view.csrf)}
    </div>
  </li>`;
}

function decisionForm(request: PendingConnect, verb: 'confirm' | 'deny', style: string, csrf: string): Html {
  const [label, done] = verb === 'confirm' ? ['Confirm', 'Confirmed'] : ['Deny', 'Denied'];
  const path = `/app/requests/${request.connectRequestId}/${verb}`;
  return html`<form method="post" action="${path}" data-done="${done}: ${request.applicationName}.">
    <input type="hidden" name="csrf" value="${csrf}" />
    <button class="${style} wide" type="submit" aria-label="${label} ${request.applicationName} ${request.bindingCode}">
      ${label}
    </button>
  </form>`;
}

function gameItem(game: ConnectedGame, csrf: string): Html {
  return html`<li class="card row" data-id="${game.applicationId}">
    <span class="game">${game.name}</span>
    <form method="post" action="/app/games/${game.applicationId}/disconnect" data-done="Disconnected: ${game.name}.">
      <input type="hidden" name="csrf" value="${csrf}" />
      <button class="quiet" type="submit" aria-label="Disconnect ${game.name}">Disconnect</button>
    </form>
  </li>`;
}

function page(title: string, body: Html): Html {
  return layout({ title, area: AREA, styles: ['/app/app.css'], script: '/app/app.js' }, body);
}
