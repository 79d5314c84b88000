/**
 * Bundles one page for a browser test, see `__tests__/helpers/bundlePage.ts`. Types are checked by `npm run typecheck`.
 *
 *     node scripts/bundle-page.mjs '{ "entry": …, "output": … }'
 *
 * `entry`: the TypeScript file; `output`: the folder that gets `index.html` and its scripts; `template`: the HTML, by
 * default an empty page; `phaserPackage`: the package with the Phaser to run with, by default `phaser`. Paths absolute.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { packageEntries } from './packageEntries.js';
import { prebuiltFile, prebuiltLibraries, prebuiltPath } from './prebuiltLibraries.js';

const { entry, output, template, phaserPackage } = JSON.parse(process.argv[2]);
const root = path.dirname(import.meta.dirname);
const libraries = prebuiltLibraries(phaserPackage);
const imported = new Set();

/** A library that comes by a script tag of its own is what that script has made of the global. */
const byScriptTag = {
  name: 'libraries by script tag',
  setup(build) {
    build.onResolve({ filter: /^phaser/ }, ({ path: request }) => {
      const library = libraries.find((candidate) => candidate.request === request);
      return library && { path: request, namespace: 'global', pluginData: library };
    });
    build.onLoad({ filter: /.*/, namespace: 'global' }, ({ pluginData: library }) => {
      imported.add(library);
      return { contents: `module.exports = ${library.global};` };
    });
  },
};

/** A page is one file, as the script tag's is: what measures is there with it. */
const measuringAtOnce = {
  name: 'measuring at once',
  setup(build) {
    const atOnce = path.join(root, 'src/meter/loadMeterAtOnce.ts');
    build.onResolve({ filter: /\/loadMeter\.js$/ }, () => ({ path: atOnce }));
  },
};

await esbuild.build({
  absWorkingDir: root,
  entryPoints: { page: entry },
  outdir: output,
  bundle: true,
  // Not a module: one of those does not load in a frame without an origin. What is imported later is part of it.
  format: 'iife',
  target: 'es2022',
  sourcemap: 'linked',
  loader: Object.fromEntries(
    ['png', 'jpg', 'jpeg', 'webp', 'svg', 'mp3', 'ogg', 'woff2'].map((type) => [`.${type}`, 'file']),
  ),
  alias: Object.fromEntries(packageEntries().map(({ request, name }) => [request, path.join(root, `src/${name}.ts`)])),
  plugins: [byScriptTag, measuringAtOnce],
  logLevel: 'error',
});

mkdirSync(path.join(output, 'vendor'));
// In the order of the table: rex plugins read the global that Phaser's file sets.
const vendors = libraries.filter((library) => imported.has(library)).map(({ file }) => file);
for (const file of vendors) copyFileSync(prebuiltFile(file), path.join(output, prebuiltPath(file)));

const html = template
  ? readFileSync(template, 'utf8')
  : '<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n</head>\n<body>\n</body>\n</html>\n';
const tags = [...vendors.map(prebuiltPath), 'page.js'].map((file) => `<script defer src="${file}"></script>`);
writeFileSync(path.join(output, 'index.html'), html.replace('</head>', `${tags.join('\n')}\n</head>`));
