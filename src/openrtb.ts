export { OpenRtbAds, type OpenRtbOptions } from './sources/openrtb/OpenRtbAds.js';
export type { BidFloor, BidRequest, OpenRtbSurface } from './sources/openrtb/bidRequest.js';
