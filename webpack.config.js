import path from 'node:path';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import webpack from 'webpack';
import { PrebuiltScripts } from './scripts/PrebuiltScripts.js';
import { packageEntries } from './scripts/packageEntries.js';
import { prebuiltLibraries } from './scripts/prebuiltLibraries.js';

const root = import.meta.dirname;
/** Types are checked by `npm run typecheck`; the bundler only strips them, file by file. */
const typescriptRule = {
  test: /\.ts$/,
  include: ['src', 'demo'].map((folder) => path.join(root, folder)),
  use: {
    loader: 'ts-loader',
    options: { transpileOnly: true, onlyCompileBundledFiles: true, compilerOptions: { declaration: false } },
  },
  // Stands in the rule and not above it: rex ships a stray .ts beside a .js, and every import of it would change.
  resolve: {
    extensions: ['.ts', '.js'],
    extensionAlias: { '.js': ['.ts', '.js'] },
    alias: Object.fromEntries(
      packageEntries().map(({ request, name }) => [`${request}$`, path.join(root, `src/${name}.ts`)]),
    ),
  },
};

/** For script tags, AMD and CommonJS: one file with every entry but `debug`, and everything but Phaser inside. */
const umd = {
  name: 'umd',
  mode: 'production',
  target: ['web', 'es2022'],
  entry: path.join(root, 'src/umd.ts'),
  context: root,
  // One file, of which nothing is loaded later.
  module: { rules: [typescriptRule], parser: { javascript: { dynamicImportMode: 'eager' } } },
  plugins: [
    new webpack.NormalModuleReplacementPlugin(/\/loadMeter\.js$/, path.join(root, 'src/meter/loadMeterAtOnce.ts')),
  ],
  performance: { hints: false },
  output: {
    path: path.join(root, 'dist/umd'),
    filename: 'phaser-inview.umd.js',
    library: { name: 'PhaserInview', type: 'umd' },
    // As every browser that can read the file knows it; Node has `exports`.
    globalObject: "typeof self !== 'undefined' ? self : this",
    // An older browser than the package needs shall load it, and be told so.
    environment: { hasOwn: false },
  },
  // A page that does not say how it is encoded reads a script of raw UTF-8 wrongly.
  optimization: {
    minimizeOptions: { javascript: { ecma: 2022, compress: { passes: 4 }, format: { ascii_only: true } } },
  },
  externals: { phaser: { root: 'Phaser', commonjs: 'phaser', commonjs2: 'phaser', amd: 'phaser' } },
};

/** For developers: a file beside the other, of which it takes the rest of the package. */
const umdDebug = {
  ...umd,
  name: 'umd-debug',
  entry: path.join(root, 'src/debug.ts'),
  output: {
    ...umd.output,
    filename: 'phaser-inview-debug.umd.js',
    library: { name: 'PhaserInviewDebug', type: 'umd' },
  },
  externals: ({ context, request }, done) =>
    path.resolve(context, request) === path.join(root, 'src/index.js')
      ? done(null, {
          root: 'PhaserInview',
          commonjs: 'phaser-inview',
          commonjs2: 'phaser-inview',
          amd: 'phaser-inview',
        })
      : done(),
};

/**
 * The demo's game. Its libraries come by script tag.
 *
 * @param {string} [phaserPackage] package that holds the Phaser to run with
 */
export const demoOn = (phaserPackage) => ({
  name: 'demo',
  mode: 'development',
  target: ['web', 'es2022'],
  context: root,
  entry: path.join(root, 'demo/game/main.ts'),
  output: { path: path.join(root, 'dist/demo'), filename: 'page.js', clean: true },
  devtool: 'source-map',
  module: { rules: [typescriptRule, { test: /\.(png|jpe?g|webp|svg|mp3|ogg|woff2)$/, type: 'asset/resource' }] },
  plugins: [
    new PrebuiltScripts(prebuiltLibraries(phaserPackage)),
    new HtmlWebpackPlugin({ template: path.join(root, 'demo/index.html') }),
  ],
  cache: { type: 'filesystem', name: 'demo', cacheDirectory: path.join(root, 'node_modules/.cache/webpack') },
  performance: { hints: false },
});

export default [umd, umdDebug, demoOn()];
