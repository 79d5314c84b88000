/**
 * What a game downloads for each way to use the package, and what it costs to start, as a table.
 *
 *     node scripts/size.mjs [dist]           prints the table for a built package, default `dist`
 *     node scripts/size.mjs [dist] --write   writes docs/size.md and size-budgets.json
 *     node scripts/size.mjs [dist] --json    prints the figures alone
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

/** What most games write. */
const PLUGINS = `export { AdsGlobalPlugin, AdsScenePlugin } from ${file('index')}`;

/** Other ways to use the package. */
const USES = {
  'everything of the root': `export * from ${file('index')}`,
  AdsEvents: `export { AdsEvents } from ${file('index')}`,
  isAdsError: `export { isAdsError } from ${file('index')}`,
  ServiceClient: `export { ServiceClient } from ${file('index')}`,
  'both plugins and /openrtb': `export { AdsGlobalPlugin, AdsScenePlugin } from ${file('index')}; export * from ${file('openrtb')}`,
  'both plugins and /static': `export { AdsGlobalPlugin, AdsScenePlugin } from ${file('index')}; export * from ${file('static')}`,
};

/** What the package loads by itself when the game begins, by what draws the game. */
const LATER = {
  'WebGL of Phaser 3': ['meter/FrameMeter', 'meter/engines/phaser3'],
  'WebGL of Phaser 4': ['meter/FrameMeter', 'meter/engines/phaser4'],
  Canvas: ['meter/FrameMeter', 'meter/engines/canvas'],
  'test ads': ['testing/serveTestAd', 'testing/paintTestAd'],
};

/** Leaves out what is loaded later. */
const leaveLater = {
  name: 'leave what is loaded later',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ kind, path: request }) =>
      kind === 'dynamic-import' ? { path: request, external: true } : undefined,
    );
  },
};

/** The files a game's bundler makes, Phaser left out: what is loaded at once, and by each entry of {@link LATER} what comes on top. */
async function bundle(code, { splitting }) {
  const { outputFiles, metafile } = await esbuild.build({
    stdin: { contents: code, resolveDir: root },
    // Where the package is not installed, its dependencies are found here.
    nodePaths: [path.join(root, 'node_modules')],
    absWorkingDir: root,
    outdir: '/bundle',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    write: false,
    legalComments: 'none',
    splitting,
    plugins: splitting ? [] : [leaveLater],
  });
  const outputs = Object.entries(metafile.outputs).map(([name, output], i) => ({
    name,
    ...output,
    bytes: Buffer.from(outputFiles[i].contents),
  }));
  /** What comes with a file, itself included. */
  const withImports = (entry) => {
    const files = new Set(outputs.filter(({ entryPoint }) => entryPoint !== undefined && entry(entryPoint)));
    for (const { imports } of files) {
      for (const { path: next, kind } of imports) {
        if (kind === 'import-statement') files.add(outputs.find(({ name }) => name === next));
      }
    }
    return files;
  };
  const first = withImports((entryPoint) => entryPoint === '<stdin>');
  const later = Object.entries(LATER).map(([what, entries]) => {
    const files = withImports((entryPoint) => entries.some((entry) => entryPoint.endsWith(`/esm/${entry}.js`)));
    return [what, [...files].filter((output) => !first.has(output))];
  });
  return { first: [...first], later: Object.fromEntries(later) };
}

/** Of several files, each compressed by itself, as a server sends them. */
function sizesOf(files) {
  const sizes = { min: 0, gzip: 0, brotli: 0 };
  for (const { bytes } of files) {
    sizes.min += bytes.length;
    sizes.gzip += gzipSync(bytes, { level: 9 }).length;
    sizes.brotli += brotliCompressSync(bytes).length;
  }
  return sizes;
}
/** The bytes of files by library and by folder of the package, the largest first: at once, and in the second list. */
function partsOf(first, later) {
  const parts = {};
  [first, later].forEach((files, column) => {
    for (const [input, { bytesInOutput }] of files.flatMap(({ inputs }) => Object.entries(inputs))) {
      const library = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!dist\/esm)/.exec(
        input.replace(/^.*\bdist\/esm\//, ''),
      )?.[1];
      const folders = input.split('/esm/').at(-1).split('/').slice(0, -1);
      const part = library ?? (folders.length === 0 ? '(own root)' : folders.slice(0, 2).join('/'));
      (parts[part] ??= [0, 0])[column] += bytesInOutput;
    }
  });
  return Object.entries(parts).sort(([, a], [, b]) => b[0] + b[1] - a[0] - a[1]);
}

