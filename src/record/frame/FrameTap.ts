import type * as Phaser from 'phaser';

import { FrameSnapshot } from '../../measure/FrameSnapshot.js';
import { isCovered, liesOver, type PageView } from '../../page/PageView.js';
import { addCover } from '../../page/paintCovers.js';
import type { AlphaMaps } from '../../textures/AlphaMaps.js';
import { pixelPointsOf } from '../../textures/pixelPointsOf.js';
import { isCut } from '../../textures/wholeOf.js';
import type { TexturedObject } from '../phaser3/internals.js';
import { AdBins } from './AdBins.js';
import { DrawRecord, Opacity, Marker } from './DrawRecord.js';
import { FlatAd } from './FlatAd.js';
import type { KnownOwners } from './KnownOwners.js';
import { NamedFrame } from './NamedFrame.js';
import { QUAD_NUMBERS, type NearQuads, STRIDE } from './NearQuads.js';
import { QuadTextures } from './QuadTextures.js';
import { RecordReader, TapVerdict } from './RecordReader.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/** Index of the colour among a vertex's numbers. */
const COLOR = 6;

/** Objects that put exactly one quad into the batch. */
const ONE_QUAD_TYPES: ReadonlySet<string> = new Set(['Image', 'Sprite', 'Text', 'PathFollower']);

type Draw = (
  renderer: unknown,
  source: GameObject,
  view: object,
  parent: unknown,
  step?: unknown,
  list?: unknown,
  place?: unknown,
) => void;

/** The render function that replaces an ad's: it tells the tap where in the batch the ad ends. */
interface MarkedDraw extends Draw {
  tap: FrameTap | null;
  index: number;
  /** The render function it replaces. */
  readonly marked: Draw;
}

/**
 * True for an ad that is one quad with its whole picture: vertices tell what is drawn, but not how much of the picture
 * is missing.
 */
export function isOneQuad(ad: GameObject): boolean {
  return ONE_QUAD_TYPES.has(ad.type) && !isCut(ad as unknown as TexturedObject);
}

/**
 * Records what is drawn over the ads from the vertices Phaser has just batched, before each batch goes to the GPU.
 * Phaser has already paid for every transform, so a linear scan of finished corners against the ads' boxes replaces a
 * walk over the game's objects, whatever their types. Each engine has its own way to get at the vertices.
 *
 * After the frame, an ad near which nothing changed since the last frame needs no more work. An ad that lies under
 * opaque quads is measured directly from the record. For all others the record is read into a snapshot.
 */
export abstract class FrameTap {
  readonly snapshot = new FrameSnapshot();
  /** Per ad, in the order of {@link setAds}: its {@link TapVerdict}. For a changed ad it is valid only after {@link read}. */
  verdicts = new Uint8Array(16);
  /** Per ad: 1 when something its figures depend on may have changed since the last frame. */
  changed = new Uint8Array(16);

  protected ads: readonly GameObject[] = [];
  protected readonly record: DrawRecord;
  /** How many draws of ads were taken in so far in this frame. */
  protected active = 0;
  /** Quads up to this many pixels beside an ad in the batch may be drawn over it: shaders may round. */
  protected margin = 0;
  protected page: PageView | null = null;
  /** Box of the ad just drawn, cut to what is shown. */
  protected readonly shown = new Float64Array(4);
  readonly #textures: QuadTextures;
  readonly #reader: RecordReader;
  /** How many of the pieces are in the bins. */
  #binned = 0;
  #hasGivenUp = false;
  /** A part of the frame is already in the snapshot. */
  #isDrained = false;
  #isRead = false;
  readonly #flat = new FlatAd();
  #named: NamedFrame | null = null;

  constructor(
    protected readonly game: Phaser.Game,
    protected readonly near: NearQuads,
    maps: AlphaMaps,
    private readonly friendly: ReadonlyMap<unknown, unknown>,
    isUpward: boolean,
  ) {
    this.record = new DrawRecord(near);
    this.#textures = new QuadTextures(game, maps, isUpward);
    this.#reader = new RecordReader(this.record, this.#textures, this.snapshot);
  }

