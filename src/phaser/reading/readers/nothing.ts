import type { ObjectReader } from '../ObjectReader.js';

/** For what is on a display list and paints nothing: zones, invisible layout parents, DOM elements (the page's matter). */
export const readNothing: ObjectReader<object> = () => {};
