/**
 * Builds the package: `dist/esm` for bundlers and native modules, `dist/umd` for script tags and `require`, each with
 * its type declarations.
 *
 *     node scripts/build.mjs [folder]      folder: where to build, default `dist`
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import webpack from 'webpack';
import configurations from '../webpack.config.js';

const require = createRequire(import.meta.url);
const root = path.dirname(import.meta.dirname);
const dist = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
const [esm, umd] = ['esm', 'umd'].map((name) => path.join(dist, name));

for (const folder of [esm, umd]) rmSync(folder, { recursive: true, force: true });

await bundle(
  configurations
    .filter(({ name }) => name === 'esm' || name === 'umd')
    .map((config) => ({ ...config, output: { ...config.output, path: path.join(dist, config.name) } })),
);

declareTypes(esm);
// `require` finds its declarations beside the UMD file, and they have to count as CommonJS there.
cpSync(esm, umd, { recursive: true, filter: (file) => path.extname(file) === '' || file.endsWith('.d.ts') });
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

function declareTypes(outDir) {
  mkdirSync(outDir, { recursive: true });
  const tsc = require.resolve('typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.types.json', '--outDir', outDir], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}
