import { bundlePage } from '../../__tests__/helpers/bundlePage.js';
import { servePages } from '../../__tests__/helpers/servePages.js';
import { startExchange } from './exchange.js';

/** Serves the game, its creatives and a stand-in for Prebid Server on this machine. */
const pages = await servePages({
  '/': await bundlePage('examples/prebid/game.ts'),
  '/files/': `${process.cwd()}/demo/service/creatives`,
});
const exchange = await startExchange(`${pages.url}/files`);
console.log(`Open ${pages.url}/?exchange=${encodeURIComponent(exchange.endpoint)}`);
