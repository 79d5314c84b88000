import type * as Phaser from 'phaser';
import type { AdSurface, PlacedAd } from '../../../src/index.js';
import { houseAdFor } from '../art/paintHouseAds.js';
import { visit } from '../session.js';

/** How a spot is called in lists and on labels. */
export type SpotKind =
  'roof billboard' | 'bus-stop poster' | 'tower banner' | 'video wall' | 'bridge banner' | 'truck side' | 'blimp';

export interface Spot {
  readonly kind: SpotKind;
  /** Middle of the picture, relative to `container` when there is one. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly container?: Phaser.GameObjects.Container;
}

/** Asked for when the list of surfaces could not be had; until the service is back, house ads hang there. */
const USUAL_SURFACE: Record<SpotKind, string> = {
  'roof billboard': 'main-street-billboard',
  'bus-stop poster': 'corner-shop-poster',
  'tower banner': 'tower-banner',
  'video wall': 'cinema-screen',
  'bridge banner': 'bridge-banner',
  'truck side': 'park-board',
  blimp: 'park-board',
};

/** An ad that was seen makes room for the next one after this time. */
const REFRESH_MS = 15_000;

/** Two surfaces whose shapes differ by less than this (as a ratio) fit the same spot equally well. */
const SAME_SHAPE = 1.12;

/** Hangs ads into the street: for each spot the surface whose shape fits best, taken in turn. */
export class AdSpots {
  private readonly turns = new Map<SpotKind, number>();

  constructor(
    private readonly scene: Phaser.Scene,
    private readonly layer: Phaser.GameObjects.Layer,
    private readonly surfaces: readonly AdSurface[],
    /** A click opens the advertiser's page. */
    private readonly areClickable: boolean,
  ) {}

  /** Null when the service has no surface for this game: the frame stays empty then. */
  hang(spot: Spot): PlacedAd | null {
    const surface = this.choose(spot) ?? (visit.surfacesError === null ? undefined : USUAL_SURFACE[spot.kind]);
    if (surface === undefined) return null;
    const { x, y, width, height, depth, container = this.layer } = spot;
    const placed = this.scene.ads.place(surface, {
      x,
      y,
      width,
      height,
      depth,
      container,
      fit: 'cover',
      clickable: this.areClickable,
      refresh: { minIntervalMs: REFRESH_MS },
      fallback: { textureKey: houseAdFor(width, height) },
    });
    placed.sprite.setName(spot.kind);
    return placed;
  }

  private choose(spot: Spot): AdSurface | undefined {
    // The one surface of this service with films on it.
    const screen = this.surfaces.find(({ adSurfaceId }) => adSurfaceId === USUAL_SURFACE['video wall']);
    if (spot.kind === 'video wall' && screen !== undefined) return screen;
    const wanted = Math.log(spot.width / spot.height);
    const misfit = ({ width = 16, height = 9 }: AdSurface) => Math.abs(Math.log(width / height) - wanted);
    const best = Math.min(...this.surfaces.map(misfit));
    const fitting = this.surfaces.filter((surface) => misfit(surface) <= best + Math.log(SAME_SHAPE));
    const turn = this.turns.get(spot.kind) ?? 0;
    this.turns.set(spot.kind, turn + 1);
    return fitting[turn % Math.max(1, fitting.length)];
  }
}
