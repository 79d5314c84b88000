import * as Phaser from 'phaser';
import { type AdsCredentials, AdsGlobalPlugin, AdsScenePlugin, ServiceClient } from 'phaser-inview';
import { playScene } from './playScene.js';

/** How the game proves which one it is: a token that came with the page, its own backend's, or its key. */
export type Proof = 'token of the page' | 'token of the backend' | 'key';

declare global {
  interface Window {
    /** Shows an ad on a surface that is known; the state it came to. */
    showAd?: (baseUrl: string, proof: Proof) => Promise<string>;
    /** Reports twice, one after the other. */
    sendTwice?: (baseUrl: string) => Promise<void>;
  }
}

const tokenOf = async (): Promise<{ token: string }> =>
  (await fetch('/game-backend/token', { method: 'POST' })).json() as Promise<{ token: string }>;

const KEY = { apiKey: 'demo-api-key', privateKey: 'demo-private-key-for-localhost-only' };

window.showAd = async (baseUrl, proof) => {
  const ofPage = proof === 'token of the page' ? await tokenOf() : null;
  console.log('start');
  const credentials: AdsCredentials =
    proof === 'key' ? KEY : { apiKey: KEY.apiKey, getToken: () => Promise.resolve(ofPage ?? tokenOf()) };
  return playScene(
    (scene) => scene.ads.place('main-street-billboard', { x: 200, y: 150, width: 320, height: 180 }).ready,
    Phaser.CANVAS,
    {
      plugins: {
        global: [{ key: 'Ads', plugin: AdsGlobalPlugin, start: true, data: { ...credentials, baseUrl, reporting: false } }],
        scene: [{ key: 'AdsScene', plugin: AdsScenePlugin, mapping: 'ads' }],
      },
    },
  ); // prettier-ignore
};

window.sendTwice = async (baseUrl) => {
  const client = new ServiceClient({ ...KEY, baseUrl });
  console.log('start');
  for (const id of ['first', 'second']) await client.reportEvents([{ id }]).catch(() => undefined);
  client.destroy();
};
