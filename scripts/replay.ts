/**
 * Judges the evidence in reports again: `npm run replay -- <file>`, a JSON file with an event, a list of events, an
 * envelope `{ events }`, or one event per line. Every trace is replayed on the package's own clock, and every chain of
 * hashes is checked.
 *
 * Ends with 1 when a verdict or a hash differs, with 2 when there was nothing to judge.
 */
import { readFileSync } from 'node:fs';

import { readEvents } from './replay/readEvents.js';
import { replayEvents } from './replay/replayEvents.js';

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('Usage: npm run replay -- <file with events as JSON>');
  process.exit(2);
}
const { lines, differs, judged } = replayEvents(readEvents(readFileSync(file, 'utf8')));
for (const line of lines) console.log(line);
if (judged === 0) console.log('No event with a trace, and no chain: nothing to judge.');
process.exit(differs ? 1 : judged === 0 ? 2 : 0);
