/** What the global `PhaserInview` holds, and `require` gives: the root of the package and all of its entries. */
export * from './index.js';
export * from './consent.js';
export * from './openrtb.js';
export * from './static.js';
export * from './testing.js';
export * from './vast.js';
