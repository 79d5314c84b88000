import type * as Phaser from 'phaser';

import type { InsteadOfDrawing, ParentMatrix, RehearsedEngine } from '../../rehearsal/RehearsedEngine.js';
import { isMisplaced, wholeOf } from '../../textures/wholeOf.js';
import { DrawRole } from '../draws/DrawRole.js';
import { ANYWHERE, AS_PAINTED, foreignBoxOf } from '../objects/foreignBoxOf.js';
import { interceptMethod } from '../objects/interceptMethod.js';
import { isRemoved } from '../objects/isRemoved.js';
import type { PaintedReach } from '../objects/PaintedReach.js';
import { matrixOf, placeOf } from '../objects/placeOf.js';
import type { BoundsByType } from '../objects/registerBounds.js';
import type { DrawnObject } from '../phaser3/internals.js';
import { At, type CanvasDraw, type CanvasDraws, DrawKind } from './CanvasDraws.js';
import type { RecordingContext } from './RecordingContext.js';
import { SEAM_PX } from './SpriteQuads.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;
type RenderCanvas = (renderer: object, object: GameObject, camera: Camera, parent?: ParentMatrix) => void;

/** Members of the Canvas renderer that change while it draws. */
interface Renderer {
  currentContext: unknown;
  gameContext: unknown;
  drawCount: number;
  emit: unknown;
  render(scene: Phaser.Scene, children: unknown[], camera: Camera): void;
}

interface Tileset {
  readonly tileOffset: { readonly x: number; readonly y: number };
  readonly texCoordinates: object[];
}

interface Mask {
  readonly geometryMask?: object | null;
}

interface Drawn {
  renderCanvas: RenderCanvas;
  mask?: Mask | null;
  isCropped?: boolean;
  readonly frame?: Phaser.Textures.Frame | null;
  readonly parentContainer?: Drawn | null;
  readonly displayList?: unknown;
}

interface RoundingCamera {
  roundPixels: boolean;
  renderRoundPixels?: boolean;
}

/** `Phaser.Renderer.Events`: before the first scene of a frame is drawn, and after the last. */
const PRE_RENDER = 'prerender';
const POST_RENDER = 'postrender';

/** Whether a renderer is in the midst of a frame: it does not say so itself. */
const inFrame = new WeakMap<object, boolean>();

/** Listens to a renderer once, however often this is called. */
function watchFrames(renderer: object): void {
  if (inFrame.has(renderer)) return;
  inFrame.set(renderer, false);
  const events = renderer as Phaser.Events.EventEmitter;
  events.on(PRE_RENDER, () => inFrame.set(renderer, true));
  events.on(POST_RENDER, () => inFrame.set(renderer, false));
}

/**
 * Phaser's Canvas renderer, drawing into a context that paints nothing. Each object's own render function is run,
 * whatever its type, and what an object leaves behind in the context is there for the next one.
 */
export class CanvasEngine implements RehearsedEngine {
  readonly method = 'renderCanvas';

  #ads: readonly GameObject[] = [];
  #isOfFriend: (object: GameObject) => boolean = () => false;
  #unsure: ReadonlySet<object> = new Set();
  readonly #undo: (() => void)[] = [];
  readonly #standIns: StandIn[] = [];
  /** The object whose mask is being drawn, and the context's role and muting before. */
  #masked: { owner: unknown; role: DrawRole; isMuted: boolean } | null = null;

  constructor(
    private readonly game: Phaser.Game,
    private readonly context: RecordingContext,
    private readonly bounds: BoundsByType,
    private readonly reach: PaintedReach,
  ) {
    context.onClip = () => this.#endMask();
    watchFrames(game.renderer);
  }

  get draws(): CanvasDraws {
    return this.context.draws;
  }

  /**
   * Sets what the next rehearsal is for.
   * @param isOfFriend true for what does not count as covering an ad
   * @param unsure tile layers that are drawn at an unknown place
   */
  expect(ads: readonly GameObject[], isOfFriend: (object: GameObject) => boolean, unsure: ReadonlySet<object>): void {
    this.#ads = ads;
    this.#unsure = unsure;
    this.#isOfFriend = isOfFriend;
  }

