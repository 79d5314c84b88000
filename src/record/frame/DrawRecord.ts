import { grown } from '../../geometry/grown.js';
import type * as Phaser from 'phaser';

import { SequenceMemory } from '../../measure/SequenceMemory.js';
import { AdBins } from './AdBins.js';
import type { NearQuads } from './NearQuads.js';

type Camera = Phaser.Cameras.Scene2D.Camera;

/** Kinds of markers, which stand between the quads of the record. */
export const Marker = {
  /** An ad was drawn: its quad is the last one before the marker. */
  AD: 0,
  /** An ad was drawn in a way only a rehearsal can follow; it has no quad. */
  OTHER_AD: 1,
  /** From here on vertices do not tell what was drawn over the ads so far. */
  GIVE_UP: 2,
} as const;
export type Marker = (typeof Marker)[keyof typeof Marker];

/** How much a quad lets through, as far as it is known. */
export const Opacity = {
  /** Not asked yet. */
  UNREAD: 0,
  /** A quad that lets nothing through. */
  OPAQUE: 1,
  /** A triangle, or a quad that is translucent or may have translucent texels. */
  OTHER: 2,
} as const;
export type Opacity = (typeof Opacity)[keyof typeof Opacity];

/**
 * What one frame drew near its ads, in order, as far as vertices tell: the quads of {@link NearQuads} with texture and
 * state, and markers between them. It also tells for which ads nothing changed since the last frame. Reused: a frame
 * allocates nothing once it has grown to the size the game needs.
 */
export class DrawRecord {
  /** Per quad: the GPU's texture, how opaque it is, and the number of the state it was drawn in. */
  readonly textures: (object | null)[];
  readonly opacities: Uint8Array;
  readonly quadStates: Int32Array;

  markerCount = 0;
  markers = new Uint8Array(16);
  /** Per marker: how many quads are before it, the ad's own not counted; and the ad. */
  markerAt = new Int32Array(16);
  markerAds = new Int32Array(16);
  /** Per marker: the number of the ad's piece, or −1 when it lies wholly outside of what is shown. */
  markerPieces = new Int32Array(16);
  markerCameras: (Camera | null)[] = [];

  /**
   * Pieces, the visible parts of the ads drawn so far: which ad, and a box of four numbers. An ad that is out of sight
   * has none.
   */
  pieceCount = 0;
  pieceAds = new Int32Array(16);
  pieceBoxes = new Float64Array(4 * 16);
  /** The box around all pieces. */
  minX = Infinity;
  minY = Infinity;
  maxX = -Infinity;
  maxY = -Infinity;

  /** States: the clip rectangle, four numbers each; and 1 for anything but plain texture × colour onto the screen. */
  clips = new Float64Array(4 * 16);
  unusual = new Uint8Array(16);
  stateCount = 0;

  /** Per quad: 1 when its texture is another one than in the last frame. */
  readonly #textureChanged: Uint8Array;
  readonly #memory = new SequenceMemory();
  /** Quads of the last frame. */
  #lastCount = 0;
  /** Ads touched by a quad that changed since the last frame; bits. */
  #changed = 0;
  /** The next frame cannot be compared with the last one. */
  #isForgotten = true;
  #isAllChanged = true;
  #isDrained = false;

  constructor(readonly near: NearQuads) {
    this.textures = new Array<object | null>(near.capacity).fill(null);
    this.opacities = new Uint8Array(near.capacity);
    this.#textureChanged = new Uint8Array(near.capacity);
    this.quadStates = new Int32Array(near.capacity);
  }

  /** Starts a frame. */
  begin(): void {
    this.near.begin();
    this.#memory.begin();
    this.markerCount = this.pieceCount = this.stateCount = this.#changed = 0;
    this.minX = this.minY = Infinity;
    this.maxX = this.maxY = -Infinity;
  }

  /**
   * Ends a frame.
   * @param isRenewed textures may look different although the draws are the same
   */
  end(isRenewed: boolean): void {
    const { near } = this;
    near.bins.end();
    const isSame = this.#memory.end() && !this.#isForgotten && !this.#isDrained && !isRenewed;
    this.#isAllChanged = !isSame;
    this.#changed |= near.changedAds;
    if (isRenewed) this.opacities.fill(Opacity.UNREAD);
    else for (let t = 0; t < near.count; t++) if (near.isChanged(t)) this.opacities[t] = Opacity.UNREAD;
    const lastCount = this.#lastCount;
    for (let t = Math.min(near.count, lastCount); t < Math.max(near.count, lastCount); t++) {
      this.#changed |= near.adsOf(t);
    }
    this.#lastCount = near.count;
    this.#isForgotten = this.#isDrained;
    this.#isDrained = false;
  }

