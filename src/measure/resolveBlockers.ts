import { grown } from '../geometry/grown.js';
import { FragmentSet } from '../geometry/FragmentSet.js';
import { UnionArea } from '../geometry/UnionArea.js';
import { CandidateKind } from './CandidateList.js';
import { CoverSamples } from './CoverSamples.js';
import { type AdView, type FrameSnapshot, NONE } from './FrameSnapshot.js';
import { isOwn } from './OwnArea.js';
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

/**
 * A convex polygon contains a circle whose radius is at least its area divided by its perimeter, and its perimeter is at
 * most that of its box. A circle of this radius contains a whole pixel.
 */
const PIXEL_RADIUS = Math.SQRT2;

/** Each further look takes this many times as many samples, and at most {@link FINEST_SAMPLES}. */
const FINER = 16;
const FINEST_SAMPLES = 65536;

const samples = new CoverSamples();
const { own, candidates, domain, grid } = samples;
const union = new UnionArea();
/** Light one painter leaves. */
let onePainter = new Float32Array(8192);
/** How many points of each pixel are ad area, and which, as bits. */
let pointCount = new Uint8Array(8192);
let pointBits = new Uint8Array(8192);

/** The ad's pieces without what its own later picture covers. */
const pieces = new FragmentSet();
/** Candidates that are the ad itself, drawn again by a later camera. */
let selfCount = 0;
let selfCandidate = new Int32Array(16);

/** Groups: one for each painter, with the candidates of one game object, chained through `nextMember`. */
let groupCount = 0;
let groupOwner = new Int32Array(64);
let groupFirst = new Int32Array(64);
let groupLast = new Int32Array(64);
let groupSampled = new Uint8Array(64);
let groupArea = new Float64Array(64);
let formerArea = new Float64Array(64);
/** 1 for a group that takes so little that perhaps no pixel shows it: a closer look decides. */
let groupThin = new Uint8Array(64);
/** 1 for a group that is known to take a whole pixel. */
let groupTakesPixel = new Uint8Array(64);
let nextMember = new Int32Array(64);
const groupOf = new Map<unknown, number>();
const PAINTER = {};

/**
 * Finds which game objects take visible area from the ad in a view measured before, and writes them to `out`: those that
 * alone are opaque enough over at least 1 px² of it (whether or not others cover it too). Where objects block only together,
 * those count that add at least a tenth of opacity, or without which the ad would be seen. When nothing is lost, or the ad
 * is too faint to be seen at all, there are none.
 *
 * Costs more than measuring the areas; call it only when these have changed.
 */
export function resolveBlockers(
  snapshot: FrameSnapshot,
  view: AdView,
  options: MeasureOptions,
  out: ViewMeasurement,
): void {
  out.blockerCount = 0;
  out.blockedByPainter = false;
  if (out.transparent) return;
  if (!(out.lostArea >= Math.min(NEGLIGIBLE_AREA, out.onScreenArea / 2)) || out.onScreenArea === 0) return;
  own.take(snapshot, view);
  candidates.collect(snapshot, view, options);
  // Where the usual samples miss what took the area, a finer look finds it.
  let most = options.maxSamples ?? DEFAULT_MAX_SAMPLES;
  do {
    groupByOwner(snapshot, view);
    cutSelf(snapshot);
    if (!own.varies) takeExactAreas(snapshot);
    if (markSampled(snapshot) && domain.plan(most)) {
      for (let s = 0; s < domain.count; s++) samplePainters(snapshot, view, options.blockingOpacity, s, false);
    }
    most *= FINER;
  } while (most <= FINEST_SAMPLES && !isAnyFound());
  dropUnseen(snapshot, view, options.blockingOpacity);
  report(out);
}

/**
 * Drops painters that take no whole pixel: slivers and hairlines, which darken a pixel by less than half. Where edges are
 * not smoothed the pixel's centre decides.
 */
