import fc from 'fast-check';

import { adLabel } from '../../../src/placement/AdLabel.js';
import { fitCreative } from '../../../src/placement/fitCreative.js';

/** A context that knows its transform, and where what was drawn came to lie. */
class FakeContext {
  private a = 1;
  private d = 1;
  private e = 0;
  private f = 0;
  font = '';
  text = '';
  fontSize = 0;
  fillStyle = '';
  textAlign = '';
  textBaseline = '';
  saved = 0;
  box = { x: 0, y: 0, width: 0, height: 0, colour: '' };
  writing = { x: 0, y: 0, width: 0, how: [''] };
  save(): void {
    this.saved++;
  }
  restore(): void {
    this.saved--;
  }
  translate(x: number, y: number): void {
    this.e += x * this.a;
    this.f += y * this.d;
  }
  scale(x: number, y: number): void {
    this.a *= x;
    this.d *= y;
  }
  /** As wide as sixty hundredths of its height for each letter. */
  measureText(text: string): { width: number } {
    return { width: 0.6 * text.length * Number.parseFloat(this.font.split(' ')[1]!) };
  }
  fillRect(x: number, y: number, width: number, height: number): void {
    const { a, d, e, f, fillStyle: colour } = this;
    this.box = { x: e + x * a, y: f + y * d, width: width * a, height: height * d, colour };
  }
  fillText(text: string, x: number, y: number): void {
    const { a, d, e, f, fillStyle, textAlign, textBaseline } = this;
    const { width } = this.measureText(text);
    this.writing = { x: e + x * a, y: f + y * d, width: width * a, how: [fillStyle, textAlign, textBaseline] };
    this.text = text;
    this.fontSize = Number.parseFloat(this.font.split(' ')[1]!);
  }
}

function paint(...given: Parameters<typeof adLabel>): FakeContext & { readonly times: number } {
  const label = adLabel(...given);
  const context = new FakeContext();
  label.paint(context as unknown as CanvasRenderingContext2D);
  return Object.assign(context, { times: label.scale });
}

const BOX = { width: 300, height: 250, fit: 'contain' } as const;
const SIZE = { width: 300, height: 250 };

describe('the label of an ad', () => {
  const side = fc.integer({ min: 8, max: 2_000 });
  it('lies in the upper left corner of what is shown, and takes at most a third of either side', () => {
    fc.assert(
      fc.property(side, side, side, side, fc.constantFrom('contain', 'cover', 'stretch'), fc.constantFrom('Ad', 'Anzeige', 'Publicité sponsorisée'.slice(0, 20)), (width, height, w, h, fit, word) => {
        const { box, writing, saved } = paint(word, undefined, { width, height, fit }, { width: w, height: h });
        const { cut } = fitCreative(fit, width, height, w, h, 0.5, 0.5);
        expect([box.x, box.y]).toEqual([cut.x, cut.y]);
        expect(box.width).toBeLessThanOrEqual(cut.width / 3 + 1e-6);
        expect(box.height).toBeLessThanOrEqual(cut.height / 3 + 1e-6);
        // The word stands in the middle of it, light on dark, and nothing of this is left for who paints next.
        expect(writing.x - box.x).toBeGreaterThan(0);
        expect(writing.x - box.x).toBeCloseTo(box.x + box.width - (writing.x + writing.width), 6);
        expect((writing.y - box.y) / box.height).toBeCloseTo(0.53, 6);
        expect([box.colour, ...writing.how, saved]).toEqual(['rgba(0, 0, 0, 0.72)', '#fff', 'left', 'middle', 0]);
      }),
    );
  }); // prettier-ignore

  it('is written in one size in the world, however many pixels the creative has, and larger on a larger ad', () => {
    const sizeOf = (box: number, creative: number) =>
      paint('Ad', '', { width: box, height: box, fit: 'contain' }, { width: creative, height: creative }).fontSize;
    expect(sizeOf(100, 50)).toBe(11);
    expect(sizeOf(100, 1_000)).toBe(11);
    expect(sizeOf(600, 100)).toBe(50);
    expect(sizeOf(20, 100)).toBeLessThan(11);
  });

  it('has pixels enough to be read on a creative that is enlarged, within bounds', () => {
    expect(paint('Ad', '', BOX, SIZE).times).toBe(1);
    expect(paint('Ad', '', { ...BOX, width: 600, height: 500 }, { width: 60, height: 50 }).times).toBe(4);
    expect(paint('Ad', '', { ...BOX, width: 300, height: 10 }, { width: 2_000, height: 60 }).times).toBe(1);
    expect(paint('Ad', '', { ...BOX, width: 3_000, height: 60 }, { width: 1_000, height: 20 }).times).toBe(2);
    expect(paint('Ad', '', { ...BOX, width: 60, height: 3_000 }, { width: 20, height: 1_000 }).times).toBe(2);
    expect(paint('Ad', '', { ...BOX, width: 4_096, height: 40 }, { width: 4_096, height: 40 }).times).toBe(1);
    expect(paint('Ad', '', { width: 300, height: 2_500, fit: 'stretch' }, SIZE).times).toBe(4);
    expect(paint('Ad', '', { width: 3_000, height: 250, fit: 'stretch' }, SIZE).times).toBe(4);
  });

  it.each([
    [true, 'Anzeige', 'Anzeige'],
    [true, ' Ad\u202e\n ', 'Ad'],
    ['Werbung', 'Ad', 'Werbung'],
    [true, undefined, 'Ad'],
    [true, '', 'Ad'],
    [true, 'x'.repeat(20), 'x'.repeat(20)],
    [true, 'x'.repeat(21), 'Ad'],
    [true, { word: 1 }, 'Ad'],
  ] as const)('says, for %j and the word %j of the ad, %j', (wanted, own, said) => {
    expect(paint(wanted, own, BOX, SIZE).text).toBe(said);
  });
});
