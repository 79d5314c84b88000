import type * as Phaser from 'phaser';
import type { Dice } from '../art/dice.js';
import { art, ART_SCALE } from '../resolution.js';
import type { Courier } from './Courier.js';
import { Depth, Y } from './layout.js';

export type ThingKind = 'cone' | 'barrier' | 'crates' | 'parcel' | 'coin' | 'drop';

export interface Thing {
  readonly kind: ThingKind;
  readonly x: number;
  /** Height of its middle above the road. */
  readonly height: number;
  readonly objects: readonly Phaser.GameObjects.Image[];
  done: boolean;
}

/** Half of the width and the height that count in a collision: kinder than what is painted. */
const sizes: Readonly<Record<ThingKind, { readonly half: number; readonly top: number }>> = {
  cone: { half: 11, top: 34 },
  barrier: { half: 30, top: 50 },
  crates: { half: 26, top: 70 },
  parcel: { half: 34, top: 34 },
  coin: { half: 30, top: 30 },
  drop: { half: 60, top: 400 },
};

const COURIER_HALF = 40;
const COURIER_TOP = 96;

export interface CourseEvents {
  onParcel(thing: Thing): void;
  onCoin(thing: Thing): void;
  onObstacle(thing: Thing): void;
  onDrop(thing: Thing): void;
}

/** What lies on the road: obstacles, coins, parcels and drop boxes, laid ahead of the courier in small patterns. */
export class Course {
  readonly things: Thing[] = [];
  private next = 760;
  private sinceDrop = 0;
  private seconds = 0;

  constructor(
    private readonly scene: Phaser.Scene,
    private readonly layer: Phaser.GameObjects.Layer,
    private readonly dice: Dice,
    private readonly events: CourseEvents,
  ) {}

  update(dtSeconds: number, courier: Courier, left: number, right: number): void {
    this.seconds += dtSeconds;
    while (this.next < right + 400) this.lay(courier.cruise);
    for (let i = this.things.length - 1; i >= 0; i--) {
      const thing = this.things[i]!;
      if (thing.x < left - 200) {
        for (const object of thing.objects) object.destroy();
        this.things.splice(i, 1);
        continue;
      }
      if (thing.kind === 'parcel' || thing.kind === 'coin') {
        const picture = thing.objects[0]!;
        if (!thing.done) picture.y = Y.courier - thing.height + Math.sin(this.seconds * 4 + thing.x * 0.02) * 4;
      }
      if (!thing.done && touches(thing, courier)) this.meet(thing);
    }
  }

  /** Distance to the next drop box ahead, null when none is laid yet. */
  nextDrop(x: number): number | null {
    const drops = this.things.filter((thing) => thing.kind === 'drop' && !thing.done && thing.x > x);
    return drops.length === 0 ? null : Math.min(...drops.map((thing) => thing.x - x));
  }

  private meet(thing: Thing): void {
    thing.done = true;
    if (thing.kind === 'parcel') this.events.onParcel(thing);
    else if (thing.kind === 'coin') this.events.onCoin(thing);
    else if (thing.kind === 'drop') this.events.onDrop(thing);
    else this.events.onObstacle(thing);
  }

  private lay(cruise: number): void {
    const { dice } = this;
    const start = this.next;
    // Faster riders get more room: the time between two patterns stays the same.
    const gap = Math.max(300, cruise * dice.between(0.95, 1.35));
    if (this.sinceDrop > 1500) {
      this.sinceDrop = 0;
      this.put('drop', start + 100, 0);
      this.next = start + 420;
      return;
    }
    const pattern = dice.integer(0, 6);
    let length = 120;
    if (pattern <= 1) {
      this.put(pattern === 0 ? 'cone' : 'barrier', start, 0);
      this.arc(start, 130, 5);
    } else if (pattern === 2) {
      this.put('cone', start, 0);
      this.put('cone', start + 46, 0);
      this.put('parcel', start + 23, 150);
      length = 160;
    } else if (pattern === 3) {
      this.put('crates', start, 0);
      this.put('parcel', start, 190);
    } else if (pattern === 4) {
      for (let i = 0; i < 6; i++) this.put('coin', start + i * 46, 40);
      this.put('parcel', start + 300, 44);
      length = 320;
    } else if (pattern === 5) {
      this.put('barrier', start, 0);
      this.put('parcel', start + 230, 60);
      length = 260;
    } else {
      this.arc(start + 60, 210, 7);
      this.put('parcel', start + 60, 240);
    }
    this.next = start + length + gap;
    this.sinceDrop += length + gap;
  }

  private arc(middle: number, top: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const t = i / (count - 1);
      this.put('coin', middle - 110 + 220 * t, 50 + (top - 50) * Math.sin(t * Math.PI));
    }
  }

  private put(kind: ThingKind, x: number, height: number): void {
    const add = (image: Phaser.GameObjects.Image, depth: number, name: string) => {
      this.layer.add(image.setDepth(depth).setName(name));
      return image;
    };
    const objects: Phaser.GameObjects.Image[] = [];
    if (kind === 'drop') {
      const ring = add(
        art(this.scene.add.image(x, Y.courier - 2, 'drop-ring')).setBlendMode('ADD'),
        Depth.dropBack,
        'drop ring',
      );
      const beam = add(
        art(this.scene.add.image(x, Y.courier + 12, 'drop-beam'))
          .setOrigin(0.5, 1)
          .setBlendMode('ADD'),
        Depth.dropBack,
        'drop beam',
      );
      this.scene.tweens.add({ targets: beam, alpha: { from: 0.65, to: 1 }, duration: 600, yoyo: true, repeat: -1 });
      this.scene.tweens.add({
        targets: ring,
        scale: { from: 0.94 * ART_SCALE, to: 1.06 * ART_SCALE },
        duration: 600,
        yoyo: true,
        repeat: -1,
      });
      objects.push(
        ring,
        beam,
        add(art(this.scene.add.image(x + 100, Y.kerb + 8, 'drop-box')).setOrigin(0.5, 1), Depth.dropBack, 'drop box'),
      );
    } else if (kind === 'parcel' || kind === 'coin') {
      objects.push(add(art(this.scene.add.image(x, Y.courier - height, kind)), Depth.parcel, kind));
    } else {
      objects.push(add(art(this.scene.add.image(x, Y.courier + 4, kind)).setOrigin(0.5, 1), Depth.obstacle, kind));
    }
    this.things.push({ kind, x, height, objects, done: false });
  }
}

function touches(thing: Thing, courier: Courier): boolean {
  const { half, top } = sizes[thing.kind];
  if (Math.abs(thing.x - courier.x) > half + COURIER_HALF) return false;
  if (thing.kind === 'drop') return true;
  if (thing.kind === 'parcel' || thing.kind === 'coin') {
    const middle = courier.height + COURIER_TOP / 2;
    return Math.abs(thing.height - middle) < top + COURIER_TOP / 2;
  }
  return courier.height < top;
}
