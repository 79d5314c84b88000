import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The process that started the run: what is built is built once for all its workers, never taken from an earlier run. */
const RUN = 'PHASER_INVIEW_TEST_RUN';
const LOOK_AGAIN_MS = 100;

/** Where what runs have built lies. */
const runsFolder = () => path.resolve('node_modules/.cache/pages');

/** Starts a run: drops what was built for runs that have ended. Called once, by the process that starts the workers. */
export async function startRun(): Promise<void> {
  process.env[RUN] = String(process.pid);
  await mkdir(runsFolder(), { recursive: true });
  for (const run of await readdir(runsFolder())) {
    if (!isRunning(Number(run))) await rm(path.join(runsFolder(), run), { recursive: true, force: true });
  }
}

/**
 * A folder that is filled by the first worker that asks for it; the others wait meanwhile, and leave it the processor.
 * @param fill builds into the given folder, which is renamed afterwards
 */
export async function oncePerRun(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = path.join(runsFolder(), process.env[RUN] ?? String(process.pid), name);
  const lock = `${folder}.lock`;
  await mkdir(path.dirname(folder), { recursive: true });
  while (!existsSync(folder)) {
    if (await take(lock)) {
      const output = await mkdtemp(`${folder}-`);
      try {
        await fill(output);
        await rename(output, folder);
      } finally {
        await rm(output, { recursive: true, force: true });
        await rm(lock, { force: true });
      }
    } else await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return folder;
}

/** False while another worker that lives holds it. */
async function take(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (holder !== 0 && !isRunning(holder)) await rm(lock, { force: true });
    return false;
  }
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
