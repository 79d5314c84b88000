import { MemoryOutbox } from '../report/Outbox.js';
import { Reporter } from '../report/Reporter.js';
import { uuidOf } from '../report/uuid.js';
import type { ClientEnvironment } from '../service/environment.js';
import type { ServiceClient } from '../service/ServiceClient.js';

/** What reporting needs of the world. */
export type ReportingEnvironment = Pick<
  ClientEnvironment,
  'now' | 'wallNow' | 'after' | 'random' | 'randomBytes' | 'watchPage'
>;

/** The reporter of one game, and how to end it. */
export interface Reporting {
  readonly reporter: Reporter;
  /** Sends what waits one last time. */
  stop(): void;
}

/** Brings facts to the service. They are kept in memory: what a page has not sent when it is closed is gone with it. */
export function startReporting(client: ServiceClient, environment: ReportingEnvironment): Reporting {
  const reporter = new Reporter({
    outbox: new MemoryOutbox(),
    send: (events) => client.reportEvents(events),
    now: () => environment.now(),
    wallNow: () => environment.wallNow(),
    after: (ms, callback) => environment.after(ms, callback),
    random: () => environment.random(),
    newId: () => uuidOf(environment.randomBytes(16)),
  });
  const flush = (): void => void reporter.flush();
  // Hidden is the last a page is sure to hear of itself.
  const unwatch = environment.watchPage({ visible: () => undefined, hidden: flush, online: flush });
  return {
    reporter,
    stop() {
      unwatch();
      reporter.destroy();
    },
  };
}
