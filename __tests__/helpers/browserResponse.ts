/** Statuses whose answers have no body. A `Response` made by a script may not have one either; fetched ones do. */
const BODILESS = new Set([204, 205, 304]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface ResponseParts {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Undefined: the answer has no body. */
  readonly text?: string | undefined;
}

/**
 * An answer as Chromium's `fetch` gives it to a page: its body is a stream even where there is none to read, any
 * status is possible, and a redirect, which is never followed here, has neither status nor headers.
 */
export function browserResponse({ status = 200, headers = {}, text = '' }: ResponseParts): Response {
  if (REDIRECTS.has(status)) {
    return Object.defineProperties(new Response(null), {
      status: { value: 0 },
      type: { value: 'opaqueredirect' },
      ok: { value: false },
    });
  }
  const response = new Response(BODILESS.has(status) ? '' : text, { headers });
  return Object.defineProperties(response, {
    status: { value: status },
    ok: { value: status >= 200 && status < 300 },
  });
}
