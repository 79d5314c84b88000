/** Times the case given as JSON in the first argument, or counts its bytes (`bytes`, the second), and prints JSON. */
import type { BenchCase } from './cases.js';
import { countBytes } from './countBytes.js';
import { meterProduct } from './meterProduct.js';
import { timeCase } from './timeCase.js';

const [benchCase = '', wanted] = process.argv.slice(2);
const measure = wanted === 'bytes' ? countBytes : timeCase;
const result = await measure(JSON.parse(benchCase) as BenchCase, meterProduct);
// jsdom keeps timers; nothing after this is wanted.
process.stdout.write(JSON.stringify(result), () => process.exit(0));
