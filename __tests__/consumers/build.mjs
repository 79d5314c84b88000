/**
 * Bundles `game.ts` of a folder by Vite into `vite/game.js` and by webpack into `webpack/game.js`, Phaser left out:
 * to the first it is a module, to the second a global.
 *
 *     node build.mjs folder
 */
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import webpack from 'webpack';

const folder = path.resolve(process.argv[2]);
const entry = path.join(folder, 'game.ts');

await build({
  root: folder,
  configFile: false,
  logLevel: 'error',
  build: {
    outDir: 'vite',
    target: 'es2022',
    modulePreload: false,
    rollupOptions: { input: entry, external: ['phaser'], output: { entryFileNames: 'game.js' } },
  },
});

const stats = await promisify(webpack)({
  mode: 'production',
  target: ['web', 'es2022'],
  context: folder,
  entry,
  output: { path: path.join(folder, 'webpack'), filename: 'game.js' },
  externals: { phaser: 'Phaser' },
  module: { rules: [{ test: /\.ts$/, loader: 'ts-loader', options: { transpileOnly: true } }] },
  optimization: { minimize: false },
  performance: { hints: false },
});
if (stats.hasErrors()) throw new Error(stats.toString({ preset: 'errors-only', colors: false }));
