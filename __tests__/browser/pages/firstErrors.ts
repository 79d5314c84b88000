import { isAdsError } from '../../../src/errors.js';
import { ServiceClient } from '../../../src/service/ServiceClient.js';

declare global {
  interface Window {
    /** What the console prints of the error of a first call, and of making the client. */
    firstCall?: (baseUrl: string | undefined) => Promise<{ code: string; printed: string }>;
    /** Asks this player to connect, and waits for the decision. */
    connect?: (baseUrl: string, email: string) => Promise<boolean>;
  }
}

const settings = { apiKey: 'demo-api-key', privateKey: 'demo-private-key-for-localhost-only', timeoutMs: 20_000 };

window.connect = async (baseUrl, email) => {
  const client = new ServiceClient({ ...settings, baseUrl });
  const { game } = await client.connect(email);
  return game.waitForGameConnect().finally(() => client.destroy());
};

window.firstCall = async (baseUrl) => {
  try {
    const client = new ServiceClient(baseUrl === undefined ? settings : { ...settings, baseUrl });
    await client.getAdSurfaces();
    client.destroy();
    return { code: 'ok', printed: '' };
  } catch (error) {
    console.error(error);
    return { code: isAdsError(error) ? error.code : 'none', printed: String((error as Error).stack) };
  }
};
