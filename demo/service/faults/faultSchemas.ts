import { z } from '@hono/zod-openapi';
import type { FaultRule } from './FaultPlan.js';

const Fault = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('drop-before') }),
  z.object({ kind: z.literal('drop-after') }),
  z.object({ kind: z.literal('delay'), ms: z.number().min(0).max(3_600_000) }),
  z.object({ kind: z.literal('drip'), everyMs: z.number().min(1).max(60_000) }),
  z.object({ kind: z.literal('status'), status: z.int().min(400).max(599), retryAfter: z.string().optional() }),
  z.object({ kind: z.literal('header'), name: z.string().regex(/^[\w-]+$/), value: z.string().nullable() }),
  z.object({ kind: z.literal('mutate'), body: z.unknown() }),
  z.object({ kind: z.literal('truncate') }),
  z.object({ kind: z.literal('html') }),
  z.object({ kind: z.literal('redirect'), location: z.string() }),
  z.object({ kind: z.literal('no-cors') }),
  z.object({
    kind: z.literal('big'),
    bytes: z
      .int()
      .min(2)
      .max(2 ** 30),
  }),
]);

const Rules = z.array(
  z.object({
    fault: Fault,
    path: z.string().startsWith('/').optional(),
    method: z.string().optional(),
    times: z.int().min(1).optional(),
    after: z.int().min(0).optional(),
    probability: z.number().min(0).max(1).optional(),
  }),
);

/** The rules in a request's body; undefined when it holds anything else. */
export function parseFaultRules(body: unknown): FaultRule[] | undefined {
  const result = Rules.safeParse(body);
  return result.success ? (result.data as FaultRule[]) : undefined;
}
