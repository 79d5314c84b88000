/**
 * What recording an event costs the main thread of a real browser, and how long its commit takes.
 *
 *     node --import tsx __tests__/bench/reportingCost.ts
 *
 * An empty page records events one by one, into IndexedDB, with pauses between them. `record` is the time until the
 * call returns; `tasks` what the whole of it, commit and bookkeeping included, has added to the main thread's script
 * time, per event.
 */
import { ReportingSite } from '../browser/report/ReportingBrowser.js';
import type { ReportPage } from '../browser/report/page.js';
import { launchBrowser } from '../helpers/launchBrowser.js';

const EVENTS = 500;
const PAUSE_MS = 4;

const [site, browser] = await Promise.all([ReportingSite.open(), launchBrowser()]);
const page = await browser.newPage();
await page.goto(site.url('cost', 0));
const session = await page.context().newCDPSession(page);
await session.send('Performance.enable');

const measure = (count: number) =>
  page.evaluate(
    ([events, pauseMs]) => (window as unknown as { reportPage: ReportPage }).reportPage.measure(events!, pauseMs!),
    [count, PAUSE_MS],
  );
const scriptMs = async (): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1_000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? NaN);
};

// Code that runs for the first time is compiled first.
await measure(50);
const before = await scriptMs();
const { callMs, commitMs } = await measure(EVENTS);
const tasksMs = ((await scriptMs()) - before) / EVENTS;
const { durability } = await page.evaluate(() => {
  const { reporter } = (window as unknown as { reportPage: ReportPage }).reportPage;
  return { durability: reporter.durability };
});
await browser.close();
await site.close();

const at = (times: readonly number[], share: number): string =>
  [...times].sort((a, b) => a - b)[Math.floor(share * (times.length - 1))]!.toFixed(2);
console.log(
  `reporting (${durability}, ${EVENTS} events): record p50 ${at(callMs, 0.5)} ms, p99 ${at(callMs, 0.99)} ms; ` +
    `commit p50 ${at(commitMs, 0.5)} ms, p99 ${at(commitMs, 0.99)} ms; script ${tasksMs.toFixed(2)} ms per event`,
);
