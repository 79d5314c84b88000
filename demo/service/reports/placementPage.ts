import { html } from 'hono/html';
import { type AdEvent, VIDEO_KINDS } from '../contract.js';
import { layout, logoOf, type Html } from '../webapp/layout.js';
import { duration } from './duration.js';
import type { Placement, PlacementName } from './Placements.js';
import { shareBars } from './shareBars.js';
import { timelineChart, type TimelineMark } from './timelineChart.js';

const AREA = 'InView Reports';

type Summary = Extract<AdEvent, { kind: 'summary' }>;
type Viewable = Extract<AdEvent, { kind: 'viewable' }>;
type Video = Extract<AdEvent, { kind: (typeof VIDEO_KINDS)[number] }>;

/** Address of a placement's page. */
export function placementAddress({ applicationId, placementId }: PlacementName): string {
  return `/reports/placements/${encodeURIComponent(applicationId)}/${encodeURIComponent(placementId)}`;
}

/** One served ad in one place: its verdicts, what was in view when, why not more, and the evidence. */
export function placementPage(placement: Placement): Html {
  const events = placement.events.map(({ event }) => event);
  const [{ event: first, happenedAt }] = placement.events;
  const summary = newestSummary(events);
  const viewables = events.filter((event) => event.kind === 'viewable');
  const title = placement.surfaceName ?? first.adSurfaceId ?? 'A sprite of the game’s own';
  return layout(
    { title, area: AREA, styles: ['/app/app.css', '/reports/reports.css'] },
    html`<header class="bar">${logoOf(AREA)} <a href="/reports">All reports</a></header>
      <main class="column">
        <h1>${title}</h1>
        <p class="soft facts">
          <span>${first.adId ?? 'no ad'}</span>
          <span>${first.serveId ?? ''}</span>
          <time datetime="${new Date(happenedAt).toISOString()}">
            ${new Date(happenedAt).toISOString().slice(0, 19).replace('T', ' ')} UTC
          </time>
        </p>
        <p>${chainBadge(placement)} <a href="${placementAddress(placement)}/events.json">Events as JSON</a></p>
        <section aria-labelledby="timeline-title">
          <h2 id="timeline-title">Percentage in view</h2>
          <div class="card">
            ${timelineChart({
              points: summary?.timeline ?? [],
              threshold: thresholdOf(viewables),
              marks: marksOf(events, first.time),
            })}
          </div>
        </section>
        <section aria-labelledby="verdicts-title">
          <h2 id="verdicts-title">Verdicts</h2>
          ${verdictList(summary, viewables)}
        </section>
        ${videoSection(events.filter(isVideo), first.time)} ${summary === undefined ? '' : summarySections(summary)}
        <section aria-labelledby="events-title">
          <h2 id="events-title">Evidence</h2>
          <ol class="card chain">
            ${placement.events.map(({ event, hash }) => {
              const isBroken = placement.chain.broken.includes(event.sequence ?? 0);
              return html`<li class="${isBroken ? 'bad' : ''}">
                <span class="number">${event.sequence ?? ''}</span>
                <span class="kind ${event.kind}">${event.kind}</span>
                <span>${(event.time / 1000).toFixed(2)} s</span>
                <code title="SHA-256 of the event">${hash.slice(0, 12)}</code>
              </li>`;
            })}
          </ol>
        </section>
      </main>`,
  );
}

function chainBadge({ chain }: Placement): Html {
  switch (chain.state) {
    case 'intact':
      return html`<span class="badge good">Chain intact</span>`;
    case 'incomplete':
      return html`<span class="badge open">Chain incomplete: ${numbers(chain.missing)} not here yet</span>`;
    case 'broken':
      return html`<span class="badge bad">Chain broken at ${numbers(chain.broken)}</span>`;
  }
}

function numbers(list: readonly number[]): string {
  return `${list.slice(0, 5).join(', ')}${list.length > 5 ? ', …' : ''}`;
}

function newestSummary(events: readonly AdEvent[]): Summary | undefined {
  return events
    .filter((event) => event.kind === 'summary')
    .reduce<Summary | undefined>(
      (newest, summary) => ((newest?.ordinal ?? 0) >= (summary.ordinal ?? 0) ? newest : summary),
      undefined,
    );
}

function verdictList(summary: Summary | undefined, viewables: readonly Viewable[]): Html {
  const verdicts = new Map<string, string>(Object.entries(summary?.verdicts ?? {}));
  for (const { standard } of viewables) verdicts.set(standard, 'viewable');
  if (verdicts.size === 0) return html`<p class="card empty">No verdict yet.</p>`;
  return html`<ul class="list verdicts">
    ${[...verdicts].map(([standard, verdict]) => {
      const met = viewables.find((event) => event.standard === standard);
      return html`<li class="card">
        <p class="head">
          <span class="where">${standard}</span>
          <span class="badge ${VERDICT_CLASSES[verdict] ?? 'open'}">${VERDICT_NAMES[verdict] ?? verdict}</span>
        </p>
        ${
          met === undefined
            ? ''
            : html`<p class="soft">
                Met after ${duration(met.durationMs)} without a break, ${(met.time / 1000).toFixed(2)} s into the
                session.
                ${Object.entries(met.rule)
                  .map(
                    ([name, value]) => `${name} ${typeof value === 'number' ? String(value) : JSON.stringify(value)}`,
                  )
                  .join(' · ')}
              </p>`
        }
      </li>`;
    })}
  </ul>`;
}

