import { execFileSync } from 'node:child_process';
import { parseSource, readSources, type ImportLine, type SourceFile } from '../helpers/readImports.js';

const sources = readSources('src');

/** What knows one engine, and what was drawn, are one part to those who read them. */
const RECORD = [
  'record/objects',
  'record/draws',
  'record/frame',
  'record/phaser3',
  'record/phaser4',
  'record/canvas2d',
] as const;

/** What a record of a frame is made with. */
const BELOW = ['page', 'textures', 'measure', 'geometry'] as const;

/** What each part may run. Types may come from anywhere but into geometry, which knows nothing but numbers. */
const MAY_RUN: Record<string, readonly string[]> = {
  'errors.ts': [],
  'browserFault.ts': ['errors.ts'],
  'events.ts': ['errors.ts'],
  'placementRules.ts': ['errors.ts'],
  // Files of a packaged game: sources read their house ads, creatives their images.
  'packagedFiles.ts': [],
  // Of the page: asked where an answer or a creative does not come.
  'requiresLeave.ts': [],
  // What is sent or stored, by whoever does.
  'writeJson.ts': [],
  'consentRules.ts': ['errors.ts'],
  'mixRules.ts': ['errors.ts'],
  'testAnswers.ts': [],
  'warnOfUnknownOptions.ts': [],
  'hosts.ts': [],
  'oneFor.ts': [],
  // What is waited for, by whoever does.
  'waiting.ts': ['errors.ts'],
  'options.ts': [],
  'resolveOptions.ts': [
    'consentRules.ts',
    'errors.ts',
    'hosts.ts',
    'mixRules.ts',
    'options.ts',
    'placementRules.ts',
    'testAnswers.ts',
    'warnOfUnknownOptions.ts',
  ],
  // Reads the page's consent manager; the core knows it by its signals alone.
  consent: ['consent', 'consentRules.ts', 'errors.ts', 'waiting.ts'],
  // The way of a frame: plugin → placement → meter → { record, rehearsal, page } → { textures, measure } → geometry.
  geometry: ['geometry'],
  measure: ['measure', 'geometry'],
  // How Phaser 4 keeps its textures is known in `record/phaser4`.
  textures: ['textures', 'record/phaser4', 'geometry', 'oneFor.ts'],
  page: ['page', 'textures', 'measure', 'geometry'],
  // Within the record: the engines → frame → draws → objects; what is asked of an object is Phaser's own in places.
  'record/objects': ['record/objects', 'record/phaser3', 'record/phaser4', 'geometry', 'errors.ts', 'oneFor.ts'],
  'record/draws': ['record/draws', 'record/objects', 'textures', 'measure', 'geometry'],
  'record/frame': ['record/frame', 'record/draws', 'record/objects', 'record/phaser3', ...BELOW],
  'record/phaser3': ['record/phaser3', 'record/frame', 'record/draws', 'record/objects', 'geometry', 'oneFor.ts'],
  'record/phaser4': ['record/phaser4', 'record/frame', 'record/draws', 'record/objects', 'geometry'],
  'record/canvas2d': ['record/canvas2d', 'record/frame', 'record/draws', 'record/objects', 'record/phaser3', ...BELOW],
  rehearsal: ['rehearsal', ...RECORD, ...BELOW, 'errors.ts'],
  meter: ['meter', ...RECORD, 'rehearsal', ...BELOW, 'browserFault.ts', 'errors.ts', 'oneFor.ts'],
  placement: [
    'placement',
    'meter',
    'page',
    'textures',
    'measure',
    'viewability',
    'creative',
    'report',
    'service',
    'consentRules.ts',
    'errors.ts',
    'events.ts',
    'mixRules.ts',
    'placementRules.ts',
    'warnOfUnknownOptions.ts',
    'writeJson.ts',
  ],
  plugin: [
    'plugin',
    'placement',
    'meter',
    'measure',
    'viewability',
    'creative',
    'report',
    'service',
    'sources',
    'testing',
    'browserFault.ts',
    'consentRules.ts',
    'errors.ts',
    'events.ts',
    'hosts.ts',
    'packagedFiles.ts',
    'mixRules.ts',
    'placementRules.ts',
    'resolveOptions.ts',
    'waiting.ts',
    'warnOfUnknownOptions.ts',
    'writeJson.ts',
  ],
  viewability: ['viewability', 'measure', 'errors.ts', 'writeJson.ts'],
  service: [
    'service',
    'browserFault.ts',
    'consentRules.ts',
    'errors.ts',
    'events.ts',
    'hosts.ts',
    'options.ts',
    'requiresLeave.ts',
    'resolveOptions.ts',
    'waiting.ts',
    'writeJson.ts',
  ],
  // The macros of addresses are those of trackers.
  sources: [
    'sources',
    'report',
    'testing',
    'service',
    'consentRules.ts',
    'errors.ts',
    'events.ts',
    'hosts.ts',
    'packagedFiles.ts',
    'testAnswers.ts',
    'waiting.ts',
    'writeJson.ts',
    'warnOfUnknownOptions.ts',
  ],
  testing: ['testing', 'sources', 'service', 'creative', 'errors.ts', 'testAnswers.ts', 'waiting.ts'],
  report: ['report', 'errors.ts', 'events.ts', 'waiting.ts', 'writeJson.ts'],
  creative: ['creative', 'errors.ts', 'events.ts', 'hosts.ts', 'packagedFiles.ts', 'requiresLeave.ts', 'waiting.ts'],
  'hooks.ts': ['meter', 'service'],
  // For developers alone: it knows of the package what a game knows.
  debug: ['debug', 'index.ts'],
  'debug.ts': ['debug'],
  'index.ts': [
    'plugin',
    'placement',
    'meter',
    'page',
    'record/objects',
    'textures',
    'measure',
    'viewability',
    'service',
    'errors.ts',
    'events.ts',
    'options.ts',
    'hooks.ts',
  ],
  'consent.ts': ['consent'],
  'openrtb.ts': ['sources'],
  'static.ts': ['sources'],
  'vast.ts': ['sources'],
  'testing.ts': ['sources', 'testAnswers.ts'],
  'umd.ts': ['index.ts', 'consent.ts', 'openrtb.ts', 'static.ts', 'testing.ts', 'vast.ts'],
};

