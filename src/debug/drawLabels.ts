import { colours, FONT } from './colours.js';

export interface Label {
  /** In CSS pixels of the picture: the left end of a label above its ad, the middle of a label below it. */
  readonly x: number;
  /** The lower edge of a label above its ad, the upper edge of a label below it. */
  readonly y: number;
  readonly words: string;
  readonly colour: string;
  readonly isAbove: boolean;
}

interface Place {
  readonly left: number;
  top: number;
  readonly right: number;
}

/** Labels never lie on each other: a later one moves down to the next free place. One that finds none is left out. */
export function drawLabels(
  pen: CanvasRenderingContext2D,
  labels: readonly Label[],
  width: number,
  height: number,
  fontSize: number,
): void {
  const lineHeight = 1.5 * fontSize;
  const padding = fontSize / 2;
  const taken: Place[] = [];
  pen.font = `700 ${fontSize}px ${FONT}`;
  pen.textBaseline = 'middle';
  for (const { x, y, words, colour, isAbove } of labels) {
    const length = pen.measureText(words).width + 2 * padding;
    const left = Math.max(2, Math.min(isAbove ? x - 1 : x - length / 2, width - length - 2));
    const place = { left, right: left + length, top: Math.max(3, isAbove ? y - lineHeight : y) };
    while (taken.some((other) => overlap(place, other, lineHeight))) place.top += 4;
    if (place.top + lineHeight > height) continue;
    taken.push(place);
    pen.fillStyle = colour;
    pen.beginPath();
    // The oldest browsers of the package have square corners only.
    if ('roundRect' in pen) pen.roundRect(left, place.top, length, lineHeight, 5);
    else (pen as CanvasRenderingContext2D).rect(left, place.top, length, lineHeight);
    pen.fill();
    pen.fillStyle = colours.ink;
    pen.fillText(words, left + padding, place.top + lineHeight / 2 + 0.5);
  }
}

function overlap(a: Place, b: Place, lineHeight: number): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.top + lineHeight && b.top < a.top + lineHeight;
}