  /** The next frame is compared with nothing. */
  forget(): void {
    this.#isForgotten = true;
  }

  /** Lets go of every Phaser object. */
  release(): void {
    this.forget();
    this.#memory.forget();
    this.textures.fill(null);
    this.markerCameras.length = 0;
    this.opacities.fill(Opacity.UNREAD);
  }

  /** Takes all quads and markers out in the middle of a frame. This frame can then not be compared with any other. */
  drain(): void {
    this.near.clear();
    this.markerCount = 0;
    this.opacities.fill(Opacity.UNREAD);
    this.#isDrained = true;
  }

  /** True when nothing that the figures of a marker's ad depend on changed since the last frame. Call after {@link end}. */
  isSame(marker: number): boolean {
    if (this.#isAllChanged) return false;
    const quad = this.markerAt[marker]!;
    if (this.markers[marker] === Marker.AD && (this.near.isChanged(quad) || this.#textureChanged[quad] === 1))
      return false;
    const piece = this.markerPieces[marker]!;
    return piece < 0 || (this.#changed & AdBins.bitOf(piece)) === 0;
  }

  /** True when the frame as a whole cannot be compared with the last one. Call after {@link end}. */
  get isOther(): boolean {
    return this.#isAllChanged;
  }

  /** Notes an object on which the figures depend: they change when it is another one. */
  noteObject(object: unknown): void {
    this.#memory.reference(object);
  }

  /** Notes what a quad was drawn with. */
  setQuad(quad: number, texture: object | null, state: number): void {
    const isOther = this.textures[quad] !== texture;
    this.#textureChanged[quad] = isOther ? 1 : 0;
    if (isOther) {
      this.textures[quad] = texture;
      this.opacities[quad] = Opacity.UNREAD;
      this.#changed |= this.near.adsOf(quad);
    }
    this.quadStates[quad] = state;
  }

  /** The quads from `from` on were drawn with a shader that rounds. */
  round(from: number, canvasHeight: number): void {
    this.near.round(from, canvasHeight);
    this.#memory.number(from);
  }

  addMarker(kind: Marker, ad: number, piece: number, camera: Camera | null): void {
    const marker = this.markerCount++;
    if (marker === this.markers.length) this.#growMarkers();
    this.markers[marker] = kind;
    this.markerAt[marker] = kind === Marker.AD ? this.near.count - 1 : this.near.count;
    this.markerAds[marker] = ad;
    this.markerPieces[marker] = piece;
    this.markerCameras[marker] = camera;
    this.#memory.number(kind);
    this.#memory.number(this.markerAt[marker]);
    this.#memory.number(ad);
    this.#memory.number(piece);
    this.#memory.reference(camera);
  }

  /**
   * Adds the state whose clip the caller has written to {@link clips}, after those of the {@link stateCount} states so
   * far. Returns its number; the same state twice in a row has one number.
   */
  addState(isUnusual: boolean): number {
    const { clips, unusual } = this;
    const memory = this.#memory;
    const state = this.stateCount;
    const b = 4 * state;
    if (
      state > 0 &&
      (unusual[state - 1] === 1) === isUnusual &&
      clips[b - 4] === clips[b] &&
      clips[b - 3] === clips[b + 1] &&
      clips[b - 2] === clips[b + 2] &&
      clips[b - 1] === clips[b + 3]
    ) {
      return state - 1;
    }
    this.stateCount++;
    unusual[state] = isUnusual ? 1 : 0;
    memory.numbers(clips, b, b + 4);
    memory.number(this.near.count);
    memory.number(isUnusual ? 1 : 0);
    if (this.stateCount === unusual.length) {
      this.clips = grown(clips);
      this.unusual = grown(unusual);
    }
    return state;
  }

  /** Notes the box of what is seen of an ad; returns its number. */
  addPiece(ad: number, box: Float64Array): number {
    const piece = this.pieceCount++;
    if (piece === this.pieceAds.length) {
      this.pieceAds = grown(this.pieceAds);
      this.pieceBoxes = grown(this.pieceBoxes);
    }
    this.pieceAds[piece] = ad;
    for (let k = 0; k < 4; k++) this.pieceBoxes[4 * piece + k] = box[k]!;
    if (box[0]! < this.minX) this.minX = box[0]!;
    if (box[1]! < this.minY) this.minY = box[1]!;
    if (box[2]! > this.maxX) this.maxX = box[2]!;
    if (box[3]! > this.maxY) this.maxY = box[3]!;
    return piece;
  }

  #growMarkers(): void {
    this.markers = grown(this.markers);
    this.markerAt = grown(this.markerAt);
    this.markerAds = grown(this.markerAds);
    this.markerPieces = grown(this.markerPieces);
  }
}
