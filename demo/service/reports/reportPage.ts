import { html } from 'hono/html';
import { EVENT_KINDS, type AdEvent } from '../contract.js';
import type { EventCount, EventFilter, LoggedEvent } from '../events/EventList.js';
import type { EventKind } from '../events/EventLog.js';
import { layout, logoOf, type Html } from '../webapp/layout.js';

export interface ReportView {
  readonly filter: EventFilter;
  readonly counts: readonly EventCount[];
  readonly latest: readonly LoggedEvent[];
}

interface Surface {
  readonly adSurfaceId: string;
  readonly name: string;
}

const AREA = 'InView Reports';
const NO_SURFACE = 'Sprites of the game’s own';

const KIND_NAMES: Readonly<Record<EventKind, string>> = {
  loaded: 'Loaded',
  noFill: 'No ad',
  visible: 'Visible',
  blocked: 'Blocked',
  click: 'Click',
  impression: 'Impression',
  viewable: 'Viewable',
  summary: 'Summary',
  error: 'Error',
  finish: 'Finished',
};

/** The page works without its script; with it, it stays current by itself. */
export function reportPage(view: ReportView, surfaces: readonly Surface[]): Html {
  const { filter } = view;
  return layout(
    {
      title: 'What games reported',
      area: AREA,
      styles: ['/app/app.css', '/reports/reports.css'],
      script: '/reports/reports.js',
    },
    html`<header class="bar">
        ${logoOf(AREA)}
        <p class="pulse" id="pulse" role="status"></p>
      </header>
      <main class="column">
        <h1>What games reported</h1>
        <form class="filter" id="filter" method="get" action="/reports">
          <div>
            <label for="surface">Surface</label>
            <select id="surface" name="surface">
              <option value="">All surfaces</option>
              ${surfaces.map(({ adSurfaceId, name }) => option(adSurfaceId, name, filter.adSurfaceId))}
            </select>
          </div>
          <div>
            <label for="kind">Kind</label>
            <select id="kind" name="kind">
              <option value="">All kinds</option>
              ${EVENT_KINDS.map((kind) => option(kind, KIND_NAMES[kind], filter.kind))}
            </select>
          </div>
          <noscript><button class="quiet" type="submit">Show</button></noscript>
        </form>
        <div id="live">${liveReport(view)}</div>
        <noscript><p class="soft">Without scripts, reload this page to see new events.</p></noscript>
      </main>`,
  );
}

/** Counts and events: the part of the page that is renewed. */
export function liveReport({ filter, counts, latest }: ReportView): Html {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) {
    return html`<p class="card empty">
      Nothing has arrived yet. Play the game: what happens to its ads appears here within seconds.
    </p>`;
  }
  const fitting = counts.filter((line) => fits(line, filter)).reduce((sum, { count }) => sum + count, 0);
  return html`<section aria-labelledby="counts-title">
      <h2 id="counts-title">By surface</h2>
      ${countTable(counts)}
    </section>
    <section aria-labelledby="events-title">
      <h2 id="events-title">
        ${latest.length < fitting ? `Newest ${String(latest.length)} of ${String(fitting)} events` : eventCount(fitting)}
      </h2>
      ${
        latest.length === 0
          ? html`<p class="card empty">No event fits this choice.</p>`
          : html`<ol class="list events">
              ${latest.map(eventItem)}
            </ol>`
      }
    </section>`;
}

function countTable(counts: readonly EventCount[]): Html {
  const surfaces = [...new Set(counts.map(({ adSurfaceId }) => adSurfaceId))].map((adSurfaceId) =>
    counts.filter((line) => line.adSurfaceId === adSurfaceId),
  );
  const cell = (kind: EventKind, lines: readonly EventCount[]) => {
    const count = lines.filter((line) => line.kind === kind).reduce((sum, line) => sum + line.count, 0);
    return html`<td class="${count === 0 ? 'none' : ''}" data-kind="${KIND_NAMES[kind]}">${count}</td>`;
  };
  return html`<table class="card counts">
    <thead>
      <tr>
        <th scope="col">Surface</th>
        ${EVENT_KINDS.map((kind) => html`<th scope="col">${KIND_NAMES[kind]}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${surfaces.map(
        (lines) =>
          html`<tr>
            <th scope="row">${surfaceLink(lines[0]?.adSurfaceId ?? undefined, lines[0]?.surfaceName ?? undefined)}</th>
            ${EVENT_KINDS.map((kind) => cell(kind, lines))}
          </tr>`,
      )}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">All</th>
        ${EVENT_KINDS.map((kind) => cell(kind, counts))}
      </tr>
    </tfoot>
  </table>`;
}

function eventItem({ event, surfaceName, receivedAt }: LoggedEvent): Html {
  const at = new Date(receivedAt).toISOString();
  return html`<li class="card event" data-id="${event.id}" data-kind="${event.kind}">
    <p class="head">
      <span class="kind ${event.kind}">${KIND_NAMES[event.kind]}</span>
      <span class="where">${surfaceLink(event.adSurfaceId, surfaceName)}</span>
      <time class="soft" datetime="${at}">${at.slice(11, 19)} UTC</time>
    </p>
    ${details(event)}
    <p class="ids">
      <span>${event.adId ?? 'no ad'}</span>
      <span>${(event.time / 1000).toFixed(1)} s into session ${event.sessionId.slice(0, 8)}</span>
    </p>
  </li>`;
}

function details(event: AdEvent): Html | '' {
  switch (event.kind) {
    case 'impression':
    case 'visible':
    case 'blocked': {
      const facts = [
        `${rounded(event.percentageInView)} % in view`,
        `${rounded(event.screenCoveragePercentage)} % of the screen`,
        ...(event.blockerCount > 0 ? [`${String(event.blockerCount)} in front`] : []),
        ...event.reasons,
      ];
      return html`<p class="measured">
        <meter min="0" max="100" value="${event.percentageInView}" aria-label="Share in view"></meter>
        <span>${facts.join(' · ')}</span>
      </p>`;
    }
    case 'error':
      return html`<p class="measured"><code>${event.errorCode}</code></p>`;
    case 'viewable':
      return html`<p class="measured">${event.standard} after ${seconds(event.durationMs)}</p>`;
    case 'summary':
      return html`<p class="measured">${seconds(event.timeInViewMs)} in view</p>`;
    case 'finish':
      return html`<p class="measured">${event.finishReason}</p>`;
    default:
      return '';
  }
}

function surfaceLink(adSurfaceId: string | undefined, name: string | undefined): Html | string {
  if (adSurfaceId === undefined) return NO_SURFACE;
  return html`<a href="/reports?surface=${encodeURIComponent(adSurfaceId)}">${name ?? adSurfaceId}</a>`;
}

function option(value: string, label: string, chosen: string | undefined): Html {
  return html`<option value="${value}" ${value === chosen ? 'selected' : ''}>${label}</option>`;
}

function fits(line: EventCount, { adSurfaceId, kind }: EventFilter): boolean {
  return (adSurfaceId ?? line.adSurfaceId) === line.adSurfaceId && (kind ?? line.kind) === line.kind;
}

function eventCount(count: number): string {
  return count === 1 ? '1 event' : `${String(count)} events`;
}

function rounded(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