function dropUnseen(snapshot: FrameSnapshot, view: AdView, blocking: number): void {
  const { box } = candidates;
  const thinArea = 2 * (box[2]! - box[0]! + box[3]! - box[1]!);
  domain.resetPixels(box);
  let isAny = false;
  let isOther = false;
  // Something is lost. If no painter was found, it is lost in pixels whose centres are not lost, or are no ad.
  const isFound = isAnyFound();
  for (let g = 0; g < groupCount; g++) {
    const isThin = groupTakesPixel[g] === 0 && groupArea[g]! > 0 && groupArea[g]! < thinArea;
    groupThin[g] = !isFound || isThin ? 1 : 0;
    if (groupThin[g] === 0) {
      if (groupArea[g]! > 0) isOther = true;
      continue;
    }
    isAny = true;
    for (let c = groupFirst[g]!; c !== -1; c = nextMember[c]!) samples.markCandidate(snapshot, c);
  }
  if (!isAny || !domain.plan(FINEST_SAMPLES)) return;
  for (let s = 0; s < domain.count; s++) if (domain.step[s]! > 1) return;
  for (let g = 0; g < groupCount; g++) {
    if (groupThin[g] === 0) continue;
    formerArea[g] = groupArea[g]!;
    groupArea[g] = 0;
  }
  for (let s = 0; s < domain.count; s++) samplePainters(snapshot, view, blocking, s, true);
  if (isOther || isAnyFound()) return;
  // No painter takes a pixel, and yet pixels are lost: to several painters together, each too faint to be named.
  for (let g = 0; g < groupCount; g++) if (groupThin[g] === 1) groupArea[g] = formerArea[g]!;
}

function isAnyFound(): boolean {
  for (let g = 0; g < groupCount; g++) if (groupArea[g]! > 0) return true;
  return false;
}

function groupByOwner(snapshot: FrameSnapshot, view: AdView): void {
  const adIndex = snapshot.owner[view.pieceFrom]!;
  const ad = adIndex === NONE ? undefined : snapshot.owners[adIndex];
  const { count, polygon } = candidates;
  groupCount = selfCount = 0;
  if (nextMember.length < count) nextMember = new Int32Array(2 * count);
  let previous: unknown = undefined;
  let group = -1;
  for (let c = 0; c < count; c++) {
    const index = snapshot.owner[polygon[c]!]!;
    if (index !== NONE && snapshot.owners[index] === ad) {
      if (selfCount === selfCandidate.length) {
        selfCandidate = grown(selfCandidate);
      }
      selfCandidate[selfCount++] = c;
      continue;
    }
    const owner = index === NONE ? PAINTER : snapshot.owners[index];
    if (owner !== previous) {
      previous = owner;
      const known = groupOf.get(owner);
      if (known === undefined) {
        group = addGroup(c);
        groupOf.set(owner, group);
      } else {
        group = known;
      }
    }
    if (groupFirst[group] !== c) nextMember[groupLast[group]!] = c;
    nextMember[c] = -1;
    groupLast[group] = c;
    groupOwner[group] = index;
    if (own.varies || candidates.kind[c] !== CandidateKind.BLOCKING) groupSampled[group] = 1;
  }
  // Holds game objects: let go of them.
  groupOf.clear();
}

/**
 * An ad that a later camera draws again covers its earlier picture, but it is not its own blocker. Nor does what lies over
 * the later picture block the earlier one: no other painter can take the part that the ad itself covers.
 */
function cutSelf(snapshot: FrameSnapshot): void {
  pieces.reset();
  for (let p = 0; p < own.pieceCount; p++) pieces.add(own.xy, own.start[p]!, own.length[p]!);
  for (let n = 0; n < selfCount; n++) {
    const c = selfCandidate[n]!;
    const i = candidates.polygon[c]!;
    if (candidates.kind[c] !== CandidateKind.BLOCKING) continue;
    pieces.subtract(snapshot.xy, 2 * snapshot.start[i]!, snapshot.length[i]!);
  }
}

/** Fills the samples that are ad area, without what the ad's own later picture covers. */
function sampleAd(snapshot: FrameSnapshot, view: AdView, limit: number): void {
  const size = grid.size;
  samples.sampleAd(snapshot, view);
  if (own.isMasked) samples.takeMask(snapshot, view);
  if (selfCount === 0) return;
  onePainter.fill(1, 0, size);
  for (let n = 0; n < selfCount; n++) samples.coverBy(snapshot, selfCandidate[n]!, onePainter, -1);
  for (let k = 0; k < size; k++) if (1 - onePainter[k]! >= limit) samples.clear[k] = 1;
}

/**
 * As {@link sampleAd}, pixel by pixel: a pixel on the ad's edge shows part of the ad, and the rest of the pixel does not matter.
 */
