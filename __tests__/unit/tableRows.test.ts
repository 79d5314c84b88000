import { parseTestNames, readTestNames, type TestPath } from '../helpers/readTestNames.js';

/*
 * Two tables say what may go wrong: faults (F1…F80: network, service, browser, game, player) and bad inputs (B1…B66:
 * answers of the service, arguments of the game). Every row that an area answers for has a test whose name, or the name
 * of a group around it, begins with the row's id: `npx jest -t F17` shows what a row means and that it holds.
 */

interface Area {
  readonly faults: string;
  readonly badInputs: string;
}

const AREAS: Readonly<Record<string, Area>> = {
  accounts: {
    faults: '1-19, 24-27, 36-39, 47-49, 71-80',
    badInputs: '28-34, 39-51, 63, 65, 66',
  },
  reports: { faults: '2-35, 37-38, 40-46, 52-57, 67-70', badInputs: '35-36' },
  placing: { faults: '50-66', badInputs: '1-27, 52-62' },
};

/** Row 34, a power cut, is a documented limit: no test can make one. */
const WITHOUT_TEST = new Set(['F34']);

describe('the rows of the fault and bad-input tables', () => {
  const tested = testedRows(readTestNames('__tests__'));

  it.each(Object.entries(AREAS))(
    'that %s answer for each have a test named after them',
    (_area, { faults, badInputs }) => {
      const promised = [...rows('F', faults), ...rows('B', badInputs)];
      expect(promised.filter((row) => !tested.has(row) && !WITHOUT_TEST.has(row))).toEqual([]);
    },
  );
});

describe('the check for rows without a test', () => {
  const rowsOf = (text: string) => [...testedRows(parseTestNames(text))].sort();

  it.each<[what: string, text: string, found: string[]]>([
    ['a test', `it('F1 x', () => {}); test("F2 x", async () => {});`, ['F1', 'F2']],
    ['several rows in one name', `it('F3 B4 x', () => {});`, ['B4', 'F3']],
    ['a group', `describe('F5 x', () => { it('y', () => {}); });`, ['F5']],
    ['a name for all rows of a table', `it.each([1, 2])('B6 %p', () => {});`, ['B6']],
    ['names from a table', `it.each<[string, number]>([['F7 x', 1], ['F8 y', 2]])('%s', () => {});`, ['F7', 'F8']],
    ['names from a table of one column', `it.each(['F7', 'F8'])('%s holds', () => {});`, ['F7', 'F8']],
  ])('finds %s', (_what, text, found) => {
    expect(rowsOf(text)).toEqual(found);
  });

  it.each([
    ['a test that does not run', `it.skip('F1 x', () => {}); it.todo('F2 x'); describe.skip('F3', () => it('x', f));`],
    ['an id in the middle', `it('as in F1', () => {});`],
    ['a longer word', `it('F1x', () => {});`],
    ['a group without tests', `describe('F1', () => {});`],
    ['a comment or text', `// it('F1 x')\nconst text = "it('F1 x')";`],
  ])('is not taken in by %s', (_what, text) => {
    expect(rowsOf(text)).toEqual([]);
  });
});

/** The ids with which tests, or groups of tests, begin. */
function testedRows(tests: readonly TestPath[]): Set<string> {
  return new Set(tests.flat().flatMap((name) => /^(?:[FB]\d+\b ?)+/.exec(name)?.[0].trim().split(' ') ?? []));
}

/** `('F', '1-3, 5')` is F1, F2, F3, F5. */
function rows(letter: string, ranges: string): string[] {
  return ranges
    .split(', ')
    .filter(Boolean)
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => `${letter}${first + i}`);
    });
}
