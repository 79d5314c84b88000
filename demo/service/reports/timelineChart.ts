import { html } from 'hono/html';
import type { Html } from '../webapp/layout.js';

export interface TimelineMark {
  readonly atMs: number;
  readonly label: string;
}

export interface Timeline {
  /** `[milliseconds, percentage in view]`, in order; each holds until the next. */
  readonly points: readonly (readonly [atMs: number, percentage: number])[];
  /** Share a standard asks for, 0–100; undefined: none is drawn. */
  readonly threshold: number | undefined;
  /** Moments worth a line of their own. */
  readonly marks: readonly TimelineMark[];
}

const WIDTH = 400;
const HEIGHT = 190;
const LEFT = 42;
const RIGHT = 8;
const TOP = 20;
const BOTTOM = 26;
const BASE = HEIGHT - BOTTOM;

/** What was in view when, as steps: a picture for a page whose policy allows no script and no style of its own. */
export function timelineChart({ points, threshold, marks }: Timeline): Html {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return html`<p class="soft">No timeline was reported.</p>`;
  const start = first[0];
  const spanMs = Math.max(1, last[0] - start, ...marks.map(({ atMs }) => atMs - start));
  const x = (atMs: number) => round(LEFT + (Math.max(0, atMs - start) / spanMs) * (WIDTH - LEFT - RIGHT));
  const y = (percentage: number) => round(BASE - (percentage / 100) * (BASE - TOP));
  const steps = points.map(([atMs, percentage]) => `H${x(atMs)}V${y(percentage)}`).join('');
  const line = `M${x(start)} ${y(first[1])}${steps}H${x(start + spanMs)}`;
  const highest = Math.max(...points.map(([, percentage]) => percentage));
  return html`<svg
    class="timeline"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    role="img"
    aria-label="Percentage in view over ${seconds(spanMs)}; at most ${Math.round(highest)} %"
  >
    ${[0, 50, 100].map(
      (share) =>
        html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(share)}" y2="${y(share)}" />
          <text class="axis" x="${LEFT - 5}" y="${Number(y(share)) + 3.5}" text-anchor="end">${share} %</text>`,
    )}
    <path class="area" d="${line}V${BASE}H${x(start)}Z" />
    <path class="line" d="${line}" />
    ${
      threshold === undefined
        ? ''
        : html`<line class="threshold" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(threshold)}" y2="${y(threshold)}" />`
    }
    ${marks.map(
      ({ atMs, label }) =>
        html`<line class="mark-line" x1="${x(atMs)}" x2="${x(atMs)}" y1="${TOP - 4}" y2="${BASE}" />
          <text class="mark-text" x="${x(atMs)}" y="${TOP - 8}" text-anchor="${anchorAt(Number(x(atMs)))}">
            ${label}
          </text>`,
    )}
    ${ticksOf(spanMs).map(
      (afterMs) =>
        html`<text
          class="axis"
          x="${x(start + afterMs)}"
          y="${HEIGHT - 8}"
          text-anchor="${anchorAt(Number(x(start + afterMs)))}"
        >
          ${seconds(afterMs)}
        </text>`,
    )}
  </svg>`;
}

/** Texts near an edge stay inside the picture. */
function anchorAt(position: number): 'start' | 'middle' | 'end' {
  if (position < LEFT + 30) return 'start';
  return position > WIDTH - RIGHT - 30 ? 'end' : 'middle';
}

/** Four to six round instants, the beginning among them. */
function ticksOf(spanMs: number): number[] {
  const roughMs = spanMs / 5;
  const magnitude = 10 ** Math.floor(Math.log10(roughMs));
  const stepMs = [1, 2, 5, 10].map((factor) => factor * magnitude).find((step) => step >= roughMs) ?? spanMs;
  return Array.from({ length: Math.floor(spanMs / stepMs) + 1 }, (_, index) => index * stepMs);
}

function seconds(ms: number): string {
  return `${String(Number((ms / 1000).toFixed(ms < 1000 ? 2 : 1)))} s`;
}

function round(value: number): string {
  return value.toFixed(1);
}