/** What not every game uses: entries of their own, and what is loaded when it is needed. */
const NOT_IN_THE_CORE =
  /^(sources\/(?!TestAds\.ts$|TEST_HOST\.ts$)|testing\/|consent\/|consent\.ts$|debug\/|debug\.ts$|openrtb\.ts$|static\.ts$|vast\.ts$|testing\.ts$|umd\.ts$)/;

/** What both plugins load when the game begins, and not before. */
const MEASURES = /^(geometry|rehearsal|record|page)\/|^meter\/(engines|FrameMeter|AdMeter)|^measure\/measureView/;

/** The files each kind of renderer is read by, and no other. */
const READERS_OF: Record<string, readonly string[]> = {
  phaser3: ['record/phaser3/VertexTap.ts', 'record/phaser3/WebGLEngine.ts', 'rehearsal/RehearsedFrame.ts'],
  phaser4: ['record/phaser4/DrawTap.ts', 'record/phaser4/Phaser4Engine.ts', 'rehearsal/RehearsedFrame.ts'],
  canvas: ['record/canvas2d/SpriteScan.ts', 'record/canvas2d/CanvasEngine.ts', 'rehearsal/CanvasFrame.ts'],
};
const READERS = Object.values(READERS_OF).flat();

/** The only files that may import a package, even its types. */
const PACKAGE_USERS: Record<string, RegExp> = {
  phaser: /^(plugin|placement|meter|record|rehearsal|textures|page|debug)\/|^(events|hooks)\.ts$/,
  axios: /^service\/(http|axiosFetch\.d)\.ts$/,
};

const partOf = (file: string) => /^record\/\w+(?=\/)/.exec(file)?.[0] ?? file.split('/')[0] ?? file;
const isOwn = ({ target }: ImportLine) => sources.some(({ file }) => file === target);

