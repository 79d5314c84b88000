export { type StaticAd, StaticAds, type StaticAdsConfig } from './sources/StaticAds.js';
