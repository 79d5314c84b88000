import { readFileSync } from 'node:fs';

const NAMES = ['repeatGraceSeconds', 'siblingGraceSeconds', 'longestHoldSeconds'] as const;

/** The times that service and clients agree on, as docs/openapi.yaml states them. */
export function contractTimes(): Readonly<Record<(typeof NAMES)[number], number>> {
  const document = readFileSync('docs/openapi.yaml', 'utf8');
  const read = (name: string): number => {
    const [, seconds] = new RegExp(`^  x-times:\\n(?:    .*\\n)*?    ${name}: (\\d+)$`, 'm').exec(document) ?? [];
    if (seconds === undefined) throw new Error(`docs/openapi.yaml does not state ${name}`);
    return Number(seconds);
  };
  return Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Record<(typeof NAMES)[number], number>;
}