/** The files that come at once with some, themselves included. */
function loadedWith(...entries: string[]): string[] {
  const files = new Map(sources.map(({ file, imports }) => [file, imports]));
  const loaded = new Set(entries);
  for (const file of loaded) {
    for (const { target, typeOnly, isLater } of files.get(file) ?? []) if (!typeOnly && !isLater) loaded.add(target);
  }
  return [...loaded];
}

function linesThat(broken: (source: SourceFile, line: ImportLine) => boolean): string[] {
  return sources.flatMap((source) =>
    source.imports.filter((line) => broken(source, line)).map((line) => `${source.file} → ${line.target}`),
  );
}

describe('the house', () => {
  it('has a rule for each of its parts', () => {
    expect(Object.keys(MAY_RUN)).toEqual(expect.arrayContaining([...new Set(sources.map(({ file }) => partOf(file)))]));
  });

  it('lets a part run only the parts below it', () => {
    const runsAbove = linesThat(
      ({ file }, line) => !line.typeOnly && isOwn(line) && !MAY_RUN[partOf(file)]?.includes(partOf(line.target)),
    );
    expect(runsAbove).toEqual([]);
  });

  it('keeps geometry to itself, types included', () => {
    expect(linesThat(({ file }, { target }) => partOf(file) === 'geometry' && partOf(target) !== 'geometry')).toEqual(
      [],
    );
  });

  it('knows Phaser by its types alone, and only at the rim', () => {
    const phaserLines = linesThat((_, { target }) => /^phaser($|\/(?!.*\.ts$)|3-)/.test(target));
    expect(phaserLines.length).toBeGreaterThan(0);
    expect(linesThat((_, line) => /^phaser$/.test(line.target) && !line.typeOnly)).toEqual([]);
    expect(linesThat((_, line) => /^phaser3-rex/.test(line.target))).toEqual([]);
  });

  it.each(Object.entries(PACKAGE_USERS))('imports %s only where it belongs', (name, users) => {
    expect(
      linesThat(
        ({ file }, line) =>
          !isOwn(line) && (line.target === name || line.target.startsWith(`${name}/`)) && !users.test(file),
      ),
    ).toEqual([]);
  });

  it('loads with the core nothing that not every game uses', () => {
    const loaded = loadedWith('index.ts');
    expect(loaded.length).toBeGreaterThan(100);
    expect(loaded.filter((file) => NOT_IN_THE_CORE.test(file))).toEqual([]);
  });

  it.each(['AdsGlobalPlugin', 'AdsScenePlugin', 'inviewPlugins'])('lets %s begin without what measures', (name) => {
    expect(loadedWith(`plugin/${name}.ts`).filter((file) => MEASURES.test(file))).toEqual([]);
  });

  it.each(['phaser3', 'phaser4', 'canvas'])('loads what reads %s without what reads other renderers', (engine) => {
    const loaded = loadedWith('meter/FrameMeter.ts', `meter/engines/${engine}.ts`);
    const own = READERS.filter((file) => loaded.includes(file));
    expect([own.length > 0, own.filter((file) => READERS_OF[engine]!.includes(file))]).toEqual([true, own]);
    expect(loaded.filter((file) => file.startsWith('meter/engines/'))).toEqual([`meter/engines/${engine}.ts`]);
  });

  it('has no cycle of files that know each other, but of parts and the ad that they are parts of', () => {
    const known = sources.map(({ file, imports }): [string, ImportLine[]] => [
      file,
      imports.filter(({ target, typeOnly }) => !(typeOnly && OWNERS.has(target))),
    ]);
    expect(findCycle(new Map(known))).toEqual([]);
  });

  it('takes nothing from its environment while it is imported', () => {
    const reads = sources.flatMap(({ file, topLevelReads }) => topLevelReads.map((name) => `${file}: ${name}`));
    expect(reads).toEqual([]);
  });
});

/** A placed ad, and what all ads of a game share: their parts know them, by their types. */
const OWNERS = new Set(['placement/PlacedAd.ts', 'plugin/AdsCore.ts']);

