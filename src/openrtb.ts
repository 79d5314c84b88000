export { OpenRtbAds, type OpenRtbOptions } from './sources/openrtb/OpenRtbAds.js';
export type { BlockLists } from './sources/openrtb/blockLists.js';
export type { VideoAd, VideoContext, VideoMarkup } from './sources/openrtb/VideoMarkup.js';
export type { BidFloor, BidRequest, OpenRtbSurface } from './sources/openrtb/bidRequest.js';
