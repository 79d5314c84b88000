import { html } from 'hono/html';

/** Text for the page; Hono's template escapes whatever is put into it. */
export type Html = ReturnType<typeof html>;

export interface PageHead {
  readonly title: string;
  /** Which part of the service this is. */
  readonly area: string;
  readonly styles: readonly string[];
  /** They run in this order. Default: the page needs none. */
  readonly scripts?: readonly string[];
}

/** A whole page of the service. Styles and script come from its own addresses; the policy forbids any others. */
export function layout({ title, area, styles, scripts = [] }: PageHead, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · ${area}</title>
        <link rel="icon" href="data:," />
        ${styles.map((href) => html`<link rel="stylesheet" href="${href}" />`)}
        ${scripts.map((src) => html`<script src="${src}" defer></script>`)}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

export function logoOf(area: string): Html {
  return html`<p class="logo" aria-label="${area}"><span class="mark" aria-hidden="true"></span>${area}</p>`;
}
