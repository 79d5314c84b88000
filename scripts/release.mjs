/**
 * Makes the tarball of a release, after everything that must be true of one. Publishes nothing: its last lines say how.
 *
 *     npm run build && npm run release
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What the owner fills in before the first release; see CONTRIBUTING.md. */
const OWNERS_FIELDS = ['repository', 'homepage', 'bugs', 'author'];

const run = (command, parameters) => execFileSync(command, parameters, { encoding: 'utf8' }).trim();

function refuse(reason) {
  console.error(`No release: ${reason}`);
  process.exit(1);
}

if (run('git', ['status', '--porcelain']) !== '') refuse('there are changes that are not committed.');
if (!existsSync('dist/esm/index.js') || !existsSync('dist/umd/phaser-inview.umd.js')) refuse('first: npm run build');

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { name, version } = manifest;
const missing = OWNERS_FIELDS.filter((field) => !manifest[field]);
if (missing.length > 0) refuse(`package.json has no ${missing.join(', ')}.`);
// Its own section, not that of a version that begins alike.
const heading = readFileSync('CHANGELOG.md', 'utf8')
  .split(/\s*\n/)
  .find((line) => line.split(' ', 2).join(' ') === `## ${version}`);
if (heading === undefined) refuse(`CHANGELOG.md has no section "${version}".`);
if (/unreleased/i.test(heading)) refuse(`CHANGELOG.md calls version ${version} unreleased: write its date there.`);
if (run('git', ['tag', '--list', `v${version}`]) !== '') refuse(`version ${version} is tagged already.`);
refuseOldBuild();

const tarball = run('npm', ['pack', '--ignore-scripts']).split('\n').at(-1);
if (spawnSync(process.execPath, ['scripts/checkPackage.mjs', tarball], { stdio: 'inherit' }).status !== 0) {
  rmSync(tarball);
  refuse('the package has faults, see above.');
}
console.log(`${tarball} is ready. Now:
  git tag v${version} && git push origin v${version}
  npm publish ${tarball}
${name} ${version}`);

/** A build of other sources than these is none: what is built now has to be what lies there. */
function refuseOldBuild() {
  const fresh = mkdtempSync(path.join(os.tmpdir(), 'phaser-inview-release-'));
  try {
    execFileSync(process.execPath, ['scripts/build.mjs', fresh]);
    for (const folder of ['esm', 'umd']) {
      const files = filesOf(path.join(fresh, folder));
      const isSame =
        files.join() === filesOf(path.join('dist', folder)).join() &&
        files.every((file) =>
          readFileSync(path.join(fresh, folder, file)).equals(readFileSync(path.join('dist', folder, file))),
        );
      if (!isSame) refuse(`dist/${folder} is not built of these sources. First: npm run build`);
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}
