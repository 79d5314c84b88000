import { browserCreativeEnvironment } from '../../../src/creative/CreativeEnvironment.js';
import { DEFAULT_CREATIVE_LIMITS } from '../../../src/creative/CreativeLimits.js';
import { loadCreative } from '../../../src/creative/loadCreative.js';
import { isAdsError } from '../../../src/errors.js';
import { TrackerQueue } from '../../../src/report/TrackerQueue.js';
import { browserEnvironment } from '../../../src/service/environment.js';
import { ServiceClient } from '../../../src/service/ServiceClient.js';
import { after } from '../../../src/waiting.js';

declare global {
  interface Window {
    /** Asks the service at each address for an ad, and says how that ended: id of the ad, `no ad`, or a code. */
    askForAds?: (baseUrls: readonly string[]) => Promise<string[]>;
    /** Makes each request of this package whose answer nobody reads, of such an answer below the address. */
    askWithoutReading?: (address: string) => Promise<void>;
    /** What `fetch` gives a page for each address. */
    shapesOf?: (addresses: readonly string[]) => Promise<string[]>;
  }
}

/** Pauses between tries pass at once; only a deadline is waited for. */
const environment = () => ({ ...browserEnvironment(), random: () => 0 });

window.askForAds = (baseUrls) =>
  together(baseUrls, async (baseUrl) => {
    const client = new ServiceClient(
      { apiKey: 'key', privateKey: 'secret', baseUrl, timeoutMs: 120_000 },
      environment(),
    );
    try {
      return (await client.getAd('surface')).adId || 'no ad';
    } catch (error) {
      return isAdsError(error) ? error.code : String(error);
    } finally {
      client.destroy();
    }
  });

window.askWithoutReading = async (baseUrl) => {
  const isHeld = (): boolean => false;
  const queue = new TrackerQueue({
    after,
    isHeld,
    isOnline: () => true,
    watchPage: () => () => undefined,
    fetch: (url, init) => fetch(url, init),
  });
  queue.send(`${baseUrl}/tracker`);
  await new Promise((resolve) => setTimeout(resolve, 500));
  queue.send(`${baseUrl}/tracker/last`);
  queue.destroy();
  // Both look whether the host answers at all, since it does not let the page have what was asked for.
  await window.askForAds!([baseUrl]);
  const creative = loadCreative(
    `${baseUrl}/creative.png`,
    DEFAULT_CREATIVE_LIMITS,
    browserCreativeEnvironment(),
    new AbortController().signal,
  );
  await creative.catch(() => undefined);
};

window.shapesOf = (addresses) =>
  together(addresses, async (address) => {
    const { status, type, ok, body } = await fetch(address, { redirect: 'manual' });
    void body?.cancel();
    return `${status} ${type} ${ok ? 'ok' : 'not ok'} ${body === null ? 'no body' : 'a stream'}`;
  });

/** Some at a time: a browser holds back what is more. */
async function together<T>(items: readonly T[], work: (item: T) => Promise<string>): Promise<string[]> {
  const results: string[] = [];
  const todo = items.map((item, i) => async () => void (results[i] = await work(item)));
  const worker = async (): Promise<void> => {
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) await next();
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  return results;
}
