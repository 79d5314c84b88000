import { OpenRtbAds } from '../../src/openrtb.js';
import { VastVideo } from '../../src/vast.js';
import { isOnThisMachine } from './credentials.js';

/**
 * The street as it is sold through Prebid Server (`npm start -- --prebid`). `storedRequest` is what that keeps the bidders of a
 * surface under; nobody bids on the tower, and of the board at the park it knows no bidder and refuses the auction.
 */
const SURFACES = [
  { adSurfaceId: 'main-street-billboard', width: 320, height: 180, storedRequest: 'billboard' },
  { adSurfaceId: 'cinema-screen', width: 320, height: 180, storedRequest: 'screen' },
  { adSurfaceId: 'corner-shop-poster', width: 300, height: 250, storedRequest: 'billboard' },
  { adSurfaceId: 'bridge-banner', width: 728, height: 90, storedRequest: 'billboard' },
  { adSurfaceId: 'tower-banner', width: 160, height: 600, storedRequest: 'corner' },
  { adSurfaceId: 'park-board', width: 400, height: 200 },
];

/** The exchange on this machine that `?exchange=` names, as a source of ads; nothing without one. */
export function exchangeSource(search: string): { readonly source?: OpenRtbAds } {
  const endpoint = new URLSearchParams(search).get('exchange');
  if (endpoint === null || !isOnThisMachine(endpoint)) return {};
  return { source: new OpenRtbAds({ endpoint, surfaces: SURFACES, video: new VastVideo() }) };
}
