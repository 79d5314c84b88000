import type { FrameSnapshot } from '../measure/FrameSnapshot.js';

/**
 * Effective opacity of an ad, 0–1: that of its largest shape, at the middle of the shape's box; the mean of several that are
 * equally large.
 */
export function meanOpacity({ box, opacity, gradient }: FrameSnapshot, from: number, to: number): number {
  let largest = -1;
  let result = 0;
  let sum = 0;
  let count = 0;
  for (let i = from; i < to; i++) {
    const width = box[4 * i + 2]! - box[4 * i]!;
    const height = box[4 * i + 3]! - box[4 * i + 1]!;
    const x = box[4 * i]! + width / 2;
    const y = box[4 * i + 1]! + height / 2;
    const here = opacity[i]! + x * gradient[2 * i]! + y * gradient[2 * i + 1]!;
    const size = width * height;
    if (size > largest * 1.0001) {
      largest = size;
      sum = 0;
      count = 0;
    }
    if (size >= largest * 0.9999) {
      sum += here;
      count++;
      result = sum / count;
    }
  }
  return result;
}
