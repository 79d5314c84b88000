import { html } from 'hono/html';
import { EVENT_KINDS, type AdEvent } from '../contract.js';
import type { EventCount, EventFilter, LoggedEvent } from '../events/EventList.js';
import type { EventKind } from '../events/EventLog.js';
import type { ApplicationLedger } from '../events/LedgerBooks.js';
import { layout, logoOf, type Html } from '../webapp/layout.js';
import { addReasons, type AdFigure } from './AdFigures.js';
import { adTable } from './adTable.js';
import { duration } from './duration.js';
import { ledgerCard } from './ledgerCard.js';
import { placementAddress } from './placementPage.js';
import type { RecentPlacement } from './Placements.js';
import { shareBars } from './shareBars.js';

export interface ReportView {
  readonly filter: EventFilter;
  /** Whose verdicts are shown; undefined: the first there is. */
  readonly standard: string | undefined;
  readonly figures: readonly AdFigure[];
  readonly ledgers: readonly ApplicationLedger[];
  readonly placements: readonly RecentPlacement[];
  readonly surfaces: readonly Surface[];
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
  start: 'Video start',
  firstQuartile: 'First quartile',
  midpoint: 'Midpoint',
  thirdQuartile: 'Third quartile',
  complete: 'Video complete',
  impression: 'Impression',
  viewable: 'Viewable',
  summary: 'Summary',
  error: 'Error',
  finish: 'Finished',
};

/** The page works without its script; with it, it stays current by itself. */
export function reportPage(view: ReportView): Html {
  const { filter, surfaces } = view;
  const standards = standardsOf(view.figures);
  return layout(
    {
      title: 'What games reported',
      area: AREA,
      styles: ['/app/app.css', '/reports/reports.css'],
      scripts: ['/reports/reports.js'],
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
          ${
            standards.length === 0
              ? ''
              : html`<div>
                  <label for="standard">Standard</label>
                  <select id="standard" name="standard">
                    ${standards.map((standard) => option(standard, standard, view.standard))}
                  </select>
                </div>`
          }
          <noscript><button class="quiet" type="submit">Show</button></noscript>
        </form>
        <div id="live">${liveReport(view)}</div>
        <noscript><p class="soft">Without scripts, reload this page to see new events.</p></noscript>
      </main>`,
  );
}

/** Counts and events: the part of the page that is renewed. */
export function liveReport(view: ReportView): Html {
  const { filter, counts, latest } = view;
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0 && view.ledgers.every(({ outboxes }) => outboxes === 0)) {
    return html`<p class="card empty">
      Nothing has arrived yet. Play the game: what happens to its ads appears here within seconds.
    </p>`;
  }
  const fitting = counts.filter((line) => fits(line, filter)).reduce((sum, { count }) => sum + count, 0);
  return html`${adSections(view)}
    <section aria-labelledby="ledger-title">
      <h2 id="ledger-title">Where every event has gone</h2>
      <div class="list">${view.ledgers.map(ledgerCard)}</div>
    </section>
    <section aria-labelledby="counts-title">
      <h2 id="counts-title">Events by surface</h2>
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

function adSections({ figures, standard, placements, surfaces, filter }: ReportView): Html {
  const shown = figures.filter(({ adSurfaceId }) => (filter.adSurfaceId ?? adSurfaceId) === adSurfaceId);
  const names = new Map(surfaces.map(({ adSurfaceId, name }) => [adSurfaceId, name]));
  const nameOf = (adSurfaceId: string | null) =>
    adSurfaceId === null ? NO_SURFACE : (names.get(adSurfaceId) ?? adSurfaceId);
  const chosen = standard ?? standardsOf(figures)[0];
  const reasons = addReasons(shown);
  return html`<section aria-labelledby="ads-title">
      <h2 id="ads-title">Ads${chosen === undefined ? '' : `, by ${chosen}`}</h2>
      ${shown.length === 0 ? html`<p class="card empty">No ad was served here yet.</p>` : adTable(shown, chosen, nameOf)}
      <p class="soft note">
        Rendered: at least a pixel of it was drawn in view. Measurable: with a verdict, viewable or not. Undetermined:
        the rest of the rendered, also while the game still runs. Rate: viewable of measurable. Refused clicks: presses
        where the ad could not be seen, or that no player made on the game; invalid traffic, and no clicks.
      </p>
    </section>
    ${
      reasons.length === 0
        ? ''
        : html`<section aria-labelledby="reasons-title">
            <h2 id="reasons-title">Why not all of it was in view</h2>
            <div class="card">
              ${shareBars(reasons.map(({ reason, durationMs }) => ({ label: reason, value: durationMs, text: duration(durationMs) })))}
            </div>
          </section>`
    }
    ${
      placements.length === 0
        ? ''
        : html`<section aria-labelledby="placements-title">
            <h2 id="placements-title">Newest placements</h2>
            <ul class="card placements">
              ${placements.map(
                (placement) =>
                  html`<li>
                    <a href="${placementAddress(placement)}"
                      >${placement.surfaceName ?? nameOf(placement.adSurfaceId)}</a
                    >
                    <span class="soft">${placement.adId ?? 'no ad'}</span>
                  </li>`,
              )}
            </ul>
          </section>`
    }`;
}

/** Every standard that was reported; those of in-game ads first, they are what an ad in a game is sold by. */
function standardsOf(figures: readonly AdFigure[]): string[] {
  const names = new Set(figures.flatMap(({ standards }) => Object.keys(standards)));
  const rank = (standard: string) => (standard.toLowerCase().startsWith('iig') ? 0 : 1);
  return [...names].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function countTable(counts: readonly EventCount[]): Html {
  const surfaces = [...new Set(counts.map(({ adSurfaceId }) => adSurfaceId))].map((adSurfaceId) =>
    counts.filter((line) => line.adSurfaceId === adSurfaceId),
  );
  const kinds = EVENT_KINDS.filter((kind) => counts.some((line) => line.kind === kind && line.count > 0));
  const cell = (kind: EventKind, lines: readonly EventCount[]) => {
    const count = lines.filter((line) => line.kind === kind).reduce((sum, line) => sum + line.count, 0);
    return html`<td class="${count === 0 ? 'none' : ''}" data-kind="${KIND_NAMES[kind]}">${count}</td>`;
  };
  return html`<div class="wide">
    <table class="card counts">
      <thead>
        <tr>
          <th scope="col">Surface</th>
          ${kinds.map((kind) => html`<th scope="col">${KIND_NAMES[kind]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${surfaces.map(
          (lines) =>
            html`<tr>
              <th scope="row">
                ${surfaceLink(lines[0]?.adSurfaceId ?? undefined, lines[0]?.surfaceName ?? undefined)}
              </th>
              ${kinds.map((kind) => cell(kind, lines))}
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">All</th>
          ${kinds.map((kind) => cell(kind, counts))}
        </tr>
      </tfoot>
    </table>
  </div>`;
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
