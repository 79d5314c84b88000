import path from 'node:path';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import { PrebuiltScripts } from './scripts/PrebuiltScripts.js';
import { packageEntries } from './scripts/packageEntries.js';

const root = import.meta.dirname;
/** Types are checked by `npm run typecheck`; the bundler only strips them, file by file. */
const typescriptRule = {
  test: /\.ts$/,
  include: ['src', 'demo', 'examples', '__tests__'].map((folder) => path.join(root, folder)),
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
  optimization: { minimizeOptions: { javascript: { format: { ascii_only: true } } } },
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

/** Libraries a page loads by script tag, in the order in which they need each other. */
const pageScripts = (phaserPackage) => [
  { request: 'phaser', global: 'Phaser', file: `${phaserPackage}/dist/phaser.min.js` },
  {
    request: 'phaser3-rex-plugins/templates/ui/ui-plugin.js',
    global: 'rexuiplugin',
    file: 'phaser3-rex-plugins/dist/rexuiplugin.min.js',
  },
  {
    request: 'phaser3-rex-plugins/plugins/awaitloader-plugin.js',
    global: 'rexawaitloaderplugin',
    file: 'phaser3-rex-plugins/dist/rexawaitloaderplugin.min.js',
  },
];

/**
 * A web page made of one TypeScript entry: the demo, and every page that browser tests drive.
 *
 * @param {object} page
 * @param {string} page.name names the configuration and its build cache
 * @param {string} page.entry absolute path of the entry
 * @param {string} page.output absolute path of the folder that gets `index.html` and its scripts
 * @param {string} [page.template] absolute path of the HTML; without it an empty page
 * @param {string} [page.phaserPackage] package that holds the Phaser to run with; default `phaser`
 */
export const pageConfig = ({ name, entry, output, template, phaserPackage = 'phaser' }) => ({
  name,
  mode: 'development',
  target: ['web', 'es2022'],
  context: root,
  entry,
  output: { path: output, filename: 'page.js', clean: true },
  devtool: 'source-map',
  module: { rules: [typescriptRule, { test: /\.(png|jpe?g|webp|svg|mp3|ogg|woff2)$/, type: 'asset/resource' }] },
  plugins: [
    new PrebuiltScripts(pageScripts(phaserPackage)),
    new HtmlWebpackPlugin(template ? { template } : { title: name }),
  ],
  cache: { type: 'filesystem', name, cacheDirectory: path.join(root, 'node_modules/.cache/webpack') },
  performance: { hints: false },
});

const demo = pageConfig({
  name: 'demo',
  entry: path.join(root, 'demo/game/main.ts'),
  output: path.join(root, 'dist/demo'),
  template: path.join(root, 'demo/index.html'),
});

export default [umd, umdDebug, demo];
