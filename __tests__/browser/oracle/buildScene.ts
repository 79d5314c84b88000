import { adKey } from './art.js';
import type { Drawable } from './displayTree.js';
import { option } from './kinds/Kind.js';
import { kinds } from './kinds/index.js';
import type { CameraSpec, MaskSpec, ObjectSpec, SceneSpec, StageSpec } from './SceneSpec.js';
import type { Stage } from './Stage.js';

type GameObject = Phaser.GameObjects.GameObject;

export interface BuiltStage {
  ad: Drawable;
  scene: Phaser.Scene;
  byName: Map<string, GameObject>;
}

/** Clears the stage, makes everything the spec names, and draws the first frame. */
export function buildStage(stage: Stage, spec: StageSpec): BuiltStage {
  stage.clear();
  const byName = new Map<string, GameObject>();
  stage.game.scene.scenes.forEach((scene, index) => {
    const sceneSpec = spec.scenes[index];
    if (!sceneSpec) {
      scene.sys.setVisible(false);
      return;
    }
    for (const object of sceneSpec.objects) add(scene, object, byName);
    setCameras(scene, sceneSpec, byName);
  });
  const ad = byName.get('ad') as Drawable | undefined;
  if (!ad) throw new Error('The spec has no ad');

  // One update of 100 ms carries fades and flashes to where the spec wants them; from then on nothing moves.
  stage.step(100);
  stage.game.scene.scenes.forEach((scene, index) => {
    const state = spec.scenes[index]?.state;
    if (state === 'paused') scene.sys.pause();
    if (state === 'asleep') scene.sys.sleep();
    if (state === 'hidden') scene.sys.setVisible(false);
  });
  stage.step();
  return { ad, scene: ad.scene, byName };
}

function add(scene: Phaser.Scene, spec: ObjectSpec, byName: Map<string, GameObject>): GameObject {
  const object = make(scene, spec);
  object.name = spec.name;
  byName.set(spec.name, object);
  dress(scene, object, spec);
  for (const child of spec.children ?? []) {
    (object as Phaser.GameObjects.Container).add(add(scene, child, byName));
  }
  if (spec.mask) (object as unknown as Maskable).setMask?.(makeMask(scene, spec.mask));
  return object;
}

function make(scene: Phaser.Scene, spec: ObjectSpec): GameObject {
  if (spec.kind === 'ad') {
    const ad = scene.add.image(0, 0, adKey(option(spec.options, 'variant', 'plain'), -1));
    return ad;
  }
  const kind = kinds[spec.kind];
  if (!kind) throw new Error(`No kind "${spec.kind}"`);
  return kind.build(scene, spec.options, spec);
}

/** Zones cannot be masked. */
interface Maskable {
  setMask?(mask: Phaser.Display.Masks.GeometryMask | Phaser.Display.Masks.BitmapMask): unknown;
}

/** What most objects can be told; each is called only where it exists. */
type Dressable = Partial<{
  setPosition(x: number, y: number): unknown;
  setRotation(radians: number): unknown;
  setScale(x: number, y: number): unknown;
  setOrigin(x: number, y: number): unknown;
  setFlip(x: boolean, y: boolean): unknown;
  setAlpha(...alpha: number[]): unknown;
  setDepth(depth: number): unknown;
  setScrollFactor(x: number, y: number): unknown;
  setVisible(visible: boolean): unknown;
  setBlendMode(mode: number): unknown;
  setCrop(x: number, y: number, width: number, height: number): unknown;
  setTint(colour: number): unknown;
  alphaTopLeft: number;
}>;

function dress(_scene: Phaser.Scene, object: GameObject, spec: ObjectSpec): void {
  const target = object as Dressable;
  target.setPosition?.(spec.x, spec.y);
  if (spec.rotation !== undefined) target.setRotation?.(spec.rotation);
  if (spec.scale) target.setScale?.(...spec.scale);
  if (spec.origin) target.setOrigin?.(...spec.origin);
  if (spec.flip) target.setFlip?.(...spec.flip);
  if (spec.alpha !== undefined) target.setAlpha?.(spec.alpha);
  if (spec.corners && target.alphaTopLeft !== undefined) target.setAlpha?.(...spec.corners);
  if (spec.depth !== undefined) target.setDepth?.(spec.depth);
  if (spec.scrollFactor) target.setScrollFactor?.(...spec.scrollFactor);
  if (spec.tint !== undefined) target.setTint?.(spec.tint);
  if (spec.blend !== undefined) target.setBlendMode?.(spec.blend);
  if (spec.crop) target.setCrop?.(...spec.crop);
  if (spec.hidden) target.setVisible?.(false);
}

