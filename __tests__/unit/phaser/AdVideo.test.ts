import { AdVideo } from '../../../src/placement/AdVideo.js';
import { FakeVideo } from '../../helpers/FakeVideo.js';

/** A video of eight seconds in an ad, and what was told of it. */
function start() {
  const video = new FakeVideo(8);
  const told: unknown[] = [];
  const tell = (what: unknown): void => void told.push(what);
  const refreshTexture = jest.fn();
  const pressed = new Set<() => void>();
  const onPress = (callback: () => void) => {
    pressed.add(callback);
    return () => void pressed.delete(callback);
  };
  const ad = new AdVideo(video, { refreshTexture, tell, onPress, fail: ({ code }) => tell(code) });
  return { video, told, ad, refreshTexture, pressed };
}

it.each<[number, string[]]>([
  [0, []],
  [0.01, ['start']],
  [1.99, ['start']],
  [2, ['start', 'firstQuartile']],
  [4, ['start', 'firstQuartile', 'midpoint']],
  [6, ['start', 'firstQuartile', 'midpoint', 'thirdQuartile']],
  [7.99, ['start', 'firstQuartile', 'midpoint', 'thirdQuartile']],
  [8, ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete']],
])('at second %d of a video of eight, each quarter that has been played is told, once', (second, milestones) => {
  const { video, told, ad } = start();
  video.currentTimeSeconds = second;
  ad.update(0, 100);
  ad.update(16, 100);
  expect(told).toStrictEqual(milestones);
});

it('a video plays from half of it in view on, pauses below, and does not begin anew after its end', async () => {
  const { video, ad } = start();
  const plays: boolean[] = [];
  for (const percentage of [49.99, 50, 100, 49.99, 50]) {
    ad.update(16 * plays.length, percentage);
    plays.push(video.isPlaying);
    await new Promise(setImmediate);
  }
  expect([plays, video.playCount]).toEqual([[false, true, true, false, true], 2]);
  video.pass(8);
  ad.update(100, 100);
  expect([video.hasEnded, video.isPlaying, video.playCount]).toEqual([true, false, 2]);
});

it('a video that has paused before it began is asked to play again once the browser has answered', async () => {
  const { video, told, ad } = start();
  video.refusal = new DOMException('paused', 'AbortError');
  ad.update(0, 100);
  ad.update(16, 100);
  expect(video.playCount).toBe(1);
  await new Promise(setImmediate);
  video.refusal = null;
  ad.update(32, 100);
  expect([video.playCount, video.isPlaying, told]).toEqual([2, true, []]);
});

it('a video that the browser refuses is one error, however many frames it takes the browser to say so', async () => {
  const { video, told, ad } = start();
  video.refusal = new DOMException('No', 'NotAllowedError');
  ad.update(0, 100);
  ad.update(16, 100);
  await new Promise(setImmediate);
  ad.update(32, 100);
  await new Promise(setImmediate);
  expect([told, video.playCount]).toEqual([['ad/autoplay'], 1]);
});

it('a video that the browser refuses is tried again at each press, and told once', async () => {
  const { video, told, ad, pressed } = start();
  const plays: number[] = [];
  const play = async (percentage = 100): Promise<void> => {
    ad.update(16 * plays.length, percentage);
    await new Promise(setImmediate);
    plays.push(video.playCount);
  };
  const press = (): void => pressed.forEach((callback) => callback());
  video.refusal = new DOMException('No', 'NotAllowedError');
  await play();
  await play();
  press();
  await play();
  press();
  video.refusal = null;
  await play(10);
  await play();
  expect([plays, video.isPlaying, told]).toEqual([[1, 1, 2, 2, 3], true, ['ad/autoplay']]);
  ad.destroy();
  expect(pressed.size).toBe(0);
});

it('each picture is drawn once, and without a new one for a quarter of a second the video does not move', () => {
  const { video, ad, refreshTexture } = start();
  ad.update(0, 100);
  const movesAfter = [16, 32, 266, 267].map((time) => {
    if (time <= 16) video.pass(0.016);
    ad.update(time, 100);
    return ad.movesOn(time, 100);
  });
  expect([movesAfter, refreshTexture.mock.calls.length]).toEqual([[true, true, true, false], 1]);
  video.pass(0.1);
  // Asked before the frame is drawn, at the least share that plays and below it.
  expect([50, 49.99].map((percentage) => ad.movesOn(283, percentage))).toEqual([true, false]);
  ad.update(283, 100);
  expect([ad.movesOn(283, 100), refreshTexture.mock.calls.length]).toEqual([true, 2]);
  ad.destroy();
  expect([ad.movesOn(283, 100), video.isPlaying]).toEqual([false, false]);
});

it('a video that has shown no picture yet does not move, whatever the browser says: nobody has seen anything of it', () => {
  const { video, ad } = start();
  ad.update(0, 100);
  expect([video.isPlaying, ad.movesOn(0, 100), ad.movesOn(16, 100)]).toEqual([true, false, false]);
  video.pass(0.016);
  expect(ad.movesOn(32, 100)).toBe(true);
});

it('R7: a video whose ad has ended stands, and nothing is told of it, though the browser refuses to play it only then', async () => {
  const video = new FakeVideo(4);
  const told: unknown[] = [];
  const tell = (what: unknown): void => void told.push(what);
  const onPress = () => () => undefined;
  const adVideo = new AdVideo(video, { refreshTexture: () => undefined, tell, fail: tell, onPress });
  video.refusal = new DOMException('No', 'NotAllowedError');
  adVideo.update(0, 100);
  adVideo.destroy();
  await new Promise(setImmediate);
  video.currentTimeSeconds = 1;
  adVideo.update(16, 100);
  expect([told, video.isPlaying, video.playCount]).toEqual([[], false, 1]);
});

it('a video at its full length is not complete before the browser says that it has ended', () => {
  const { video, told, ad } = start();
  Object.defineProperty(video, 'hasEnded', { value: false });
  video.currentTimeSeconds = 8;
  ad.update(0, 100);
  expect(told).toEqual(['start', 'firstQuartile', 'midpoint', 'thirdQuartile']);
});

it('a video that breaks off is one error, with what was played of it, is drawn no more and not asked to play again', async () => {
  const { video, told, ad, refreshTexture } = start();
  ad.update(0, 100);
  await new Promise(setImmediate);
  video.pass(3);
  video.pause();
  video.isBroken = true;
  for (const time of [16, 32, 48]) ad.update(time, 100);
  expect([told, video.playCount, ad.movesOn(400, 100)]).toEqual([['ad/decode', 'start', 'firstQuartile'], 1, false]);
  expect(refreshTexture).not.toHaveBeenCalled();
});

it('a video that breaks while it is to begin is told as broken, not as refused', async () => {
  const { video, told, ad } = start();
  video.refusal = new DOMException('No supported source', 'NotSupportedError');
  ad.update(0, 100);
  video.isBroken = true;
  await new Promise(setImmediate);
  ad.update(16, 100);
  expect([told, video.playCount]).toEqual([['ad/decode'], 1]);
});
