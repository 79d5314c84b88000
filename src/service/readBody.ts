import { AdsError, isAdsError } from '../errors.js';

const NOTHING = new Uint8Array();

/**
 * Reads an answer's body to its end. If that fails, the status of a refusal says enough.
 * @throws AdsError `response/too-large` after `maxBytes`, and the rest is not read; `net/unreachable`
 */
export async function readBody({ body, headers, status }: Response, maxBytes: number): Promise<Uint8Array> {
  // A redirect that was not followed has none.
  if (body === null) return NOTHING;
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The compressed size, if the answer is compressed; 0 without the header, NaN when it is no number.
  const declaredBytes = Number(headers.get('content-length'));
  try {
    for (let tooLarge = declaredBytes > maxBytes; ; tooLarge = size > maxBytes) {
      if (tooLarge) {
        void reader.cancel().catch(() => undefined);
        throw new AdsError('response/too-large', `The answer has more than ${maxBytes} bytes`);
      }
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
    }
  } catch (error) {
    if (status >= 300) return NOTHING;
    if (isAdsError(error)) throw error;
    throw new AdsError('net/unreachable', 'The answer broke off');
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
