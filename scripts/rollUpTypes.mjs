import path from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

/**
 * Writes one declaration file for each entry, with its public names and what they need, and `shared.d.ts` with what
 * several entries need.
 *
 * @param {readonly string[]} entries declaration files as the compiler writes them, beside those they import
 * @param {string} outDir
 */
export async function rollUpTypes(entries, outDir) {
  const bundle = await rollup({
    input: Object.fromEntries(entries.map((file) => [path.basename(file, '.d.ts'), file])),
    external: ['phaser'],
    plugins: [dts()],
    onwarn(warning, warn) {
      // Types that are named by public ones and have no public name of their own.
      if (!warning.message.includes('private shared type exports')) warn(warning);
    },
  });
  await bundle.write({
    dir: outDir,
    format: 'es',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'shared.d.ts',
    plugins: [{ name: 'plain-arrays', renderChunk: (code) => plainArrays(code) }],
    manualChunks: (id, { getModuleInfo }) => (entriesOf(id, getModuleInfo) > 1 ? 'shared' : undefined),
  });
}

/** Compilers before 5.7 know no typed array with a type argument. */
function plainArrays(code) {
  return code.replace(/\b(\w+Array)<ArrayBuffer(Like)?>/g, '$1');
}

/** By how many entries a file is needed. */
function entriesOf(id, getModuleInfo) {
  const seen = new Set([id]);
  for (const file of seen) for (const importer of getModuleInfo(file).importers) seen.add(importer);
  return [...seen].filter((file) => getModuleInfo(file).isEntry).length;
}
