import type * as Phaser from 'phaser';

import { NEGLIGIBLE_AREA } from '../../measure/ViewMeasurement.js';
import { AdBins } from './AdBins.js';
import type { DrawRecord } from './DrawRecord.js';
import { QUAD_NUMBERS, STRIDE } from './NearQuads.js';

/** Figures of an ad under nothing but opaque quads, as one camera shows it whole. Reused. */
export class FlatAd {
  camera: Phaser.Cameras.Scene2D.Camera | null = null;
  /** Areas in canvas pixels². Fractions from the beginning: a field that once held a whole number may cost an object. */
  area = 0.5;
  covered = 0.5;

  /**
   * Takes the figures of an ad from its marker in a record.
   * @returns false when the ad needs a closer look: then they must not be used
   */
  read(record: DrawRecord, marker: number): boolean {
    const { near, pieceBoxes: boxes } = record;
    const quad = record.markerAt[marker]!;
    const piece = record.markerPieces[marker]!;
    near.cover(quad, quad + 1, AdBins.bitOf(piece));
    const { f32 } = near;
    const at = quad * QUAD_NUMBERS;
    // Twice the area of a convex quad is the cross product of its diagonals.
    const twice =
      (f32[at + 2 * STRIDE]! - f32[at]!) * (f32[at + 3 * STRIDE + 1]! - f32[at + STRIDE + 1]!) -
      (f32[at + 2 * STRIDE + 1]! - f32[at + 1]!) * (f32[at + 3 * STRIDE]! - f32[at + STRIDE]!);
    const covered = near.coveredArea[0]!;
    this.camera = record.markerCameras[marker]!;
    this.area = Math.abs(twice) / 2;
    this.covered = covered;
    // Covered by so little that single pixels decide whether anything is lost at all.
    const halfAround = boxes[4 * piece + 2]! - boxes[4 * piece]! + boxes[4 * piece + 3]! - boxes[4 * piece + 1]!;
    const isThin = covered >= NEGLIGIBLE_AREA && covered < 2 * halfAround;
    return covered >= 0 && !isThin;
  }
}
