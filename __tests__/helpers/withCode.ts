/** Matches an AdsError of this code, for `toThrow`. */
export function withCode(code: string): Error {
  return expect.objectContaining({ name: 'AdsError', code }) as Error;
}
