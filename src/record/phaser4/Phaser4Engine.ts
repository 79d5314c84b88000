import type * as Phaser from 'phaser';

import type { InsteadOfDrawing, ParentMatrix } from '../../rehearsal/RehearsedEngine.js';
import type { RecordedEngine } from '../draws/FrameRecorder.js';
import { PaintedReach } from '../objects/PaintedReach.js';
import type { DrawnObject } from '../phaser3/internals.js';
import { CallProbe } from './CallProbe.js';
import { DrawCalls, stateOf, targetOf } from './DrawCalls.js';
import { type FilterController, foreignFilters, reachOf } from './filters.js';
import type { DrawingContext, GlobalState, Phaser4Renderer, RunCamera } from './Phaser4Renderer.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

type RenderStep = (
  renderer: object,
  object: GameObject,
  context: DrawingContext,
  parent: ParentMatrix | undefined,
  step?: number,
  list?: unknown,
  index?: number,
) => void;

/** A game object: the members that draw it. */
interface Drawn {
  renderWebGLStep: RenderStep;
  readonly renderWebGL?: unknown;
  readonly _renderSteps?: readonly unknown[] | null;
}

interface Node {
  run(...args: unknown[]): unknown;
}

/** Batches the vertices of ropes, its fifth argument. */
interface Strips {
  batchStrip(...args: [unknown, unknown, unknown, unknown, ArrayLike<number>, ...unknown[]]): void;
}

/** A filter that is a mask. */
interface MaskController {
  /** The mask's picture is drawn anew at its next draw, whether or not it is drawn anew in every frame. */
  needsUpdate: boolean;
  readonly _dynamicTexture: object | null;
}

/** A camera: its members that tell where it shows things. */
interface Viewed {
  readonly matrixCombined: object;
  getViewMatrix(isApart?: boolean): object;
}

interface Listing {
  addToRenderList(object: unknown): void;
}

/** The render nodes of filters have names that begin like this. */
const FILTER = /^Filter/;
const MASK = 'FilterMask';
const STRIPS = 'BatchHandlerStrip';
/** Hands the pixels of its input to the game, and passes them on unchanged. */
const SAMPLER = 'FilterSampler';

/** Lets Phaser 4's WebGL renderer draw without painting, and records what it draws. */
export class Phaser4Engine implements RecordedEngine {
  readonly method = 'renderWebGLStep';
  readonly isUpward = true;
  readonly texturesHaveStencil: boolean;
  /** Unknown: the shader keeps the light of the last scene that was lit. */
  readonly unlit = NaN;
  readonly recorder: DrawCalls;
  readonly reach: PaintedReach;
  readonly #renderer: Phaser4Renderer;
  readonly #undo: (() => void)[] = [];
  readonly #cameras = new Set<object>();
  /** The drawing context of the present object; null between objects. */
  #context: DrawingContext | null = null;
  #before: object = {};
  /** Depth of the nested filters that are being drawn. */
  #filters = 0;
  /** The mask filter that is being drawn; null for none. */
  #mask: MaskController | null = null;
  /** The last object that was drawn because a list has it; null for none. */
  #listed: object | null = null;
  /** The object whose filter camera is drawing; null for a scene's own camera. */
  #apart: object | null = null;
  ads: readonly GameObject[] = [];

