import type { CreativeEnvironment } from '../creative/CreativeEnvironment.js';
import { TEST_HOST } from '../sources/TEST_HOST.js';
import type { PaintTestAd } from '../testing/answerTestImage.js';

/** The image host of test ads: answers for itself what any image host may do, and leaves other addresses alone. */
export function testCreatives(real: CreativeEnvironment, paint: PaintTestAd): CreativeEnvironment {
  return {
    ...real,
    // Test ads make no request, not for the page's own headers either.
    requiresLeave: () => Promise.resolve(false),
    async fetch(url, init) {
      const { hostname, pathname } = new URL(url);
      if (hostname !== TEST_HOST) return real.fetch(url, init);
      const { answerTestImage } = await import('../testing/answerTestImage.js');
      return answerTestImage(pathname, paint, real, init);
    },
  };
}
