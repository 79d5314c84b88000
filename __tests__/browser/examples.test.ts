import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { buildPackage, type InstalledPackage } from '../helpers/buildPackage.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { takePicture } from '../helpers/takePicture.js';
import { type RunningDemo, serveDemo } from './demo/serveDemo.js';

const EXAMPLES = path.resolve('examples');
/** What examples take from the clone they lie in. */
const FROM_CLONE = ['__tests__/helpers/prebidServer', 'demo/service/creatives'];
/** Example → how its `npm start` is told the port. */
const STARTS = {
  'vite-ts': ['--port'],
  'script-tag': [],
  react: ['--port'],
  next: ['--port'],
  'house-ads': ['--port'],
  'tiled-map': ['--port'],
  'own-backend': [],
  prebid: ['--port'],
} as const;

let installed: InstalledPackage;
/** Outside of this project, and of every `node_modules`: Next takes what lies in one for somebody else's code. */
let folder: string;
/** What stands for another project of the developer's, see {@link VITE_PORT}. */
let neighbour: Server;
let browser: Browser;
let service: RunningDemo;

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * The examples beside each other in one project, with what all of them depend on installed once: they would share most of
 * it, and none may want another version than the next. The package is the tarball that is tested.
 */
async function install(): Promise<void> {
  const wanted: Record<string, string> = {};
  for (const part of FROM_CLONE) await cp(part, path.join(folder, part), { recursive: true });
  for (const name of Object.keys(STARTS)) {
    await cp(path.join(EXAMPLES, name), path.join(folder, 'examples', name), { recursive: true });
    const { dependencies, devDependencies } = JSON.parse(await readFile(path.join(EXAMPLES, name, 'package.json'), 'utf8')) as Manifest; // prettier-ignore
    for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect([name, dependency, wanted[dependency] ?? version]).toEqual([name, dependency, version]);
      wanted[dependency] = version;
    }
  }
  // In a clone the repository's own paths lie above the examples: a bundler that looks there must not take the sources.
  const paths = { 'phaser-inview': ['./notForExamples.ts'] };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { paths } }));
  await writeFile(path.join(folder, 'notForExamples.ts'), `throw new Error('the sources of the repository');`);
  wanted['phaser-inview'] = `file:${installed.tarball}`;
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: wanted }));
  for (const name of Object.keys(STARTS)) await symlink('../../node_modules', path.join(folder, 'examples', name, 'node_modules')); // prettier-ignore
  await promisify(execFile)('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: folder,
  });
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

/** Vite's own port for telling pages of changes, where it has no server of its own: some other project has it. */
const VITE_PORT = 24_678;

/** `npm start` in the folder of an example, in a process group of its own. */
function start(name: keyof typeof STARTS, port: number): ChildProcess {
  const portArguments = STARTS[name].flatMap((flag) => [flag, String(port)]);
  return spawn('npm', ['start', '--', ...portArguments], {
    cwd: path.join(folder, 'examples', name),
    env: {
      ...process.env,
      PORT: String(port),
      SERVICE_URL: `${service.origin}/api`,
      NODE_ENV: 'development',
      NEXT_TELEMETRY_DISABLED: '1',
    },
    detached: true,
    stdio: 'ignore',
  });
}

/** With all that it has started. */
async function end(server: ChildProcess): Promise<void> {
  const ended = server.exitCode === null ? once(server, 'exit') : null;
  try {
    process.kill(-server.pid!, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
  await ended;
}

async function reachable(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

beforeAll(async () => {
  installed = await buildPackage();
  folder = await mkdtemp(path.join(os.tmpdir(), 'examples-'));
  await install();
  service = await serveDemo(EXAMPLES);
  // Where it is taken already, it is taken.
  neighbour = createServer((socket) => socket.destroy())
    .on('error', () => undefined)
    .listen(VITE_PORT);
  browser = await launchBrowser();
}, 600_000);
afterAll(async () => {
  neighbour?.close();
  await browser?.close();
  await service?.close();
  await installed?.remove();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('the examples', () => {
  it('are all tried', async () => {
    const folders = (await readdir(EXAMPLES, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    expect(Object.keys(STARTS).sort()).toEqual(folders.map(({ name }) => name).sort());
  });

  it.each(Object.keys(STARTS) as (keyof typeof STARTS)[])(
    '%s: npm start serves a page on which an ad is seen',
    async (name) => {
      const port = await freePort();
      const url = `http://localhost:${port}/`;
      const server = start(name, port);
      const page = await browser.newPage({ viewport: { width: 800, height: 450 } });
      const heard: string[] = [];
      page.on('console', (message) => heard.push(message.text()));
      page.on('pageerror', (error) => heard.push(`fault: ${String(error)}`));
      try {
        await reachable(url);
        await page.goto(url);
        for (let i = 0; i < 300 && !heard.some((text) => text.startsWith('seen')); i++) await page.waitForTimeout(100);
        expect(heard).toContainEqual(expect.stringMatching(/^seen \d/));
        expect(heard.filter((text) => text.startsWith('fault'))).toEqual([]);
        const shots = process.env['SCREENSHOTS'];
        if (shots !== undefined) await takePicture(page, `${shots}/${name}.webp`);
      } finally {
        await page.close();
        await end(server);
      }
    },
  );
});
