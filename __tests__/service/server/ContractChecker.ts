import { join } from 'node:path';
import { z } from '@hono/zod-openapi';
import { createService } from '../../../demo/service/createService.js';
import { openEmbeddedDatabase } from '../../../demo/service/database/openEmbeddedDatabase.js';

interface Operation {
  responses: Record<
    string,
    { content?: Record<string, { schema: unknown }>; headers?: Record<string, { required?: boolean }> }
  >;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
}

/** The document of the contract, word for word what docs/openapi.yaml holds: contract.test.ts sees to that. */
export const openApi = JSON.parse(
  JSON.stringify(
    createService({
      database: openEmbeddedDatabase(':memory:'),
      directory: join(process.cwd(), 'demo', 'service'),
    }).document,
  ),
) as OpenApi;

/** Every operation of the contract: method in capitals and the path as the document writes it. */
export const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
);

const checkers = new Map<string, z.ZodType>();

/**
 * What is wrong with an answer by the document; undefined when nothing is. Stricter than the document in one point:
 * a field it does not name is wrong too.
 *
 * @param path below the base URL, without the query.
 */
export function contractViolation(
  method: string,
  path: string,
  answer: { status: number; headers: Headers; body: unknown },
): string | undefined {
  const template = Object.keys(openApi.paths).find((candidate) =>
    new RegExp(`^${candidate.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  const operation = template === undefined ? undefined : openApi.paths[template]?.[method.toLowerCase()];
  if (operation === undefined) return answer.status === 404 ? undefined : 'the operation is not in the document';
  const response = operation.responses[String(answer.status)];
  if (response === undefined) return `status ${String(answer.status)} is not in the document`;
  for (const [name, { required }] of Object.entries(response.headers ?? {})) {
    if (required === true && !answer.headers.has(name)) return `the header ${name} is missing`;
  }
  const [[type, media] = []] = Object.entries(response.content ?? {});
  if (type === undefined || media === undefined) return 'the document has no body for this status';
  if (answer.headers.get('Content-Type')?.split(';')[0] !== type) return `the body is not ${type}`;

  const key = `${method} ${template ?? ''} ${String(answer.status)}`;
  let checker = checkers.get(key);
  if (checker === undefined) {
    checker = z.fromJSONSchema(closed(media.schema) as Parameters<typeof z.fromJSONSchema>[0]);
    checkers.set(key, checker);
  }
  const result = checker.safeParse(answer.body);
  return result.success ? undefined : z.prettifyError(result.error);
}

/** The schema with its references put in and every object closed to fields it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) {
    return closed(openApi.components.schemas[String(schema.$ref).replace('#/components/schemas/', '')]);
  }
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in copy ? { ...copy, additionalProperties: false } : copy;
}