/** The files of one cycle, the first repeated at the end; empty if there is none. */
function findCycle(graph: ReadonlyMap<string, readonly ImportLine[]>): string[] {
  const finished = new Set<string>();
  const path: string[] = [];

  const visit = (file: string): string[] => {
    const start = path.indexOf(file);
    if (start >= 0) return [...path.slice(start), file];
    if (finished.has(file)) return [];
    path.push(file);
    for (const { target, isLater } of graph.get(file) ?? []) {
      const cycle = isLater ? [] : visit(target);
      if (cycle.length > 0) return cycle;
    }
    path.pop();
    finished.add(file);
    return [];
  };

  for (const file of graph.keys()) {
    const cycle = visit(file);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

describe('the check of the house', () => {
  it.each([
    ['export const started = Date.now();', ['Date']],
    ['const w = typeof window === "undefined" ? null : window;', ['window']],
    ['export const seed = Math.random();', ['Math.random']],
    ['export class A { static at = performance.now(); }', ['performance']],
    ['export const value = (() => document.title)();', ['document']],
    ['export const now = () => Date.now();', []],
    ['export class A { at = performance.now(); read() { return window; } }', []],
    ['export function f(clock: () => number = Date.now) { return clock(); }', []],
    ['export interface A { window: Window; date: Date } export type B = typeof document;', []],
    ['declare global { interface Window { a: Date } } export const a = { window: 1, document: 2 };', []],
  ])('sees what runs on import in: %s', (text, reads) => {
    expect(parseSource('a.ts', text).topLevelReads).toEqual(reads);
  });

  it.each([
    ['import type { A } from "../errors.js";', [{ target: 'errors.ts', typeOnly: true }]],
    ['import { A } from "./b.js";', [{ target: 'part/b.ts', typeOnly: false }]],
    ['import "axios";', [{ target: 'axios', typeOnly: false }]],
    ['export * from "./b.js";', [{ target: 'part/b.ts', typeOnly: false }]],
    ['export type { A } from "./b.js";', [{ target: 'part/b.ts', typeOnly: true }]],
    ['type A = import("phaser").Scene;', [{ target: 'phaser', typeOnly: true }]],
    ['const load = () => import("phaser");', [{ target: 'phaser', typeOnly: false, isLater: true }]],
  ])('reads the line: %s', (text, imports) => {
    expect(parseSource('part/a.ts', text).imports).toEqual(imports);
  });

  it('finds a cycle, also of types, and none where the way back is loaded later', () => {
    const line = (target: string, more: Partial<ImportLine> = {}) => [{ target, typeOnly: false, ...more }];
    expect(findCycle(new Map([['a', line('b')], ['b', line('c')], ['c', line('b')]]))).toEqual(['b', 'c', 'b']); // prettier-ignore
    expect(findCycle(new Map([['a', line('b')], ['b', line('a', { typeOnly: true })]]))).toEqual(['a', 'b', 'a']); // prettier-ignore
    expect(findCycle(new Map([['a', line('b')], ['b', line('a', { isLater: true })]]))).toEqual([]); // prettier-ignore
  });
});

describe('importing the package', () => {
  let observed: { newGlobals: string[]; newListeners: string[]; newResources: string[]; exports: string[] };

  beforeAll(() => {
    const command = ['--import', 'tsx', '__tests__/helpers/observeImport.ts'];
    observed = JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' })) as typeof observed;
  });

  it('leaves no global, listener, timer or connection behind, and needs no browser', () => {
    expect(observed).toMatchObject({ newGlobals: [], newListeners: [], newResources: [] });
  });

  it('gives these names and no others', () => {
    expect(observed.exports).toEqual([
      'ADS_ERROR_CODES',
      'AdsError',
      'AdsEvents',
      'AdsGlobalPlugin',
      'AdsScenePlugin',
      'DEFAULT_BASE_URL',
      'GameMeter',
      'OVERLAY_ATTRIBUTE',
      'ObstructionPurpose',
      'PlacedAd',
      'Reason',
      'ServiceClient',
      'ServiceHooks',
      'SessionEvents',
      'VIEWABILITY_STANDARDS',
      'adShape',
      'adShapes',
      'calculateAdCoverage',
      'checkAdFullVisibility',
      'inviewPlugins',
      'isAdsError',
      'registerBounds',
      'visibleFragments',
    ]);
  });
});
