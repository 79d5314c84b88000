import { readFileSync } from 'node:fs';
import { VIEWABILITY_STANDARDS } from '../../../src/viewability/ViewabilityStandards.js';

/** The row of a table that begins with this. */
const row = (file: string, begin: string): string =>
  readFileSync(file, 'utf8')
    .split('\n')
    .find((line) => line.startsWith('|') && line.includes(begin)) ?? '';

test.each(Object.values(VIEWABILITY_STANDARDS))('the guide says of $id whether it asks for focus', (standard) => {
  const { id, requiresFocus = false } = standard;
  // Where it says that it is “the same” as the rule above it.
  const text = row('docs/measured.md', id === 'iig-video' ? '`iig-display`' : `\`${id}\``);
  expect(text).not.toBe('');
  expect(text.includes('with focus')).toBe(requiresFocus);
});

test('the page for service authors tells no other answer for “no ad” than the contract', () => {
  const contract = readFileSync('docs/openapi.yaml', 'utf8');
  expect(contract).not.toMatch(/['"]?204['"]?:/);
  expect(row('docs/service.md', 'GET /v1/ad-surfaces/{adSurfaceId}/ad')).not.toContain('204');
});
