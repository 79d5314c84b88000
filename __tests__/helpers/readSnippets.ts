import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Snippet {
  /** `README.md:40`: the file, and the line its code begins at. */
  readonly place: string;
  /** A module that compiles by itself. */
  readonly code: string;
}

const FENCE = /^```ts( scene)?\n([\s\S]*?)^```$/gm;

/**
 * The TypeScript of README, guide and skill. A block marked `ts scene` is what stands in the `create()` of a scene; its imports
 * stay at the top.
 */
export function readSnippets(root: string): readonly Snippet[] {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const files = ['README.md', 'skills/phaser-inview/SKILL.md', ...pages.map((name) => `docs/${name}`)];
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(FENCE)].map(([, scene, body = ''], i) => {
      const before = text.slice(0, [...text.matchAll(FENCE)][i]!.index);
      const place = `${file}:${before.split('\n').length + 1}`;
      return { place, code: scene === undefined ? `${body}\nexport {};\n` : inScene(body) };
    });
  });
}

function inScene(body: string): string {
  const lines = body.split('\n');
  const imports = lines.filter((line) => line.startsWith('import '));
  const rest = lines.filter((line) => !line.startsWith('import '));
  return [
    "import * as Phaser from 'phaser';",
    "import 'phaser-inview';",
    ...imports,
    'export class Example extends Phaser.Scene {',
    '  async create() {',
    ...rest,
    '    await Promise.resolve();',
    '  }',
    '}',
    '',
  ].join('\n');
}
