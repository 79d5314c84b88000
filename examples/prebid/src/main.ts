import * as Phaser from 'phaser';
import { AdsGlobalPlugin, AdsScenePlugin, type PlacedAd } from 'phaser-inview';
import { ConsentSource } from 'phaser-inview/consent';
import { OpenRtbAds } from 'phaser-inview/openrtb';
import { VastVideo } from 'phaser-inview/vast';

/** Where each surface hangs. `storedRequest` is what the account at Prebid Server keeps its bidders under. */
const SURFACES = [
  { adSurfaceId: 'billboard', width: 320, height: 180, storedRequest: 'billboard', x: 200, y: 130 },
  { adSurfaceId: 'screen', width: 320, height: 180, storedRequest: 'screen', x: 600, y: 130 },
  // Nobody bids on this one, and of the other Prebid Server knows no bidder.
  { adSurfaceId: 'corner', width: 320, height: 180, storedRequest: 'corner', x: 200, y: 370 },
  { adSurfaceId: 'bench', width: 320, height: 180, x: 600, y: 370 },
];

/** The stand-in for Prebid Server, by `?exchange=`. In a game of your own: its address, and your own accounts. */
const endpoint = new URLSearchParams(location.search).get('exchange') ?? 'http://127.0.0.1:8000/openrtb2/auction';

class Street extends Phaser.Scene {
  create(): void {
    for (const x of [100, 300, 500, 700]) this.add.rectangle(x, 250, 12, 400, 0x5a4636); // what the billboards stand on
    this.add.rectangle(400, 475, 800, 50, 0x2a2d43); // the street

    document.body.append(list); // below the game, which is on the page by now
    const { ads } = this;
    // Analytics: what was earned, and by whose ad.
    ads.on('adrevenue', ({ value, currency, advertiser }) => tell(`earned ${value} ${currency} by ${advertiser}`));
    ads.on('advisible', ({ coverage }) => console.log('seen', coverage.screenCoveragePercentage));
    ads.on('adviewable', ({ placedAd, standard }) => tell(`${nameOf(placedAd)} viewable (${standard.id})`));
    ads.on('advideocomplete', ({ placedAd }) => tell(`${nameOf(placedAd)} played to its end`));
    ads.on('adnofill', ({ adSurfaceId }) => tell(`${adSurfaceId} has no ad`));
    ads.on('aderror', ({ placedAd, error }) => {
      tell(`${nameOf(placedAd)}: ${error.code}`);
      // Why, in the words of the exchange. The option `debug` prints the same.
      for (const line of placedAd?.diagnosis ?? []) tell(line);
    });
    for (const { x, y, ...surface } of SURFACES) ads.place(surface, { x, y, clickable: true });
  }
}

const nameOf = (placedAd: PlacedAd | null): string => placedAd?.surface?.adSurfaceId ?? 'an ad';

function tell(line: string): void {
  console.log(line);
  const item = document.createElement('li');
  item.textContent = line;
  list.append(item);
}

document.body.style.cssText = 'margin: 0; background: #0b0d26; color: #fff; font: 16px sans-serif';
const list = document.createElement('ul');

new Phaser.Game({
  type: Phaser.CANVAS,
  width: 800,
  height: 500,
  backgroundColor: '#6fa8dc',
  audio: { noAudio: true },
  plugins: {
    global: [
      {
        key: 'AdsGlobalPlugin',
        plugin: AdsGlobalPlugin,
        start: true,
        data: {
          source: new OpenRtbAds({
            endpoint,
            surfaces: SURFACES,
            video: new VastVideo(),
            // Not in this game, whatever the exchange thinks of it: IAB7 is health.
            bcat: ['IAB7'],
            badv: ['blocked.example'],
          }),
          // Nothing is asked before the player has decided; a page without a consent manager needs no consent here.
          consent: new ConsentSource({ deadlineMs: 2_000, withoutManager: { gdprApplies: false } }),
          waitForConsent: true,
          frequency: { perPage: 20 },
        },
      },
    ],
    scene: [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' }],
  },
  scene: Street,
});