  constructor(game: Phaser.Game) {
    this.#renderer = game.renderer as unknown as Phaser4Renderer;
    this.recorder = new DrawCalls(this.#renderer);
    this.reach = new PaintedReach(game, new CallProbe(this.#renderer));
    this.texturesHaveStencil = this.#renderer.config?.stencil === true;
  }

  begin(): boolean {
    const { recorder } = this;
    const renderer = this.#renderer;
    if (!this.#isKnown() || renderer.contextLost || renderer.gl.isContextLost() || renderer.currentViewCamera) {
      return false;
    }
    // Between two cameras a batch may still wait to be drawn.
    renderer.renderNodes.finishBatch();
    this.#before = copyOf(renderer.glWrapper.state);
    recorder.attach();
    const { emit, glTextureUnits } = renderer;
    renderer.emit = () => true;
    this.#undo.push(() => (renderer.emit = emit));
    const bound = glTextureUnits?.units.slice() ?? [];
    this.#undo.push(() => glTextureUnits?.bindUnits(bound));
    this.#watchCameras();
    this.#watchNodes();
    for (const ad of this.ads)
      this.#undo.push(this.intercept(ad, (_camera, _parent, draw) => recorder.drawAs(ad, draw)));
    renderer.baseDrawingContext.use();
    return true;
  }

  render(scene: Phaser.Scene, children: GameObject[], camera: Camera): void {
    this.#renderer.render(scene, children, camera);
  }

  finish(): void {
    this.#renderer.renderNodes.finishBatch();
  }

  renderAlone(object: GameObject, camera: Camera, parent: ParentMatrix | undefined): void {
    const renderer = this.#renderer;
    const context = renderer.baseDrawingContext.getClone();
    context.setCamera(camera);
    context.setScissorBox(camera.x, camera.y, camera.width, camera.height);
    context.use();
    const drawn = object as unknown as Drawn;
    // Only its place on the canvas is asked for: without filters, and as if the camera drew directly onto the canvas.
    const step = drawn._renderSteps?.indexOf(drawn.renderWebGL) ?? 0;
    const viewed = camera as unknown as Viewed;
    const { getViewMatrix } = viewed;
    viewed.getViewMatrix = () => viewed.matrixCombined;
    try {
      drawn.renderWebGLStep(renderer, object, context, parent, Math.max(0, step));
    } finally {
      viewed.getViewMatrix = getViewMatrix;
      context.release();
    }
  }

  end(): void {
    const { recorder } = this;
    const renderer = this.#renderer;
    const undo = this.#undo;
    try {
      // An object that failed may have left quads in its batch.
      renderer.renderNodes.finishBatch();
    } finally {
      for (let i = undo.length - 1; i >= 0; i--) undo[i]!();
      undo.length = 0;
      recorder.detach();
      this.#context = this.#mask = this.#apart = this.#listed = null;
      this.#filters = recorder.reachPx = 0;
      this.#cameras.clear();
      (renderer as { currentViewCamera: object | null }).currentViewCamera = null;
      renderer.glWrapper.update(this.#before);
      this.#before = {};
    }
  }

  onCamera(camera: Camera): void {
    this.#cameras.add(camera);
    this.recorder.camera = camera;
    this.recorder.mark((this.#listed = null));
  }

  onObject(object: GameObject): void {
    // A skeleton draws meshes and objects that no list has: they belong to it.
    const isPart = this.#listed !== null && !isListed(object as unknown as DrawnObject);
    if (!isPart) this.#listed = object;
    this.recorder.mark(this.#listed);
  }

  onForeign(object: GameObject, camera: Camera, parent: ParentMatrix | undefined): void {
    const { recorder } = this;
    const context = this.#context ?? this.#renderer.baseDrawingContext;
    recorder.noteForeign(object, camera, parent, targetOf(context), stateOf(context.state));
  }

  intercept(object: GameObject, draw: InsteadOfDrawing): () => void {
    const drawn = object as unknown as Drawn;
    const before = drawn.renderWebGLStep;
    const instead: RenderStep = (renderer, of, context, parent, step, list, index) => {
      const proceed = (): void => before.call(object, renderer, of, context, parent, step, list, index);
      const outer = this.#context;
      this.#context = context;
      try {
        // Later steps are called by the first one.
        if (step) proceed();
        else draw(this.recorder.camera as Camera, parent, proceed);
      } finally {
        this.#context = outer;
      }
    };
    drawn.renderWebGLStep = instead;
    // Assigned, even if it was the class's function: an object that loses a property becomes slow.
    return () => {
      drawn.renderWebGLStep = before;
    };
  }

  withhold(target: object): (() => void) | null {
    const filters = foreignFilters(target);
    if (filters.length === 0) return null;
    for (const filter of filters) filter.active = false;
    return () => {
      for (const filter of filters) filter.active = true;
    };
  }

  /** True when the renderer and the ads have all methods that are needed here: a version without them is unknown, not empty. */
  #isKnown(): boolean {
    const { ads } = this;
    const { baseDrawingContext, cameraRenderNode, glWrapper, renderNodes, drawElements, drawInstancedArrays } = this
      .#renderer as Partial<Phaser4Renderer>;
    const methods = [
      drawElements,
      drawInstancedArrays,
      cameraRenderNode?.run,
      glWrapper?.update,
      renderNodes?.finishBatch,
      renderNodes?.getNode,
      renderNodes?.hasNode,
      baseDrawingContext?.getClone,
      ...ads.map((ad) => (ad as unknown as Partial<Drawn>).renderWebGLStep),
    ];
    return methods.every((method) => typeof method === 'function');
  }

  /** Filters have cameras that belong to no scene: each is wrapped when it is first run. */
  #watchCameras(): void {
    const cameras = this.#cameras;
    const undo = this.#undo;
    const node = this.#renderer.cameraRenderNode;
    const { run } = node;
    const watched: RunCamera = (context, children, camera, ...rest) => {
      if (!cameras.has(camera)) {
        cameras.add(camera);
        const listing = camera as unknown as Listing;
        const { addToRenderList } = listing;
        listing.addToRenderList = (object) => {
          addToRenderList.call(camera, object);
          this.onObject(object as GameObject);
        };
        undo.push(() => (listing.addToRenderList = addToRenderList));
      }
      const outer = this.#apart;
      const [object] = children as readonly { readonly filterCamera?: object }[];
      this.#apart = object?.filterCamera === camera ? object : null;
      try {
        run.call(node, context, children, camera, ...rest);
      } finally {
        this.#apart = outer;
      }
    };
    node.run = watched;
    undo.push(() => (node.run = run));
  }

  #watchNodes(): void {
    const { recorder } = this;
    const { renderNodes } = this.#renderer;
    // Backgrounds, fades and flashes belong to the camera.
    this.#replaceRun('FillCamera', (run) => {
      recorder.mark(null);
      run();
    });
    // The picture composed of a list belongs to none of the list's objects.
    this.#replaceRun('ListCompositor', (run) => {
      run();
      recorder.mark(this.#apart);
    });
    // The commands of a dynamic texture run only once, in a real frame; only a mask's picture is drawn in every frame.
    this.#replaceRun('DynamicTextureHandler', (run, texture) => {
      if (texture !== this.#mask?._dynamicTexture) return;
      const { last } = recorder.marks;
      run();
      // What is masked does not belong to the mask.
      recorder.mark(last);
    });
    this.#watchRopes();
    const { getNode } = renderNodes;
    renderNodes.getNode = (name) => {
      const node = getNode.call(renderNodes, name) as Node | null;
      if (node === null || !FILTER.test(name)) return node;
      if (name === SAMPLER) return { run: (_filter: unknown, context: unknown) => context };
      return { run: (...args: unknown[]) => this.#runFilter(name, node, args) };
    };
    this.#undo.push(() => (renderNodes.getNode = getNode));
  }

  /**
   * A rope without points draws nothing, but its picture keeps its place in a batch that is never drawn. In batches of their own,
   * as they are here, other objects with that picture could not be drawn at all.
   */
  #watchRopes(): void {
    const { glTextureWrappers, renderNodes } = this.#renderer;
    const strips = renderNodes.hasNode(STRIPS, true) ? (renderNodes.getNode(STRIPS) as Strips) : null;
    if (strips === null) return;
    // All batches are drawn: only such a rope of the frame has left a place.
    for (const texture of glTextureWrappers) texture.batchUnit = -1;
    const { batchStrip } = strips;
    strips.batchStrip = (...args) => {
      if (args[4].length > 0) batchStrip.apply(strips, args);
    };
    this.#undo.push(() => (strips.batchStrip = batchStrip));
  }