function samplePixelsOfAd(snapshot: FrameSnapshot, view: AdView, limit: number, points: number): void {
  const size = grid.size;
  pointCount.fill(0, 0, size);
  pointBits.fill(0, 0, size);
  for (let point = 0; point < points; point++) {
    grid.shift(point, points);
    sampleAd(snapshot, view, limit);
    for (let k = 0; k < size; k++) {
      if (!isOwn(samples.clear[k]!)) continue;
      pointCount[k]! += 1;
      pointBits[k]! |= 1 << point;
    }
  }
  grid.centre();
  sampleAd(snapshot, view, limit);
  for (let k = 0; k < size; k++) samples.clear[k] = pointCount[k] === 0 ? 1 : 0;
}

function addGroup(first: number): number {
  if (groupCount === groupOwner.length) {
    groupOwner = grown(groupOwner);
    groupFirst = grown(groupFirst);
    groupLast = grown(groupLast);
    groupSampled = grown(groupSampled);
    groupArea = grown(groupArea);
    formerArea = grown(formerArea);
    groupThin = grown(groupThin);
    groupTakesPixel = grown(groupTakesPixel);
  }
  groupFirst[groupCount] = first;
  groupLast[groupCount] = first;
  groupSampled[groupCount] = 0;
  groupArea[groupCount] = 0;
  groupTakesPixel[groupCount] = 0;
  return groupCount++;
}

/** Painters of one blocking opacity over an ad that is opaque throughout need no samples. */
function takeExactAreas(snapshot: FrameSnapshot): void {
  const { xy, start, length } = snapshot;
  for (let p = 0; p < pieces.count; p++) {
    union.reset(pieces.xy, pieces.start[p]!, pieces.length[p]!);
    for (let g = 0; g < groupCount; g++) {
      for (let c = groupFirst[g]!; c !== -1; c = nextMember[c]!) {
        if (candidates.kind[c] !== CandidateKind.BLOCKING) continue;
        const i = candidates.polygon[c]!;
        if (!union.add(xy, 2 * start[i]!, length[i]!)) continue;
        groupArea[g]! += union.added;
        if (union.added > PIXEL_RADIUS * 2 * union.addedSides) groupTakesPixel[g] = 1;
      }
    }
  }
}

/** Marks where samples must decide; false when nowhere. */
function markSampled(snapshot: FrameSnapshot): boolean {
  const { count, kind } = candidates;
  domain.reset(candidates.box);
  let marked = false;
  for (let c = 0; c < count; c++) {
    if (kind[c] === CandidateKind.BLOCKING && !own.varies) continue;
    samples.markCandidate(snapshot, c);
    marked = true;
  }
  return marked;
}

/** @param isCloser Only painters that take little are looked at, and each sample is a pixel as it is drawn. */
function samplePainters(snapshot: FrameSnapshot, view: AdView, blocking: number, s: number, isCloser: boolean): void {
  placeGrid(s);
  const size = grid.size;
  const limit = blocking - LIGHT_TOLERANCE;
  const points = isCloser ? candidates.pixelPoints : 1;
  if (points > 1) samplePixelsOfAd(snapshot, view, limit, points);
  else sampleAd(snapshot, view, limit);
  const { isMasked } = own;
  const { clear, light: together, flat: strongest, mask } = samples;
  together.fill(1, 0, size);
  strongest.fill(0, 0, size);
  for (let g = 0; g < groupCount; g++) {
    if (!samplePainter(snapshot, view, g, s, points)) continue;
    let blocked = 0;
    for (let k = 0; k < size; k++) {
      const keep = onePainter[k]!;
      if (keep === 1) continue;
      together[k]! *= keep;
      const opacity = 1 - (isMasked ? keep * mask[k]! : keep);
      if (opacity > strongest[k]!) strongest[k] = opacity;
      if (opacity >= limit && isOwn(clear[k]!)) blocked++;
    }
    if (isCloser ? groupThin[g] === 1 : groupSampled[g] === 1) groupArea[g]! += blocked * grid.sampleArea;
  }
  if (candidates.addsLight || candidates.sharesMask) samples.coverByAll(snapshot, view);
  let togetherCount = 0;
  for (let k = 0; k < size; k++) {
    const left = isMasked ? together[k]! * mask[k]! : together[k]!;
    // From here on: the light that all leave together, where only several of them block; 1 elsewhere.
    if (isOwn(clear[k]!) && 1 - left >= limit && strongest[k]! < limit) {
      together[k] = left;
      togetherCount++;
    } else together[k] = 1;
  }
  if (togetherCount === 0) return;
  for (let g = 0; g < groupCount; g++) {
    if ((isCloser && groupThin[g] === 0) || !samplePainter(snapshot, view, g, s, points)) continue;
    let share = 0;
    for (let k = 0; k < size; k++) {
      const opacity = 1 - onePainter[k]!;
      if (together[k] === 1 || opacity < LEAST_CONTRIBUTION) continue;
      // Without this painter there would be more light.
      const tips = together[k]! > (1 - limit) * onePainter[k]!;
      if (tips || opacity >= CONTRIBUTION - LIGHT_TOLERANCE) share++;
    }
    groupArea[g]! += share * grid.sampleArea;
  }
}

