import { isAdsError } from '../../../src/errors.js';
import type { AdsOptions } from '../../../src/options.js';
import { ServiceClient } from '../../../src/service/ServiceClient.js';
import { API_KEY, BASE_URL, FakeService, PRIVATE_KEY } from './FakeService.js';
import { FakeWorld } from './FakeWorld.js';

export interface Started {
  readonly service: FakeService;
  readonly world: FakeWorld;
  readonly client: ServiceClient;
}

const running: Started[] = [];

/** A client over a scripted service, in a world whose time the test moves. */
export function startClient(options: Partial<AdsOptions> = {}, world = new FakeWorld()): Started {
  const service = running[0]?.service ?? new FakeService();
  const all = { apiKey: API_KEY, privateKey: PRIVATE_KEY, baseUrl: BASE_URL, ...options } as AdsOptions;
  const started = { service, world, client: new ServiceClient(all, world) };
  running.push(started);
  return started;
}

/** For `afterEach`: ends every client the test has started. */
export function stopClients(): void {
  for (const { client } of running) client.destroy();
  running[0]?.service.restore();
  running.length = 0;
}

/** The settled end of a call: `ok`, or the code of the error. */
export function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'ok',
    (error: unknown) => (isAdsError(error) ? error.code : `not an AdsError: ${String(error)}`),
  );
}

/** The error a call rejects with. */
export async function faultOf(call: Promise<unknown>): Promise<{ code: string } & Record<string, unknown>> {
  const error: unknown = await call.then(
    () => new Error('the call has not failed'),
    (fault: unknown) => fault,
  );
  if (isAdsError(error)) return error as never;
  throw error;
}

/** Follows a promise whose end the test does not want to wait for. */
export function watch<T>(promise: Promise<T>): { settled: boolean; value?: T; code?: string } {
  const watched: { settled: boolean; value?: T; code?: string } = { settled: false };
  promise.then(
    (value) => Object.assign(watched, { settled: true, value }),
    (error: unknown) => Object.assign(watched, { settled: true, code: isAdsError(error) ? error.code : String(error) }),
  );
  return watched;
}
