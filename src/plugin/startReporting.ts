import type { ConsentSignals } from '../consentRules.js';
import type { ResolvedOptions } from '../resolveOptions.js';
import { IndexedDbStore } from '../report/IndexedDbStore.js';
import type { OutboxStore } from '../report/OutboxStore.js';
import { type OwnerLocks, webLocks } from '../report/OwnerLocks.js';
import { Reporter } from '../report/Reporter.js';
import { uuidOf } from '../report/uuid.js';
import { browserEnvironment, type ClientEnvironment } from '../service/environment.js';
import type { ServiceClient } from '../service/ServiceClient.js';

/** What reporting needs of the world. */
export interface ReportingEnvironment extends Pick<
  ClientEnvironment,
  'now' | 'wallNow' | 'after' | 'random' | 'randomBytes' | 'isOnline' | 'watchPage' | 'warn'
> {
  /** The storage of this name that outlives the page; null where there is none. */
  openDisk(name: string): OutboxStore | null;
  /** Locks by which pages that share this storage know which of them are alive. */
  openLocks(name: string): OwnerLocks;
}

/** The browser's own. */
export function browserReportingEnvironment(): ReportingEnvironment {
  const environment = browserEnvironment();
  return {
    ...environment,
    openDisk(name) {
      try {
        return (globalThis as { indexedDB?: IDBFactory }).indexedDB ? new IndexedDbStore(name) : null;
      } catch {
        // A sandboxed frame throws on the mere access.
        return null;
      }
    },
    openLocks: (name) => webLocks(name, environment.after),
  };
}

/** The reporter of one game, and how to end it. */
export interface Reporting {
  readonly reporter: Reporter;
  /** Sends what waits one last time. */
  stop(): void;
}

/**
 * Brings facts to the service.
 * @param reportError called with what the game's own `beforeReport` has thrown
 */
export function startReporting(
  client: ServiceClient,
  { beforeReport, consent }: Pick<ResolvedOptions, 'beforeReport'> & { consent(): ConsentSignals },
  environment: ReportingEnvironment,
  reportError: (message: string, error: unknown) => void,
): Reporting {
  const name = client.storageName;
  let hasWarned = false;
  const reporter = new Reporter({
    ...environment,
    disk: environment.openDisk(name),
    locks: environment.openLocks(name),
    send: ({ events, durability, ledger }, options) => client.reportEvents(events, { durability, ledger, ...options }),
    isReady: () => client.isReady,
    newId: () => uuidOf(environment.randomBytes(16)),
    mayReport(event) {
      try {
        const answer = beforeReport?.(event, consent());
        if (!isPromise(answer)) return answer !== false;
        // The answer of a promise comes too late, and may be no. Nobody waits for it: it must not reject unhandled.
        if (answer instanceof Promise) answer.catch(() => undefined);
        if (!hasWarned) environment.warn(PROMISE_WARNING);
        hasWarned = true;
        return false;
      } catch (error) {
        // Without a clear answer nothing is sent.
        reportError('phaser-inview: beforeReport has thrown; the event is not reported', error);
        return false;
      }
    },
  });
  const unwatch = environment.watchPage({
    visible: () => reporter.pageShown(),
    hidden: () => reporter.pageHidden(),
    leaving: () => reporter.pageLeaving(),
    online: () => reporter.networkIsBack(),
  });
  return {
    reporter,
    stop() {
      unwatch();
      reporter.destroy();
    },
  };
}

const PROMISE_WARNING =
  'phaser-inview: beforeReport answers with a promise, so nothing is reported. It has to know at once: ' +
  'ask the player before, and answer with true or false.';

function isPromise(answer: unknown): boolean {
  return typeof (answer as { then?: unknown } | null | undefined)?.then === 'function';
}
