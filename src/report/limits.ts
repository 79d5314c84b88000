/** The most events that may wait in one outbox, all tabs together. */
export const MAX_WAITING = 1_000;
/** The most bytes of events that may wait in one outbox. */
export const MAX_WAITING_BYTES = 1_048_576;
/** The most bytes one event may have as JSON. */
export const MAX_EVENT_BYTES = 4_096;
export const MAX_BATCH_EVENTS = 20;
export const MAX_BATCH_BYTES = 49_152;
/** This many waiting events are sent without waiting for more. */
export const FLUSH_COUNT = 10;
/** An event waits at most this long for others that share its request. */
export const FLUSH_AFTER_MS = 5_000;
/** Services commonly remember an id for a day. This is one hour less: an event repeated later could be counted twice. */
export const MAX_AGE_MS = 23 * 3_600_000;
/** That hour: a clock set back by at most this much from one page to the next still tells how old a report is. */
export const MAX_SET_BACK_MS = 3_600_000;
/** Waits between tries are random, below a bound that doubles from the first of these to the second. */
export const BACKOFF_BASE_MS = 1_000;
export const BACKOFF_CAP_MS = 60_000;
/** After this many failures in a row that the browser does not explain, the service counts as blocked. */
export const BLOCKED_AFTER = 3;
/** The pause after the service answered that it has no address for reports, or refused all of them. */
export const REFUSAL_PAUSE_MS = 300_000;
/** So many refusals in a row, without one event taken, are a fault of the service and not of the events. */
export const MAX_REFUSALS = 11;
/** How many batches may go out at once when the game ends. */
export const LAST_BATCHES = 3;
/** All requests that outlive a page share 64 KiB; browsers do not always give it back at once. */
export const MAX_COPY_BYTES = 60_000;
/** How long storage may take for one operation before memory takes its place. */
export const STORAGE_DEADLINE_MS = 2_000;
/** How often the outbox looks again for storage that failed and for rows of tabs that are gone. */
export const LOOK_AGAIN_MS = 60_000;
/** If a tab cannot tell whether another one is alive, the other's events of at least this age count as left behind. */
export const LEFT_BEHIND_AFTER_MS = 120_000;
