/**
 * Serves a page that compares random scenes with their own pixels in whatever browser opens it, on whatever device, and shows
 * how near the figures come:
 *
 *     npm run accuracy                     http://127.0.0.1:4180/
 *     HOST=0.0.0.0 npm run accuracy        for other devices of the network, too
 *
 * The address may end in `?scenes=1000&from=1&renderer=webgl`, or `canvas`.
 */
import { bundlePage } from '../__tests__/helpers/bundlePage.js';
import { startRun } from '../__tests__/helpers/oncePerRun.js';
import { servePages } from '../__tests__/helpers/servePages.js';

const host = process.env['HOST'] ?? '127.0.0.1';
const port = Number(process.env['PORT'] ?? 4180);

console.log('Building the page …');
await startRun();
const folder = await bundlePage('__tests__/browser/pages/accuracy.ts', {
  template: '__tests__/browser/pages/accuracy.html',
});
const { url } = await servePages({ '/': folder }, {}, { host, port });
console.log(`Open ${url}/ in the browser to be measured, and leave the tab in front. Ctrl+C ends.`);
