import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ChromiumBinary } from './startChromium.js';

/** Whether the Chromium that npm installs can run on this machine at all: a glibc build for Linux on x64. */
export function npmChromiumFits(): boolean {
  return process.platform === 'linux' && process.arch === 'x64' && !existsSync('/etc/alpine-release');
}

/**
 * The headless Chromium that comes as an npm package, unpacked once into `node_modules/.cache`. It brings its own
 * font and its own software renderer, so it draws the same pixels everywhere.
 *
 * @param root the project's folder
 * @returns the binary on the system's libraries first, then on the libraries packed with it, for machines that lack
 * them (they are not the default, since they may be older than what the system offers)
 */
export async function unpackNpmChromium(root: string): Promise<ChromiumBinary[]> {
  const source = path.join(root, 'node_modules/@sparticuz/chromium');
  const manifest = JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8')) as { version: string };
  const folder = path.join(root, 'node_modules/.cache', `npm-chromium-${manifest.version}`);
  if (!existsSync(folder)) await unpack(source, folder);

  const origin = `npm package @sparticuz/chromium ${manifest.version}`;
  const executablePath = path.join(folder, 'chromium');
  const env = { FONTCONFIG_FILE: path.join(folder, 'fonts.conf') };
  const libraries = path.join(folder, 'al2023/lib');
  return [
    { origin, executablePath, env },
    { origin: `${origin}, with its own libraries`, executablePath, env: { ...env, LD_LIBRARY_PATH: libraries } },
  ];
}

/** Unpacks under a temporary name: what stands under the real name is always whole, whoever else unpacks meanwhile. */
async function unpack(source: string, folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const staging = await mkdtemp(`${folder}-`);
  try {
    // The package unpacks into the temporary directory, and adds the libraries only on hosts it takes for AWS ones:
    // both are said to a child process alone.
    const script = `
      const { default: chromium } = await import(${JSON.stringify(path.join(source, 'build/esm/index.js'))});
      await chromium.executablePath();`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TMPDIR: staging, CODEBUILD_BUILD_IMAGE: 'nodejs20' },
    });
    // Its own font configuration names folders of the host it was made for; without this one text has no width.
    await writeFile(path.join(staging, 'fonts.conf'), FONT_CONFIGURATION);
    await rename(staging, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Relative to the file it is in, so that the project's folder may be moved. */
const FONT_CONFIGURATION = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;