/** Fills `onePainter` with the light one game object leaves; false when it does not reach into the rectangle. */
function samplePainter(snapshot: FrameSnapshot, view: AdView, g: number, s: number, points: number): boolean {
  const { box } = snapshot;
  const { rectangle } = domain;
  const minX = rectangle[4 * s]!;
  const minY = rectangle[4 * s + 1]!;
  const maxX = minX + rectangle[4 * s + 2]!;
  const maxY = minY + rectangle[4 * s + 3]!;
  let reaches = false;
  for (let c = groupFirst[g]!; c !== -1 && !reaches; c = nextMember[c]!) {
    const b = 4 * candidates.polygon[c]!;
    reaches = box[b]! < maxX && box[b + 2]! > minX && box[b + 1]! < maxY && box[b + 3]! > minY;
  }
  if (!reaches) return false;
  const size = grid.size;
  if (points === 1) {
    coverByPainter(snapshot, view, g);
    return true;
  }
  const { mean } = samples;
  mean.fill(0, 0, size);
  for (let point = 0; point < points; point++) {
    grid.shift(point, points);
    coverByPainter(snapshot, view, g);
    for (let k = 0; k < size; k++) if ((pointBits[k]! & (1 << point)) !== 0) mean[k]! += onePainter[k]!;
  }
  grid.centre();
  for (let k = 0; k < size; k++) onePainter[k] = pointCount[k] === 0 ? 1 : mean[k]! / pointCount[k]!;
  return true;
}

function coverByPainter(snapshot: FrameSnapshot, view: AdView, g: number): void {
  onePainter.fill(1, 0, grid.size);
  if (candidates.addsLight) grid.trackBrightness(view.opacity);
  let earlier = -1;
  for (let c = groupFirst[g]!; c !== -1; c = nextMember[c]!) {
    samples.coverBy(snapshot, c, onePainter, earlier);
    earlier = c;
  }
  grid.forgetBrightness();
}

/** Lists the painters that take at least 1 px², or the greatest when each takes less but something is lost. */
function report(out: ViewMeasurement): void {
  let greatest = 0;
  for (let g = 1; g < groupCount; g++) if (groupArea[g]! > groupArea[greatest]!) greatest = g;
  if (groupCount === 0 || !(groupArea[greatest]! > 0)) return;
  const least = Math.min(NEGLIGIBLE_AREA, groupArea[greatest]!);
  for (let g = 0; g < groupCount; g++) {
    if (groupArea[g]! < least) continue;
    if (groupOwner[g] === NONE) {
      out.blockedByPainter = true;
      continue;
    }
    if (out.blockerCount === out.blockers.length) {
      out.blockers = grown(out.blockers);
    }
    // Sorted by the last polygon of each, which is what lies on top; `groupOf` numbers groups by their first polygon.
    let place = out.blockerCount++;
    while (place > 0 && groupLast[out.blockers[place - 1]!]! > groupLast[g]!) {
      out.blockers[place] = out.blockers[place - 1]!;
      place--;
    }
    out.blockers[place] = g;
  }
  for (let i = 0; i < out.blockerCount; i++) out.blockers[i] = groupOwner[out.blockers[i]!]!;
}

function placeGrid(s: number): void {
  samples.placeIn(s, 0, 1);
  if (onePainter.length >= grid.size) return;
  onePainter = new Float32Array(2 * grid.size);
  pointCount = new Uint8Array(2 * grid.size);
  pointBits = new Uint8Array(2 * grid.size);
}
