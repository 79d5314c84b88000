import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** What a page is run with. */
export interface PageSetting {
  /** The Phaser it loads: a package of this project. Default `phaser`, the version developed on. */
  readonly phaserPackage?: 'phaser' | 'phaser-3.60' | 'phaser-3.80' | 'phaser-3.85' | 'phaser-4.0' | 'phaser-4.2';
  /** HTML to build it into, relative to the project's folder. Default: an empty page. */
  readonly template?: string;
}

/** The process that started the run: a page is built once for all its workers, never taken from an earlier run. */
const RUN = 'PHASER_INVIEW_TEST_RUN';

/** Where bundled pages lie. */
const pagesFolder = () => path.resolve('node_modules/.cache/pages');

const bundles = new Map<string, Promise<string>>();

/**
 * Bundles a TypeScript file into a web page that runs it, once per test run.
 *
 * The entry may import the sources of `src` (also as `phaser-inview`), `phaser` as `import * as Phaser from 'phaser'`,
 * and rexUI and its await loader; those libraries come by script tag, minified as published. What the test is to
 * reach, the entry hangs on `window`. The result is a folder with an `index.html`, to be given to `servePages`.
 *
 *     const folder = await bundlePage('__tests__/browser/pages/ring.ts');
 *     const older = await bundlePage('__tests__/browser/pages/ring.ts', { phaserPackage: 'phaser-3.60' });
 *
 * @param entry path of the file, relative to the project's folder
 * @throws Error with the bundler's messages
 */
export function bundlePage(entry: string, setting: PageSetting = {}): Promise<string> {
  const name = `${path.basename(entry, '.ts')}-${digest(JSON.stringify([entry, setting]))}`;
  const known = bundles.get(name);
  if (known) return known;
  const bundle = build(name, entry, setting);
  bundles.set(name, bundle);
  return bundle;
}

/** Starts a run: drops the pages of runs that have ended. Called once, by the process that starts the workers. */
export async function startRun(): Promise<void> {
  process.env[RUN] = String(process.pid);
  await mkdir(pagesFolder(), { recursive: true });
  for (const run of await readdir(pagesFolder())) {
    if (!isRunning(Number(run))) await rm(path.join(pagesFolder(), run), { recursive: true, force: true });
  }
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}

async function build(name: string, entry: string, setting: PageSetting): Promise<string> {
  const folder = path.join(pagesFolder(), process.env[RUN] ?? String(process.pid), name);
  if (existsSync(folder)) return folder;

  // Two workers may build the same page at once; each builds its own, and the first to finish gives it its name.
  await mkdir(path.dirname(folder), { recursive: true });
  const output = await mkdtemp(`${folder}-`);
  const page = {
    output,
    entry: path.resolve(entry),
    ...(setting.template === undefined ? {} : { template: path.resolve(setting.template) }),
    ...(setting.phaserPackage === undefined ? {} : { phaserPackage: setting.phaserPackage }),
  };
  try {
    // In its own process, which is what runs outside of tests too.
    await promisify(execFile)(process.execPath, ['scripts/bundle-page.mjs', JSON.stringify(page)]);
    await rename(output, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new Error(`${entry} does not bundle:\n${stderr || String(error)}`, { cause: error });
  } finally {
    await rm(output, { recursive: true, force: true });
  }
  return folder;
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
