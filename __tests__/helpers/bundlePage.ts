import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { oncePerRun } from './oncePerRun.js';

/** What a page is run with. */
export interface PageSetting {
  /** The Phaser it loads: a package of this project. Default `phaser`, the version developed on. */
  readonly phaserPackage?: 'phaser' | 'phaser-3.60' | 'phaser-3.80' | 'phaser-3.85' | 'phaser-4.0' | 'phaser-4.2';
  /** HTML to build it into, relative to the project's folder. Default: an empty page. */
  readonly template?: string;
}

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

function build(name: string, entry: string, setting: PageSetting): Promise<string> {
  return oncePerRun(name, async (output) => {
    const page = {
      output,
      entry: path.resolve(entry),
      ...(setting.template === undefined ? {} : { template: path.resolve(setting.template) }),
      ...(setting.phaserPackage === undefined ? {} : { phaserPackage: setting.phaserPackage }),
    };
    try {
      // In its own process, which is what runs outside of tests too.
      await promisify(execFile)(process.execPath, ['scripts/bundle-page.mjs', JSON.stringify(page)]);
    } catch (error) {
      const { stderr } = error as { stderr?: string };
      throw new Error(`${entry} does not bundle:\n${stderr || String(error)}`, { cause: error });
    }
  });
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