  /** Runs a filter, and tells the recorder how far it paints beyond its input. */
  #runFilter(name: string, node: Node, args: unknown[]): unknown {
    const { recorder } = this;
    const mask = this.#mask;
    const filter = args[0] as FilterController & Partial<MaskController>;
    const { needsUpdate } = filter;
    if (name === MASK) this.#mask = filter as MaskController;
    if (this.#filters++ === 0) recorder.reachPx = reachOf(filter);
    try {
      return node.run(...args);
    } finally {
      if (--this.#filters === 0) recorder.reachPx = 0;
      if (name === MASK) filter.needsUpdate = needsUpdate!;
      this.#mask = mask;
    }
  }

  #replaceRun(name: string, instead: (run: () => void, of: unknown) => void): void {
    const node = this.#renderer.renderNodes.getNode(name) as Node | null;
    if (node === null) return;
    const { run } = node;
    node.run = (...args) => instead(() => run.apply(node, args), args[0]);
    this.#undo.push(() => (node.run = run));
  }
}

/** A copy of the context's settings, which later changes do not reach; all other settings are set anew for each draw. */
function copyOf(state: GlobalState): object {
  const { bindings, blend, colorClearValue, colorWritemask, scissor, stencil, viewport } = state;
  const { activeTexture, arrayBuffer, framebuffer, program } = bindings;
  return {
    bindings: { activeTexture, arrayBuffer, framebuffer, program },
    blend: { ...blend },
    scissor: { ...scissor, box: scissor.box.slice() },
    viewport: viewport.slice(),
    colorClearValue: colorClearValue?.slice(),
    colorWritemask: colorWritemask?.slice(),
    stencil: stencil && { ...stencil, func: { ...stencil.func }, op: { ...stencil.op } },
  };
}

/** Whether a display list has the object, or the container it is in. */
function isListed({ parentContainer, displayList }: DrawnObject): boolean {
  return parentContainer ? isListed(parentContainer) : displayList !== null && displayList !== undefined;
}
