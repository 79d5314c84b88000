import type * as Phaser from 'phaser';

import type { DrawnObject } from './internals.js';

type Camera = Phaser.Cameras.Scene2D.Camera;

/**
 * Objects of scenes' own display lists that may come near an ad, camera by camera in the order they are drawn: found once in
 * a frame, gone through as often as needed. Reused from frame to frame.
 */
export class NearObjects {
  /** Objects of all cameras. */
  readonly objects: DrawnObject[] = [];
  private count = 0;
  private readonly cameras: Camera[] = [];
  private cameraCount = 0;
  /** Where the objects of each camera begin. */
  private readonly starts: number[] = [];

  /** Starts anew: no camera is known. */
  clear(): void {
    this.count = this.cameraCount = 0;
  }

  startCamera(camera: Camera): void {
    this.cameras[this.cameraCount] = camera;
    this.starts[this.cameraCount++] = this.count;
  }

  add(object: DrawnObject): void {
    this.objects[this.count++] = object;
  }

  /** The number of a camera, −1 when its objects are not known. */
  numberOf(camera: Camera): number {
    for (let i = 0; i < this.cameraCount; i++) if (this.cameras[i] === camera) return i;
    return -1;
  }

  /** The first of {@link objects} a camera draws, and the one after the last. */
  startOf(number: number): number {
    return this.starts[number]!;
  }
  endOf(number: number): number {
    return number + 1 < this.cameraCount ? this.starts[number + 1]! : this.count;
  }

  /** Lets go of every Phaser object. */
  release(): void {
    this.clear();
    this.objects.length = this.cameras.length = 0;
  }
}
