import type * as Phaser from 'phaser';

import { AdsError } from '../errors.js';
import { FragmentSet } from '../geometry/FragmentSet.js';
import { collectVisibleFragments } from '../measure/collectVisibleFragments.js';
import type { AdView, FrameSnapshot } from '../measure/FrameSnapshot.js';
import { measureView } from '../measure/measureView.js';
import { DEFAULT_BLOCKING_OPACITY, type MeasureOptions, ViewMeasurement } from '../measure/ViewMeasurement.js';
import { elementsOver } from '../page/elementsOver.js';
import type { PageView } from '../page/PageView.js';
import { sceneDrawing } from '../record/objects/sceneDrawing.js';
import { AdMeter, blockersIn } from './AdMeter.js';
import type { CalculateAdCoverage } from './CalculateAdCoverage.js';
import { GameMeter } from './GameMeter.js';
import { isMeasurable } from './phaserVersion.js';
import { RepeatedCalls } from './RepeatedCalls.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/** Result of {@link checkAdFullVisibility}. */
export interface CheckAdFullVisibility {
  /**
   * True when, in at least one camera that draws the ad, its whole area is on the canvas, inside the viewport, opaque
   * enough, unclipped, and nothing drawn later covers any of it. Less than one canvas pixel counts as nothing.
   */
  readonly isFullyVisible: boolean;
  /** The game objects that take visible area away, in draw order, topmost last. */
  readonly blockingSprites: GameObject[];
}

/** Calls made now and then may look closely: up to this many points are sampled where texels decide. */
const ON_DEMAND_SAMPLES = 65536;

const OPTIONS: MeasureOptions = { blockingOpacity: DEFAULT_BLOCKING_OPACITY, maxSamples: ON_DEMAND_SAMPLES };

/**
 * Whether an ad is fully visible in its scene, and what blocks it. Works on any game object at any time, with no plugin
 * installed. It describes the scenes and cameras as they stand now: between two frames as the next one will show them,
 * except for what Phaser does while it draws (a camera's follow, bounds and shake).
 *
 * It may be called again and again, once a frame for each ad or once a second: from the third call on it costs next to
 * nothing. Then a cover that came or went since the last frame was drawn is known one frame later. If the ad or a camera has
 * moved since, the scenes are read anew.
 *
 * A destroyed sprite, or one of another scene, is not visible: the call never throws for them, so it is safe in a frame. In
 * a game on Phaser below 3.60, or 5 and later, no sprite is visible; the console says so once.
 *
 * @param adSprite The game object that shows the ad.
 * @param scene The scene it belongs to.
 * @throws {AdsError} `arg/sprite` or `arg/scene` when an argument is not a game object or scene at all.
 */
export function checkAdFullVisibility(adSprite: GameObject, scene: Phaser.Scene): CheckAdFullVisibility {
  requireSprite(adSprite, 'checkAdFullVisibility');
  requireScene(scene, 'checkAdFullVisibility');
  const game = gameOf(adSprite, scene);
  if (game === null) return { isFullyVisible: false, blockingSprites: [] };
  const known = RepeatedCalls.of(game).answer(adSprite, 'visibility');
  if (known !== null) return { isFullyVisible: known.isFullyVisible, blockingSprites: [...known.blockingSprites] };
  const { bench } = GameMeter.of(game);
  const page = bench.read([adSprite]);
  const { snapshot } = bench.reader;
  const meter = new AdMeter(adSprite, () => blockersIn(snapshot, 0, OPTIONS));
  meter.measure(snapshot, 0, OPTIONS, page, true);
  const result = { isFullyVisible: meter.isFullyVisible, blockingSprites: meter.blockingSprites.slice() };
  bench.release();
  return result;
}

/**
 * How much of an ad the player sees through one camera. Works on any game object at any time, with no plugin installed;
 * describes the scenes and cameras as they stand, as {@link checkAdFullVisibility} does.
 *
 * @param adSprite The game object that shows the ad.
 * @param camera A camera of its scene, usually `scene.cameras.main`.
 * @throws {AdsError} `arg/sprite` or `arg/camera` when an argument is not a game object or camera at all.
 */