/** What evaluating files costs a fresh process, all at once: the least of five. */
function bootOf(files) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'phaser-inview-boot-'));
  try {
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
    for (const { name, bytes } of files) writeFileSync(path.join(folder, path.basename(name)), bytes);
    const entries = files.filter(({ entryPoint }) => entryPoint !== undefined).map(({ name }) => path.basename(name));
    // What a browser has anyway, Node loads when it is first used. One collection is not enough: depending on how busy
    // the machine is, up to 0.6 MB of what compiling needed goes with a later one only.
    const code = `void [Request, Response, Headers, FormData, ReadableStream, TextEncoder, WebAssembly];
      const settle = async () => {
        for (let i = 0; i < 5; i++) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          gc();
        }
      };
      await settle(); const before = process.memoryUsage(); const start = performance.now();
      for (const entry of ${JSON.stringify(entries)}) await import('./' + entry);
      const ms = performance.now() - start; await settle();
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
    const least = (kind) => Math.min(...runs.map((run) => run[kind]));
    return { ms: least('ms'), heapBytes: least('heapBytes') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const umd = readFileSync(path.join(dist, 'umd/phaser-inview.umd.js'));
const { first, later } = await bundle(PLUGINS, { splitting: true });
const { 'test ads': testAds, ...engines } = later;
const wholes = Object.entries(engines).map(([what, files]) => [
  `both plugins in a game on ${what}`,
  [...first, ...files],
]);
const uses = await Promise.all(
  Object.entries(USES).map(async ([use, code]) => [use, (await bundle(code, { splitting: false })).first]),
);
const sizes = Object.fromEntries(
  [
    ['both plugins, before the game begins', first],
    ...wholes,
    ...uses,
    ['test ads, on top', testAds],
    ['script tag (UMD)', [{ bytes: umd }]],
  ].map(([use, files]) => [use, sizesOf(files)]),
);

const { ms, heapBytes } = bootOf(wholes[0][1]);
const node = Number(process.versions.node.split('.')[0]);
const all = { ...sizes, 'to start': { heap: heapBytes, node } };

if (process.argv.includes('--json')) {
  console.log(JSON.stringify(all));
} else {
  const number = (value) => value.toLocaleString('en-US');
  const rows = Object.entries(sizes).map(
    ([use, { min, gzip, brotli }]) => `| ${use} | ${[min, gzip, brotli].map(number).join(' | ')} |`,
  );
  const text = `# What a game downloads

In bytes, bundled by esbuild as a game's bundler does it, the libraries the package uses inside and Phaser left out.
\`npm run build && npm run size -- --write\` writes this page and \`size-budgets.json\`, against which a test holds each build.

What measures ads is a part of its own, of which a game loads what reads its renderer: the bundler makes files of it, and both
plugins ask for them when the game begins. The lines about a game are all it loads. A script tag has everything in one file.

| what the game uses | minified | gzip | brotli |
| --- | ---: | ---: | ---: |
${rows.join('\n')}

To start: evaluating both plugins with what measures ${Object.keys(engines)[0]} takes ${ms.toFixed(1)} ms and leaves ${number(Math.round(heapBytes / 1024))} KiB, its own code included (Node ${node}, the least
of five fresh processes on the machine that wrote this page).

## What both plugins are made of

Minified; what is loaded later in a game on ${Object.keys(engines)[0]}.

| part | at once | later |
| --- | ---: | ---: |
${partsOf(first, Object.values(engines)[0])
  .map(([part, [now, then]]) => `| ${part} | ${number(now)} | ${number(then)} |`)
  .join('\n')}
`;
  const formatted = await prettier.format(text, { ...(await prettier.resolveConfig(root)), parser: 'markdown' });
  console.log(formatted);
  if (process.argv.includes('--write')) {
    writeFileSync(path.join(root, 'docs/size.md'), formatted);
    writeFileSync(path.join(root, 'size-budgets.json'), `${JSON.stringify(all, null, 2)}\n`);
  }
}
