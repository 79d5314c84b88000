import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { DEMO_APPLICATION } from '../../../demo/service/seedDemo.js';
import { startService, type RunningService } from '../../../demo/service/startService.js';
import { bundlePage } from '../../helpers/bundlePage.js';
import { findBrowser } from '../../helpers/findBrowser.js';
import { servePages, type PageServer } from '../../helpers/servePages.js';

export { DEMO_APPLICATION };

/** The real service, the reporting page, and an ear for what pages announce. */
export class ReportingSite {
  /** Names of events that a page has announced as committed on disk. */
  readonly announced = new Set<string>();
  /** Names of those announced as kept in memory, which end with their page. */
  readonly inMemory = new Set<string>();
  /** Announced before the browser deleted all storage of the origin, other databases than ours included. */
  readonly #deleted = new Set<string>();
  /** How often it has done so. */
  storageDeletions = 0;
  #storageId: string | null = null;
  #onAnnounced: (() => void)[] = [];

  private constructor(
    readonly service: RunningService,
    readonly pages: PageServer,
    readonly ear: Server,
  ) {}

  static async open(): Promise<ReportingSite> {
    const service = await startService();
    const pages = await servePages({ '/': await bundlePage('__tests__/browser/report/page.ts') });
    const ear = createServer();
    await new Promise<void>((resolve) => ear.listen(0, '127.0.0.1', resolve));
    const site = new ReportingSite(service, pages, ear);
    ear.on('request', (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const [what, name] = body.split(' ');
        if (what === 'storage') site.#storageIs(name!);
        else if (name !== undefined) (what === 'disk' ? site.announced : site.inMemory).add(name);
        response.writeHead(204).end();
        for (const told of site.#onAnnounced.splice(0)) told();
      });
    });
    return site;
  }

  /** Address of the page that records an event every so many milliseconds; 0: none by itself. */
  url(name: string, everyMs: number): string {
    const { port } = this.ear.address() as AddressInfo;
    const query = new URLSearchParams({ service: this.service.baseUrl, announce: `http://127.0.0.1:${port}/`, name, every: String(everyMs) }); // prettier-ignore
    return `${this.pages.url}/?${query.toString()}`;
  }

  /** Resolves with the next announcement of an event whose name begins so. */
  async nextAnnouncement(prefix: string): Promise<void> {
    while (![...this.announced, ...this.inMemory].some((name) => name.startsWith(prefix))) {
      await new Promise<void>((resolve) => this.#onAnnounced.push(resolve));
    }
  }

  /** How often each event is counted, by its name. */
  async counts(): Promise<Map<string, number>> {
    const rows = await this.service.db.all<{ event: string }>('SELECT event FROM events');
    const counts = new Map<string, number>();
    for (const { event } of rows) {
      const { adId } = JSON.parse(event) as { adId: string };
      counts.set(adId, (counts.get(adId) ?? 0) + 1);
    }
    return counts;
  }

  /** Announced and not counted, though the browser has kept its storage. */
  async missing(): Promise<string[]> {
    const counts = await this.counts();
    return [...this.announced].filter((name) => !counts.has(name) && !this.#deleted.has(name));
  }

  /**
   * Chromium appends to the log of its databases where a killed one has written half a record. It finds that log damaged
   * at the start after the next, and deletes every database of the origin. No page can do anything about that.
   */
  #storageIs(id: string): void {
    if (this.#storageId !== null && this.#storageId !== id) {
      this.storageDeletions++;
      for (const name of this.announced) this.#deleted.add(name);
    }
    this.#storageId = id;
  }

  async close(): Promise<void> {
    this.ear.closeAllConnections();
    this.ear.close();
    await this.pages.close();
    await this.service.close();
  }
}

/** A profile on disk, and browsers that are started on it one after another, to be killed. */
export class KillableBrowser {
  #process: ChildProcess | null = null;

  private constructor(readonly profile: string) {}

  static async onNewProfile(): Promise<KillableBrowser> {
    return new KillableBrowser(await mkdtemp(path.join(os.tmpdir(), 'reports-')));
  }

  /** Opens pages in a browser of its own process group, driven by nobody. */
  async open(...urls: string[]): Promise<void> {
    const { executablePath, env } = await findBrowser();
    const flags = [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-session-crashed-bubble',
      `--user-data-dir=${this.profile}`,
    ];
    const environment = { ...process.env, ...env };
    this.#process = spawn(executablePath, [...flags, ...urls], { detached: true, stdio: 'ignore', env: environment });
  }

  /** Ends every process of the browser in the same instant, without a word. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child?.pid === undefined) return;
    this.#process = null;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    process.kill(-child.pid, 'SIGKILL');
    await gone;
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
