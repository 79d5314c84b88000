import fc from 'fast-check';
import { drawLabels, type Label } from '../../../src/debug/drawLabels.js';

const WIDTH = 300;
const HEIGHT = 120;
const FONT_PX = 10;
const LINE = 15;

interface Box {
  readonly words: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Where labels come to lie, with letters of 6 px. */
function drawn(labels: readonly Label[], hasRoundCorners = true): Box[] {
  const boxes: Box[] = [];
  let path: Omit<Box, 'words'>[] = [];
  let plate: Omit<Box, 'words'> | null = null;
  let isWell = true;
  const rect = (left: number, top: number, width: number, height: number): void => {
    path.push({ left, top, right: left + width, bottom: top + height });
  };
  const pen = {
    font: '',
    fillStyle: '',
    textBaseline: 'alphabetic',
    measureText: (words: string) => {
      isWell &&= pen.font.includes(` ${FONT_PX}px `);
      return { width: 6 * words.length };
    },
    beginPath: () => (path = []),
    fill: () => {
      // One plate at a time, in the colour of its ad.
      isWell &&= path.length === 1 && pen.fillStyle === labels[0]!.colour;
      plate = path[0]!;
    },
    fillText: (words: string, x: number, y: number) => {
      const { left, top } = plate!;
      isWell &&= pen.fillStyle !== labels[0]!.colour && pen.textBaseline === 'middle';
      isWell &&= x - left === FONT_PX / 2 && y - top === LINE / 2 + 0.5;
      boxes.push({ words, ...plate! });
      plate = null;
    },
    ...(hasRoundCorners ? { roundRect: rect } : { rect }),
  };
  drawLabels(pen as never, labels, WIDTH, HEIGHT, FONT_PX);
  expect(isWell).toBe(true);
  return boxes;
}

const meet = (a: Omit<Box, 'words'>, b: Omit<Box, 'words'>): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

it('a label lies above its ad or below it, and in the picture', () => {
  const at = { words: 'board', colour: 'red', x: 150, y: 60 };
  // 30 px of letters, and 5 px on each side.
  const above = { words: 'board', left: 149, top: 45, right: 189, bottom: 60 };
  const below = { words: 'board', left: 130, top: 60, right: 170, bottom: 75 };
  for (const isRound of [true, false]) {
    expect(drawn([{ ...at, isAbove: true }], isRound)).toEqual([above]);
    expect(drawn([{ ...at, isAbove: false }], isRound)).toEqual([below]);
  }
});

it('labels never lie on each other, and each has the first place that is free', () => {
  const label = fc.record({
    x: fc.integer({ min: -20, max: WIDTH + 20 }),
    y: fc.integer({ min: -20, max: HEIGHT + 20 }),
    length: fc.integer({ min: 1, max: 30 }),
    isAbove: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(label, { maxLength: 25, size: 'max' }), (list) => {
      const labels = list.map(({ x, y, length, isAbove }, i) => ({ x, y, isAbove, words: String.fromCharCode(65 + i).repeat(length), colour: 'red' })); // prettier-ignore
      const boxes = drawn(labels);
      boxes.forEach((box, i) => {
        expect(box.left).toBeGreaterThanOrEqual(2);
        expect(box.right).toBeLessThanOrEqual(WIDTH - 2);
        expect(box.top).toBeGreaterThanOrEqual(3);
        expect(box.bottom).toBeLessThanOrEqual(HEIGHT);
        expect(boxes.slice(i + 1).filter((other) => meet(box, other))).toEqual([]);
      });
      labels.forEach((one, i) => {
        const box = boxes.find(({ words }) => words === one.words);
        const wished = drawn([one])[0];
        // Only one whose own place is below the picture is drawn nowhere.
        if (wished === undefined) {
          expect(box).toBeUndefined();
          return;
        }
        const earlier = boxes.filter(({ words }) => words.charCodeAt(0) < 65 + i);
        const steps = Math.round(((box?.top ?? HEIGHT - LINE + 4) - wished.top) / 4);
        for (let step = 0; step < steps; step++) {
          const place = { ...wished, top: wished.top + 4 * step, bottom: wished.bottom + 4 * step };
          if (place.bottom <= HEIGHT) expect(earlier.some((other) => meet(place, other))).toBe(true);
        }
      });
    }),
  );
});
