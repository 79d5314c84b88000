import type * as Phaser from 'phaser';
import type { Dice } from '../art/dice.js';
import { blankWalls, facades, type Facade } from '../art/paintBuildings.js';
import { frames, type AdFrame } from '../art/paintStreet.js';
import { art, ART_SCALE, RESOLUTION } from '../resolution.js';
import type { AdSpots, SpotKind } from './AdSpots.js';
import { Depth, VIEW_WIDTH, Y } from './layout.js';

/** Everything of one stretch of street; it goes as one when it has left the picture. */
interface Stretch {
  readonly right: number;
  readonly objects: Phaser.GameObjects.GameObject[];
}

/** Houses that always stand at the start, so that the first picture of every ride is a good one. */
const OPENING = [4, 2, 3, 0, 1, 2, 5] as const;
const OPENING_LEFT = -820;
const ROOF_AD_MAX_HEIGHT = 190;

/** The side of the street with houses, lamps, trees, bus stops and bridges; built ahead of the camera, cleared behind. */
export class City {
  private readonly stretches: Stretch[] = [];
  private readonly lights: Phaser.GameObjects.Image[] = [];
  private readonly vents: { readonly x: number; readonly y: number; readonly mark: Phaser.GameObjects.GameObject }[] =
    [];
  private readonly road: Phaser.GameObjects.TileSprite;
  private readonly steam: Phaser.GameObjects.Particles.ParticleEmitter;
  private right = OPENING_LEFT;
  private houses = 0;
  private sinceRoofAd = 0;
  private sinceStop = 0;
  private sinceBridge = -600;
  private steamClock = 0;

  constructor(
    private readonly scene: Phaser.Scene,
    private readonly layer: Phaser.GameObjects.Layer,
    private readonly ads: AdSpots,
    private readonly dice: Dice,
  ) {
    this.road = scene.add
      .tileSprite(VIEW_WIDTH / 2, Y.houseFoot, 1400, 256, 'road')
      .setTileScale(ART_SCALE)
      .setOrigin(0.5, 0)
      .setScrollFactor(0, 1)
      .setDepth(Depth.house - 1)
      .setName('road');
    this.steam = scene.add
      .particles(0, 0, 'puff', {
        speedY: { min: -46, max: -26 },
        speedX: { min: -16, max: 6 },
        scale: { start: 0.25 * ART_SCALE, end: 1.5 * ART_SCALE },
        alpha: { start: 0.7, end: 0 },
        lifespan: 2600,
        emitting: false,
      })
      .setDepth(Depth.steam)
      .setName('steam');
    layer.add([this.road, this.steam]);
  }

  update(dtSeconds: number, left: number, right: number, lamps: number): void {
    this.road.tilePositionX = ((left + right) / 2 - 700) * RESOLUTION;
    while (this.right < right + 500) this.build();
    const first = this.stretches[0];
    if (first && first.right < left - 500) this.clear(first);
    for (const light of this.lights) light.setAlpha(lamps < 0.04 ? 0 : lamps);

    this.steamClock -= dtSeconds;
    if (this.steamClock > 0) return;
    this.steamClock = 0.22;
    for (const vent of this.vents) {
      if (vent.x > left - 60 && vent.x < right + 60) this.steam.emitParticleAt(vent.x, vent.y);
    }
  }

  private build(): void {
    const opening = OPENING[this.houses];
    const facade = opening === undefined ? this.dice.pick(facades) : facades[opening]!;
    const left = this.right;
    const gap = this.dice.chance(0.25) ? this.dice.between(14, 34) : 0;
    const stretch: Stretch = { right: left + facade.width + gap, objects: [] };
    this.stretches.push(stretch);
    this.houses++;
    this.right = stretch.right;
    for (const distance of ['sinceRoofAd', 'sinceStop', 'sinceBridge'] as const) this[distance] += facade.width + gap;

    const put = <T extends Phaser.GameObjects.Image>(object: T, name: string, depth: number): T => {
      object.setName(name).setDepth(depth);
      this.layer.add(object);
      stretch.objects.push(object);
      return object;
    };
    const image = (x: number, y: number, key: string, name: string, depth: number) =>
      put(art(this.scene.add.image(x, y, key)).setOrigin(0.5, 1), name, depth);

    const middle = left + facade.width / 2;
    image(middle, Y.houseFoot + 1, facade.key, 'house', Depth.house);
    this.lit(image(middle, Y.houseFoot + 1, facade.lit, 'windows', Depth.houseLights));
    this.roof(facade, left, stretch, image);
    const wall = blankWalls.find((candidate) => candidate.facade === facade);
    if (wall) {
      const [frame, kind]: readonly [AdFrame, SpotKind] =
        facade.height > 230 ? [frames.banner, 'tower banner'] : [frames.screen, 'video wall'];
      const foot = Y.houseFoot - facade.height + wall.y + frame.height / 2;
      this.hang(frame, kind, left + wall.x, foot, Depth.house + 2, image, stretch);
    }
    this.pavement(left, facade, stretch, image);
  }

