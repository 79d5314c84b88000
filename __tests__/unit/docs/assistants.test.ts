import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { ADS_ERROR_CODES, AdsEvents, Reason, VIEWABILITY_STANDARDS } from 'phaser-inview';
import { TEST_ANSWERS } from 'phaser-inview/testing';

const root = resolve(__dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const SKILL = 'skills/phaser-inview/SKILL.md';
const LLMS = 'docs/public/llms.txt';

/** Names of everything public: what the entries export, and the members of it. */
function publicNames(): ReadonlySet<string> {
  const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> };
  const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'));
  const files = entries.map((entry) => join(root, `src/${entry === '.' ? 'index' : entry.slice(2)}.ts`));
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const program = ts.createProgram(files, ts.parseJsonConfigFileContent(config, ts.sys, root).options);
  const checker = program.getTypeChecker();
  const names = new Set<string>();
  for (const file of files) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
    for (const exported of checker.getExportsOfModule(module)) {
      names.add(exported.name);
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const types = [
        ...(symbol.flags & ts.SymbolFlags.Type ? [checker.getDeclaredTypeOfSymbol(symbol)] : []),
        ...(symbol.valueDeclaration ? [checker.getTypeOfSymbolAtLocation(symbol, symbol.valueDeclaration)] : []),
      ];
      for (const type of types.flatMap((one) => (one.isUnion() ? [one, ...one.types] : [one])))
        for (const member of type.getProperties()) names.add(member.name);
    }
  }
  return names;
}

/** Words that are not of this package. */
const FOREIGN = new Set(['this', 'true', 'false', 'new', 'ads', 'create', 'plugins', 'global', 'scene', 'AdPlacement']);

describe('what coding assistants are told', () => {
  const names = publicNames();
  const words = new Set<string>([
    ...ADS_ERROR_CODES,
    ...Object.values(AdsEvents),
    ...Object.values(Reason),
    ...Object.values(VIEWABILITY_STANDARDS).map(({ id }) => id),
    ...TEST_ANSWERS,
  ]);
  /** Whether a piece of inline code names only what there is. */
  const unknownIn = (code: string): string[] => {
    if (words.has(code) || /^npm |[/\\]|\.md$/.test(code)) return [];
    const withoutTexts = code.replaceAll(/'([^']*)'/g, (_text, inside: string) => (words.has(inside) ? '' : "''"));
    return [...withoutTexts.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name).filter((name) => !names.has(name) && !FOREIGN.has(name)); // prettier-ignore
  };

  it('is checked against many names', () => {
    expect(names.size).toBeGreaterThan(300);
    expect(unknownIn('this.ads.placeAd()')).toEqual(['placeAd']);
  });

  it.each([SKILL, LLMS])('%s: every name in it exists', (file) => {
    const prose = read(file).replaceAll(/^```[\s\S]*?^```$/gm, '');
    const codes = [...prose.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
    expect(codes.length).toBeGreaterThan(5);
    expect(codes.flatMap(unknownIn)).toEqual([]);
  });

  it(`${SKILL}: is a skill by its format, and every file it names is there`, () => {
    const [, name, description] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(read(SKILL))!;
    expect(name).toBe(SKILL.split('/')[1]);
    expect(description!.length).toBeLessThan(1024);
    const pages = [...read(SKILL).matchAll(/`(?:docs\/)?([\w-]+\.md)`/g)].map(([, page]) => page!);
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.filter((page) => !existsSync(join(root, 'docs', page)))).toEqual([]);
  });

  it(`${LLMS}: has every page of the guide, and no other`, () => {
    const linked = [...read(LLMS).matchAll(/\]\(\/([\w-]+\.md)\)/g)].map(([, page]) => page!);
    const pages = readdirSync(join(root, 'docs')).filter((page) => page.endsWith('.md') && page !== 'index.md');
    expect(linked.sort()).toEqual(pages.sort());
  });
});

it('every file that is shipped links to files that are shipped', () => {
  const { files } = JSON.parse(read('package.json')) as { files: string[] };
  const shipped = (path: string) =>
    ['README.md', 'LICENSE', 'package.json'].includes(path) ||
    files.some((pattern) =>
      pattern.endsWith('/*.md')
        ? path.endsWith('.md') && dirname(path) === dirname(pattern)
        : path === pattern || path.startsWith(`${pattern}/`),
    );
  const documents = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', SKILL, ...readdirSync(join(root, 'docs')).filter((page) => page.endsWith('.md') && page !== 'index.md').map((page) => `docs/${page}`)]; // prettier-ignore
  const dead = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, link]) => join(dirname(file), link!))
      .filter((target) => !shipped(target) || !existsSync(join(root, target)))
      .map((target) => `${file}: ${target}`),
  );
  expect(dead).toEqual([]);
});
