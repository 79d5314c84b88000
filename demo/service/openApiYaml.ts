import { toYaml, type Json } from './toYaml.js';

/** The contract's document as docs/openapi.yaml holds it. */
export function openApiYaml(document: object): string {
  const note = '# Written by demo/service/writeOpenApi.ts from the routes the local service runs on.\n';
  // Through JSON: what is undefined goes, what is an instance of a class becomes data.
  return note + toYaml(JSON.parse(JSON.stringify(document)) as Json);
}
