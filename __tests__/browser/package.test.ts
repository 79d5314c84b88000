import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext } from 'playwright-core';
import { buildPackage, type InstalledPackage } from '../helpers/buildPackage.js';
import { wholePng } from '../helpers/hostileCreatives.js';
import { launchBrowser } from '../helpers/launchBrowser.js';
import { readSnippets } from '../helpers/readSnippets.js';
import { type PageServer, servePages } from '../helpers/servePages.js';

const run = promisify(execFile);

let installed: InstalledPackage;

const BUILD_MS = 240_000;

beforeAll(async () => {
  installed = await buildPackage();
}, BUILD_MS);

afterAll(() => installed.remove());

/** What a Node module prints as JSON about the package. */
async function inNode<T>(type: 'module' | 'commonjs', code: string): Promise<T> {
  const { stdout } = await run(process.execPath, [`--input-type=${type}`, '--eval', code], { cwd: installed.project });
  return JSON.parse(stdout) as T;
}

/** How the package can be imported. */
const ENTRIES = [
  'phaser-inview',
  'phaser-inview/consent',
  'phaser-inview/openrtb',
  'phaser-inview/static',
  'phaser-inview/testing',
  'phaser-inview/vast',
];

/** The names of all entries together, as modules have them. */
const byImport = () =>
  inNode<string[]>(
    'module',
    `const all = await Promise.all(${JSON.stringify(ENTRIES)}.map((entry) => import(entry)));
     console.log(JSON.stringify(all.flatMap((names) => Object.keys(names)).sort()));`,
  );

/** Its scripts as they are read, by their paths. */
async function scriptsOf({ dist }: InstalledPackage): Promise<Map<string, string>> {
  const files = await readdir(dist, { recursive: true });
  const scripts = files.filter((file) => file.endsWith('.js'));
  return new Map(
    await Promise.all(scripts.map(async (file) => [file, await readFile(path.join(dist, file), 'latin1')] as const)),
  );
}

