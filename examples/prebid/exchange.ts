import type { JsonObject } from '../../__tests__/helpers/prebidServer/json.js';
import { type Bidder, PrebidServer } from '../../__tests__/helpers/prebidServer/PrebidServer.js';

/** Addresses of the buyers: nobody's, so that the example bills no one. */
const BUYER = 'https://buyer.example';
/** Tells one auction's calls from the next one's. */
const AUCTION = 'a=${AUCTION_ID}';

/** Pictures the image bidder has, by their sizes. */
const PICTURES: Readonly<Record<string, string>> = {
  '300x250': 'brambo-300x250.png',
  '728x90': 'tidepool-728x90.png',
};

/** @param files where the creatives of the demo are */
function bidders(files: string): Readonly<Record<string, Bidder>> {
  const trackers = (name: string) => ({
    burl: `${BUYER}/${name}/bill?p=\${AUCTION_PRICE}&c=\${GDPR_CONSENT_7}&${AUCTION}`,
  });
  const image: Bidder = (imp) => ({
    bids: [
      {
        id: 'image-1',
        impid: imp['id']!,
        mtype: 4,
        price: 1.5,
        crid: 'fizzwick',
        adomain: ['fizzwick.example'],
        ...trackers('image'),
        adm: JSON.stringify({
          assets: [{ id: 1, img: { url: `${files}/${pictureFor(imp)}` } }],
          link: { url: 'https://fizzwick.example/' },
          eventtrackers: [{ event: 1, method: 1, url: `${BUYER}/image/impression?${AUCTION}` }],
        }),
      },
      // Dearer, and not wanted in this game.
      { id: 'image-2', impid: imp['id']!, price: 9, adomain: ['shop.blocked.example'], adm: '{}' },
    ],
  });
  const video: Bidder = (imp) => ({
    bids: [
      {
        id: 'video-1',
        impid: imp['id']!,
        mtype: 2,
        price: 4,
        adomain: ['comet.example'],
        ...trackers('video'),
        adm: `<VAST version="4.2"><Ad id="1"><InLine><AdSystem>Example</AdSystem><AdTitle>Comet</AdTitle>
          <Impression>${BUYER}/video/impression?${AUCTION}</Impression><Error>${BUYER}/video/error?c=[ERRORCODE]</Error>
          <ViewableImpression><Viewable>${BUYER}/video/viewable?${AUCTION}</Viewable></ViewableImpression>
          <Creatives><Creative><Linear><Duration>00:00:03</Duration>
            <TrackingEvents><Tracking event="start">${BUYER}/video/start?${AUCTION}</Tracking>
              <Tracking event="complete">${BUYER}/video/complete?${AUCTION}</Tracking></TrackingEvents>
            <VideoClicks><ClickThrough>https://comet.example/</ClickThrough></VideoClicks>
            <MediaFiles><MediaFile delivery="progressive" type="video/webm" width="320" height="180">
              ${files}/comet-320x180.webm</MediaFile></MediaFiles>
          </Linear></Creative></Creatives></InLine></Ad></VAST>`,
      },
    ],
  });
  return { image, video, silent: () => null };
}

/** The picture of the size that is asked for, or else one of 320 × 180. */
function pictureFor(imp: JsonObject): string {
  const { w, h } = (imp['video'] ?? {}) as { w?: number; h?: number };
  return PICTURES[`${w}x${h}`] ?? 'fizzwick-320x180.png';
}

const storedImp = (bidder: string): JsonObject => ({ ext: { prebid: { bidder: { [bidder]: {} } } } });

/** A stand-in for Prebid Server, with the accounts of the example. */
export function startExchange(files: string): Promise<PrebidServer> {
  return PrebidServer.start({
    bidders: bidders(files),
    storedImps: { billboard: storedImp('image'), screen: storedImp('video'), corner: storedImp('silent') },
  });
}
