import type * as Phaser from 'phaser';

import { type DrawnList, inDrawOrder } from '../record/objects/inDrawOrder.js';
import { isDrawn } from '../record/objects/isDrawn.js';
import { CameraHold } from './CameraHold.js';
import { addDrawnBy } from './drawnByOthers.js';
import { NearArea } from './NearArea.js';
import { paintsElsewhere } from './paintsElsewhere.js';
import type { CanvasBox, ParentMatrix, RehearsedEngine } from './RehearsedEngine.js';
import { SceneHold } from './SceneHold.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

interface Nested {
  readonly parentContainer: Nested | null;
  scrollFactorX: number;
  scrollFactorY: number;
  getWorldTransformMatrix(): ParentMatrix;
}

/**
 * Lets the engine draw its scenes once more while nothing is painted; a {@link RehearsedEngine} listens. The game does
 * not notice: cameras stay where they are, no event is heard twice, lists keep their order, and the game's own render
 * code does not run.
 */
export class Rehearsal {
  #cameras: CameraHold[] = [];
  #scene: SceneHold | null = null;

  constructor(
    private readonly game: Phaser.Game,
    private readonly engine: RehearsedEngine,
    /** True when an object's own code must not run a second time: the engine is only told of it. */
    private readonly isForeign: (object: GameObject) => boolean,
  ) {}

  /** Objects and cameras drawn without the game's own effects; empty outside of {@link run}. */
  get distorted(): ReadonlySet<object> {
    return this.#scene?.distorted ?? NOTHING;
  }

  /**
   * Runs `work`, in which {@link drawAlone} and {@link drawScenes} may be called.
   * @returns False when the engine cannot rehearse now; then nothing was run.
   */
  run(work: () => void): boolean {
    const { engine } = this;
    if (this.#scene !== null || !engine.begin()) return false;
    const scene = (this.#scene = new SceneHold(engine, this.isForeign));
    let hasFailed = true;
    try {
      work();
      hasFailed = false;
    } finally {
      const cameras = this.#cameras;
      this.#scene = null;
      this.#cameras = [];
      // Whatever else cannot be put back: the renderer paints again.
      try {
        for (const camera of cameras) camera.release();
        scene.release(hasFailed);
      } finally {
        engine.end();
      }
    }
    return true;
  }

  /** Draws one object as a camera shows it, whether or not it is visible, and nothing else. */
  drawAlone(object: GameObject, camera: Camera): void {
    const { engine } = this;
    if (this.isForeign(object)) return;
    this.#hold(camera);
    this.#scene!.unmark(object);
    engine.onCamera(camera);
    engine.onObject(object);
    const nested = object as unknown as Nested;
    const { parentContainer: parent, scrollFactorX, scrollFactorY } = nested;
    try {
      for (let at = parent; at !== null && at !== undefined; at = at.parentContainer) {
        nested.scrollFactorX *= at.scrollFactorX;
        nested.scrollFactorY *= at.scrollFactorY;
      }
      engine.renderAlone(object, camera, parent?.getWorldTransformMatrix());
    } finally {
      nested.scrollFactorX = scrollFactorX;
      nested.scrollFactorY = scrollFactorY;
    }
  }

  /**
   * Draws all scenes in their order, even those below the ads: what they do to the renderer's state lasts. Plain sprites
   * that surely do not reach the given part of the canvas are left out, in containers and layers, too.
   * @param always objects that are never left out
   */
  drawScenes(near: CanvasBox, always: readonly GameObject[]): void {
    const held = this.#scene!;
    const scenes = this.game.scene.scenes.filter(isDrawn);
    for (const { sys } of scenes) {
      addDrawnBy(sys.displayList, held.sources);
      for (const camera of sys.cameras.cameras) addDrawnBy(camera, held.sources);
    }
    const sources = [...held.sources] as GameObject[];
    for (const scene of scenes) {
      const { displayList, cameras } = scene.sys;
      const ordered = inDrawOrder(displayList as unknown as DrawnList<GameObject>);
      for (const camera of cameras.cameras) {
        if (!camera.visible || !(camera.alpha > 0)) continue;
        this.#hold(camera);
        held.takeNear(sources, null, always, null);
        const area = paintsElsewhere(camera) ? null : NearArea.of(near, camera);
        const children = held.takeNear(ordered, area, always, camera);
        this.engine.onCamera(camera);
        this.engine.render(scene, children, camera);
        held.giveListsBack();
      }
    }
  }

  #hold(camera: Camera): void {
    if (this.#cameras.some((held) => held.camera === camera)) return;
    const held = new CameraHold(camera);
    this.#cameras.push(held);
    held.begin((object) => this.engine.onObject(object));
    this.#scene!.holdEffects(camera);
    this.#scene!.tellAfterMask(camera);
  }
}

const NOTHING: ReadonlySet<object> = new Set();