export function calculateAdCoverage(adSprite: GameObject, camera: Camera): CalculateAdCoverage {
  requireSprite(adSprite, 'calculateAdCoverage');
  requireCamera(camera, 'calculateAdCoverage');
  const game = gameOf(adSprite, sceneOf(camera, adSprite));
  if (game === null) return coverageOf(0, 0, 0);
  const known = RepeatedCalls.of(game).answer(adSprite, 'coverage');
  if (known?.camera === camera && isAlone(camera, adSprite)) {
    const { width, height } = game.scale.baseSize;
    return coverageOf(known.visibleArea, known.totalArea, width * height);
  }
  const { bench } = GameMeter.of(game);
  const page = bench.read([adSprite]);
  const { snapshot } = bench.reader;
  const canvasArea = snapshot.canvasWidth * snapshot.canvasHeight;
  if (!hasView(snapshot, camera)) bench.reader.readUndrawn(game, adSprite, camera, page);
  let totalArea = 0;
  let visibleArea = -1;
  for (let v = 0; v < snapshot.viewCount; v++) {
    const view = snapshot.views[v]!;
    if (view.camera !== camera) continue;
    const measurement = new ViewMeasurement();
    measureView(snapshot, view, OPTIONS, measurement);
    const isSeen = !page.hidden && !measurement.transparent && !view.unmeasurable;
    const visible = isSeen ? measurement.visibleArea : 0;
    // A camera draws an object twice when its container does not own it: the larger picture counts.
    if (visible <= visibleArea) continue;
    visibleArea = visible;
    totalArea = measurement.totalArea;
  }
  bench.release();
  return coverageOf(Math.max(0, visibleArea), totalArea, canvasArea);
}

/** An ad as one camera shows it, see {@link adShape}. Each list holds polygons of x and y alternating, in canvas pixels. */
export interface AdShape {
  /** The whole ad, before any clipping; its polygons may overlap. */
  readonly outline: readonly Float64Array[];
  /** The part within viewport, canvas and masks, without transparent texels: `onScreenArea` of a measurement. */
  readonly onScreen: readonly Float64Array[];
  /** The part of `onScreen` that the player sees: `visibleArea`. The rest of `onScreen` is covered. */
  readonly visible: readonly Float64Array[];
  /** The HTML elements that cover some of `onScreen`, as far as they are known; without Phaser's own DOM elements. */
  readonly html: readonly Element[];
}

/** A game object and the camera it is seen through, for {@link adShapes}. */
export interface ShapeOf {
  readonly object: GameObject;
  readonly camera: Camera;
  /** Asks for `outline` only, which is quick; the other lists stay empty. */
  readonly isOutline?: boolean;
}

/**
 * Where an ad, or any other game object, is drawn through one camera, and what the player sees of it: for overlays, tools
 * and tests. `onScreen` and `visible` are disjoint and convex: exact where polygons decide, rows of whole pixels where
 * texels, gradients or masks do. All lists are empty when the camera does not draw the object. While ads are observed, the
 * frame is read in the way they are measured: friendly obstructions take nothing, and a texture whose alpha is not known yet
 * counts as opaque. It allocates its result: do not call it in every frame of a game.
 *
 * @param adSprite The game object that shows the ad.
 * @param camera A camera of its scene, usually `scene.cameras.main`.
 * @throws {AdsError} `arg/sprite` or `arg/camera` when an argument is not a game object or camera at all.
 */
export function adShape(adSprite: GameObject, camera: Camera): AdShape {
  requireSprite(adSprite, 'adShape');
  requireCamera(camera, 'adShape');
  return adShapes([{ object: adSprite, camera }])[0]!;
}

/**
 * As {@link adShape} for many objects of one game at once. The frame is read a single time, whatever their number.
 *
 * @throws {AdsError} `arg/sprite` or `arg/camera` when one of them is not a game object or camera at all.
 */
export function adShapes(asked: readonly ShapeOf[]): AdShape[] {
  const shapes = asked.map(() => ({
    outline: [] as Float64Array[],
    onScreen: [] as Float64Array[],
    visible: [] as Float64Array[],
    html: [] as Element[],
  }));
  eachView(asked, 'adShapes', true, (snapshot, view, page, index) => {
    const shape = shapes[index]!;
    const { start, length, xy, count } = snapshot;
    for (let i = view.shapeFrom; i < view.shapeTo; i++)
      shape.outline.push(xy.slice(2 * start[i]!, 2 * (start[i]! + length[i]!)));
    if (page?.hidden === true || asked[index]!.isOutline === true) return;
    collectInto(shape.visible, snapshot, view);
    // As if nothing were drawn after the ad.
    snapshot.count = view.pieceTo;
    collectInto(shape.onScreen, snapshot, view);
    snapshot.count = count;
    shape.html = elementsOver(page?.covers ?? [], shape.onScreen, DEFAULT_BLOCKING_OPACITY);
  });
  return shapes;
}

/**
 * What the player sees of an ad through one camera, as disjoint convex polygons in canvas pixels. Friendly obstructions
 * count as covers here, as in {@link calculateAdCoverage}; in {@link adShape} they do not while the ad is observed.
 *
 * @param adSprite The game object that shows the ad.
 * @param camera A camera of its scene, usually `scene.cameras.main`.
 * @returns Polygons of x and y alternating; together their area is `visibleArea` of {@link calculateAdCoverage}, to within
 * whole pixels.
 * @throws {AdsError} `arg/sprite` or `arg/camera` when an argument is not a game object or camera at all.
 */