  begin(): boolean {
    const renderer = this.game.renderer as unknown as Renderer;
    if (inFrame.get(renderer) === true || renderer.currentContext !== renderer.gameContext) return false;
    const { context } = this;
    const undo = this.#undo;
    context.begin();
    this.#masked = null;
    const { currentContext, gameContext, drawCount, emit } = renderer;
    renderer.currentContext = renderer.gameContext = context;
    renderer.emit = () => false;
    undo.push(() => Object.assign(renderer, { currentContext, gameContext, drawCount, emit }));
    for (const { sys } of this.game.scene.scenes) {
      const before = sys.context;
      sys.context = context as unknown as CanvasRenderingContext2D;
      undo.push(() => (sys.context = before));
    }
    // An object that is observed twice is watched once, under its first index.
    for (let ad = 0; ad < this.#ads.length; ad++)
      if (this.#ads.indexOf(this.#ads[ad]!) === ad) this.#watch(this.#ads[ad]!, ad);
    return true;
  }

  intercept(object: GameObject, instead: InsteadOfDrawing): () => void {
    return interceptMethod(object, this.method, instead);
  }

  end(): void {
    const undo = this.#undo;
    for (let i = undo.length - 1; i >= 0; i--) undo[i]!();
    undo.length = 0;
    this.#ads = [];
  }

  render(scene: Phaser.Scene, children: readonly GameObject[], camera: Camera): void {
    const { context } = this;
    const standIns = this.#standIns;
    const shown: StandIn[] = [];
    for (let i = 0; i < children.length; i++) {
      const standIn = (standIns[i] ??= new StandIn(this));
      standIn.object = children[i]!;
      shown.push(standIn);
    }
    context.camera = camera;
    (this.game.renderer as unknown as Renderer).render(scene, shown, camera);
    context.unwind(0);
  }

  renderAlone(object: GameObject, camera: Camera, parent: ParentMatrix | undefined): void {
    const { context } = this;
    context.camera = camera;
    context.isMuted = false;
    const depth = context.kept;
    context.save();
    try {
      (object as unknown as Drawn).renderCanvas(this.game.renderer, object, camera, parent);
    } catch {
      // The object has nothing to draw, such as an image whose texture was removed.
    }
    context.role = DrawRole.COVER;
    context.unwind(depth);
  }

  onCamera(camera: Camera): void {
    const { context } = this;
    context.camera = camera;
    context.owner = null;
    context.isMuted = false;
  }

  onObject(object: GameObject): void {
    const { context } = this;
    const { owner } = context;
    if (((owner ?? context.camera) as Drawn | null)?.mask?.geometryMask === object) {
      // Until the mask has become the clip.
      this.#masked ??= { owner, role: context.role, isMuted: context.isMuted };
      context.role = DrawRole.COVER;
    }
    context.owner = object;
    context.isMuted = this.#isOfFriend(object);
    if ('gidMap' in object) this.#holdTiles(object.gidMap as readonly (Tileset | undefined)[]);
    if (this.#unsure.has(object)) context.unknown();
  }

  onForeign(object: GameObject, camera: Camera, parent: ParentMatrix | undefined): void {
    this.onObject(object);
    const box = foreignBoxOf(object, this.bounds, false);
    if (box === null) return;
    const { context } = this;
    context.save();
    context.globalCompositeOperation = 'source-over';
    context.globalAlpha = 1;
    if (box === AS_PAINTED) context.unknown(this.reach.boxOf(object, camera));
    else if (box === ANYWHERE) context.unknown();
    else {
      const drawn = object as unknown as DrawnObject;
      context.setTransform(...matrixOf(drawn, placeOf(drawn, camera, parent)));
      context.unknownIn(box.x, box.y, box.width, box.height);
    }
    context.restore();
  }

  /** Draws an object of a scene's own list. */
  draw(object: GameObject, renderer: object, camera: Camera): void {
    const { context } = this;
    const depth = context.kept;
    this.onObject(object);
    try {
      (object as unknown as Drawn).renderCanvas(renderer, object, camera);
    } catch {
      context.unwind(depth);
      context.role = DrawRole.COVER;
      context.owner = object;
      context.unknown();
    }
    // What is drawn between objects is the camera's, such as its fade at the end.
    context.owner = null;
    context.isMuted = false;
  }

  /** Phaser moves the texture coordinates of tilesets with an offset each time it draws them on Canvas. */
  #holdTiles(tilesets: readonly (Tileset | undefined)[]): void {
    for (const tileset of new Set(tilesets)) {
      if (!tileset || (tileset.tileOffset.x === 0 && tileset.tileOffset.y === 0)) continue;
      const places = tileset.texCoordinates;
      const before = places.map((place) => ({ ...place }));
      this.#undo.push(() => places.forEach((place, i) => Object.assign(place, before[i])));
    }
  }

  #endMask(): void {
    const { context } = this;
    const masked = this.#masked;
    if (masked === null) return;
    context.owner = masked.owner;
    context.role = masked.role;
    context.isMuted = masked.isMuted;
    this.#masked = null;
  }

  /** Makes an ad draw itself twice each time: first as it would be whole, then as it is. */
  #watch(ad: GameObject, index: number): void {
    const drawn = ad as unknown as Drawn;
    const draw = drawn.renderCanvas;
    const { context } = this;
    drawn.renderCanvas = (renderer, _object, camera, parent) => {
      const inner = (): void => draw.call(ad, renderer, ad, camera, parent);
      // An ad within another ad is a part of that ad.
      if (context.role !== DrawRole.COVER) {
        inner();
        return;
      }
      const { frame } = drawn;
      const isPicture = frame !== undefined && frame !== null && !isRemoved(frame);
      context.owner = ad;
      context.isMuted = false;
      // Where the camera rounds, other ads are covered by the picture with its seam, which is cut off the piece.
      const coverFrom = context.draws.count;
      if (isPicture && camera.roundPixels && this.#ads.length > 1) this.#aside(inner);
      const hasOwnCover = someHasSeam(context.draws, coverFrom);
      if (!hasOwnCover) context.draws.count = coverFrom;
      context.owner = ad;
      context.mark(index, DrawRole.SHAPE);
      const from = context.draws.count;
      this.#aside(() => drawWhole(drawn, camera, inner));
      if (isPicture) widenToWhole(context.draws, from, frame);
      widenToTile(context.draws, from, drawn as unknown as Partial<Tiled>);
      context.owner = ad;
      context.mark(index, DrawRole.PIECE, !isPicture || !isMisplaced(frame));
      const pieceFrom = context.draws.count;
      inner();
      if (isPicture) cutSeam(context.draws, pieceFrom, !hasOwnCover);
      context.mark(index, DrawRole.COVER);
      context.ad = -1;
    };
    // Assigned, even if it was the class's function: an object that loses a property becomes slow, and with it all of its kind.
    this.#undo.push(() => (drawn.renderCanvas = draw));
  }

  /** Draws, and leaves nothing behind in the context. */
  #aside(draw: () => void): void {
    const { context } = this;
    context.save();
    const depth = context.kept;
    draw();
    context.unwind(depth - 1);
  }
}

