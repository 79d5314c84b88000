import type { AdEvent } from '../../../src/report/AdEvent.js';
import { MAX_EVENT_BYTES } from '../../../src/report/limits.js';
import { eventOf, readRow, rowOf } from '../../../src/report/outboxRow.js';

const event = {
  id: 'e1',
  sessionId: 's',
  kind: 'error',
  errorCode: 'ä',
  time: 1,
  wallTime: 2,
} as const satisfies AdEvent;
const sound = (given: AdEvent = event) => {
  const json = JSON.stringify(given);
  return rowOf(given, 'tab', json, new TextEncoder().encode(json).length);
};

it('what is billed is dropped last: details, summaries, the rest, impressions, and views with clicks', () => {
  const worth = (kind: string): number => sound({ ...event, kind } as never).worth;
  const classes = [
    ['visible', 'blocked'],
    ['summary'],
    ['loaded', 'noFill', 'error', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'],
    ['impression'],
    ['viewable', 'click'],
  ].map((kinds) => new Set(kinds.map(worth)));
  expect(classes.map(({ size }) => size)).toEqual([1, 1, 1, 1, 1]);
  const values = classes.flatMap((numbers) => [...numbers]);
  expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
});

describe('a row read from storage', () => {
  it('is the one that was written, and so is its event', () => {
    const row = readRow(structuredClone(sound()));
    expect(row).toEqual({ ...sound(), id: 'e1', owner: 'tab', wallTime: 2, wasSent: false });
    expect(eventOf(row!)).toEqual(event);
    expect(Object.isFrozen(eventOf(row!))).toBe(true);
  });

  const withJson = (json: string) => ({ ...sound(), json, bytes: new TextEncoder().encode(json).length });

  it('may have an event of the most bytes, and none of more', () => {
    const padded = (length: number) => ' '.repeat(length - sound().json.length) + sound().json;
    expect(readRow(withJson(padded(MAX_EVENT_BYTES)))).not.toBeNull();
    expect(readRow(withJson(padded(MAX_EVENT_BYTES + 1)))).toBeNull();
  });

  it.each<[what: string, row: unknown]>([
    ['nothing', undefined],
    ['text', 'row'],
    ['of another id than its event', { ...sound(), id: 'e2' }],
    ['without an owner', { ...sound(), owner: undefined }],
    ['with an endless worth', { ...sound(), worth: Infinity }],
    ['with a time that is no number', { ...sound(), wallTime: NaN }],
    ['with a wrong number of bytes', { ...sound(), bytes: sound().json.length }],
    ['that does not say whether it was sent', { ...sound(), wasSent: undefined }],
    ['whose event is cut off', withJson(sound().json.slice(0, -1))],
    ['whose event is null', withJson('null')],
    ['whose event is of no kind', withJson('{"id":"e1"}')],
    ['whose event is of a kind that is no text', withJson('{"id":"e1","kind":7}')],
  ])('is damaged: %s', (_what, row) => {
    expect(readRow(row)).toBeNull();
  });
});
