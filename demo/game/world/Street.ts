import type * as Phaser from 'phaser';
import type { AdSurface } from '../../../src/index.js';
import { visit } from '../session.js';
import { Dice } from '../art/dice.js';
import { zoomOf } from '../resolution.js';
import { AdSpots } from './AdSpots.js';
import { City } from './City.js';
import { hangPavementBoards } from './PavementBoards.js';
import { Flyers } from './Flyers.js';
import { VIEW_HEIGHT, VIEW_WIDTH, Y } from './layout.js';
import { Sky } from './Sky.js';
import { Traffic } from './Traffic.js';
import { Weather } from './Weather.js';

/** The living street: the menu shows it, the ride happens in it. */
export class Street {
  /** Everything drawn by the main camera; a map camera leaves it out as one. */
  readonly layer: Phaser.GameObjects.Layer;
  readonly sky: Sky;
  readonly traffic: Traffic;
  readonly flyers: Flyers;
  readonly weather: Weather;
  private readonly city: City;
  private lastScroll: number;

  constructor(
    private readonly scene: Phaser.Scene,
    surfaces: readonly AdSurface[],
    seed: number,
    adsAreClickable = false,
  ) {
    // One source of chance for each part: a part that draws more often must not change all the others.
    const dice = (part: number) => new Dice(seed * 8 + part);
    this.layer = scene.add.layer();
    const ads = new AdSpots(scene, this.layer, surfaces, adsAreClickable);
    this.sky = new Sky(scene, this.layer, dice(0));
    this.city = new City(scene, this.layer, ads, dice(1));
    if (visit.surfaces.length > 0 || visit.surfacesError !== null) {
      hangPavementBoards(scene, this.layer, adsAreClickable);
    }
    this.traffic = new Traffic(scene, this.layer, ads, dice(2));
    this.flyers = new Flyers(scene, this.layer, ads, dice(3));
    this.weather = new Weather(scene, this.layer, dice(4));
    this.lastScroll = scene.cameras.main.scrollX;
  }

  update(dtSeconds: number, courierSpeed: number): void {
    const camera = this.scene.cameras.main;
    const middle = camera.scrollX + VIEW_WIDTH / 2;
    const half = VIEW_WIDTH / 2 / zoomOf(camera);
    this.sky.update(dtSeconds, camera.scrollX);
    this.city.update(dtSeconds, middle - half, middle + half, this.sky.lamps);
    this.traffic.update(dtSeconds, middle - half, middle + half, courierSpeed, this.sky.lamps);
    this.flyers.update(dtSeconds, camera, middle - half, middle + half);
    this.weather.update(dtSeconds, camera.scrollX - this.lastScroll);
    this.lastScroll = camera.scrollX;
  }
}

/** Where the middle of the picture must be for the street's lower edge to stay in place at any zoom. */
export function cameraMiddleY(zoom: number): number {
  return Y.bottom - VIEW_HEIGHT / 2 / zoom;
}
