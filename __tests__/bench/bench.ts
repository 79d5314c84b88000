/**
 * What one measurement per frame costs, as ratios within one run.
 *
 *     npm run bench                 all cases, as a table
 *     npm run bench -- --json       the same figures as one JSON object
 *     npm run bench -- --only 4     the fourth case alone
 *     npm run bench -- --mobile     as on a phone, where Phaser draws a batch for each texture
 *
 * Phaser runs as published, in Node, over contexts that draw nothing: its frame is its own JavaScript. Each case runs
 * in a process of its own; within it the frame alone, the frame with the measurement, the peers and the floor take
 * turns in random order, and every ratio is taken within one round. Its bytes are counted in a second one, which has so
 * much memory that nothing is collected in between.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CASES, type BenchCase } from './cases.js';
import { ROOM_FOR_BLOCKS } from './countBytes.js';
import { formatTable, type CaseResult } from './formatTable.js';
import type { CaseTimes } from './timeCase.js';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    mobile: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const some = values.only === undefined ? CASES : CASES.slice(Number(values.only) - 1, Number(values.only));
const chosen = values.mobile ? some.map((one): BenchCase => ({ ...one, batchTextures: 1 })) : some;

const results = chosen.map((benchCase, i): CaseResult => {
  console.error(`${i + 1}/${chosen.length} ${JSON.stringify(benchCase)}`);
  const times = runInOwnProcess([], benchCase, 'times') as CaseTimes;
  const bytesPerFrame = runInOwnProcess(ROOM_FOR_BLOCKS, benchCase, 'bytes') as number;
  return { ...times, bytesPerFrame };
});
console.log(values.json ? JSON.stringify({ cases: results }) : formatTable(results));

function runInOwnProcess(options: readonly string[], benchCase: BenchCase, wanted: 'times' | 'bytes'): unknown {
  const script = fileURLToPath(new URL('caseProcess.ts', import.meta.url));
  const { status, stdout } = spawnSync(
    process.execPath,
    [...options, '--import', 'tsx', script, JSON.stringify(benchCase), wanted],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (status !== 0) process.exit(1);
  return JSON.parse(stdout);
}
