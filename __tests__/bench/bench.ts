/**
 * What one measurement per frame costs, as ratios within one run.
 *
 *     npm run bench                 all cases, as a table
 *     npm run bench -- --json       the same figures as one JSON object
 *     npm run bench -- --only 4     the fourth case alone
 *
 * Phaser runs as published, in Node, over contexts that draw nothing: its frame is its own JavaScript. Each case runs
 * in a process of its own; within it the frame alone, the frame with the measurement, the peers and the floor take
 * turns in random order, and every ratio is taken within one round.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CASES, type BenchCase } from './cases.js';
import { formatTable } from './formatTable.js';
import type { CaseResult } from './runCase.js';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const chosen = values.only === undefined ? CASES : CASES.slice(Number(values.only) - 1, Number(values.only));

const results = chosen.map((benchCase, i) => {
  console.error(`${i + 1}/${chosen.length} ${JSON.stringify(benchCase)}`);
  return runInOwnProcess(benchCase);
});
console.log(values.json ? JSON.stringify({ cases: results }) : formatTable(results));

function runInOwnProcess(benchCase: BenchCase): CaseResult {
  const script = fileURLToPath(new URL('caseProcess.ts', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', script, JSON.stringify(benchCase)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(1);
  return JSON.parse(stdout) as CaseResult;
}
