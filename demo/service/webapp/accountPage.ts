import { html } from 'hono/html';
import type { AccountSession } from '../accounts/AccountSessions.js';
import type { BlockedGame } from '../accounts/BlockedGames.js';
import type { Passkey } from '../accounts/Passkeys.js';
import type { Html } from './layout.js';
import { header, page, PASSKEY_SCRIPTS } from './pages.js';

export interface AccountView {
  readonly displayName: string;
  readonly csrf: string;
  readonly sessions: readonly AccountSession[];
  readonly passkeys: readonly Passkey[];
  readonly blockedGames: readonly BlockedGame[];
  readonly now: number;
}

/** Plain forms: what is ended here is better seen on a fresh page. */
export function accountPage(view: AccountView): Html {
  const { csrf, sessions, passkeys, blockedGames } = view;
  return page(
    'Your account',
    html`${header(csrf)}
      <main class="column">
        <h1>${view.displayName}’s account</h1>
        <p><a class="button" href="/app">Back to your games</a></p>
        <section aria-labelledby="sessions-title">
          <h2 id="sessions-title">Where you are signed in</h2>
          <ul class="list">
            ${sessions.map((session) => sessionItem(session, view))}
          </ul>
          ${action('/app/account/sign-out-everywhere', csrf, 'Log out everywhere', 'quiet wide')}
          <p class="soft">Ends every session in games and on this site, this one as well.</p>
        </section>
        <section aria-labelledby="passkeys-title">
          <h2 id="passkeys-title">Passkeys</h2>
          <ul class="list">
            ${passkeys.map((passkey) => passkeyItem(passkey, view))}
          </ul>
          ${passkeys.length > 0 ? '' : html`<p class="soft">None. With one you sign in here without the password.</p>`}
          <details class="card" data-passkey-part hidden>
            <summary>Add a passkey</summary>
            <form method="post" action="/app/passkeys" data-passkey="make" data-next="/app/account">
              <input type="hidden" name="csrf" value="${csrf}" />
              ${passwordField('passkey-password')}
              <button class="quiet wide" type="submit">Add a passkey of this device</button>
              <p class="status" role="status" aria-live="polite"></p>
            </form>
          </details>
        </section>
        <section aria-labelledby="blocked-title">
          <h2 id="blocked-title">Blocked games</h2>
          <ul class="list">
            ${blockedGames.map(
              ({ applicationId, name }) =>
                html`<li class="card row">
                  <span class="game">${name}</span>
                  ${action(`/app/account/blocked/${applicationId}/unblock`, csrf, 'Unblock', 'quiet', name)}
                </li>`,
            )}
          </ul>
          ${blockedGames.length > 0 ? '' : html`<p class="soft">None. A game is blocked from one of its requests.</p>`}
        </section>
        <section aria-labelledby="data-title">
          <h2 id="data-title">Your data</h2>
          <p><a class="button" href="/app/account/export" download="account.json">Save all of it as a file</a></p>
          <details class="card">
            <summary>Delete the account</summary>
            <form method="post" action="/app/account/delete">
              <input type="hidden" name="csrf" value="${csrf}" />
              <p class="soft">Every session ends, and nothing can be brought back.</p>
              ${passwordField('password')}
              <button class="danger wide" type="submit">Delete my account</button>
            </form>
          </details>
        </section>
      </main>`,
    PASSKEY_SCRIPTS,
  );
}

function sessionItem(session: AccountSession, { csrf, now }: AccountView): Html {
  const where = session.kind === 'game' ? (session.applicationName ?? 'A game') : 'This site';
  const used = session.usedAt === null ? 'not known' : ago(now - session.usedAt);
  return html`<li class="card row">
    <div>
      <p class="game">${where}</p>
      <p class="soft">${session.device} · ${session.isCurrent ? 'in use here' : `last used ${used}`}</p>
    </div>
    ${action(`/app/account/sessions/${session.sessionId}/end`, csrf, 'Sign out', 'quiet', `${where}, ${session.device}`)}
  </li>`;
}

function passkeyItem({ passkeyId, device, usedAt }: Passkey, { csrf, now }: AccountView): Html {
  return html`<li class="card row">
    <div>
      <p class="game">${device}</p>
      <p class="soft">${usedAt === null ? 'not used yet' : `last used ${ago(now - usedAt)}`}</p>
    </div>
    ${action(`/app/passkeys/${passkeyId}/remove`, csrf, 'Remove', 'quiet', `passkey of ${device}`)}
  </li>`;
}

function passwordField(id: string): Html {
  return html`<label for="${id}">Your password, to be sure it is you</label>
    <input id="${id}" name="password" type="password" autocomplete="current-password" required maxlength="1024" />`;
}

/** @param subject what it is done to, for those who hear the button without its surroundings */
function action(path: string, csrf: string, label: string, style: string, subject?: string): Html {
  return html`<form method="post" action="${path}">
    <input type="hidden" name="csrf" value="${csrf}" />
    <button class="${style}" type="submit" aria-label="${subject === undefined ? label : `${label}: ${subject}`}">
      ${label}
    </button>
  </form>`;
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  return minutes < 60 ? `${String(minutes)} min ago` : `${String(Math.floor(minutes / 60))} h ago`;
}
