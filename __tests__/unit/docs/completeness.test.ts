import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ADS_ERROR_CODES, AdsEvents, Reason, VIEWABILITY_STANDARDS } from 'phaser-inview';
import { TEST_ANSWERS } from 'phaser-inview/testing';

const page = (name: string): string => readFileSync(resolve(__dirname, `../../../docs/${name}.md`), 'utf8');

/** Names that a page does not have as code. */
const missing = (name: string, words: readonly string[]): readonly string[] => {
  const text = page(name);
  return words.filter((word) => !text.includes(`\`${word}\``));
};

describe('the guide', () => {
  it('explains every error code', () => {
    expect(missing('errors', ADS_ERROR_CODES)).toEqual([]);
  });

  it('names every event', () => {
    expect(missing('events', Object.values(AdsEvents))).toEqual([]);
  });

  it('names every reason and every published standard', () => {
    expect(missing('measured', Object.values(Reason))).toEqual([]);
    const ids = Object.values(VIEWABILITY_STANDARDS).map(({ id }) => id);
    expect(missing('measured', ids)).toEqual([]);
  });

  it('names every option and every test answer', () => {
    const source = readFileSync(resolve(__dirname, '../../../src/resolveOptions.ts'), 'utf8');
    const [, list = ''] = /const known = \[([^\]]*)\]/.exec(source) ?? [];
    const options = [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name!);
    expect(options.length).toBeGreaterThan(15);
    expect(missing('options', [...options, ...TEST_ANSWERS])).toEqual([]);
  });
});