  /** Name of the function by which an object is drawn. */
  protected abstract readonly method: 'renderWebGL' | 'renderWebGLStep';
  /** Called when an ad is about to be drawn; `step` is the argument after the containers' matrix. */
  abstract beforeAd(step: unknown): void;
  /** Called when an ad has just been drawn; `view` is the camera or drawing context its function was given. */
  abstract adDrawn(index: number, ad: GameObject, view: object, step: unknown): void;
  /** Takes in the ads that were drawn but not looked at so far. */
  protected abstract takeRest(): void;
  /** Something that the vertices do not show may be painted over an ad. */
  protected isPaintedUnseen(): boolean {
    return false;
  }
  /** Called before the near quads are read into the snapshot and the record is emptied. */
  protected beforeDrain?(): void;

  /** Size of the canvas, in canvas pixels. */
  get canvasWidth(): number {
    return this.game.scale.baseSize.width;
  }
  get canvasHeight(): number {
    return this.game.scale.baseSize.height;
  }

  /** Listens to what is drawn. */
  attach(): void {
    this.#textures.attach();
  }

  /** Lets go of the ads and of what is drawn. */
  detach(): void {
    this.#textures.detach();
    for (const ad of this.ads) this.#unmark(ad);
    this.ads = [];
    this.record.release();
    this.snapshot.release();
    this.#named = null;
    this.#flat.camera = null;
    this.page = null;
    this.active = 0;
  }

  /** Sets the ads to be watched from the next frame on. */
  setAds(ads: readonly GameObject[]): void {
    for (const ad of this.ads) if (!ads.includes(ad)) this.#unmark(ad);
    this.ads = ads.slice();
    if (this.verdicts.length < ads.length) {
      this.verdicts = new Uint8Array(ads.length * 2);
      this.changed = new Uint8Array(ads.length * 2);
    }
    this.record.forget();
    for (let i = 0; i < ads.length; i++) this.#mark(ads[i]!, i);
  }

  /** Starts a frame: before the first scene draws. */
  begin(page: PageView): void {
    this.page = page;
    this.record.begin();
    this.#reader.begin();
    this.active = this.#binned = 0;
    this.#hasGivenUp = this.#isDrained = this.#isRead = false;
  }

