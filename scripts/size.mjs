/**
 * What a game downloads for each way to use the package, and what it costs to start, as a table.
 *
 *     node scripts/size.mjs [dist]           prints the table for a built package, default `dist`
 *     node scripts/size.mjs [dist] --write   writes docs/size.md and size-budgets.json
 *     node scripts/size.mjs [dist] --json    prints the sizes alone
 */
import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import prettier from 'prettier';

const root = path.dirname(import.meta.dirname);
const given = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const dist = path.resolve(given ?? path.join(root, 'dist'));
const file = (name) => JSON.stringify(path.join(dist, 'esm', `${name}.js`));

/** Ways to use the package: what a game writes. */
const USES = {
  'both plugins': `export { AdsGlobalPlugin, AdsScenePlugin } from ${file('index')}`,
  'everything of the root': `export * from ${file('index')}`,
  AdsEvents: `export { AdsEvents } from ${file('index')}`,
  isAdsError: `export { isAdsError } from ${file('index')}`,
  ServiceClient: `export { ServiceClient } from ${file('index')}`,
  'both plugins and /openrtb': `export { AdsGlobalPlugin, AdsScenePlugin } from ${file('index')}; export * from ${file('openrtb')}`,
  'both plugins and /static': `export { AdsGlobalPlugin, AdsScenePlugin } from ${file('index')}; export * from ${file('static')}`,
};

/** A bundle as a game's bundler makes it, Phaser left out; `later` is what the package loads by itself when it needs it. */
async function bundle(code, options = {}) {
  const { outputFiles, metafile } = await esbuild.build({
    stdin: { contents: code, resolveDir: root },
    // Where the package is not installed, its dependencies are found here.
    nodePaths: [path.join(root, 'node_modules')],
    absWorkingDir: root,
    outdir: '/bundle',
    bundle: true,
    minify: true,
    // Loaded when it is needed.
    external: [path.join(dist, 'esm/testing/*.js')],
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    write: false,
    legalComments: 'none',
    ...options,
  });
  const names = Object.keys(metafile.outputs);
  const first = new Set(names.filter((name) => metafile.outputs[name].entryPoint === '<stdin>'));
  for (const name of first) {
    for (const { path: next, kind } of metafile.outputs[name].imports) if (kind === 'import-statement') first.add(next);
  }
  const textOf = (which) =>
    Buffer.concat(names.flatMap((name, i) => (which(name) ? [Buffer.from(outputFiles[i].contents)] : [])));
  const inputs = {};
  for (const name of first) {
    for (const [input, { bytesInOutput }] of Object.entries(metafile.outputs[name].inputs)) {
      inputs[input] = (inputs[input] ?? 0) + bytesInOutput;
    }
  }
  return { text: textOf((name) => first.has(name)), later: textOf((name) => !first.has(name)), inputs };
}

const sizesOf = (bytes) => ({
  min: bytes.length,
  gzip: gzipSync(bytes, { level: 9 }).length,
  brotli: brotliCompressSync(bytes).length,
});

/** The bytes of a bundle by library and by folder of the package, the largest first. */
function partsOf(inputs) {
  const parts = {};
  for (const [input, bytes] of Object.entries(inputs)) {
    const library = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!dist\/esm)/.exec(
      input.replace(/^.*\bdist\/esm\//, ''),
    )?.[1];
    const folders = input.split('/esm/').at(-1).split('/').slice(0, -1);
    const part = library ?? (folders.length === 0 ? '(own root)' : folders.slice(0, 2).join('/'));
    parts[part] = (parts[part] ?? 0) + bytes;
  }
  return Object.entries(parts).sort(([, a], [, b]) => b - a);
}

/** What evaluating the module costs a fresh process, the best of five. */
function bootOf(text) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'phaser-inview-boot-'));
  try {
    writeFileSync(path.join(folder, 'bundle.mjs'), text);
    // What a browser has anyway, Node loads when it is first used.
    const code = `void [Request, Response, Headers, FormData, ReadableStream, TextEncoder, WebAssembly];
      gc(); const before = process.memoryUsage(); const start = performance.now();
      await import('./bundle.mjs');
      const ms = performance.now() - start; gc();
      const after = process.memoryUsage();
      console.log(JSON.stringify({ ms, heapBytes: after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers }));`;
    const runs = Array.from({ length: 5 }, () =>
      JSON.parse(
        execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', code], {
          cwd: folder,
          encoding: 'utf8',
        }),
      ),
    );
    return runs.sort((a, b) => a.ms - b.ms)[0];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const umd = readFileSync(path.join(dist, 'umd/phaser-inview.umd.js'));
const bundles = await Promise.all(Object.entries(USES).map(async ([use, code]) => [use, await bundle(code)]));
const core = bundles[0][1];
const { later } = await bundle(USES['both plugins'], { splitting: true, external: [] });
const sizes = Object.fromEntries([
  ...bundles.map(([use, { text }]) => [use, sizesOf(text)]),
  ['test ads, loaded when needed', sizesOf(later)],
  ['script tag (UMD)', sizesOf(umd)],
]);

if (process.argv.includes('--json')) {
  console.log(JSON.stringify(sizes));
} else {
  const number = (value) => value.toLocaleString('en-US');
  const rows = Object.entries(sizes).map(
    ([use, { min, gzip, brotli }]) => `| ${use} | ${[min, gzip, brotli].map(number).join(' | ')} |`,
  );
  const { ms, heapBytes } = bootOf(core.text);
  const text = `# What a game downloads

In bytes, bundled by esbuild as a game's bundler does it, the libraries the package uses inside and Phaser left out.
\`npm run build && npm run size -- --write\` writes this page and \`size-budgets.json\`, against which a test holds each build.

| what the game uses | minified | gzip | brotli |
| --- | ---: | ---: | ---: |
${rows.join('\n')}

To start: evaluating both plugins takes ${ms.toFixed(1)} ms and leaves ${number(Math.round(heapBytes / 1024))} KiB, its own code included (Node ${process.versions.node.split('.')[0]}, the best
of five fresh processes on the machine that wrote this page).

## What both plugins are made of

| part | minified |
| --- | ---: |
${partsOf(core.inputs)
  .map(([part, bytes]) => `| ${part} | ${number(bytes)} |`)
  .join('\n')}
`;
  const formatted = await prettier.format(text, { ...(await prettier.resolveConfig(root)), parser: 'markdown' });
  console.log(formatted);
  if (process.argv.includes('--write')) {
    writeFileSync(path.join(root, 'docs/size.md'), formatted);
    writeFileSync(path.join(root, 'size-budgets.json'), `${JSON.stringify(sizes, null, 2)}\n`);
  }
}
