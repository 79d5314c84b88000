import { ServiceClient } from 'phaser-inview';

declare global {
  interface Window {
    openClient?: (baseUrl: string) => ServiceClient;
    client?: ServiceClient;
  }
}

/** A page of a game whose player's tokens are bound to the browser. */
window.openClient = (baseUrl) =>
  (window.client = new ServiceClient({
    apiKey: 'demo-api-key',
    privateKey: 'demo-private-key-for-localhost-only',
    baseUrl,
    persistSession: 'tab',
    sessionBinding: 'dpop',
  }));