describe('the built package', () => {
  it('gives the names of its entries by import, all of them by require, and prints nothing', async () => {
    const byRequire = await inNode<string[]>(
      'commonjs',
      `const all = ${JSON.stringify(ENTRIES)}.map((entry) => require(entry));
       console.log(JSON.stringify(all.every((names) => names === all[0]) && Object.keys(all[0]).sort()));`,
    );
    expect(byRequire).toEqual(expect.arrayContaining(['ServiceHooks', 'OpenRtbAds', 'StaticAds', 'TestAds']));
    expect(await byImport()).toEqual(byRequire);
  });

  it('gives what is for developers by an entry of its own, the same by import and by require', async () => {
    const byRequire = await inNode<unknown>(
      'commonjs',
      `console.log(JSON.stringify(Object.keys(require('phaser-inview/debug')).sort()));`,
    );
    expect(byRequire).toContain('showAdOverlay');
    expect(
      await inNode<unknown>(
        'module',
        `console.log(JSON.stringify(Object.keys(await import('phaser-inview/debug')).sort()));`,
      ),
    ).toEqual(byRequire);
  });

  it('holds no Phaser and, as modules, no dependency', async () => {
    const scripts = await scriptsOf(installed);
    const umd = scripts.get('umd/phaser-inview.umd.js')!;
    expect(umd).not.toContain('Phaser.Game');
    // Phaser itself has 1.2 million, and would triple this.
    expect(umd.length).toBeLessThan(585_000);
    expect(umd).not.toContain('showAdOverlay');
    const debug = scripts.get('umd/phaser-inview-debug.umd.js')!;
    expect([debug.length < 60_000, debug.includes('showAdOverlay')]).toEqual([true, true]);
    for (const file of scripts.keys()) if (file.startsWith('umd')) scripts.delete(file);
    const esm = [...scripts.values()].join('\n');
    expect(new Set([...esm.matchAll(/from "([^."][^"]*)"/g)].map(([, name]) => name))).toEqual(
      new Set([
        'axios/unsafe/adapters/fetch.js',
        'valibot',
        'idb',
        '@noble/hashes/hmac',
        '@noble/hashes/sha2',
        '@noble/hashes/utils',
      ]),
    );
  });

  it('W1: is written in ASCII, so that it means the same on a page that does not say how it is encoded', async () => {
    for (const text of (await scriptsOf(installed)).values()) {
      expect([...text.matchAll(/[^\0-\x7f]/g)].map(({ index }) => text.slice(index - 20, index + 20))).toEqual([]);
    }
  });

  it('works by a script tag after Phaser, or loaded by a scene: scenes have their ads', async () => {
    await cp('node_modules/phaser/dist/phaser.min.js', path.join(installed.dist, 'umd/phaser.min.js'));
    await writeFile(
      path.join(installed.dist, 'umd/index.html'),
      '<!doctype html><script src="phaser.min.js"></script><script src="phaser-inview.umd.js"></script><script src="phaser-inview-debug.umd.js"></script>',
    );
    await writeFile(path.join(installed.dist, 'umd/ad.png'), wholePng(64, 64));
    const server = await servePages({ '/': path.join(installed.dist, 'umd') });
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      // A server that says nothing of how its files are encoded.
      await page.route(/\/$|\.js$/, async (route) => {
        const response = await route.fetch();
        const contentType = response.headers()['content-type']!.split(';')[0]!;
        await route.fulfill({ response, headers: { ...response.headers(), 'content-type': contentType } });
      });
      await page.goto(`${server.url}/`);
      expect(await page.evaluate('Object.keys(PhaserInview).sort()')).toEqual(await byImport());
      const type = await page.evaluate(`new Promise((resolve) => new Phaser.Game({
        type: Phaser.CANVAS,
        audio: { noAudio: true },
        plugins: {
          global: [{ key: 'AdsGlobalPlugin', plugin: PhaserInview.AdsGlobalPlugin, start: true,
                     data: { apiKey: 'key', privateKey: 'secret', baseUrl: location.origin } }],
          scene: [{ key: 'AdsScenePlugin', plugin: PhaserInview.AdsScenePlugin, mapping: 'ads' }],
        },
        scene: { create() { resolve(typeof this.ads.place); } },
      }))`);
      expect(type).toBe('function');
      // W1: the page names no encoding; a PNG is known by its first byte, which is not ASCII.
      expect(await page.evaluate('document.characterSet')).not.toBe('UTF-8');
      const state = await page.evaluate(`new Promise((resolve) => new Phaser.Game({
        type: Phaser.CANVAS,
        audio: { noAudio: true },
        plugins: {
          global: [{ key: 'AdsGlobalPlugin', plugin: PhaserInview.AdsGlobalPlugin, start: true, data: { source: {
            getAdSurfaces: async () => ({ items: [] }),
            getAd: async () => ({ adId: 'a', url: location.origin + '/ad.png' }),
          } } }],
          scene: [{ key: 'AdsScenePlugin', plugin: PhaserInview.AdsScenePlugin, mapping: 'ads' }],
        },
        scene: { create() { 
          PhaserInviewDebug.showAdOverlay(this);
          this.ads.place('board', { x: 99, y: 99, width: 64, height: 64 }).ready.then(resolve);
        } },
      }))`);
      expect(state).toBe('shown');
      await page.locator('.ads .name').filter({ hasText: 'board' }).waitFor();
      const loaded = await page.evaluate(`new Promise((resolve) => new Phaser.Game({
        type: Phaser.CANVAS,
        audio: { noAudio: true },
        scene: {
          preload() {
            delete window.PhaserInview;
            this.load.script('phaser-inview', 'phaser-inview.umd.js');
          },
          create() {
            const { AdsGlobalPlugin, AdsScenePlugin } = PhaserInview;
            AdsGlobalPlugin.install(this.game, { testMode: true });
            this.plugins.installScenePlugin('AdsScenePlugin', AdsScenePlugin, 'ads', this);
            this.ads.place('board', { x: 99, y: 99, width: 64, height: 64 }).ready.then((first) => {
              this.scene.add('next', { create() {
                this.ads.place('board', { x: 99, y: 99, width: 64, height: 64 }).ready.then((second) => resolve([first, second]));
              } }, true);
            });
          },
        },
      }))`);
      expect(loaded).toEqual(['shown', 'shown']);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
      await server.close();
    }
  });
});

