import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Copies the sources, in place of the real build: what matters is whether the outcome is what lies in `dist`. */
const BUILD = `import { cpSync } from 'node:fs';
const dist = process.argv[2] ?? 'dist';
cpSync('src/index.js', dist + '/esm/index.js');
cpSync('src/index.js', dist + '/umd/phaser-inview.umd.js');`;
/** As the real one, it fails with what it finds. */
const CHECK = `import { existsSync } from 'node:fs';
if (!process.argv[2].endsWith('.tgz') || existsSync('src/faulty.js')) process.exit(1);`;
const MANIFEST = { name: 'phaser-inview', version: '0.2.0', files: ['dist'], repository: 'x', homepage: 'x', bugs: 'x', author: 'x' }; // prettier-ignore

let folder: string;
const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
};
const git = (...given: string[]): void => {
  spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...given], { cwd: folder });
};
/** Commits everything, after a file was written. */
const commit = (file: string, text: string): void => {
  write(file, text);
  git('add', '-A');
  git('commit', '-qm', 'all of it');
};
const release = (): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return status === 0 ? stdout : `refused: ${stderr}`;
};

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'release-'));
  git('init', '-q');
  write('scripts/release.mjs', readFileSync('scripts/release.mjs', 'utf8'));
  write('scripts/build.mjs', BUILD);
  write('scripts/checkPackage.mjs', CHECK);
  write('src/index.js', 'export {};');
  write('.gitignore', 'dist\n*.tgz\n');
  write('CHANGELOG.md', '# Changelog\n\n## 0.2.0\n');
  commit('package.json', JSON.stringify(MANIFEST));
  spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: folder });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run release', () => {
  it('makes the tarball of what is committed and built, publishes nothing, and says how to', () => {
    const said = release();
    expect(said).toContain('git tag v0.2.0');
    expect(said).toContain('npm publish phaser-inview-0.2.0.tgz');
    expect(existsSync(path.join(folder, 'phaser-inview-0.2.0.tgz'))).toBe(true);
  });

  it.each<[string, () => void, RegExp]>([
    ['a file that is not committed', () => write('src/more.js', ''), /not committed/],
    ['a change that is not committed', () => write('CHANGELOG.md', 'x'), /not committed/],
    ['no build', () => rmSync(path.join(folder, 'dist'), { recursive: true }), /npm run build/],
    ['a build of other sources', () => commit('src/index.js', 'export const a = 1;'), /not built of these sources/],
    ['a build with a file too many', () => write('dist/esm/old.js', ''), /not built of these sources/],
    ['a version that is tagged', () => git('tag', 'v0.2.0'), /tagged already/],
    ['a version of which CHANGELOG.md says nothing', () => commit('CHANGELOG.md', '# Changelog\n\n## 0.2.01\n'), /CHANGELOG/],
    ['a version that CHANGELOG.md calls unreleased', () => commit('CHANGELOG.md', '# Changelog\n\n## 0.2.0 (unreleased)\n'), /unreleased/],
    ['fields that the owner has not filled in', () => commit('package.json', JSON.stringify({ ...MANIFEST, bugs: undefined, author: '' })), /bugs, author/],
    ['a package that is found fault with', () => commit('src/faulty.js', ''), /faults/],
  ])('refuses %s', (_name, spoil, reason) => {
    spoil();
    expect(release()).toMatch(new RegExp(`^refused: [^]*No release: [^]*${reason.source}`));
    expect(existsSync(path.join(folder, 'phaser-inview-0.2.0.tgz'))).toBe(false);
  }); // prettier-ignore
});
