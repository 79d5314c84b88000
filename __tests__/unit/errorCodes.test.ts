import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ADS_ERROR_CODES, AdsError } from '../../src/errors.js';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== 'errors.ts')
  .map((file) => readFileSync(path.join('src', file), 'utf8'))
  .join('\n');

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'demo/README.md'],
  ...readdirSync('docs').flatMap((file) => (file.endsWith('.md') ? [`docs/${file}`] : [])),
].map((file) => [file, readFileSync(file, 'utf8')] as const);

const families = [...new Set(ADS_ERROR_CODES.map((code) => code.split('/')[0]))];

describe('the list of error codes', () => {
  it('holds no code that nothing throws', () => {
    expect(ADS_ERROR_CODES.filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
  });

  it.each(documents)('holds every code that %s names', (_file, text) => {
    const named = text.match(new RegExp(`\\b(${families.join('|')})/[a-z]+(-[a-z]+)*(?=[\`'"\\]])`, 'g')) ?? [];
    expect(named.filter((code) => !(ADS_ERROR_CODES as readonly string[]).includes(code))).toEqual([]);
  });

  it('S19: names the browsers that package.json does', () => {
    const { browserslist } = JSON.parse(readFileSync('package.json', 'utf8')) as { browserslist: string[] };
    const { hint } = new AdsError('config/browser', 'test');
    const versions = (text: string): string[] => [...new Set(text.match(/\d+(\.\d+)?/g))].sort();
    expect(versions(hint)).toEqual(versions(browserslist.join()));
  });

  it('says of every code what to do', () => {
    for (const code of ADS_ERROR_CODES) {
      const error = new AdsError(code, 'test');
      expect(error.hint.length).toBeGreaterThan(10);
      expect(error.message).toBe(`test [${code}] ${error.hint}`);
    }
  });
});
