import { AdVideo } from '../../../src/placement/AdVideo.js';
import { FakeVideo } from '../../helpers/FakeVideo.js';

it('R7: a video whose ad has ended stands, and nothing is told of it, though the browser refuses to play it only then', async () => {
  const video = new FakeVideo(4);
  const told: unknown[] = [];
  const tell = (what: unknown): void => void told.push(what);
  const adVideo = new AdVideo(video, { refreshTexture: () => undefined, tell, fail: tell });
  video.refusal = new DOMException('No', 'NotAllowedError');
  adVideo.update(0, 100);
  adVideo.destroy();
  await new Promise(setImmediate);
  video.currentTimeSeconds = 1;
  adVideo.update(16, 100);
  expect([told, video.isPlaying, video.playCount]).toEqual([[], false, 1]);
});
