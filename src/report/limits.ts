/** The most events that may wait in one outbox, all tabs together. */
export const MAX_WAITING = 1_000;
/** The most bytes of events that may wait in one outbox. */
export const MAX_WAITING_BYTES = 1_048_576;
/** The most bytes one event may have as JSON. */
export const MAX_EVENT_BYTES = 4_096;
export const MAX_BATCH_EVENTS = 20;
export const MAX_BATCH_BYTES = 49_152;
/** So many waiting events are sent without waiting for more. */
export const FLUSH_COUNT = 10;
/** An event waits at most so long for company. */
export const FLUSH_AFTER_MS = 5_000;
/** One hour less than the day services commonly know an id for: a later repetition could be counted again. */
export const MAX_AGE_MS = 23 * 3_600_000;
/** That hour: by so much a clock may be set back from one page to the next, and still tell how old a report is. */
export const MAX_SET_BACK_MS = 3_600_000;
/** Waits between tries are random, below a bound that doubles from the first of these to the second. */
export const BACKOFF_BASE_MS = 1_000;
export const BACKOFF_CAP_MS = 60_000;
/** After so many failures in a row that the browser does not explain, something blocks the service. */
export const BLOCKED_AFTER = 3;
/** The pause after an answer that says that reports have no address there, or that all of them are refused. */
export const REFUSAL_PAUSE_MS = 300_000;
/** So many refusals in a row, without one event taken, are a fault of the service and not of the events. */
export const MAX_REFUSALS = 11;
/** How many batches may go out at once when the game ends. */
export const LAST_BATCHES = 3;
/** All requests that outlive a page share 64 KiB; browsers do not always give it back at once. */
export const MAX_COPY_BYTES = 60_000;
/** How long storage may take for one thing before the memory takes its place. */
export const STORAGE_DEADLINE_MS = 2_000;
/** How often the storage that failed, and the rows of tabs that are gone, are looked for again. */
export const LOOK_AGAIN_MS = 60_000;
/** Where a tab cannot tell whether another lives, the other's events that are so old count as left behind. */
export const LEFT_BEHIND_AFTER_MS = 120_000;
