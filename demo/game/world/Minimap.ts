import type * as Phaser from 'phaser';
import type { PlacedAd } from '../../../src/index.js';
import { spriteOf } from '../spriteOf.js';
import { RESOLUTION } from '../resolution.js';
import type { Courier } from './Courier.js';
import type { Course, ThingKind } from './Course.js';
import { VIEW_WIDTH, Y } from './layout.js';

export const MAP_AREA = { x: VIEW_WIDTH - 282, y: 13, width: 212, height: 56 } as const;
const ZOOM = 0.085;

const colours: Readonly<Partial<Record<ThingKind, number>>> = {
  parcel: 0xffc65c,
  drop: 0x5ff0c8,
  barrier: 0xff6f5e,
  crates: 0xff6f5e,
  cone: 0xff6f5e,
};

/** A second camera that looks at a drawing of the street from far away. The street itself it leaves out. */
export class Minimap {
  private readonly camera: Phaser.Cameras.Scene2D.Camera;
  private readonly drawing: Phaser.GameObjects.Graphics;

  constructor(scene: Phaser.Scene, street: Phaser.GameObjects.Layer) {
    const { x, y, width, height } = MAP_AREA;
    this.drawing = scene.add.graphics().setName('map');
    scene.cameras.main.ignore(this.drawing);
    this.camera = scene.cameras
      .add(x * RESOLUTION, y * RESOLUTION, width * RESOLUTION, height * RESOLUTION, false, 'map')
      .setZoom(ZOOM * RESOLUTION)
      .setBackgroundColor('#0b0d26');
    this.camera.ignore(street);
  }

  hide(): void {
    this.camera.setVisible(false);
  }

  update(courier: Courier, course: Course, ads: readonly PlacedAd[]): void {
    this.camera.centerOn(courier.x + 620, Y.courier - 190);
    const pen = this.drawing.clear();
    const left = courier.x - 800;
    pen.fillStyle(0x2a2c62).fillRect(left, Y.houseFoot, 3600, 190);
    pen.fillStyle(0x565aa0).fillRect(left, Y.houseFoot + 70, 3600, 12);
    for (const ad of ads) {
      const sprite = spriteOf(ad);
      if (sprite.parentContainer) continue;
      const { measurement } = ad;
      const colour = measurement?.isFullyVisible ? 0xb8f34a : measurement?.isVisible ? 0xffa04c : 0x4b5080;
      const width = Math.max(150, sprite.displayWidth);
      pen.fillStyle(colour).fillRect(sprite.x - width / 2, 120, width, 90);
    }
    for (const thing of course.things) {
      const colour = colours[thing.kind];
      if (thing.done || colour === undefined) continue;
      if (thing.kind === 'drop') pen.fillStyle(colour).fillRect(thing.x - 18, 190, 36, 320);
      else pen.fillStyle(colour).fillCircle(thing.x, Y.courier - thing.height - 40, 34);
    }
    pen
      .fillStyle(0xffffff)
      .fillTriangle(
        courier.x - 60,
        Y.courier - 110 - courier.height,
        courier.x - 60,
        Y.courier + 10 - courier.height,
        courier.x + 80,
        Y.courier - 50 - courier.height,
      );
  }
}