const VERDICT_NAMES: Readonly<Record<string, string>> = {
  viewable: 'Viewable',
  notViewable: 'Not viewable',
  undetermined: 'Undetermined',
};
const VERDICT_CLASSES: Readonly<Record<string, string>> = {
  viewable: 'good',
  notViewable: 'bad',
  undetermined: 'open',
};

function isVideo(event: AdEvent): event is Video {
  return 'videoDurationMs' in event;
}

/** How far the video has played; nothing for an image. */
function videoSection(milestones: readonly Video[], startMs: number): Html | '' {
  const [first] = milestones;
  if (first === undefined) return '';
  return html`<section aria-labelledby="video-title">
    <h2 id="video-title">Video of ${duration(first.videoDurationMs)}</h2>
    <ol class="card milestones">
      ${VIDEO_KINDS.map((kind) => {
        const reached = milestones.find((event) => event.kind === kind);
        return html`<li class="${reached === undefined ? 'open' : 'reached'}">
          <b>${VIDEO_NAMES[kind]}</b>
          ${
            reached === undefined
              ? html`<span>not reached</span>`
              : html`<span>after ${duration(Math.max(0, reached.time - startMs))}</span>
                  <span>${Math.round(reached.percentageInView)} % in view</span>`
          }
        </li>`;
      })}
    </ol>
  </section>`;
}

const VIDEO_NAMES: Readonly<Record<Video['kind'], string>> = {
  start: 'Start',
  firstQuartile: 'First quartile',
  midpoint: 'Midpoint',
  thirdQuartile: 'Third quartile',
  complete: 'Complete',
};

function summarySections(summary: Summary): Html {
  const reasons = Object.entries(summary.reasonsMs).sort(([, a], [, b]) => b - a);
  const facts = [
    ['In view', duration(summary.timeInViewMs)],
    ['Longest without a break', duration(summary.longestInViewMs)],
    ['At most in view', `${summary.maxPercentageInView.toFixed(0)} %`],
    ['Dwell', summary.attention === undefined ? 'none' : duration(summary.attention.dwellMs)],
    ['Looks', String(summary.attention?.looks ?? 0)],
    ['Mean share of screen', `${(summary.attention?.meanScreenPercentage ?? 0).toFixed(1)} %`],
    ['Measurable', duration(summary.measurableMs)],
    ['Not measurable', duration(summary.unmeasurableMs)],
    ['Refused clicks', refusedClicks(summary)],
    ['State', summary.isFinal ? (summary.finishReason ?? 'ended') : 'may go on'],
  ];
  return html`<section aria-labelledby="time-title">
      <h2 id="time-title">Time</h2>
      <dl class="card figures-list">
        ${facts.map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
    </section>
    <section aria-labelledby="reasons-title">
      <h2 id="reasons-title">Why not all of it was in view</h2>
      <div class="card">
        ${
          reasons.length === 0
            ? html`<p class="soft">Nothing took anything away.</p>`
            : shareBars(reasons.map(([label, value]) => ({ label, value, text: duration(value) })))
        }
      </div>
    </section>`;
}

/** Invalid traffic: how often somebody pressed where the ad is and did not see it there, and why not. */
function refusedClicks({ refusedClicks: byReason = {} }: Summary): string {
  const total = Object.values(byReason).reduce((sum, times) => sum + times, 0);
  if (total === 0) return 'none';
  const reasons = Object.entries(byReason).map(([reason, times]) => `${reason} ${times}`);
  return `${total} (${reasons.join(', ')})`;
}

/** @param startMs when the placement began: the timeline counts from there, events from the begin of the session */
function marksOf(events: readonly AdEvent[], startMs: number): TimelineMark[] {
  const viewable = events.find((event) => event.kind === 'viewable');
  const click = events.find((event) => event.kind === 'click');
  return [
    ...(viewable === undefined ? [] : [{ atMs: viewable.time - startMs, label: 'viewable' }]),
    ...(click === undefined ? [] : [{ atMs: click.time - startMs, label: 'click' }]),
  ];
}

function thresholdOf(viewables: readonly Viewable[]): number | undefined {
  const share = viewables[0]?.rule['minPercentageInView'];
  return typeof share === 'number' && share >= 0 && share <= 100 ? share : undefined;
}
