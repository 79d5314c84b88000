import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readEvents } from '../../scripts/replay/readEvents.js';
import { replayEvents } from '../../scripts/replay/replayEvents.js';
import type { AdEvent } from '../../src/report/AdEvent.js';
import { EventStamp } from '../../src/report/EventStamp.js';
import { AdSession } from '../../src/viewability/AdSession.js';
import { DEFAULT_STANDARDS } from '../../src/viewability/ViewabilityStandards.js';
import { measurementOf } from './viewability/support/measurementOf.js';

/** Two seconds in view, then covered. */
function play(session: AdSession): void {
  for (let time = 0; time < 2_000; time += 16) session.update(time, measurementOf(70));
  for (let time = 2_000; time < 3_000; time += 16) session.update(time, measurementOf(20));
}

/** The events of one traced placement. */
function makeEvents(frames = play): AdEvent[] {
  let ids = 0;
  const stamp = new EventStamp({ now: () => 0, wallNow: () => 0, newId: () => `id-${String(ids++)}` });
  const events: AdEvent[] = [];
  const session = new AdSession({
    standards: DEFAULT_STANDARDS,
    isTraced: true,
    maxFactBytes: () => 3_000,
    listener: {
      fact(fact) {
        const event = stamp.stamp({ ...fact, placementId: 'p1' });
        stamp.keep(event);
        events.push(event);
      },
      geometryChange: () => undefined,
    },
  });
  session.loaded();
  frames(session);
  session.finish(3_000, 'destroyed');
  return JSON.parse(JSON.stringify(events)) as AdEvent[];
}

const events = makeEvents();
const last = events.at(-1) as AdEvent & { readonly kind: 'summary' };
const changed = (fields: object): AdEvent[] => [{ ...last, ...fields }];

it('evidence gives the same verdicts and an unbroken chain again', () => {
  const { differs, judged, lines } = replayEvents(events);
  expect([differs, lines.filter((line) => line.startsWith('DIFFERS'))]).toEqual([false, []]);
  // Two standards were met; three verdicts in the summary; each event but the first follows another.
  expect(judged).toBe(2 + 3 + events.length - 1);
});

it.each([
  ['an event', JSON.stringify(last)],
  ['a list', JSON.stringify([last])],
  ['an envelope', JSON.stringify({ sentAt: 1, events: [last] })],
  ['lines', `${JSON.stringify(events[0])}\n${JSON.stringify(last)}\n`],
  ['rows that keep events as text', JSON.stringify([{ event_id: last.id, body: JSON.stringify(last) }])],
])('reads %s', (_, text) => {
  expect(readEvents(text).at(-1)).toEqual(last);
});

it('finds a verdict that was changed, either way', () => {
  expect(replayEvents(changed({})).differs).toBe(false);
  expect(replayEvents(changed({ verdicts: { ...last.verdicts, 'full-view': 'viewable' } })).differs).toBe(true);
  expect(replayEvents(changed({ verdicts: { ...last.verdicts, 'iig-display': 'notViewable' } })).differs).toBe(true);
});

it('finds an event that was changed after it was chained', () => {
  const forged = events.map((event, i) => (i === 1 ? { ...event, wallTime: 1 } : event));
  expect(replayEvents(forged).differs).toBe(true);
});

it('finds no fault with a viewable impression whose beginning did not fit', () => {
  const cut = makeEvents((session) => {
    for (let i = 0; i < 600; i++) session.update(4 * i, measurementOf(i % 2 === 0 ? 100 : 99));
  });
  const { differs, lines } = replayEvents(cut);
  expect([differs, lines.filter((line) => line.startsWith('cut')).length > 0]).toEqual([false, true]);
  expect(cut.some((event) => event.kind === 'viewable' && event.trace?.isCut)).toBe(true);
});

it('judges a trace whose figures were made up', () => {
  const runs = [[0, 1e300, 100, 100, 100, 1e6, 1, 1]];
  for (const maxGapMs of [0, -1, null]) {
    expect(replayEvents(changed({ trace: { maxGapMs, runs, rules: last.trace!.rules } })).differs).toBe(true);
  }
});

it('judges nothing where there is nothing, and only neighbours of a chain', () => {
  expect(replayEvents([events[0]!])).toMatchObject({ differs: false, judged: 0 });
  expect(replayEvents(events.filter(({ sequence }) => sequence !== 1)).differs).toBe(false);
});

it('as a command ends with 0 when all is the same, with 1 when something differs, with 2 without evidence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'replay-'));
  const exitCode = (content: unknown): number => {
    const file = join(folder, 'events.json');
    writeFileSync(file, JSON.stringify(content));
    try {
      execFileSync(process.execPath, ['--import', 'tsx', 'scripts/replay.ts', file], { stdio: 'pipe' });
      return 0;
    } catch (error) {
      return (error as { status: number }).status;
    }
  };
  try {
    const forged = changed({ verdicts: { ...last.verdicts, 'full-view': 'viewable' } });
    expect([exitCode(events), exitCode(forged), exitCode([events[0]])]).toEqual([0, 1, 2]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
