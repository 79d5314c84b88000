import { checkTrackerUrl } from '../creative/urlRules.js';
import type { Ad, AdTrackerEvent } from '../service/AdService.js';
import { fillFiringTime } from '../sources/openrtb/substituteMacros.js';

/** A served ad may ask for so many addresses at most, of all events together. */
const MAX_TRACKERS = 32;

/** What the trackers of an ad need of the game. */
export interface TrackerSender {
  send(url: string, mustArrive: boolean): void;
  wallNow(): number;
}

/** The trackers of one served ad. Each event is told once, whatever happens later. */
export class AdTrackers {
  readonly #urls = new Map<AdTrackerEvent, string[]>();

  /** @param ad may be the game's own object and hold anything: trackers that are not usable are left out */
  constructor(
    ad: Ad,
    private readonly sender: TrackerSender,
  ) {
    const list: unknown = ad.trackers;
    for (const tracker of Array.isArray(list) ? list.slice(0, MAX_TRACKERS) : []) this.#add(tracker);
  }

  fire(event: AdTrackerEvent): void {
    const urls = this.#urls.get(event);
    if (urls === undefined) return;
    this.#urls.delete(event);
    // Receivers of billing notices count repetitions once (OpenRTB 2.6 §7.8); others may not.
    const mustArrive = event === 'billable';
    for (const url of urls) this.sender.send(fillFiringTime(url, this.sender.wallNow()), mustArrive);
  }

  #add(tracker: unknown): void {
    try {
      const { event, url } = tracker as { event: AdTrackerEvent; url: string };
      checkTrackerUrl(url);
      const urls = this.#urls.get(event) ?? [];
      this.#urls.set(event, [...urls, url]);
    } catch {
      // Nobody but the buyer misses it.
    }
  }
}
