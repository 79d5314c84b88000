import { existsSync, readdirSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { npmChromiumFits, unpackNpmChromium } from './npmChromium.js';
import { startChromium, type ChromiumBinary } from './startChromium.js';

/** Names the browser to use. It wins over everything else, and must work. */
const VARIABLE = 'CHROMIUM_PATH';

/** Carries the browser found by the main process to its workers. */
const REMEMBERED = 'PHASER_INVIEW_TEST_BROWSER';

/**
 * Finds a Chromium that starts and draws WebGL:
 *
 * 1. the one named by `CHROMIUM_PATH`, and no other if that is set;
 * 2. on Linux x64 the one that npm has installed with the other packages: the same pixels on every machine;
 * 3. an installed Chrome, Chromium or Edge, in the usual places and on the PATH;
 * 4. one that playwright has downloaded at some time.
 *
 * @throws Error if there is none: every attempt with its reason, and what to do. Tests never skip for want of it.
 */
export async function findBrowser(): Promise<ChromiumBinary> {
  const remembered = process.env[REMEMBERED];
  if (remembered) return JSON.parse(remembered) as ChromiumBinary;

  const attempts: string[] = [];
  for await (const binary of candidates(attempts)) {
    const fault = await whyUnusable(binary);
    if (fault === undefined) return binary;
    attempts.push(`${binary.origin} (${binary.executablePath}): ${fault}`);
  }
  throw new Error(
    [
      process.env[VARIABLE]
        ? `${VARIABLE} names a browser that cannot be used. Correct it, or unset it to have one searched for.`
        : `No usable browser. Install Chrome, Chromium or Edge, or set ${VARIABLE} to the path of one.`,
      ...(attempts.length > 0 ? attempts : ['Nothing was found to try.']).map((attempt) => `  - ${attempt}`),
    ].join('\n'),
  );
}

/** Browsers of this machine, besides the one that npm has installed: newer ones, mostly, as players have them. */
export async function findInstalledBrowsers(): Promise<ChromiumBinary[]> {
  const found: ChromiumBinary[] = [];
  for (const executablePath of installed()) {
    const binary: ChromiumBinary = { origin: 'installed', executablePath, env: {} };
    if ((await whyUnusable(binary)) === undefined) found.push(binary);
  }
  return found;
}

/** Lets every process started from here on use this browser without searching again. */
export function rememberBrowser(binary: ChromiumBinary): void {
  process.env[REMEMBERED] = JSON.stringify(binary);
}

async function* candidates(attempts: string[]): AsyncGenerator<ChromiumBinary> {
  const named = process.env[VARIABLE];
  if (named) {
    yield { origin: VARIABLE, executablePath: named, env: {} };
    return;
  }
  if (npmChromiumFits()) {
    try {
      yield* await unpackNpmChromium(process.cwd());
    } catch (error) {
      attempts.push(`npm package @sparticuz/chromium: ${firstLine(error)}`);
    }
  }
  for (const executablePath of installed()) yield { origin: 'installed', executablePath, env: {} };
  for (const executablePath of playwrightCache()) yield { origin: "playwright's cache", executablePath, env: {} };
}

/** One may go by several names. */
function installed(): Iterable<string> {
  const files = [...usualPlaces(), ...onPath()].filter((file) => existsSync(file));
  return new Map(files.map((file) => [realpathSync(file), file])).values();
}

async function whyUnusable(binary: ChromiumBinary): Promise<string | undefined> {
  try {
    const browser = await startChromium(binary);
    try {
      const page = await browser.newPage();
      const webgl = await page.evaluate(() => document.createElement('canvas').getContext('webgl') !== null);
      return webgl ? undefined : 'starts, but has no WebGL';
    } finally {
      await browser.close();
    }
  } catch (error) {
    return firstLine(error);
  }
}

/** The line that says why: the dynamic linker's or Chromium's own, if the message quotes one. */
function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const lines = message.split('\n').map((line) => line.trim());
  return lines.find((line) => /error while loading|ENOENT|EACCES|\bERROR\b/.test(line)) ?? lines[0] ?? message;
}

function usualPlaces(): string[] {
  switch (process.platform) {
    case 'darwin':
      return ['Google Chrome', 'Chromium', 'Microsoft Edge'].flatMap((name) =>
        ['/Applications', path.join(os.homedir(), 'Applications')].map((folder) =>
          path.join(folder, `${name}.app/Contents/MacOS/${name}`),
        ),
      );
    case 'win32':
      return ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData']
        .map((variable) => process.env[variable])
        .filter((folder) => folder !== undefined)
        .flatMap((folder) => [
          path.join(folder, 'Google/Chrome/Application/chrome.exe'),
          path.join(folder, 'Chromium/Application/chrome.exe'),
          path.join(folder, 'Microsoft/Edge/Application/msedge.exe'),
        ]);
    default:
      return ['/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge', '/snap/bin/chromium'];
  }
}

function onPath(): string[] {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const names = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'microsoft-edge', 'chrome'];
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name + suffix)));
}

function playwrightCache(): string[] {
  const folder = process.env['PLAYWRIGHT_BROWSERS_PATH'] ?? defaultPlaywrightCache();
  if (!existsSync(folder)) return [];
  const binaries = [
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
    'chrome-linux/headless_shell',
    'chrome-headless-shell-linux64/chrome-headless-shell',
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
    'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    'chrome-win/chrome.exe',
    'chrome-win64/chrome.exe',
  ];
  return readdirSync(folder)
    .filter((name) => name.startsWith('chromium'))
    .flatMap((name) => binaries.map((binary) => path.join(folder, name, binary)))
    .filter((file) => existsSync(file));
}

function defaultPlaywrightCache(): string {
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library/Caches/ms-playwright');
  if (process.platform === 'win32') return path.join(process.env['LocalAppData'] ?? '', 'ms-playwright');
  return path.join(os.homedir(), '.cache/ms-playwright');
}
