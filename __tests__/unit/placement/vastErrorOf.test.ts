import { AdsError, type AdsErrorCode } from '../../../src/errors.js';
import { vastErrorOf } from '../../../src/placement/AdTrackers.js';

it.each<[AdsErrorCode, number]>([
  ['ad/duration', 202],
  ['ad/dimensions', 203],
  ['ad/http-status', 401],
  ['ad/cors', 401],
  ['net/unreachable', 401],
  ['ad/timeout', 402],
  ['ad/type', 405],
  ['ad/decode', 405],
  ['ad/autoplay', 405],
  ['internal/unexpected', 900],
])('%s is %i to the buyer of a video', (code, number) => {
  expect(vastErrorOf(new AdsError(code, 'test'))).toBe(number);
});
