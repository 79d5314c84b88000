import { HitTest } from '../../src/page/HitTest.js';

describe('what has left the page since it was noticed', () => {
  const canvas = document.createElement('canvas');
  const gone = document.createElement('div');
  const box = [0, 0, 10, 0, 10, 10, 0, 10];

  beforeAll(() => {
    // Missing in jsdom.
    document.elementsFromPoint = () => [canvas];
    document.elementFromPoint = () => canvas;
  });

  it('lies nowhere above the canvas, with its words', () => {
    document.body.append(canvas);
    expect(new HitTest(canvas).isAbove(gone, box, true)).toBe(false);
  });

  it('keeps nothing from being hit elsewhere, and nothing of ours stays behind', () => {
    document.body.append(canvas);
    const hits = new HitTest(canvas);
    hits.liftIn(gone);
    hits.begin();
    expect(hits.at(1, 1)).toEqual([canvas]);
    hits.end();
  });

  it('is hit nowhere when it is the canvas', () => {
    canvas.remove();
    expect(new HitTest(canvas).isFree(1, 1)).toBe(false);
  });
});