export function visibleFragments(adSprite: GameObject, camera: Camera): Float64Array[] {
  const polygons: Float64Array[] = [];
  eachView([{ object: adSprite, camera }], 'visibleFragments', false, (snapshot, view, page) => {
    if (page?.hidden !== true) collectInto(polygons, snapshot, view);
  });
  return polygons;
}

function collectInto(polygons: Float64Array[], snapshot: FrameSnapshot, view: AdView): void {
  const fragments = new FragmentSet();
  collectVisibleFragments(snapshot, view, OPTIONS, fragments);
  for (let i = 0; i < fragments.count; i++) {
    const from = fragments.start[i]!;
    polygons.push(fragments.xy.slice(from, from + 2 * fragments.length[i]!));
  }
}

/**
 * Reads the frame around game objects and gives `take` the view of each through its camera; none when the camera does not
 * draw it.
 * @param asMeasured read in the way ads are measured, while any are
 */
function eachView(
  asked: readonly ShapeOf[],
  call: string,
  asMeasured: boolean,
  take: (snapshot: FrameSnapshot, view: AdView, page: PageView | null, index: number) => void,
): void {
  const games = asked.map(({ object, camera }) => {
    requireSprite(object, call);
    requireCamera(camera, call);
    return gameOf(object, sceneOf(camera, object));
  });
  const game = games.find((one) => one !== null);
  if (!game) return;
  const known = [...new Set(asked.filter((_, i) => games[i] === game).map(({ object }) => object))];
  const meter = GameMeter.of(game);
  const { bench } = meter;
  const measured = asMeasured ? meter.readAround(known) : null;
  const page = measured === null ? bench.read(known) : meter.watchedPage;
  const snapshot = measured ?? bench.reader.snapshot;
  for (let v = 0; v < snapshot.viewCount; v++) {
    const view = snapshot.views[v]!;
    asked.forEach(({ object, camera }, index) => {
      if (object === known[view.ad] && camera === view.camera) take(snapshot, view, page, index);
    });
  }
  snapshot.release();
}

/** True when no other camera shows what a sprite's scene does. */
function isAlone(camera: Camera, sprite: GameObject): boolean {
  return sceneDrawing(sprite).sys.cameras.cameras.every((other) => other === camera || !other.visible);
}

function hasView(snapshot: FrameSnapshot, camera: Camera): boolean {
  for (let v = 0; v < snapshot.viewCount; v++) if (snapshot.views[v]!.camera === camera) return true;
  return false;
}

function coverageOf(visibleArea: number, totalArea: number, canvasArea: number): CalculateAdCoverage {
  return {
    isVisible: visibleArea > 0,
    screenCoveragePercentage: canvasArea > 0 ? (visibleArea / canvasArea) * 100 : 0,
    visibleArea,
    totalArea,
  };
}

/**
 * The game both belong to; null when the sprite is destroyed, was made by another scene and is not drawn by this one, the
 * scene is gone, or the game runs on an unknown Phaser.
 */
function gameOf(sprite: GameObject, scene: Phaser.Scene | null | undefined): Phaser.Game | null {
  const systems = (scene as { sys?: Phaser.Scenes.Systems } | null | undefined)?.sys;
  if (!systems?.game || !(sprite.scene as unknown)) return null;
  if (sprite.scene !== scene && sceneDrawing(sprite) !== scene) return null;
  return isMeasurable(sprite.scene) ? systems.game : null;
}

/** The scene a camera draws. A camera added by `CameraManager.addExisting` has no scene, or still the one that made it. */
function sceneOf(camera: Camera, sprite: GameObject): Phaser.Scene | null | undefined {
  if (!(sprite.scene as unknown)) return null;
  const scene = sceneDrawing(sprite);
  // Null once a game of Phaser 4 has ended.
  const cameras = scene.sys.cameras as Phaser.Cameras.Scene2D.CameraManager | null;
  return cameras?.cameras.includes(camera) === true ? scene : camera.scene;
}

function requireSprite(sprite: unknown, call: string): void {
  // A destroyed game object keeps its type and loses its scene.
  const isObject = typeof sprite === 'object' && sprite !== null;
  // Groups have a type and a scene, too, but are not drawn.
  if (isObject && 'type' in sprite && 'scene' in sprite && 'renderFlags' in sprite) return;
  throw new AdsError('arg/sprite', `${call}: expected \`adSprite\` to be a game object`);
}

function requireScene(scene: unknown, call: string): void {
  if (typeof scene === 'object' && scene !== null && 'sys' in scene) return;
  throw new AdsError('arg/scene', `${call}: expected \`scene\` to be a scene`);
}

function requireCamera(camera: unknown, call: string): void {
  if (typeof camera === 'object' && camera !== null && 'matrix' in camera && 'zoomX' in camera) return;
  throw new AdsError('arg/camera', `${call}: expected \`camera\` to be a camera`);
}