describe('a game of a stranger', () => {
  let server: PageServer;
  let browser: Browser;

  beforeAll(async () => {
    const { project } = installed;
    await cp('__tests__/consumers/game.ts', path.join(project, 'game.ts'));
    await writeFile(
      path.join(project, 'tsconfig.json'),
      '{ "compilerOptions": { "target": "es2022", "module": "esnext" } }',
    );
    await run(process.execPath, ['__tests__/consumers/build.mjs', project]);
    await cp('node_modules/phaser/dist/phaser.min.js', path.join(project, 'webpack/phaser.min.js'));
    await cp('node_modules/phaser/dist/phaser.esm.min.js', path.join(project, 'vite/phaser.js'));
    const importMap = '<script type="importmap">{ "imports": { "phaser": "/vite/phaser.js" } }</script>';
    await writeFile(
      path.join(project, 'vite/index.html'),
      `<!doctype html>${importMap}<script type="module" src="game.js"></script>`,
    );
    await writeFile(
      path.join(project, 'webpack/index.html'),
      '<!doctype html><body><script src="phaser.min.js"></script><script src="game.js"></script>',
    );
    server = await servePages({ '/vite': path.join(project, 'vite'), '/webpack': path.join(project, 'webpack') });
    browser = await launchBrowser();
  }, BUILD_MS);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it.each(['vite', 'webpack'])(
    'bundled by %s shows a test ad, whose makers came in a script of their own',
    async (bundler) => {
      const page = await browser.newPage();
      const errors: string[] = [];
      const scripts: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
      await page.goto(`${server.url}/${bundler}/index.html`);
      await page.waitForFunction('window.consumer');
      expect(await page.evaluate('window.consumer')).toEqual({
        state: 'shown',
        width: 64,
        houseAd: 'https://example.com/ad.png',
      });
      expect(errors).toEqual([]);
      expect(scripts.filter((script) => script.endsWith('.js')).length).toBeGreaterThan(3);
      await page.close();
    },
  );
});

describe('the packed package', () => {
  it('W2: has all that it names, by the rules of publint and of "are the types wrong"', async () => {
    expect((await run(process.execPath, ['scripts/checkPackage.mjs', installed.tarball])).stdout).toBe('');
  });

  it('has everything its README links to', async () => {
    const root = path.dirname(installed.dist);
    const readme = await readFile(path.join(root, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !existsSync(path.join(root, link)))).toEqual([]);
  });

  it('W3: costs a game what its budget says, at most 3 % more', async () => {
    const { stdout } = await run(process.execPath, ['scripts/size.mjs', installed.dist, '--json']);
    type Figures = Record<string, Record<string, number>> & { readonly 'to start': { heap: number; node: number } };
    const { 'to start': startBudget, ...budgets } = JSON.parse(await readFile('size-budgets.json', 'utf8')) as Figures;
    const { 'to start': start, ...sizes } = JSON.parse(stdout) as Figures;
    expect(Object.keys(sizes)).toEqual(Object.keys(budgets));
    const over = Object.entries(sizes).flatMap(([use, measured]) =>
      Object.entries(measured)
        .filter(([kind, bytes]) => bytes > budgets[use]![kind]! * 1.03)
        .map(([kind, bytes]) => `${use}, ${kind}: ${bytes} of ${budgets[use]![kind]}`),
    );
    expect(over).toEqual([]);
    // Another Node needs other memory for the same code.
    if (start.node === startBudget.node) expect(start.heap).toBeLessThanOrEqual(startBudget.heap * 1.03);
    expect(sizes['AdsEvents']!['min']).toBeLessThanOrEqual(2_000);
    expect(sizes['isAdsError']!['min']).toBeLessThanOrEqual(8_000);
    expect(sizes['ServiceClient']!['gzip']).toBeLessThanOrEqual(45_000);
  });
});

/** What browsers have that the package says it needs: the language from ES2019 on, and a little more. */
const NEEDED = [
  'Array.prototype.flat', 'Array.prototype.flatMap', 'Object.fromEntries', 'String.prototype.trimStart',
  'String.prototype.trimEnd', 'String.prototype.matchAll', 'Promise.allSettled', 'Promise.any', 'AggregateError',
  'String.prototype.replaceAll', 'WeakRef', 'FinalizationRegistry', 'Array.prototype.at', 'String.prototype.at',
  'Object.hasOwn', 'AbortSignal.prototype.reason', 'AbortSignal.prototype.throwIfAborted',
]; // prettier-ignore

