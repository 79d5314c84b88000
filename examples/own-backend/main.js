import { AdsEvents, inviewPlugins } from 'phaser-inview';
import * as Phaser from 'phaser';

class Street extends Phaser.Scene {
  async create() {
    for (const x of [100, 300, 500, 700]) this.add.rectangle(x, 350, 12, 110, 0x5a4636); // what the billboards stand on
    this.add.rectangle(400, 425, 800, 50, 0x2a2d43); // the street

    this.ads.on(AdsEvents.VISIBLE, ({ coverage }) => console.log('seen', coverage.screenCoveragePercentage));
    this.ads.on(AdsEvents.ERROR, ({ error }) => console.log(error.message));
    const { items } = await this.ads.getAdSurfaces();
    for (const [i, surface] of items.slice(0, 2).entries()) {
      this.ads.place(surface, { x: 200 + i * 400, y: 220, width: 320, height: 180 });
    }
  }
}

new Phaser.Game({
  width: 800,
  height: 450,
  backgroundColor: '#6fa8dc',
  scene: Street,
  plugins: inviewPlugins({
    apiKey: 'demo-api-key',
    baseUrl: SERVICE_URL, // written in by server.mjs
    async getToken({ signal }) {
      const answer = await fetch('/token', { method: 'POST', signal });
      if (!answer.ok) throw new Error(`The backend answered ${answer.status}`);
      return answer.json(); // { token, expires_in }
    },
  }),
});
