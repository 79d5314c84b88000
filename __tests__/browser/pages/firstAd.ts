import * as Phaser from 'phaser';
import { AdsGlobalPlugin, AdsScenePlugin, type AdsCredentials } from 'phaser-inview';
import { playScene } from './playScene.js';

/** How the game proves which one it is: a token that came with the page, its own backend's, or its key. */
export type Proof = 'token of the page' | 'token of the backend' | 'key';

declare global {
  interface Window {
    /** Shows one ad after the other on a surface that is known; the states they came to. */
    showAds?: (baseUrl: string, proof: Proof, count: number) => Promise<string[]>;
  }
}

const tokenOf = async (): Promise<{ token: string }> =>
  (await fetch('/game-backend/token', { method: 'POST' })).json() as Promise<{ token: string }>;

window.showAds = async (baseUrl, proof, count) => {
  const ofPage = proof === 'token of the page' ? await tokenOf() : null;
  console.log('start');
  const credentials: AdsCredentials =
    proof === 'key'
      ? { apiKey: 'demo-api-key', privateKey: 'demo-private-key-for-localhost-only' }
      : { apiKey: 'demo-api-key', getToken: () => Promise.resolve(ofPage ?? tokenOf()) };
  return playScene(
    async (scene) => {
      const states: string[] = [];
      for (let i = 0; i < count; i++) {
        const ad = scene.ads.place('main-street-billboard', { x: 200, y: 150, width: 320, height: 180 });
        states.push(await ad.ready);
      }
      return states;
    },
    Phaser.CANVAS,
    {
      plugins: {
        global: [{ key: 'Ads', plugin: AdsGlobalPlugin, start: true, data: { ...credentials, baseUrl, reporting: false } }],
        scene: [{ key: 'AdsScene', plugin: AdsScenePlugin, mapping: 'ads' }],
      },
    },
  ); // prettier-ignore
};
