import { HTTPException } from 'hono/http-exception';
import { DatabaseUnavailable } from '../database/DatabaseUnavailable.js';
import { PROBLEM_JSON, problem } from './problem.js';
import { ServiceError } from './ServiceError.js';
import type { ServiceContext } from './ServiceEnv.js';

/** A server that restarts is back by then. */
const RETRY_AFTER_SECONDS = 5;

/** Turns whatever was thrown into the contract's error answer. What was not foreseen is told to the log only. */
export function answerError(error: Error, c: ServiceContext, log: (line: string) => void): Response {
  const refusal = asServiceError(error);
  const requestId = c.get('requestId');
  if (refusal === undefined) log(`${requestId} ${describeFault(error)}`);

  const { status, code, message, details } = refusal ?? new ServiceError(500, 'internal_error', 'Unexpected fault.');
  if (details.retryAfterSeconds !== undefined) c.header('Retry-After', String(details.retryAfterSeconds));
  if (code === 'invalid_token')
    c.header('WWW-Authenticate', 'Bearer error="invalid_token", DPoP error="invalid_token", algs="ES256"');
  c.header('Cache-Control', 'no-store');
  return c.json(
    {
      ...problem(status, code, message, requestId),
      ...(details.serverTime === undefined ? {} : { server_time: details.serverTime }),
    },
    status,
    { 'Content-Type': PROBLEM_JSON },
  );
}

function asServiceError(error: Error): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  if (error instanceof DatabaseUnavailable) {
    return new ServiceError(503, error.code, 'The database of the service is out of reach.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  // Hono's own refusals, such as a body that is not JSON or another media type.
  if (error instanceof HTTPException && error.status < 500) {
    return new ServiceError(400, 'invalid_request', 'The body is not valid JSON (application/json).');
  }
  return undefined;
}

/** Name and places, without the message: that may quote what the request carried. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return 'unexpected, and no error';
  const places = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [`unexpected ${error.name}`, ...places.slice(0, 4).map((line) => line.trim())].join(' | ');
}
