import type { OpenAPIHono } from '@hono/zod-openapi';
import { ACCOUNT_TIMES } from './accounts/times.js';
import type { ServiceEnv } from './http/ServiceEnv.js';

/** Contract v1 as an OpenAPI 3.1 document, made from the routes the service runs on. */
export function openApiDocument(api: OpenAPIHono<ServiceEnv>) {
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Ad and player-account service, contract v1',
      version: '1.0.0',
      description:
        'Every operation needs the application level: a signed request, an application token, or the plain keys. ' +
        'Operations with the bearer scheme need the user level too. Every refusal is a problem (RFC 9457) in the shape of Error.',
      // Seconds, see the description of the token endpoint.
      'x-times': ACCOUNT_TIMES,
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT' },
    },
    servers: [{ url: '/api', description: 'Base URL of the local service' }],
  });
}
