import { Hono, type MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import type { PopupAnswer } from '../accounts/PopupSignIns.js';
import { ServiceError } from '../http/ServiceError.js';
import type { ServiceContext, ServiceEnv } from '../http/ServiceEnv.js';
import type { WebAppParts } from './WebAppParts.js';
import type { Html } from './layout.js';
import { logo, messagePage, page, signInPage } from './pages.js';
import type { Visitors } from './Visitors.js';

/** Pages that a game has opened may speak to the page that did: with the policy of all others they would be cut off. */
export const keepOpener: MiddlewareHandler<ServiceEnv> = (c, next) => {
  c.header('Cross-Origin-Opener-Policy', 'unsafe-none');
  return next();
};

/** The player's answer in a popup of the game. */
export function popupRoutes(
  { popupSignIns }: WebAppParts,
  visitors: Visitors,
  signIn: (c: ServiceContext, form: URLSearchParams) => Promise<ServiceError | undefined>,
) {
  const app = new Hono<ServiceEnv>();

  app.get('/:id', async (c) => {
    const id = c.req.param('id');
    const visitor = await visitors.signedIn(c);
    if (visitor === undefined) return c.html(signInPage(signInView(c, id)));
    const request = await popupSignIns.find(id);
    if (request === undefined) return c.html(messagePage('Nothing to decide', OVER));
    const { displayName } = visitor.player;
    return c.html(popupPage({ id, ...request, displayName, csrf: visitor.csrf }));
  });

  app.post('/:id/sign-in', async (c) => {
    const problem = await signIn(c, await visitors.strangerForm(c));
    const view = signInView(c, c.req.param('id'));
    if (problem === undefined) return c.redirect(view.next, 303);
    return c.html(signInPage({ ...view, problem: problem.message }), problem.status);
  });

  app.post('/:id/approve', async (c) => {
    const { player } = await visitors.sender(c);
    return told(c, await popupSignIns.approve(c.req.param('id'), player.playerId));
  });

  app.post('/:id/refuse', async (c) => {
    await visitors.sender(c);
    return told(c, await popupSignIns.refuse(c.req.param('id')));
  });

  return app;

  function signInView(c: ServiceContext, id: string) {
    const next = `/app/popup/${encodeURIComponent(id)}`;
    return { csrf: visitors.strangerCsrf(c), next, action: `${next}/sign-in` };
  }
}

function told(c: ServiceContext, answer: PopupAnswer | undefined): Response {
  if (answer === undefined) throw new ServiceError(404, 'nothing_to_decide', OVER);
  return c.json(answer);
}

const OVER =
  'This request has been answered, is over, or goes on in the web app. Close this window and look into the game.';

interface PopupView {
  readonly id: string;
  readonly applicationName: string;
  readonly origin: string;
  readonly displayName: string;
  readonly csrf: string;
}

/** Its script alone can answer: a page that the game did not open has nobody to tell. */
function popupPage({ id, applicationName, origin, displayName, csrf }: PopupView): Html {
  const form = (verb: string, label: Html | string) =>
    html`<form method="post" action="/app/popup/${id}/${verb}">
      <input type="hidden" name="csrf" value="${csrf}" />
      <button class="answer wide" type="submit" disabled>${label}</button>
    </form>`;
  return page(
    `Connect ${applicationName}`,
    html`<main class="card narrow request" id="popup">
      ${logo}
      <h1>Connect ${applicationName}?</h1>
      <p>The game at <strong>${origin}</strong> asks to know you by your name, ${displayName}.</p>
      <p><strong>Decline if you did not start this.</strong></p>
      ${form('approve', html`Continue as ${displayName}`)} ${form('refuse', 'Decline')}
      <p id="status" role="status" aria-live="polite" class="status"></p>
      <noscript
        ><p class="problem">This window needs scripts. Close it to answer the request in the web app.</p></noscript
      >
    </main>`,
    ['/app/popup.js'],
  );
}
