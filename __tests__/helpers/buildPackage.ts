import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** The package as it would be published, installed in an otherwise empty project. */
export interface InstalledPackage {
  /** The project: `phaser-inview` is in its `node_modules`, Phaser and our dependencies above it. */
  readonly project: string;
  /** `dist` of the package. */
  readonly dist: string;
  remove(): Promise<void>;
}

/** Builds the package aside, so that a test judges today's sources and never a `dist` that happens to lie there. */
export async function buildPackage(): Promise<InstalledPackage> {
  const cache = path.resolve('node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const project = await mkdtemp(path.join(cache, 'consumer-'));
  const published = path.join(project, 'published');
  const dist = path.join(published, 'dist');
  await mkdir(path.join(project, 'node_modules'));
  await promisify(execFile)(process.execPath, ['scripts/build.mjs', dist]);
  await cp('package.json', path.join(published, 'package.json'));
  await symlink(published, path.join(project, 'node_modules/phaser-inview'), 'junction');
  return { project, dist, remove: () => rm(project, { recursive: true, force: true }) };
}
