export { OpenRtbAds } from './sources/openrtb/OpenRtbAds.js';
export type { BlockLists } from './sources/openrtb/blockLists.js';
export type { VideoAd, VideoContext, VideoMarkup } from './sources/openrtb/VideoMarkup.js';
export type { BidFloor, BidRequest, OpenRtbOptions, OpenRtbSurface } from './sources/openrtb/OpenRtbOptions.js';
