import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { oncePerRun } from './oncePerRun.js';

const run = promisify(execFile);

/** The package as it would be published, installed in an otherwise empty project. */
export interface InstalledPackage {
  /** The project: `phaser-inview` is in its `node_modules`, Phaser and our dependencies above it. */
  readonly project: string;
  /** `dist` of the package. */
  readonly dist: string;
  /** The file `npm pack` has made. */
  readonly tarball: string;
  remove(): Promise<void>;
}

/**
 * Builds the package aside, once in a test run, so that a test judges today's sources and never a `dist` that happens to lie
 * there, and installs what `npm pack` makes of it.
 */
export async function buildPackage(): Promise<InstalledPackage> {
  const packed = await oncePerRun('package', pack);
  const tarball = path.join(
    packed,
    (await readdir(packed)).find((file) => file.endsWith('.tgz'))!,
  );
  const project = await mkdtemp(path.join(path.resolve('node_modules/.cache'), 'consumer-'));
  // Without one the project would be a folder of this package, whose own name a bundler finds before any `node_modules`.
  await writeFile(path.join(project, 'package.json'), '{ "name": "consumer", "private": true }');
  const modules = path.join(project, 'node_modules');
  const installed = path.join(modules, 'phaser-inview');
  await mkdir(modules);
  await run('tar', ['-xzf', tarball, '-C', modules]);
  await rename(path.join(modules, 'package'), installed);
  return {
    project,
    dist: path.join(installed, 'dist'),
    tarball,
    remove: () => rm(project, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** What every consumer of one run installs. */
async function pack(folder: string): Promise<void> {
  const published = path.join(folder, 'published');
  await run(process.execPath, ['scripts/build.mjs', path.join(published, 'dist')]);
  for (const file of [
    'package.json',
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'docs',
    'editor',
    'skills',
  ]) {
    await cp(file, path.join(published, file), { recursive: true });
  }
  // Its scripts would build once more.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: published });
}