function makeMask(
  scene: Phaser.Scene,
  spec: MaskSpec,
): Phaser.Display.Masks.GeometryMask | Phaser.Display.Masks.BitmapMask {
  const source = makeMaskSource(scene, spec);
  if (spec.type === 'bitmap') {
    const mask = new Phaser.Display.Masks.BitmapMask(scene, source);
    mask.invertAlpha = spec.invert ?? false;
    return mask;
  }
  const mask = new Phaser.Display.Masks.GeometryMask(scene, source as Phaser.GameObjects.Graphics);
  mask.setInvertAlpha(spec.invert ?? false);
  return mask;
}

/** What is opaque of it is let through. */
function makeMaskSource(scene: Phaser.Scene, spec: MaskSpec): Phaser.GameObjects.Graphics | Phaser.GameObjects.Image {
  const place = <T extends Phaser.GameObjects.Graphics | Phaser.GameObjects.Image>(source: T): T => {
    source.setPosition(spec.x, spec.y).setScale(spec.scale ?? 1);
    source.setRotation(spec.rotation ?? 0);
    return source;
  };
  if (spec.type === 'bitmap') {
    const image = place(scene.make.image({ x: 0, y: 0, key: spec.shape, add: false }, false));
    return image.setDisplaySize(spec.width, spec.height);
  }
  const graphics = place(scene.make.graphics({}, false)).fillStyle(0xffffff, 1);
  const { width, height } = spec;
  if (spec.shape === 'circle') graphics.fillCircle(0, 0, width / 2);
  else if (spec.shape === 'star') {
    graphics.beginPath();
    for (let i = 0; i < 10; i++) {
      const radius = (i % 2 ? 0.45 : 1) * (width / 2);
      graphics.lineTo(radius * Math.cos((i * Math.PI) / 5), radius * Math.sin((i * Math.PI) / 5));
    }
    graphics.closePath().fillPath();
  } else graphics.fillRect(-width / 2, -height / 2, width, height);
  return graphics;
}

function setCameras(scene: Phaser.Scene, spec: SceneSpec, byName: Map<string, GameObject>): void {
  spec.cameras.forEach((cameraSpec, index) => {
    const camera = index === 0 ? scene.cameras.main : scene.cameras.add();
    setCamera(scene, camera, cameraSpec, byName);
  });
}

function setCamera(
  scene: Phaser.Scene,
  camera: Phaser.Cameras.Scene2D.Camera,
  spec: CameraSpec,
  byName: Map<string, GameObject>,
): void {
  if (spec.viewport) camera.setViewport(...spec.viewport);
  if (spec.origin) camera.setOrigin(...spec.origin);
  if (spec.zoom) camera.setZoom(...spec.zoom);
  if (spec.rotation !== undefined) camera.setRotation(spec.rotation);
  if (spec.scroll) camera.setScroll(...spec.scroll);
  if (spec.alpha !== undefined) camera.setAlpha(spec.alpha);
  if (spec.background) {
    const [colour, alpha] = spec.background;
    camera.setBackgroundColor(`rgba(${(colour >> 16) & 255},${(colour >> 8) & 255},${colour & 255},${alpha})`);
  }
  if (spec.mask) camera.setMask(makeMask(scene, spec.mask), true);
  for (const name of spec.ignore ?? []) {
    const object = byName.get(name);
    if (object) camera.ignore(object);
  }
  // Effects move with time: 100 ms bring each to the wanted strength.
  if (spec.fade !== undefined) camera.fade(spec.fade >= 1 ? 50 : 100 / spec.fade, 20, 20, 60);
  if (spec.flash !== undefined) camera.flash(100 / Math.max(1e-6, 1 - spec.flash), 240, 240, 200);
  if (spec.shake !== undefined) camera.shake(1e6, spec.shake);
  if (spec.composite) (camera as { setForceComposite?(is: boolean): void }).setForceComposite?.(true);
  if (spec.hidden) camera.setVisible(false);
}
