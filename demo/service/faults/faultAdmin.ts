import { Hono } from 'hono';
import { ServiceError } from '../http/ServiceError.js';
import type { ServiceEnv } from '../http/ServiceEnv.js';
import type { FaultPlan } from './FaultPlan.js';
import { parseFaultRules } from './faultSchemas.js';

/**
 * Lets a test or a demonstration order faults over HTTP: GET shows the rules and strikes, POST adds a list of rules,
 * DELETE takes all back. To be mounted only where faults are wanted.
 */
export function faultAdmin(plan: FaultPlan): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  app.get('/', (c) => c.json({ rules: plan.rules, strikes: plan.strikes }));
  app.post('/', async (c) => {
    // A page of another origin cannot send this type without a preflight, and gets none here.
    if (c.req.header('Content-Type') !== 'application/json') throw malformed();
    const rules = parseFaultRules(await c.req.json());
    if (rules === undefined) throw malformed();
    plan.add(...rules);
    return c.json({ rules: plan.rules });
  });
  app.delete('/', (c) => {
    plan.clear();
    return c.json({ rules: [] });
  });
  return app;
}

function malformed(): ServiceError {
  return new ServiceError(400, 'invalid_request', 'Send a JSON list of fault rules.');
}
