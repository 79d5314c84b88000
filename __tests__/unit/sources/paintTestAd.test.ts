import * as fc from 'fast-check';

import { paintTestAd } from '../../../src/testing/paintTestAd.js';

interface Text {
  readonly words: string;
  readonly x: number;
  readonly y: number;
  readonly room: number;
  readonly px: number;
}

/** What is written on a test ad of that size, and how thick its frame is. */
async function painted(
  width: number,
  height: number,
  words: readonly string[],
): Promise<{ texts: Text[]; edge: number }> {
  const texts: Text[] = [];
  let edge = 0;
  const context = {
    font: '',
    lineWidth: 1,
    fillRect: (...box: number[]) => expect(box).toEqual([0, 0, width, height]),
    setLineDash: () => undefined,
    strokeRect: (...box: number[]) => {
      edge = context.lineWidth;
      expect(box).toEqual([edge / 2, edge / 2, width - edge, height - edge]);
    },
    fillText: (text: string, x: number, y: number, room: number) =>
      void texts.push({ words: text, x, y, room, px: Number(/ ([\d.e-]+)px/.exec(context.font)![1]) }),
  };
  const canvas = {
    width: 0,
    height: 0,
    getContext: () => context,
    toBlob: (give: (file: Blob) => void) => give(new Blob()),
  };
  Object.assign(globalThis, { document: { createElement: () => canvas } });
  await paintTestAd(width, height, words);
  expect([canvas.width, canvas.height]).toEqual([width, height]);
  return { texts, edge };
}
afterEach(() => {
  delete (globalThis as { document?: unknown }).document;
});

test('the words of a test ad stand within its frame, one line below the other, the title the largest', async () => {
  // Of the surfaces of games, from a pixel art sign to a full screen.
  const side = fc.integer({ min: 48, max: 2000 });
  await fc.assert(
    fc.asyncProperty(side, side, fc.array(fc.string(), { maxLength: 3 }), async (width, height, lines) => {
      const { texts, edge } = await painted(width, height, ['TEST AD', ...lines]);
      expect(texts.map(({ words }) => words)).toEqual(['TEST AD', ...lines]);
      let below = edge / 2;
      for (const { x, y, room, px } of texts) {
        // Longer words are squeezed into the room by the browser.
        expect([x, room < width - 2 * edge]).toEqual([width / 2, true]);
        expect(px).toBeLessThanOrEqual(texts[0]!.px);
        expect(y - px / 2).toBeGreaterThanOrEqual(below);
        below = y + px / 2;
      }
      expect(below).toBeLessThanOrEqual(height - edge / 2);
      // Bold capitals are about so wide: the title needs no squeezing, and yet is as large as there is room.
      expect(0.6 * 7 * texts[0]!.px).toBeLessThanOrEqual(texts[0]!.room);
      expect(texts[0]!.px).toBeGreaterThan(0.19 * Math.min(height, texts[0]!.room));
    }),
  );
});
