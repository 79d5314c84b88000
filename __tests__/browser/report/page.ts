import { openDB } from 'idb';
import { browserReportingEnvironment, startReporting } from '../../../src/plugin/startReporting.js';
import type { Reporter } from '../../../src/report/Reporter.js';
import { ServiceClient } from '../../../src/service/ServiceClient.js';

/*
 * A page that does nothing but report. Its address says what: `?service=…&announce=…&name=…&every=…` records an event
 * every so many milliseconds, and tells the address in `announce` each one whose record has resolved, and whether it is
 * on disk or, where the browser's storage has not answered in time, in memory only: that promises less. `noToken`: the game's
 * own backend never answers.
 */

const query = new URLSearchParams(location.search);
const client = new ServiceClient({
  apiKey: 'demo-api-key',
  ...(query.has('noToken')
    ? { getToken: () => new Promise<never>(() => undefined) }
    : { privateKey: 'demo-private-key-for-localhost-only' }),
  baseUrl: query.get('service') ?? undefined!,
});
const { reporter, stop } = startReporting(
  client,
  { beforeReport: null, consent: () => ({}) },
  browserReportingEnvironment(),
  console.error,
);

/** Records one event that is told from all others by its name, and announces it. */
async function record(name: string): Promise<void> {
  await reporter.record({ kind: 'click', adSurfaceId: 'park-board', adId: name });
  void announce(`${reporter.durability} ${name}`);
}

async function announce(body: string): Promise<void> {
  const address = query.get('announce');
  if (address !== null) await fetch(address, { method: 'POST', body, mode: 'no-cors', cache: 'no-store' });
}

/** What recording costs the main thread: synchronous time until `record` returns, and until its commit has been told. */
async function measure(count: number, pauseMs: number): Promise<{ callMs: number[]; commitMs: number[] }> {
  const callMs: number[] = [];
  const commitMs: number[] = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    const committed = reporter.record({
      kind: 'click',
      adSurfaceId: 'park-board',
      adId: `cost-${i}`,
      placementId: 'p',
    });
    callMs.push(performance.now() - start);
    await committed;
    commitMs.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return { callMs, commitMs };
}

export interface ReportPage {
  readonly reporter: Reporter;
  record(name: string): Promise<void>;
  measure: typeof measure;
  stop(): void;
}

(window as unknown as { reportPage: ReportPage }).reportPage = { reporter, record, measure, stop };

/** The id of this origin's storage: another one when the browser has deleted all that a page before had written. */
async function storageId(): Promise<string> {
  const database = await openDB('witness', 1, { upgrade: (db) => void db.createObjectStore('ids') });
  const id = ((await database.get('ids', 'id')) as string | undefined) ?? crypto.randomUUID();
  await database.put('ids', id, 'id');
  database.close();
  return id;
}

const every = Number(query.get('every') ?? 0);
const name = query.get('name') ?? 'page';
let recorded = 0;
void storageId()
  .then((id) => announce(`storage ${id}`))
  .then(() => (every > 0 ? setInterval(() => void record(`${name}-${recorded++}`), every) : undefined));
