import { STATUS_CODES } from 'node:http';

/** Media type of every refusal (RFC 9457). */
export const PROBLEM_JSON = 'application/problem+json';

/**
 * A refusal as RFC 9457 shapes it, with the fields beside it that programs (`error`) and tickets (`request_id`) go by.
 *
 * @param detail for people; the words of the standard and of OAuth for it are both given.
 */
export function problem(status: number, error: string, detail: string, requestId: string) {
  return {
    type: 'about:blank' as const,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    error,
    error_description: detail,
    request_id: requestId,
  };
}
