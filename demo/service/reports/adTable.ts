import { html } from 'hono/html';
import type { Html } from '../webapp/layout.js';
import type { AdFigure, StandardFigure } from './AdFigures.js';
import { duration } from './duration.js';
import { percent } from './shareBars.js';

const NONE: StandardFigure = { measurable: 0, viewable: 0 };
const TOP_REASONS = 2;

/**
 * Per surface and ad what was served, drawn, measurable and viewable.
 *
 * @param standard whose verdicts are shown; undefined while none was reported.
 */
export function adTable(
  figures: readonly AdFigure[],
  standard: string | undefined,
  surfaceName: (adSurfaceId: string | null) => string,
): Html {
  const total = addUp(figures, standard);
  return html`<table class="card figures">
    <thead>
      <tr>
        <th scope="col">Surface and ad</th>
        ${COLUMNS.map(({ name }) => html`<th scope="col">${name}</th>`)}
        <th scope="col">Top reasons</th>
      </tr>
    </thead>
    <tbody>
      ${figures.map(
        (figure) =>
          html`<tr>
            <th scope="row">${surfaceName(figure.adSurfaceId)} <span class="ad">${figure.adId ?? 'no ad'}</span></th>
            ${cells(lineOf(figure, standard))}
            <td class="why ${figure.reasons.length === 0 ? 'none' : ''}" data-label="Top reasons">
              ${figure.reasons
                .slice(0, TOP_REASONS)
                .map(({ reason, durationMs }) => `${reason} ${duration(durationMs)}`)
                .join(', ')}
            </td>
          </tr>`,
      )}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">All</th>
        ${cells(total)}
        <td class="why none"></td>
      </tr>
    </tfoot>
  </table>`;
}

interface Line extends StandardFigure {
  readonly served: number;
  readonly rendered: number;
  readonly timeInViewMs: number;
  readonly refusedClicks: number;
}

const COLUMNS: readonly { readonly name: string; readonly value: (line: Line) => string | number }[] = [
  { name: 'Served', value: ({ served }) => served },
  { name: 'Rendered', value: ({ rendered }) => rendered },
  { name: 'Measurable', value: ({ measurable }) => measurable },
  { name: 'Viewable', value: ({ viewable }) => viewable },
  { name: 'Rate', value: ({ viewable, measurable }) => percent(viewable, measurable) },
  { name: 'Undetermined', value: ({ rendered, measurable }) => rendered - measurable },
  { name: 'In view', value: ({ timeInViewMs }) => duration(timeInViewMs) },
  { name: 'Refused clicks', value: ({ refusedClicks }) => refusedClicks },
];

function cells(line: Line): Html[] {
  return COLUMNS.map(({ name, value }) => {
    const shown = value(line);
    return html`<td class="${shown === 0 ? 'none' : ''}" data-label="${name}">${shown}</td>`;
  });
}

function lineOf(figure: AdFigure, standard: string | undefined): Line {
  // Every object has members such as `constructor`.
  const has = standard !== undefined && Object.hasOwn(figure.standards, standard);
  return { ...figure, ...((has ? figure.standards[standard] : undefined) ?? NONE) };
}

function addUp(figures: readonly AdFigure[], standard: string | undefined): Line {
  const lines = figures.map((figure) => lineOf(figure, standard));
  const sum = (read: (line: Line) => number) => lines.reduce((total, line) => total + read(line), 0);
  return {
    served: sum(({ served }) => served),
    rendered: sum(({ rendered }) => rendered),
    measurable: sum(({ measurable }) => measurable),
    viewable: sum(({ viewable }) => viewable),
    timeInViewMs: sum(({ timeInViewMs }) => timeInViewMs),
    refusedClicks: sum(({ refusedClicks }) => refusedClicks),
  };
}
