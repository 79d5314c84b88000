/** Runs the case given as JSON in the first argument, and prints its result as JSON. */
import type { BenchCase } from './cases.js';
import { meterProduct } from './meterProduct.js';
import { runCase } from './runCase.js';

const result = await runCase(JSON.parse(process.argv[2] ?? '') as BenchCase, meterProduct);
// jsdom keeps timers; nothing after this is wanted.
process.stdout.write(JSON.stringify(result), () => process.exit(0));
