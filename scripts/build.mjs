/**
 * Builds the package: `dist/esm` for bundlers and native modules, a file for each file of `src`; `dist/umd` for script
 * tags and `require`, one file and one for developers; each with a type declaration for each entry of the package.
 *
 *     node scripts/build.mjs [folder]      folder: where to build, default `dist`
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import webpack from 'webpack';
import configurations from '../webpack.config.js';
import { packageEntries } from './packageEntries.js';
import { rollUpTypes } from './rollUpTypes.mjs';

const require = createRequire(import.meta.url);
const root = path.dirname(import.meta.dirname);
const dist = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
const [esm, umd] = ['esm', 'umd'].map((name) => path.join(dist, name));

for (const folder of [esm, umd]) rmSync(folder, { recursive: true, force: true });

/** For the one file of script tags. */
const ONLY_UMD = new Set(['umd.ts', 'loadMeterAtOnce.ts']);

// File by file, so that a bundler takes what a game uses and leaves the rest.
const { outputFiles } = await esbuild.build({
  absWorkingDir: root,
  entryPoints: readdirSync(path.join(root, 'src'), { recursive: true })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !ONLY_UMD.has(path.basename(file)))
    .map((file) => path.join('src', file)),
  outbase: 'src',
  outdir: esm,
  format: 'esm',
  target: 'es2022',
  charset: 'ascii',
  write: false,
});
for (const { path: file, text } of outputFiles) {
  mkdirSync(path.dirname(file), { recursive: true });
  // A page that does not say how it is encoded reads a script of raw UTF-8 wrongly. What is left of it is in comments.
  writeFileSync(
    file,
    text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
await bundle(
  configurations
    .filter(({ name }) => name === 'umd' || name === 'umd-debug')
    .map((config) => ({ ...config, output: { ...config.output, path: umd } })),
);

await declareTypes(esm);
// `require` finds its declarations beside the UMD file, and they have to count as CommonJS there.
cpSync(esm, umd, { recursive: true, filter: (file) => file === esm || file.endsWith('.d.ts') });
writeFileSync(path.join(umd, 'package.json'), '{ "type": "commonjs" }\n');

async function bundle(configs) {
  const stats = await new Promise((resolve, reject) => {
    const compiler = webpack(configs);
    compiler.run((error, result) =>
      compiler.close((closing) => ((error ?? closing) ? reject(error ?? closing) : resolve(result))),
    );
  });
  console.log(
    stats.toString({ preset: 'errors-warnings', assets: true, modules: false, colors: process.stdout.isTTY }),
  );
  if (stats.hasErrors()) process.exit(1);
}

async function declareTypes(outDir) {
  const declarations = mkdtempSync(path.join(os.tmpdir(), 'phaser-inview-types-'));
  try {
    const tsc = require.resolve('typescript/bin/tsc');
    const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.types.json', '--outDir', declarations], {
      cwd: root,
      stdio: 'inherit',
    });
    if (status !== 0) process.exit(1);
    await rollUpTypes(
      packageEntries().map(({ name }) => path.join(declarations, `${name}.d.ts`)),
      outDir,
    );
  } finally {
    rmSync(declarations, { recursive: true, force: true });
  }
}
