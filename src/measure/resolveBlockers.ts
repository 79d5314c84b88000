import { FragmentSet } from '../geometry/FragmentSet.js';
import { CandidateKind } from './CandidateList.js';
import { CoverSamples } from './CoverSamples.js';
import { type AdView, type FrameSnapshot, NONE } from './FrameSnapshot.js';
import { isOwn } from './OwnArea.js';
import { thinArea } from './thinCovers.js';
import {
  DEFAULT_MAX_SAMPLES,
  LIGHT_TOLERANCE,
  type MeasureOptions,
  NEGLIGIBLE_AREA,
  type ViewMeasurement,
} from './ViewMeasurement.js';

/** Where painters block only together, one that is less opaque than this counts only if the ad would be seen without it. */
const CONTRIBUTION = 0.1;
/** A painter less opaque than this never counts: such a difference is rounding. */
const LEAST_CONTRIBUTION = 0.02;

/** Each further look takes this many times as many samples, and at most {@link FINEST_SAMPLES}. */
const FINER = 16;
const FINEST_SAMPLES = 65536;

const samples = new CoverSamples();
const { own, candidates, domain, grid } = samples;
/** The ad's pieces without what its own later picture covers, and what one painter leaves of them. */
const pieces = new FragmentSet();
const rest = new FragmentSet();
/** Light one painter leaves. */
let onePainter = new Float32Array(8192);
/** How many points of each pixel are ad area, and which, as bits. */
let pointCount = new Uint8Array(8192);
let pointBits = new Uint8Array(8192);

/** What may block: a game object, or all that is painted by none (background, flash, fade). */
interface Painter {
  /** Undefined for what is painted by no game object. */
  readonly owner: unknown;
  /** Its candidates, in draw order. */
  readonly members: number[];
  /** Samples decide what it takes. */
  isSampled: boolean;
  /** Area of the ad it takes, in canvas pixels². */
  area: number;
}

/**
 * Finds which game objects take visible area from the ad in a view measured before: those that alone are opaque enough over
 * at least 1 px² of it (whether or not others cover it too). Where objects block only together, those count that add at
 * least a tenth of opacity, or without which the ad would be seen. When nothing is lost, or the ad is too faint to be seen
 * at all, there are none.
 *
 * Costs more than measuring the areas; call it only when these have changed.
 *
 * @returns Each object once, in draw order.
 */
export function resolveBlockers(
  snapshot: FrameSnapshot,
  view: AdView,
  options: MeasureOptions,
  { transparent, lostArea, onScreenArea }: ViewMeasurement,
): unknown[] {
  if (transparent || onScreenArea === 0 || !(lostArea >= Math.min(NEGLIGIBLE_AREA, onScreenArea / 2))) return [];
  own.take(snapshot, view);
  candidates.collect(snapshot, view, options);
  return new BlockerSearch(snapshot, view, options).find();
}

class BlockerSearch {
  readonly #painters: Painter[] = [];
  /** Candidates that are the ad itself, drawn again by a later camera. */
  readonly #self: number[] = [];
  /** From this opacity on a point is blocked. */
  readonly #limit: number;

  constructor(
    private readonly snapshot: FrameSnapshot,
    private readonly view: AdView,
    private readonly options: MeasureOptions,
  ) {
    this.#limit = options.blockingOpacity - LIGHT_TOLERANCE;
  }

  find(): unknown[] {
    this.#groupByOwner();
    if (!own.varies) this.#takeExactAreas();
    // Where the usual samples miss what took the area, a finer look finds it.
    let most = this.options.maxSamples ?? DEFAULT_MAX_SAMPLES;
    do {
      this.#takeSampledAreas(most);
      most *= FINER;
    } while (most <= FINEST_SAMPLES && !this.#isAnyFound());
    this.#dropUnseen();
    return this.#named();
  }

  #groupByOwner(): void {
    const { snapshot } = this;
    const painters = this.#painters;
    const self = this.#self;
    const ownerOf = (i: number): unknown =>
      snapshot.owner[i] === NONE ? undefined : snapshot.owners[snapshot.owner[i]!];
    const ad = ownerOf(this.view.pieceFrom);
    const known = new Map<unknown, Painter>();
    for (let c = 0; c < candidates.count; c++) {
      const owner = ownerOf(candidates.polygon[c]!);
      if (owner !== undefined && owner === ad) {
        self.push(c);
        continue;
      }
      let painter = known.get(owner);
      if (painter === undefined) {
        painter = { owner, members: [], isSampled: false, area: 0 };
        known.set(owner, painter);
        painters.push(painter);
      }
      painter.members.push(c);
      if (this.#isSampled(c)) painter.isSampled = true;
    }
  }

  /** Painters of one blocking opacity over an ad that is opaque throughout need no samples. */
  #isSampled(c: number): boolean {
    return own.varies || candidates.kind[c] !== CandidateKind.BLOCKING;
  }

