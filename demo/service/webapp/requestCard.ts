import { html } from 'hono/html';
import type { PendingConnect } from '../accounts/ConnectRequests.js';
import type { Html } from './layout.js';

export interface RequestView {
  readonly csrf: string;
  readonly now: number;
  /** Of whoever looks at the page; see {@link networkHash}. */
  readonly networkHash: string;
}

/**
 * One request of a game. The player picks the code that the game shows, which nobody can who does not see that game.
 * Declining is as large as the codes together, and needs no thought.
 */
export function requestCard(request: PendingConnect, view: RequestView): Html {
  const { connectRequestId: id, applicationName: name } = request;
  const secondsLeft = Math.max(0, Math.ceil((request.expiresAt - view.now) / 1000));
  const secondsAgo = Math.max(0, Math.round((view.now - request.createdAt) / 1000));
  const where =
    request.networkHash === view.networkHash ? 'The network this page is in' : `Another network (${request.place})`;
  return html`<li class="card request" data-id="${id}">
    <p class="game">${name}</p>
    <p>wants to connect to your account.</p>
    <dl class="facts">
      <dt>Asked</dt>
      <dd><span class="ago" data-ago="${secondsAgo}">${inWords(secondsAgo)} ago</span></dd>
      <dt>From</dt>
      <dd>${request.device}</dd>
      <dt>Where</dt>
      <dd>${where}</dd>
    </dl>
    <p><strong>Decline if you did not start this.</strong></p>
    <p id="ask-${id}" class="ask">Which code does the game show?</p>
    <form method="post" action="/app/requests/${id}/confirm" data-done="Confirmed: ${name} is connecting.">
      <input type="hidden" name="csrf" value="${view.csrf}" />
      <div class="choices" role="group" aria-labelledby="ask-${id}">
        ${request.choices.map(
          (code) =>
            html`<button class="answer code" type="submit" name="code" value="${code}" aria-label="${code}: ${name}">
              ${code}
            </button>`,
        )}
      </div>
    </form>
    <form method="post" action="/app/requests/${id}/deny" data-done="Declined: ${name}.">
      <input type="hidden" name="csrf" value="${view.csrf}" />
      <button class="answer wide" type="submit" aria-label="Decline: ${name}">Decline</button>
    </form>
    <form method="post" action="/app/requests/${id}/block" data-done="Blocked: ${name} cannot ask you any more.">
      <input type="hidden" name="csrf" value="${view.csrf}" />
      <button class="plain wide" type="submit" aria-label="Decline and block this game: ${name}">
        Decline and block this game
      </button>
    </form>
    <p class="soft"><span class="left" data-left="${secondsLeft}">${inWords(secondsLeft)} left</span></p>
  </li>`;
}

function inWords(seconds: number): string {
  return seconds < 60 ? `${String(seconds)} s` : `${String(Math.floor(seconds / 60))} min`;
}
