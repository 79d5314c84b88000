import { html } from 'hono/html';
import type { Html } from '../webapp/layout.js';

export interface Share {
  readonly label: string;
  readonly value: number;
  /** The value in words. */
  readonly text: string;
}

/** The most bars one picture has; what is beyond them is left to the figures. */
const MAX_BARS = 8;

/** How values compare, as bars with their share of the whole. */
export function shareBars(shares: readonly Share[]): Html {
  const total = shares.reduce((sum, { value }) => sum + value, 0);
  const longest = Math.max(...shares.map(({ value }) => value), 0);
  const widthOf = (value: number) => (longest === 0 ? 0 : (value / longest) * 100).toFixed(1);
  return html`<ul class="shares">
    ${shares.slice(0, MAX_BARS).map(
      ({ label, value, text }) =>
        html`<li>
          <span class="share-label">${label}</span>
          <svg class="share-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
            <rect class="share-back" width="100" height="6" rx="1.5" />
            <rect class="share-fill" width="${widthOf(value)}" height="6" rx="1.5" />
          </svg>
          <span class="share-text">${text} <span class="soft">${percent(value, total)}</span></span>
        </li>`,
    )}
  </ul>`;
}

/** `part` of `whole` in words; a dash where there is no whole. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((part / whole) * 100).toFixed(part === whole ? 0 : 1)} %`;
}