  private roof(facade: Facade, left: number, stretch: Stretch, image: PutImage): void {
    const top = Y.houseFoot - facade.height + 6;
    const middle = left + facade.width / 2;
    if (facade.height < ROOF_AD_MAX_HEIGHT && facade.width >= frames.roof.width + 12 && this.sinceRoofAd > 560) {
      this.sinceRoofAd = 0;
      this.hang(frames.roof, 'roof billboard', middle, top, Depth.roof, image, stretch);
      return;
    }
    if (this.dice.chance(0.6))
      image(
        left + this.dice.between(40, facade.width - 40),
        top,
        this.dice.pick(['tank', 'antenna']),
        'roof',
        Depth.roof,
      );
    if (this.dice.chance(0.7)) {
      const x = left + this.dice.between(40, facade.width - 40);
      const mark = image(x, top, 'vent', 'vent', Depth.roof);
      this.vents.push({ x, y: top - 30, mark });
    }
  }

  private pavement(left: number, facade: Facade, stretch: Stretch, image: PutImage): void {
    const foot = Y.houseFoot + 26;
    const opening = this.houses <= OPENING.length;
    const stopHere = opening ? this.houses === 4 : this.sinceStop > 1350 && this.dice.chance(0.6);
    const bridgeHere = !opening && !stopHere && this.sinceBridge > 2300;
    if (stopHere) {
      this.sinceStop = 0;
      const x = left + 205;
      image(x, foot + 4, 'bus-stop', 'bus stop', Depth.busStop);
      this.hang(frames.poster, 'bus-stop poster', x + 184, foot + 4, Depth.busStop, image, stretch);
      return;
    }
    if (bridgeHere) {
      this.sinceBridge = 0;
      const x = left + facade.width / 2;
      image(x, Y.kerb + 6, 'bridge', 'bridge', Depth.bridge);
      const ad = this.ads.hang({
        kind: 'bridge banner',
        x,
        y: Y.kerb + 6 - 330 + 44.5,
        width: 396,
        height: 49,
        depth: Depth.bridgeAd,
      });
      if (ad) stretch.objects.push(ad.sprite);
      return;
    }
    // A lamp must not stand before the bare wall of a house, where an ad hangs.
    const wall = blankWalls.find((candidate) => candidate.facade === facade);
    // Nor may its light fall on the poster of the bus stop before this house.
    if (this.sinceStop <= facade.width + 40) return;
    const lampX = left + (wall && wall.x < facade.width / 2 ? facade.width - 30 : 30);
    image(lampX, foot, 'lamp', 'lamp post', Depth.lamp);
    const light = image(lampX + 20, foot + 110, 'lamp-light', 'lamp light', Depth.light).setBlendMode('ADD');
    this.lit(light);
    const trees = this.dice.integer(opening ? 1 : 0, 2);
    for (let i = 0; i < trees; i++) {
      const x = left + facade.width * (0.42 + 0.38 * i) + this.dice.between(-14, 14);
      if (wall && Math.abs(x - left - wall.x) < 130) continue;
      const tree = image(x, foot + 8, `tree-${String(this.dice.integer(0, 2))}`, 'tree', Depth.tree);
      art(tree, this.dice.between(0.78, 1)).setFlipX(this.dice.chance(0.5));
    }
  }

  private hang(
    frame: AdFrame,
    kind: SpotKind,
    x: number,
    foot: number,
    depth: number,
    image: PutImage,
    stretch: Stretch,
  ): void {
    image(x, foot, frame.key, `${kind} frame`, depth);
    const { picture } = frame;
    const ad = this.ads.hang({
      kind,
      x: x - frame.width / 2 + picture.x + picture.width / 2,
      y: foot - frame.height + picture.y + picture.height / 2,
      width: picture.width,
      height: picture.height,
      depth: depth + 0.5,
    });
    if (ad) stretch.objects.push(ad.sprite);
  }

  private lit(image: Phaser.GameObjects.Image): void {
    this.lights.push(image);
    image.once('destroy', () => this.lights.splice(this.lights.indexOf(image), 1));
  }

  private clear(stretch: Stretch): void {
    this.stretches.shift();
    for (const object of stretch.objects) {
      const vent = this.vents.findIndex(({ mark }) => mark === object);
      if (vent >= 0) this.vents.splice(vent, 1);
      object.destroy();
    }
  }
}

type PutImage = (x: number, y: number, key: string, name: string, depth: number) => Phaser.GameObjects.Image;
