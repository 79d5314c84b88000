import { AdsError } from '../errors.js';
import type { Ad, AdTrackerEvent } from '../service/AdService.js';
import { type AdWarning, AdWarnings, MAX_TRACKERS } from '../service/AdWarnings.js';
import { readTrackerUrl } from '../service/trackerUrl.js';
import { type RuleFigures, type SessionFact, VIDEO_MILESTONES, type Verdict } from '../report/AdEvent.js';
import { fillErrorCode, fillFiringTime } from '../report/trackerMacros.js';
import { readFields } from '../meter/readFields.js';

/** What the trackers of an ad need of the game. */
export interface TrackerSender {
  send(url: string, mustArrive: boolean): void;
  wallNow(): number;
}

const EVENTS: readonly AdTrackerEvent[] = [
  'loaded',
  'impression',
  'viewable-mrc50',
  'viewable-mrc100',
  'viewable-video50',
  'billable',
  'click',
  ...VIDEO_MILESTONES,
  'viewable',
  'not-viewable',
  'view-undetermined',
  'error',
];

/** The trackers of one served ad. Each event is told once, whatever happens later. */
export class AdTrackers {
  /** The trackers that cannot be called. */
  readonly warnings: readonly AdWarning[];
  #wasSeen = false;
  readonly #urls = new Map<AdTrackerEvent, string[]>();

  /** @param ad may be the game's own object and hold anything */
  constructor(
    ad: Ad,
    private readonly sender: TrackerSender,
  ) {
    const warnings = new AdWarnings();
    trackersOf(ad).forEach((tracker, i) => this.#add(tracker, `$.trackers[${i}]`, i, warnings));
    this.warnings = warnings.list;
  }

  fire(event: AdTrackerEvent): void {
    if (event === 'impression') this.#wasSeen = true;
    const urls = this.#urls.get(event);
    if (urls === undefined) return;
    this.#urls.delete(event);
    // Receivers of billing notices count repetitions once (OpenRTB 2.6 §7.8); others may not.
    const mustArrive = event === 'billable';
    for (const url of urls) this.sender.send(fillFiringTime(url, this.sender.wallNow()), mustArrive);
  }

  /**
   * Fires the trackers of a fact that a session has found out.
   * @param leading the standard whose verdict is billed
   */
  note(fact: SessionFact, leading: string | undefined): void {
    if (fact.kind === 'click' || fact.kind === 'impression') this.fire(fact.kind);
    else if ('videoDurationMs' in fact) this.fire(fact.kind);
    else if (fact.kind === 'summary' && fact.isFinal) this.#end(fact.verdicts[leading ?? '']);
    else if (fact.kind === 'viewable') this.#noteViewable(fact.rule, fact.standard === leading);
  }

  /** The ad cannot be shown, or not played. */
  fail(error: AdsError): void {
    const urls = this.#urls.get('error')?.map((url) => fillErrorCode(url, vastErrorOf(error)));
    if (urls === undefined) return;
    this.#urls.set('error', urls);
    this.fire('error');
  }

  #noteViewable({ minPercentageInView, minDurationMs }: RuleFigures, isLeading: boolean): void {
    if (minPercentageInView >= 50 && minDurationMs >= 1000) this.fire('viewable-mrc50');
    if (minPercentageInView >= 100 && minDurationMs >= 1000) this.fire('viewable-mrc100');
    if (minPercentageInView >= 50 && minDurationMs >= 2000) this.fire('viewable-video50');
    if (!isLeading) return;
    this.fire('billable');
    this.fire('viewable');
  }

  /** Fires the final verdict of an ad that had an impression, unless it was viewable. */
  #end(verdict: Verdict | undefined): void {
    if (!this.#wasSeen) return;
    if (verdict === 'notViewable') this.fire('not-viewable');
    else if (verdict === 'undetermined') this.fire('view-undetermined');
  }

  #add(tracker: unknown, path: string, i: number, warnings: AdWarnings): void {
    const { event, url } = readFields(tracker, 'event', 'url');
    const address = readTrackerUrl(url);
    if (!EVENTS.includes(event as AdTrackerEvent)) warnings.add('tracker/event', path);
    else if (address === null) warnings.add('tracker/address', path);
    else if (i >= MAX_TRACKERS && event !== 'billable') warnings.add('tracker/limit', path);
    else {
      const urls = this.#urls.get(event as AdTrackerEvent);
      // Billing notices may be any number: copied for each one, ten thousands of them would freeze the game.
      if (urls === undefined) this.#urls.set(event as AdTrackerEvent, [address]);
      else urls.push(address);
    }
  }
}

/**
 * Refuses an ad that could be shown, but never billed.
 * @throws AdsError `response/schema`
 */
export function checkBilling(ad: Ad): void {
  trackersOf(ad).forEach((tracker, i) => {
    const { event, url } = readFields(tracker, 'event', 'url');
    if (event !== 'billable' || readTrackerUrl(url) !== null) return;
    const path = `$.trackers[${i}].url`;
    throw new AdsError('response/schema', 'The billing notice of an ad cannot be called', { path });
  });
}

/** Whether an ad is paid for by a notice of its own. */
export function hasBilling(ad: Ad): boolean {
  return trackersOf(ad).some((tracker) => readFields(tracker, 'event').event === 'billable');
}

function trackersOf(ad: Ad): readonly unknown[] {
  const list: unknown = ad.trackers;
  return Array.isArray(list) ? (list as unknown[]) : [];
}

/** Why a video could not be shown, as VAST numbers it (VAST 4.3 §2.3.6.3). */
export function vastErrorOf({ code }: AdsError): number {
  if (code === 'ad/duration') return 202;
  if (code === 'ad/dimensions') return 203;
  if (code === 'ad/timeout') return 402;
  if (code.startsWith('net/') || code === 'ad/http-status' || code === 'ad/redirect' || code === 'ad/cors') return 401;
  return code.startsWith('ad/') ? 405 : 900;
}