/** Draws an ad without mask and crop, and without rounding to whole pixels. */
function drawWhole(ad: Drawn, camera: Camera, draw: () => void): void {
  const rounding = camera as unknown as RoundingCamera;
  const { mask, isCropped } = ad;
  const { roundPixels, renderRoundPixels } = rounding;
  try {
    if (mask) ad.mask = null;
    if (isCropped) ad.isCropped = false;
    rounding.roundPixels = false;
    if (renderRoundPixels !== undefined) rounding.renderRoundPixels = false;
    draw();
  } finally {
    if (mask) ad.mask = mask;
    if (isCropped) ad.isCropped = true;
    rounding.roundPixels = roundPixels;
    if (renderRoundPixels !== undefined) rounding.renderRoundPixels = renderRoundPixels;
  }
}

/** Whether a picture is larger than its source by what Phaser from 3.86 on adds where it rounds, along an axis. */
function hasSeam({ kind, numbers }: CanvasDraw, axis: 0 | 1): boolean {
  const width = 2 + axis;
  return kind === DrawKind.PICTURE && numbers[At.TO + width]! - numbers[At.FROM + width]! === SEAM_PX;
}

function someHasSeam({ draws, count }: CanvasDraws, from: number): boolean {
  for (let i = from; i < count; i++) if (hasSeam(draws[i]!, 0) || hasSeam(draws[i]!, 1)) return true;
  return false;
}

