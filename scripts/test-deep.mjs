/**
 * The tests that have a large variant (`process.env.DEEP`), at full size: 20,000 random scenes, 1,000,000 simulated
 * events and mutated answers, 100,000 lives of sessions and of accounts, 500 kills and 500 crashes, a day of frames. Takes hours.
 * Arguments go to jest: `npm run test:deep -- session.model`.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const chosen = process.argv.slice(2);
const DEEP_TESTS = [
  'browser/randomScenes',
  'browser/randomChanges',
  'browser/traps',
  'browser/creatives',
  'browser/life',
  'browser/report',
  'unit/report',
  'unit/creative/hostileCreatives',
  'unit/service/fuzz',
  'service/server/accountLives',
  'service/client/tabs',
  'unit/service/session.model',
  'unit/sources/readBidResponse',
  'unit/sources/wildAnswers',
  // All tests with a game, on Phaser 4 as well.
  '__tests__/phaser/',
];
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const { status } = spawnSync(process.execPath, [jest, '--runInBand', ...(chosen.length > 0 ? chosen : DEEP_TESTS)], {
  stdio: 'inherit',
  env: { ...process.env, DEEP: '1' },
});
process.exitCode = status ?? 1;
