import type * as Phaser from 'phaser';
import type { Dice } from '../art/dice.js';
import { letteredKey, TRUCK_PANEL } from '../art/paintVehicles.js';
import { art } from '../resolution.js';
import type { AdSpots } from './AdSpots.js';
import { Depth, Y } from './layout.js';

interface Vehicle {
  readonly body: Phaser.GameObjects.Container;
  readonly beam: Phaser.GameObjects.Image;
  readonly width: number;
  readonly direction: 1 | -1;
  readonly wish: number;
  speed: number;
}

const kinds = [
  { key: 'bus', name: 'bus', width: 306, height: 128, share: 3 },
  { key: 'taxi', name: 'taxi', width: 158, height: 66, share: 3 },
  { key: 'car', name: 'car', width: 158, height: 66, share: 2 },
  { key: 'car-red', name: 'car', width: 158, height: 66, share: 2 },
  { key: 'van', name: 'van', width: 190, height: 102, share: 2 },
  { key: 'truck', name: 'truck', width: 350, height: 150, share: 0 },
] as const;
export type VehicleKey = (typeof kinds)[number]['key'];

const lottery = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind.key));
const TRUCK_EVERY_S = 17;

/** Vehicles on the two far lanes. They pass between the courier and the houses, and keep their distance. */
export class Traffic {
  private readonly vehicles: Vehicle[] = [];
  private readonly waits = { left: 2.5, right: 4, truck: 7 };

  constructor(
    private readonly scene: Phaser.Scene,
    private readonly layer: Phaser.GameObjects.Layer,
    private readonly ads: AdSpots,
    private readonly dice: Dice,
  ) {}

  update(dtSeconds: number, left: number, right: number, courierSpeed: number, lamps: number): void {
    this.dispatch(dtSeconds, left, right, courierSpeed);
    for (let i = this.vehicles.length - 1; i >= 0; i--) {
      const vehicle = this.vehicles[i]!;
      this.keepDistance(vehicle, dtSeconds);
      vehicle.body.x += vehicle.speed * vehicle.direction * dtSeconds;
      vehicle.body.y = laneY(vehicle.direction) + Math.sin(vehicle.body.x * 0.05) * 0.8;
      vehicle.beam.setAlpha(lamps * 0.8).setVisible(lamps > 0.05);
      if (vehicle.body.x < left - 900 || vehicle.body.x > right + 900) {
        vehicle.body.destroy();
        this.vehicles.splice(i, 1);
      }
    }
  }

  /** Sends one vehicle; `x` is its middle. */
  send(key: VehicleKey, x: number, direction: 1 | -1, speed: number): void {
    const kind = kinds.find((candidate) => candidate.key === key)!;
    const { width, height, name } = kind;
    const body = this.scene.add.container(x, laneY(direction)).setName(name);
    body.setDepth(direction === 1 ? Depth.trafficRight : Depth.trafficLeft);
    this.layer.add(body);
    const picture = art(this.scene.add.image(0, 6, key))
      .setOrigin(0.5, 1)
      .setName(name);
    const beam = art(this.scene.add.image(width / 2 - 12, key === 'bus' ? -20 : -18, 'headlight'))
      .setOrigin(0, 0.5)
      .setBlendMode('ADD')
      .setName('headlights');
    body.add([picture, beam]);
    if (key === 'truck') {
      const { x: panelX, y: panelY, width: w, height: h } = TRUCK_PANEL;
      this.ads.hang({
        kind: 'truck side',
        x: -width / 2 + panelX + w / 2,
        y: 6 - height + panelY + h / 2,
        width: w,
        height: h,
        depth: 0,
        container: body,
      });
    }
    if (direction === -1) {
      picture.setFlipX(true);
      if (key === 'bus' || key === 'taxi') picture.setTexture(letteredKey(key, 'left'));
      beam
        .setFlipX(true)
        .setOrigin(1, 0.5)
        .setX(-width / 2 + 12);
    }
    this.vehicles.push({ body, beam, width, direction, wish: speed, speed });
  }

  private dispatch(dtSeconds: number, left: number, right: number, courierSpeed: number): void {
    const waits = this.waits;
    waits.left -= dtSeconds;
    waits.right -= dtSeconds;
    waits.truck -= dtSeconds;
    if (waits.left <= 0) {
      waits.left = this.dice.between(2.2, 4.6);
      this.sendIfFree(this.dice.pick(lottery), right + 360, -1, this.dice.between(150, 250));
    }
    if (waits.right <= 0) {
      waits.right = this.dice.between(3, 6);
      // Slower ones are overtaken, so they come from ahead; faster ones from behind.
      const speed = this.dice.between(180, 420);
      this.sendIfFree(this.dice.pick(lottery), speed < courierSpeed ? right + 360 : left - 360, 1, speed);
    }
    if (waits.truck <= 0) {
      waits.truck = TRUCK_EVERY_S;
      const slower = courierSpeed > 200;
      this.sendIfFree('truck', slower ? right + 400 : left - 400, 1, slower ? courierSpeed * 0.74 : 240);
    }
  }

  private sendIfFree(key: VehicleKey, x: number, direction: 1 | -1, speed: number): void {
    const crowded = this.vehicles.some((other) => other.direction === direction && Math.abs(other.body.x - x) < 380);
    if (!crowded) this.send(key, x, direction, speed);
  }

  private keepDistance(vehicle: Vehicle, dtSeconds: number): void {
    let target = vehicle.wish;
    for (const other of this.vehicles) {
      if (other === vehicle || other.direction !== vehicle.direction) continue;
      const gap = (other.body.x - vehicle.body.x) * vehicle.direction - (other.width + vehicle.width) / 2;
      if (gap > -60 && gap < 70) target = Math.min(target, other.speed * (gap < 30 ? 0.9 : 1));
    }
    vehicle.speed += (target - vehicle.speed) * Math.min(1, dtSeconds * 4);
  }
}

function laneY(direction: 1 | -1): number {
  return direction === 1 ? Y.laneRight : Y.laneLeft;
}