  /**
   * An ad that a later camera draws again covers its earlier picture, but it is not its own blocker. Nor does what lies over
   * the later picture block the earlier one: no other painter can take the part that the ad itself covers.
   */
  #takeExactAreas(): void {
    pieces.reset();
    pieces.addAll(own.pieces);
    this.#subtractFrom(pieces, this.#self);
    pieces.sumUp();
    for (const painter of this.#painters) {
      rest.reset();
      rest.addAll(pieces);
      this.#subtractFrom(rest, painter.members);
      rest.sumUp();
      painter.area = pieces.area - rest.area;
    }
  }

  #subtractFrom(fragments: FragmentSet, members: readonly number[]): void {
    const { xy, start, length } = this.snapshot;
    for (const c of members) {
      if (candidates.kind[c] !== CandidateKind.BLOCKING) continue;
      const i = candidates.polygon[c]!;
      fragments.subtract(xy, 2 * start[i]!, length[i]!);
    }
  }

  #takeSampledAreas(most: number): void {
    domain.reset(candidates.box);
    for (let c = 0; c < candidates.count; c++) if (this.#isSampled(c)) samples.markCandidate(this.snapshot, c);
    if (!domain.plan(most)) return;
    const sampled = new Set(this.#painters.filter(({ isSampled }) => isSampled));
    for (let s = 0; s < domain.count; s++) this.#addAreas(s, sampled, this.#painters, 1);
  }

  #isAnyFound(): boolean {
    return this.#painters.some(({ area }) => area > 0);
  }

  /**
   * Drops painters that take no whole pixel: slivers and hairlines, which darken a pixel by less than half. Where edges are
   * not smoothed the pixel's centre decides.
   */
  #dropUnseen(): void {
    // Something is lost. If no painter was found, it is lost in pixels whose centres are not lost, or are no ad.
    const isFound = this.#isAnyFound();
    const thin = this.#painters.filter(
      (painter) => !isFound || (painter.area > 0 && painter.area < this.#thinAreaOf(painter)),
    );
    domain.reset(candidates.box, true);
    for (const { members } of thin) for (const c of members) samples.markCandidate(this.snapshot, c);
    if (!domain.plan(FINEST_SAMPLES)) return;
    for (let s = 0; s < domain.count; s++) if (domain.step[s]! > 1) return;
    const former = thin.map(({ area }) => area);
    for (const painter of thin) painter.area = 0;
    for (let s = 0; s < domain.count; s++) this.#addAreas(s, new Set(thin), thin, candidates.pixelPoints);
    if (this.#isAnyFound()) return;
    // No painter takes a pixel, and yet pixels are lost: to several painters together, each too faint to be named.
    thin.forEach((painter, i) => (painter.area = former[i]!));
  }

  /** The most that a painter takes while all it paints over the ad may be thinner than a pixel, in canvas pixels². */
  #thinAreaOf({ isSampled, members }: Painter): number {
    const most = thinArea(candidates.box);
    if (isSampled) return most;
    const sum = members.reduce((area, c) => area + thinArea(this.snapshot.box, candidates.polygon[c]), 0);
    return Math.min(most, sum);
  }

  /**
   * Adds what painters take in rectangle `s` of the domain.
   * @param alone those for which it counts what they take alone
   * @param together those for which it counts what they take together with others
   * @param points at how many points each pixel is sampled, as it is drawn; with 1 each sample is a point of its own
   */
  #addAreas(s: number, alone: ReadonlySet<Painter>, together: readonly Painter[], points: number): void {
    placeGrid(s);
    const { size } = grid;
    const limit = this.#limit;
    if (points > 1) this.#samplePixelsOfAd(points);
    else this.#sampleAd();
    const { isMasked } = own;
    const { clear, light, flat: strongest, mask } = samples;
    light.fill(1, 0, size);
    strongest.fill(0, 0, size);
    for (const painter of this.#painters) {
      if (!this.#samplePainter(painter, s, points)) continue;
      let blocked = 0;
      for (let k = 0; k < size; k++) {
        const keep = onePainter[k]!;
        if (keep === 1) continue;
        light[k]! *= keep;
        const opacity = 1 - (isMasked ? keep * mask[k]! : keep);
        if (opacity > strongest[k]!) strongest[k] = opacity;
        if (opacity >= limit && isOwn(clear[k]!)) blocked++;
      }
      if (alone.has(painter)) painter.area += blocked * grid.sampleArea;
    }
    if (candidates.addsLight || candidates.sharesMask) samples.coverByAll(this.snapshot, this.view);
    let togetherCount = 0;
    for (let k = 0; k < size; k++) {
      const left = isMasked ? light[k]! * mask[k]! : light[k]!;
      // From here on: the light that all leave together, where only several of them block; 1 elsewhere.
      const isTogether = isOwn(clear[k]!) && 1 - left >= limit && strongest[k]! < limit;
      light[k] = isTogether ? left : 1;
      if (isTogether) togetherCount++;
    }
    if (togetherCount === 0) return;
    for (const painter of together) {
      if (!this.#samplePainter(painter, s, points)) continue;
      let share = 0;
      for (let k = 0; k < size; k++) {
        const opacity = 1 - onePainter[k]!;
        if (light[k] === 1 || opacity < LEAST_CONTRIBUTION) continue;
        // Without this painter there would be more light.
        const tips = light[k]! > (1 - limit) * onePainter[k]!;
        if (tips || opacity >= CONTRIBUTION - LIGHT_TOLERANCE) share++;
      }
      painter.area += share * grid.sampleArea;
    }
  }

  /** Fills the samples that are ad area, without what the ad's own later picture covers. */
  #sampleAd(): void {
    const { snapshot, view } = this;
    const self = this.#self;
    const limit = this.#limit;
    samples.sampleAd(snapshot, view);
    if (own.isMasked) samples.takeMask(snapshot, view);
    if (self.length === 0) return;
    onePainter.fill(1, 0, grid.size);
    for (const c of self) samples.coverBy(snapshot, c, onePainter, -1);
    for (let k = 0; k < grid.size; k++) if (1 - onePainter[k]! >= limit) samples.clear[k] = 1;
  }

  /**
   * As {@link #sampleAd}, pixel by pixel: a pixel on the ad's edge shows part of the ad, and the rest of the pixel does not
   * matter.
   */
  #samplePixelsOfAd(points: number): void {
    const { size } = grid;
    pointCount.fill(0, 0, size);
    pointBits.fill(0, 0, size);
    for (let point = 0; point < points; point++) {
      grid.shift(point, points);
      this.#sampleAd();
      for (let k = 0; k < size; k++) {
        if (!isOwn(samples.clear[k]!)) continue;
        pointCount[k]! += 1;
        pointBits[k]! |= 1 << point;
      }
    }
    grid.centre();
    this.#sampleAd();
    // Where no point is ad, painters leave all light.
    samples.clear.fill(0, 0, size);
  }

  /** Fills `onePainter` with the light one painter leaves; false when it does not reach into the rectangle. */
  #samplePainter({ members }: Painter, s: number, points: number): boolean {
    const { box } = this.snapshot;
    const { rectangle } = domain;
    const minX = rectangle[4 * s]!;
    const minY = rectangle[4 * s + 1]!;
    const maxX = minX + rectangle[4 * s + 2]!;
    const maxY = minY + rectangle[4 * s + 3]!;
    const reaches = members.some((c) => {
      const b = 4 * candidates.polygon[c]!;
      return box[b]! < maxX && box[b + 2]! > minX && box[b + 1]! < maxY && box[b + 3]! > minY;
    });
    if (!reaches) return false;
    if (points === 1) {
      this.#coverByPainter(members);
      return true;
    }
    const { mean } = samples;
    const { size } = grid;
    mean.fill(0, 0, size);
    for (let point = 0; point < points; point++) {
      grid.shift(point, points);
      this.#coverByPainter(members);
      for (let k = 0; k < size; k++) if ((pointBits[k]! & (1 << point)) !== 0) mean[k]! += onePainter[k]!;
    }
    grid.centre();
    for (let k = 0; k < size; k++) onePainter[k] = pointCount[k] === 0 ? 1 : mean[k]! / pointCount[k]!;
    return true;
  }

  #coverByPainter(members: readonly number[]): void {
    onePainter.fill(1, 0, grid.size);
    if (candidates.addsLight) samples.trackBrightness(this.snapshot, this.view);
    let earlier = -1;
    for (const c of members) {
      samples.coverBy(this.snapshot, c, onePainter, earlier);
      earlier = c;
    }
    grid.forgetBrightness();
  }

  /** The objects that take at least 1 px², or the greatest when each takes less but something is lost. */
  #named(): unknown[] {
    const painters = this.#painters;
    const greatest = painters.reduce((most, { area }) => Math.max(most, area), 0);
    if (!(greatest > 0)) return [];
    const least = Math.min(NEGLIGIBLE_AREA, greatest);
    return painters
      .filter(({ owner, area }) => owner !== undefined && area >= least)
      .sort((a, b) => a.members.at(-1)! - b.members.at(-1)!)
      .map(({ owner }) => owner);
  }
}

function placeGrid(s: number): void {
  samples.placeIn(s, 0, 1);
  if (onePainter.length >= grid.size) return;
  onePainter = new Float32Array(2 * grid.size);
  pointCount = new Uint8Array(2 * grid.size);
  pointBits = new Uint8Array(2 * grid.size);
}