  /** Ends a frame: sets {@link changed}, which ads are to be measured anew. */
  end(): void {
    const { friendly, page, record, changed, ads } = this;
    this.takeRest();
    // If the page cannot be judged, a rehearsal reports that. Friendly objects can only be left out by a rehearsal,
    // since vertices do not tell which object they belong to.
    if (this.active > 0 && (page!.unsure || this.#isCoveredSomehow() || friendly.size > 0 || this.isPaintedUnseen()))
      this.giveUp();
    this.active = 0;
    record.noteObject(page);
    record.end(this.#textures.beginFrame());
    // An ad without a marker was not drawn.
    changed.fill(record.isOther ? 1 : 0, 0, ads.length);
    for (let marker = 0; marker < record.markerCount; marker++) {
      if (record.markers[marker] !== Marker.GIVE_UP && !record.isSame(marker)) changed[record.markerAds[marker]!] = 1;
    }
  }

  /**
   * Figures of an ad that lies under nothing but opaque quads; the same object each time. Null when it does not, or when only
   * the snapshot can tell. Call after {@link end}.
   */
  flatOf(ad: number): FlatAd | null {
    const { record, near } = this;
    const flat = this.#flat;
    const marker = this.#onlyMarkerOf(ad);
    if (marker < 0) return null;
    const quad = record.markerAt[marker]!;
    const piece = record.markerPieces[marker]!;
    if (piece < 0 || near.u32[quad * QUAD_NUMBERS + COLOR]! >>> 24 !== 255) return null;
    const box = record.pieceBoxes;
    if (isCovered(this.page!.covers, box, 4 * piece)) return null;
    const minX = box[4 * piece]!;
    const minY = box[4 * piece + 1]!;
    const maxX = box[4 * piece + 2]!;
    const maxY = box[4 * piece + 3]!;
    const { f32 } = near;
    const at = quad * QUAD_NUMBERS;
    // A part of the ad lies outside of what is shown.
    for (let c = at; c < at + 4 * STRIDE; c += STRIDE) {
      if (!(f32[c]! >= minX && f32[c]! <= maxX && f32[c + 1]! >= minY && f32[c + 1]! <= maxY)) return null;
    }
    if (!this.#reader.isPlainAd(quad)) return null;
    const bit = AdBins.bitOf(piece);
    for (let t = quad + 1; t < near.count; t++) {
      if ((near.adsOf(t) & bit) === 0) continue;
      if (this.#readOpacity(t) === Opacity.OPAQUE) {
        const state = record.quadStates[t]!;
        const { clips } = record;
        if (
          record.unusual[state] === 0 &&
          clips[4 * state]! <= minX &&
          clips[4 * state + 1]! <= minY &&
          clips[4 * state + 2]! >= maxX &&
          clips[4 * state + 3]! >= maxY
        ) {
          continue;
        }
      }
      if (near.touches(t, box, piece)) return null;
    }
    if (!flat.read(record, marker)) return null;
    this.verdicts[ad] = TapVerdict.PLAIN;
    return flat;
  }

  /** True when an ad needs a rehearsal. For a changed ad this is known only after {@link read}. */
  isComplex(ad: number): boolean {
    return this.verdicts[ad] === TapVerdict.COMPLEX;
  }

  /** Reads the frame into {@link snapshot} and {@link verdicts}. Call after {@link end}. */
  read(): void {
    if (this.#isRead) return;
    this.#isRead = true;

    if (!this.#isDrained) this.#startSnapshot(this.snapshot, this.verdicts);
    this.#reader.read(this.ads, this.verdicts);
    this.#addCovers(this.snapshot);
  }

  /** Reads the frame once more, with the owner of each quad. Call after {@link end}; then {@link namedFrameOf} has the result. */
  readNamed(owners: KnownOwners): void {
    this.#named ??= new NamedFrame(this.record, this.#textures, owners);
    const { reader, snapshot, verdicts } = this.#named.withRoomFor(this.ads.length);
    this.#startSnapshot(snapshot, verdicts);
    // Quads that were drained are no longer in the record.
    if (this.#isDrained) return;
    owners.place();
    reader.begin();
    reader.read(this.ads, verdicts);
    this.#addCovers(snapshot);
  }

  /** The frame as {@link readNamed} read it; null when something over the ad has no known owner, or only a rehearsal can tell. */
  namedFrameOf(ad: number): FrameSnapshot | null {
    const named = this.#named;
    return named !== null && named.verdicts[ad] === TapVerdict.PLAIN ? named.snapshot : null;
  }

  #addCovers(snapshot: FrameSnapshot): void {
    if (snapshot.viewCount === 0) return;
    const { covers } = this.page!;
    for (let i = 0; i < covers.length; i++) {
      // An uncertain cover lies over no ad that is read here: {@link end} gives up such frames.
      if (covers[i]!.isCertain) addCover(snapshot, covers[i]!);
    }
  }

  /**
   * Takes in an ad that was drawn as one quad, whose box is in {@link shown}. From now on, quads are compared with the
   * part of it inside the clip of the state.
   */
  protected takeAd(index: number, state: number, camera: Camera | null): void {
    const { record, shown } = this;
    const { clips } = record;
    for (let k = 0; k < 2; k++) {
      if (clips[4 * state + k]! > shown[k]!) shown[k] = clips[4 * state + k]!;
      if (clips[4 * state + 2 + k]! < shown[2 + k]!) shown[2 + k] = clips[4 * state + 2 + k]!;
    }
    const isShown = shown[2]! > shown[0]! && shown[3]! > shown[1]!;
    record.addMarker(Marker.AD, index, isShown ? record.addPiece(index, shown) : -1, camera);
    this.active++;
  }

  /** Takes in an ad that was drawn in a way only a rehearsal can follow. */
  protected takeOtherAd(index: number): void {
    this.active++;
    this.record.addMarker(Marker.OTHER_AD, index, -1, null);
  }

  /** Replaces the ad's render function, so that the tap is told when the ad is drawn. */
  #mark(ad: GameObject, index: number): void {
    const object = ad as unknown as Record<typeof this.method, MarkedDraw | Draw>;
    const present = object[this.method];
    if ('tap' in present) {
      present.tap = this;
      present.index = index;
      return;
    }
    const marker: MarkedDraw = Object.assign(
      function (
        this: unknown,
        renderer: unknown,
        source: GameObject,
        view: object,
        parent: unknown,
        step?: unknown,
        list?: unknown,
        place?: unknown,
      ) {
        const { tap } = marker;
        tap?.beforeAd(step);
        present.call(this, renderer, source, view, parent, step, list, place);
        tap?.adDrawn(marker.index, source, view, step);
      },
      { tap: this, index, marked: present },
    );
    // An own property, set once and never deleted: deleting would turn the object into a dictionary and slow down every
    // loop over the display list.
    object[this.method] = marker;
  }

  #unmark(ad: GameObject): void {
    const present = (ad as unknown as Partial<Record<typeof this.method, MarkedDraw | Draw>>)[this.method];
    if (present !== undefined && 'tap' in present) present.tap = null;
  }

  /** Brings the pieces drawn so far into the bins. */
  protected fillBins(): void {
    const { record } = this;
    if (this.#binned === record.pieceCount) return;
    this.near.bins.fill(record.pieceBoxes, record.pieceCount, this.margin);
    this.#binned = record.pieceCount;
  }

  /** There is no room for more quads: those in the record are read into the snapshot. */
  protected drain(): void {
    const { record } = this;
    if (!this.#isDrained) this.#startSnapshot(this.snapshot, this.verdicts);
    this.#isDrained = true;
    this.beforeDrain?.();
    this.#reader.read(this.ads, this.verdicts);
    record.drain();
  }

  /** Empties the snapshot, and marks every ad as not drawn. */
  #startSnapshot(snapshot: FrameSnapshot, verdicts: Uint8Array): void {
    verdicts.fill(TapVerdict.ABSENT, 0, this.ads.length);
    snapshot.reset(this.canvasWidth, this.canvasHeight);
    snapshot.pixelPoints = pixelPointsOf(this.game.renderer);
  }

  /** How opaque a quad is; found out once and kept in the record. */
  #readOpacity(quad: number): number {
    const { record, near } = this;
    const known = record.opacities[quad]!;
    if (known !== Opacity.UNREAD) return known;
    const { u32 } = near;
    const at = quad * QUAD_NUMBERS + COLOR;
    const isSolid =
      !near.isTriangle(quad) &&
      u32[at]! >>> 24 === 255 &&
      u32[at + STRIDE]! >>> 24 === 255 &&
      u32[at + 2 * STRIDE]! >>> 24 === 255 &&
      u32[at + 3 * STRIDE]! >>> 24 === 255;
    return (record.opacities[quad] = isSolid && this.#reader.isOpaque(quad) ? Opacity.OPAQUE : Opacity.OTHER);
  }

  /** The marker of an ad that was drawn just once, as one quad; −1 for any other, and when the frame was drained or given up. */
  #onlyMarkerOf(ad: number): number {
    const { record } = this;
    if (this.#isDrained || this.#hasGivenUp) return -1;
    let only = -1;
    for (let marker = 0; marker < record.markerCount; marker++) {
      if (record.markerAds[marker] !== ad) continue;
      if (only >= 0 || record.markers[marker] !== Marker.AD) return -1;
      only = marker;
    }
    return only;
  }

  /** True when something of the page lies over an ad, and it is unknown what the player sees there. */
  #isCoveredSomehow(): boolean {
    const { covers } = this.page!;
    const { pieceBoxes, pieceCount } = this.record;
    for (let i = 0; i < covers.length; i++) {
      if (covers[i]!.isCertain) continue;
      for (let piece = 0; piece < pieceCount; piece++) if (liesOver(covers[i]!, pieceBoxes, 4 * piece)) return true;
    }
    return false;
  }

  /** Every ad drawn so far needs a rehearsal. */
  protected giveUp(): void {
    this.#hasGivenUp = true;
    this.record.addMarker(Marker.GIVE_UP, -1, -1, null);
  }
}
