import type { Ad } from '../../../src/service/AdService.js';
import { type AskedFor, readBidResponse } from '../../../src/sources/openrtb/readBidResponse.js';

/** Reads an answer that has no videos. */
export function readAnswer(json: unknown, asked: AskedFor): Ad {
  const step = readBidResponse(json, asked).next();
  if (step.done !== true) throw new Error('It has a video');
  return step.value;
}