/** What of the language, and of what loads ads, only later browsers have than the package says it needs. */
const NEWER = [
  'structuredClone', 'Array.prototype.findLast', 'Array.prototype.findLastIndex', 'Array.prototype.toSorted',
  'Array.prototype.toReversed', 'Array.prototype.toSpliced', 'Array.prototype.with', 'Array.fromAsync', 'Object.groupBy',
  'Map.groupBy', 'Promise.withResolvers', 'Promise.try', 'Set.prototype.union', 'Set.prototype.intersection',
  'Set.prototype.difference', 'Set.prototype.isSubsetOf', 'Iterator', 'Uint8Array.fromBase64', 'Uint8Array.prototype.toHex',
  'String.prototype.isWellFormed', 'String.prototype.toWellFormed', 'ArrayBuffer.prototype.transfer', 'RegExp.escape',
  'AbortSignal.any', 'AbortSignal.timeout', 'URL.canParse', 'URL.parse',
]; // prettier-ignore

describe('S19: a browser', () => {
  let server: PageServer;
  let browser: Browser;
  /** One for all pages, so that Phaser is compiled once. */
  let context: BrowserContext;

  beforeAll(async () => {
    const folder = path.join(installed.dist, 'umd');
    await cp('node_modules/phaser/dist/phaser.min.js', path.join(folder, 'phaser.min.js'));
    await writeFile(path.join(folder, 'ad.png'), wholePng(64, 64));
    await writeFile(path.join(folder, 'old.html'), OLD_BROWSER);
    server = await servePages({ '/': folder });
    browser = await launchBrowser();
    context = await browser.newContext();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** What comes of a game where these are missing: the ad's state, its error, and what was printed and thrown. */
  async function playWithout(missing: readonly string[]) {
    const page = await context.newPage();
    const thrown: string[] = [];
    const errors: string[] = [];
    page.on('pageerror', (error) => thrown.push(error.message));
    const told = new Promise<{ state: string; code: string; frames: number }>((resolve) => {
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
        if (message.text().startsWith('{')) resolve(JSON.parse(message.text()) as never);
      });
      page.on('pageerror', () => resolve({ state: 'none', code: '', frames: 0 }));
    });
    await page.goto(`${server.url}/old.html?${missing.join()}`);
    const end = await told;
    await page.close();
    return { ...end, thrown, errors };
  }

  it.each(NEEDED)('S19: older than the package needs, without %s, plays the game without ads and is told why, once', async (name) => {
    const { state, code, frames, thrown, errors } = await playWithout([name]);
    expect(thrown).toEqual([]);
    expect([state, code]).toEqual(['failed', 'config/browser']);
    expect(frames).toBeGreaterThan(2);
    expect(errors).toEqual([expect.stringContaining('[config/browser]')]);
  }); // prettier-ignore

  it('S19: that has what the package needs and nothing that came later shows ads', async () => {
    expect(await playWithout(NEWER)).toMatchObject({ state: 'shown', thrown: [], errors: [] });
  });

  it('S19: is given no syntax it cannot read', async () => {
    for (const text of (await scriptsOf(installed)).values()) {
      expect(text.match(/static ?\{|\(\?<[=!]/g)).toBeNull();
    }
  });
});

/** Takes from the browser what the query names, then plays a game that uses everything the package gives a scene. */
const OLD_BROWSER = `<!doctype html>
<script>
  for (const name of location.search.slice(1).split(',')) {
    const path = name.split('.');
    const last = path.pop();
    const place = path.reduce((at, part) => at && at[part], window);
    if (place) delete place[last];
  }
</script>
<script src="phaser.min.js"></script>
<script src="phaser-inview.umd.js"></script>
<script>
  const { AdsGlobalPlugin, AdsScenePlugin, ObstructionPurpose, checkAdFullVisibility, calculateAdCoverage } = PhaserInview;
  const ad = { adId: 'a', url: location.origin + '/ad.png' };
  const source = { getAdSurfaces: async () => ({ items: [] }), getAd: async () => ad };
  const place = { x: 99, y: 99, width: 64, height: 64 };
  let frames = 0;
  new Phaser.Game({
    type: Phaser.CANVAS,
    banner: false,
    audio: { noAudio: true },
    plugins: {
      global: [{ key: 'AdsGlobalPlugin', plugin: AdsGlobalPlugin, start: true,
                 data: { source } }],
      scene: [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' }],
    },
    scene: {
      preload() {
        this.load.ad('board');
      },
      async create() {
        const own = this.add.image(200, 200, '__WHITE');
        this.ads.on('aderror', () => undefined);
        const placed = this.ads.place('board', place);
        const others = [this.add.ad(9, 9, 'b', { width: 9, height: 9 }), this.make.ad({ surface: 'c', ...place })];
        const observed = this.ads.observe(own, ad, { clickable: true });
        this.ads.addFriendlyObstruction(others[0], ObstructionPurpose.OTHER);
        await placed.ready;
        while (frames < 5) await new Promise((resolve) => this.events.once('postupdate', resolve));
        checkAdFullVisibility(own, this);
        calculateAdCoverage(own, this.cameras.main);
        this.ads.measure(placed);
        this.ads.summary();
        const code = placed.error ? placed.error.code : '';
        const { state } = placed;
        observed.destroy();
        placed.destroy();
        this.game.destroy(true);
        setTimeout(() => console.log(JSON.stringify({ state, code, frames })), 50);
      },
      update() {
        frames++;
      },
    },
  });
</script>`;

describe('the declarations of the built package', () => {
  /** Compilers by the package of this project that has them. */
  type Compiler = 'typescript-5.4' | 'typescript' | 'typescript-7';

  /** What a compiler says to files of a consumer, Phaser's own faults left out; empty if it accepts them. */
  async function compile(
    compiler: Compiler,
    files: Record<string, string>,
    compilerOptions: Record<string, unknown> = { module: 'ESNext', moduleResolution: 'bundler' },
  ): Promise<string> {
    const folder = path.join(installed.project, 'compiled');
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
    await writeFile(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          target: 'ES2022',
          lib: ['ES2022', 'DOM'],
          strict: true,
          noEmit: true,
          skipLibCheck: false,
          types: [],
          ...compilerOptions,
        },
        files: Object.keys(files),
      }),
    );
    const tsc = path.resolve('node_modules', compiler, 'bin/tsc');
    const said = await run(process.execPath, [tsc, '-p', folder, '--pretty', 'false']).then(
      () => '',
      (error: unknown) => (error as { stdout: string }).stdout,
    );
    // A fault takes a line, and what explains it the indented ones after it.
    return said.replace(/^\S*node_modules\/phaser(-[\d.]+)?\/types\/.*(\n .*)*\n?/gm, '').trim();
  }

  /** Those written to be compiled, and what README and guide show: together they import every entry. */
  async function consumers(): Promise<Record<string, string>> {
    const names = (await readdir('__tests__/types')).filter((name) => name.endsWith('.ts'));
    const texts = await Promise.all(names.map((name) => readFile(`__tests__/types/${name}`, 'utf8')));
    const shown = readSnippets('.').map(({ place, code }) => [`${place.replaceAll(/\W/g, '_')}.ts`, code]);
    return Object.fromEntries([...names.map((name, i) => [name, texts[i]!]), ...shown]) as Record<string, string>;
  }

  it.each(['typescript-5.4', 'typescript', 'typescript-7'] as const)(
    'W4: are without fault to %s, and every scene of a game with a bundler has its ads',
    async (compiler) => {
      expect(await compile(compiler, await consumers())).toBe('');
    },
  );

  it.each(['3.60', '4.0', '4.2'])('W4: type a game on Phaser %s', async (version) => {
    const phaser = path.resolve(`node_modules/phaser-${version}/types/phaser.d.ts`);
    expect(
      await compile('typescript-7', await consumers(), {
        module: 'ESNext',
        moduleResolution: 'bundler',
        paths: { phaser: [phaser] },
      }),
    ).toBe('');
  });

  it('type a game whose compiler does not know the exports of packages', async () => {
    const all = await consumers();
    expect(await compile('typescript-5.4', all, { module: 'ESNext', moduleResolution: 'node' })).toBe('');
  });

  it('type a game compiled to CommonJS', async () => {
    const all = Object.entries(await consumers());
    // `import()` takes the declarations of modules there, beside those of `require`: the two give scenes their ads twice.
    const required = Object.fromEntries(all.filter(([, text]) => !text.includes('import(')));
    expect(await compile('typescript-7', required, { module: 'Node16', moduleResolution: 'Node16' })).toBe('');
  });

  it('give no scene its ads before the package is imported', async () => {
    const text = `import * as Phaser from 'phaser';
      export const ads = (scene: Phaser.Scene) => scene.ads;`;
    expect(await compile('typescript-7', { 'without.ts': text })).toContain("Property 'ads' does not exist");
  });
});
