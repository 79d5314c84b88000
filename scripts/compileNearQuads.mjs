/**
 * The machine code of `src/record/frame/nearQuads.wat` as the text of `nearQuadsModule.ts`. Run as a program
 * (`npm run wasm`) it writes that file.
 */
import { Buffer } from 'node:buffer';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openWabt from 'wabt';

const SOURCE = new URL('../src/record/frame/nearQuads.wat', import.meta.url);
const TARGET = new URL('../src/record/frame/nearQuadsModule.ts', import.meta.url);

export async function compileNearQuads() {
  const wabt = await openWabt();
  const module = wabt.parseWat('nearQuads.wat', readFileSync(SOURCE, 'utf8'), { simd: true });
  const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64');
  const lines = base64.match(/.{1,110}/g).map((line) => `  '${line}'`);
  return `/** \`nearQuads.wat\`, compiled, in Base64: \`npm run wasm\` writes it. */\nexport const NEAR_QUADS_MODULE =\n${lines.join(' +\n')};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TARGET, await compileNearQuads());
