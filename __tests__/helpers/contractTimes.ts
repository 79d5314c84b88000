import { readFileSync } from 'node:fs';

/** The times that service and clients agree on, as docs/openapi.yaml states them. */
export function contractTimes(): { readonly repeatGraceSeconds: number; readonly siblingGraceSeconds: number } {
  const document = readFileSync('docs/openapi.yaml', 'utf8');
  const read = (name: string): number => {
    const [, seconds] = new RegExp(`^  x-times:\\n(?:    .*\\n)*?    ${name}: (\\d+)$`, 'm').exec(document) ?? [];
    if (seconds === undefined) throw new Error(`docs/openapi.yaml does not state ${name}`);
    return Number(seconds);
  };
  return { repeatGraceSeconds: read('repeatGraceSeconds'), siblingGraceSeconds: read('siblingGraceSeconds') };
}