/**
 * Takes off the seam of an ad's piece: with it an ad would make up for what is cut off elsewhere.
 * @param covers whether the piece stands for what the ad covers of others, too
 */
function cutSeam({ draws, count }: CanvasDraws, from: number, covers: boolean): void {
  for (let i = from; i < count; i++) {
    const draw = draws[i]!;
    draw.covers = covers;
    for (const axis of [0, 1] as const) if (hasSeam(draw, axis)) draw.numbers[At.TO + 2 + axis]! -= SEAM_PX;
  }
}

/** Widens the pictures from draw `from` on: from what the frame shows to the whole picture it stands for. */
function widenToWhole(draws: CanvasDraws, from: number, frame: Phaser.Textures.Frame): void {
  const whole = wholeOf(frame);
  if (whole === frame) return;
  const { cutX, cutY, cutWidth, cutHeight } = whole;
  for (let i = from; i < draws.count; i++) {
    const { kind, numbers } = draws.draws[i]!;
    if (kind !== DrawKind.PICTURE) continue;
    const across = numbers[At.TO + 2]! / numbers[At.FROM + 2]!;
    const down = numbers[At.TO + 3]! / numbers[At.FROM + 3]!;
    numbers[At.TO]! += (cutX - numbers[At.FROM]!) * across;
    numbers[At.TO + 1]! += (cutY - numbers[At.FROM + 1]!) * down;
    numbers[At.TO + 2] = cutWidth * across;
    numbers[At.TO + 3] = cutHeight * down;
    numbers.set([cutX, cutY, cutWidth, cutHeight], At.FROM);
  }
}

/** What a TileSprite has. */
interface Tiled {
  /** One tile. Its frame has one name in Phaser 3 and another in 4. */
  readonly fillCanvas: HTMLCanvasElement | null;
  readonly tileScaleX: number;
  readonly tileScaleY: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Widens a tile sprite smaller than one tile, which shows only a part of its picture, to the whole tile, from draw `from`
 * on.
 */
function widenToTile(
  draws: CanvasDraws,
  from: number,
  { fillCanvas, tileScaleX = 1, tileScaleY = 1, width = 0, height = 0 }: Partial<Tiled>,
): void {
  if (!fillCanvas || !(width > 0 && height > 0)) return;
  for (let i = from; i < draws.count; i++) {
    const { kind, numbers } = draws.draws[i]!;
    if (kind !== DrawKind.PICTURE) continue;
    numbers[At.TO + 2]! *= Math.max(1, (fillCanvas.width * tileScaleX) / width);
    numbers[At.TO + 3]! *= Math.max(1, (fillCanvas.height * tileScaleY) / height);
  }
}

/** Stands for an object in the list that the renderer draws, so that an error in one object does not stop the others. */
class StandIn {
  object!: GameObject;

  constructor(private readonly engine: CanvasEngine) {}

  get mask(): unknown {
    return (this.object as unknown as Drawn).mask;
  }

  renderCanvas(renderer: object, _self: unknown, camera: Camera): void {
    this.engine.draw(this.object, renderer, camera);
  }
}
