import Sequencer from '@jest/test-sequencer';

/**
 * Files that take a minute and more, longest first; beside the traps, which keep both cores busy, those that mostly wait. The
 * examples come when the package that they need is packed.
 */
const LONGEST = [
  'browser/traps',
  'browser/life',
  'browser/answers',
  'browser/report/kills',
  'browser/randomScenes',
  'browser/pageTraps',
  'browser/demo/demo',
  'browser/demo/account',
  'browser/withoutWalk',
  'browser/package',
  'browser/changes',
  'browser/rehearsal',
  'browser/examples',
  'browser/docs',
  'browser/field',
  'browser/creatives',
  'unit/service/session.model',
  'browser/pictures',
  'browser/clicks',
];

/**
 * Begins with the files known to be the longest, so that all workers end together. Jest goes by the size of files where
 * it has not run them before, and would leave one worker alone with the longest of all.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rankOf = ({ path }) => {
      const rank = LONGEST.findIndex((name) => path.endsWith(`/__tests__/${name}.test.ts`));
      return rank < 0 ? LONGEST.length : rank;
    };
    // Sorting keeps Jest's order among the others.
    return [...super.sort(tests)].sort((a, b) => rankOf(a) - rankOf(b));
  }
}
