import { GameMeter } from '../../../../src/meter/GameMeter.js';
import { flat, GREY, over, putAd, type Trap, type Variant } from './Trap.js';
import type { Stage } from '../Stage.js';

type Image = Phaser.GameObjects.Image;
type GameObject = Phaser.GameObjects.GameObject;
type Ad = ReturnType<typeof putAd>;

interface FilterLists {
  readonly internal: { addMask(source: object | string): unknown };
  readonly external: { addMask(source: object, isInverted?: boolean): unknown };
}

/** An object, as far as it has filters; in Phaser 3 there are none. */
interface Filtered {
  enableFilters?(): unknown;
  readonly filters?: FilterLists | null;
}

const WEBGL = { renderers: ['webgl'], mayBeUnmeasurable: true, namesUnjudged: true } as const;

/** Its filters, which it has from now on; undefined in Phaser 3. */
function filtersOf(object: Filtered): FilterLists | undefined {
  object.enableFilters?.();
  return object.filters ?? undefined;
}

/** A picture over the ad that is masked where a pixel is in the picture, which is not where the mask's source is. */
function maskedBy(scene: Phaser.Scene, source: object): Image {
  const cover = scene.add.image(200, 150, 'brick');
  filtersOf(cover as Filtered)?.internal.addMask(source);
  return cover;
}

/** Masks it by all of the screen, of which another mask leaves a strip. */
function maskedByStrip<T extends GameObject>(object: T, isInverted = false): T {
  const fill = (x: number, width: number): GameObject =>
    object.scene.make.graphics({}, false).fillStyle(0xffffff).fillRect(x, 0, width, 300);
  const screen = fill(0, 400);
  filtersOf(screen as Filtered)?.external.addMask(fill(190, 60));
  filtersOf(object as Filtered)?.external.addMask(screen, isInverted);
  return object;
}

/** A picture in a container, as large as the cover it masks. */
const corner = (scene: Phaser.Scene): GameObject => scene.add.container(32, 24, [scene.add.image(0, 0, 'brick')]);

/** What the types of Phaser 3 do not have. */
interface Factory4 {
  stencil?(x: number, y: number, children: object[], options?: object): GameObject;
  stencilreference(stencil: GameObject, options: object): GameObject;
  customcontext(x: number, y: number, children: object[], set: (context: Context4) => void): GameObject;
  shader(config: object, x: number, y: number, width: number, height: number): GameObject;
  gradient(config: object, x: number, y: number, width: number, height: number): Blended;
  noise(config: object, x: number, y: number, width: number, height: number): Blended;
  captureFrame(key: string): void;
  spriteGPULayer(key: string, size: number): { addMember(member: object): void };
}

type Blended = GameObject & { setBlendMode(mode: string): unknown };

interface Context4 {
  setCamera(camera: Phaser.Cameras.Scene2D.Camera): void;
  setStencil(...values: (number | boolean)[]): void;
  setColorWritemask(red: boolean, green: boolean, blue: boolean, alpha: boolean): void;
}

const ALWAYS = 0x207;
const EQUAL = 0x202;
const LESS = 0x201;
const INCR = 0x1e02;
const KEEP = 0x1e00;

/** A skeleton over the ad, in part; Phaser 3 has nothing of the kind. */
function skeletal(name: string, parts: (scene: Phaser.Scene) => GameObject[]): Variant {
  const put = (scene: Phaser.Scene): GameObject | undefined =>
    Phaser.VERSION.startsWith('3') ? undefined : skeletonOf(scene, ...parts(scene));
  return over(name, undefined, put, { renderers: ['webgl'], isMeasured: true });
}

/** A scene of Phaser 4.2; before it there is only an ad. */
function of42(name: string, build: (scene: Phaser.Scene, add: Required<Factory4>, stage: Stage) => Ad): Variant {
  return {
    name,
    ...WEBGL,
    build: (stage) => {
      const scene = stage.scene(0);
      const add = scene.add as unknown as Factory4;
      return add.stencil === undefined ? putAd(scene) : build(scene, add as Required<Factory4>, stage);
    },
  };
}

/** Draws it onto a texture of its own, although it has no filters. */
function drawApart(object: GameObject): void {
  filtersOf(object as Filtered);
  (object as unknown as { setFiltersForceComposite(is: boolean): void }).setFiltersForceComposite(true);
}

/** A skeleton at the upper left: objects that are in no list are drawn by its code, and its own box tells nothing of them. */
function skeletonOf(scene: Phaser.Scene, ...parts: GameObject[]): GameObject {
  class Skeleton extends Phaser.GameObjects.Image {
    readonly rendererType = 'phaser';
    readonly skeleton = {
      getBounds(offset: { x: number; y: number }, size: { x: number; y: number }): void {
        Object.assign(offset, { x: -10, y: -10 });
        Object.assign(size, { x: 20, y: 20 });
      },
    };
    renderWebGL(renderer: object, self: object, context: { readonly camera: Listing4 }): void {
      context.camera.addToRenderList(self);
      for (const part of parts) {
        const { renderWebGLStep } = part as unknown as { renderWebGLStep(...values: unknown[]): void };
        renderWebGLStep.call(part, renderer, part, context, undefined, undefined, [part], 0);
      }
    }
  }
  for (const part of parts) part.removeFromDisplayList();
  const skeleton = new Skeleton(scene, 20, 20, 'brick');
  skeleton.type = 'spine';
  return scene.add.existing(skeleton).setName('skeleton');
}

/** A mesh of a class of the game over the ad, in part; before Phaser 4.2 there is none. */
function meshOf(scene: Phaser.Scene): GameObject | undefined {
  const { Mesh2D } = Phaser.GameObjects as unknown as { Mesh2D?: new (...values: unknown[]) => GameObject };
  if (Mesh2D === undefined) return undefined;
  class Flag extends Mesh2D {}
  const flag = new Flag(scene, 170, 130, 'brick', [0, 0, 0, 1, 50, 0, 1, 1, 0, 30, 0, 0], [0, 1, 2, 0]);
  flag.type = 'Flag';
  return scene.add.existing(flag);
}

/** A batch of Phaser's: what is needed to fill it. */
interface Batch4 {
  instanceCount: number;
  readonly floatsPerInstance: number;
  readonly currentBatchEntry: { count: number };
  readonly manager: { setCurrentBatchNode(batch: object, context: object): void };
  readonly vertexBufferLayout: { readonly buffer: { readonly viewF32: Float32Array; readonly viewU32: Uint32Array } };
  run(context: object): void;
  updateRenderOptions(options: object): void;
  updateShaderConfig(): void;
  batchTextures(texture: unknown, options: object): number;
}

/** A triangle over the ad, as rex plugins draw it: by a batch of their own, whose shader has the sources of Phaser's. */
function triangleOf(scene: Phaser.Scene): GameObject | undefined {
  const { renderNodes } = scene.sys.renderer as unknown as { renderNodes?: { getNode(name: string): Batch4 } };
  if (renderNodes === undefined) return undefined;
  type Batch = new (manager: object, config: object) => Batch4;
  class Triangles extends (renderNodes.getNode('BatchHandlerQuad').constructor as Batch) {
    _generateElementIndices(count: number): ArrayBuffer {
      return Uint16Array.from({ length: 5 * count }, (_, i) => 3 * Math.floor(i / 5) + [0, 0, 1, 2, 2][i % 5]!).buffer;
    }
  }
  const config = { name: 'Triangles', shaderName: 'REXTRI', verticesPerInstance: 3, indicesPerInstance: 5 };
  const batch = new Triangles(renderNodes, config);
  const options = { multiTexturing: true, lighting: null, smoothPixelArt: false };
  class Mesh extends Phaser.GameObjects.Image {
    readonly faces = [];
    readonly dirtyFlags = 0;
    renderWebGL(_renderer: object, self: Mesh, context: { readonly camera: Listing4 }): void {
      context.camera.addToRenderList(self);
      if (batch.instanceCount === 0) batch.manager.setCurrentBatchNode(batch, context);
      batch.updateRenderOptions(options);
      batch.run(context);
      batch.updateShaderConfig();
      const unit = batch.batchTextures(self.frame.glTexture, options);
      const { viewF32, viewU32 } = batch.vertexBufferLayout.buffer;
      [
        [170, 130, 0, 1],
        [220, 130, 1, 1],
        [170, 160, 0, 0],
      ].forEach((vertex, i) => {
        viewF32.set([...vertex, unit], 7 * i);
        viewU32.set([0, 0xffffffff], 7 * i + 5);
      });
      batch.instanceCount++;
      batch.currentBatchEntry.count++;
    }
  }
  const mesh = new Mesh(scene, 0, 0, 'brick');
  // Theirs is no picture that can be cropped.
  return scene.add.existing(Object.assign(mesh, { type: 'rexMeshImage', _crop: undefined }));
}

interface Listing4 {
  addToRenderList(object: object): void;
}

/** Its place in its texture, and the size of that: a list is shown as it is there, a picture as large as itself once more. */
function showElsewhere(object: GameObject, x: number, y: number, width: number, height: number): void {
  drawApart(object);
  (object as unknown as { focusFiltersOverride(...box: number[]): void }).focusFiltersOverride(x, y, width, height);
}

/** What covers all of the ad. */
const slab = (scene: Phaser.Scene): GameObject => scene.add.rectangle(200, 150, 100, 60, GREY);

/** What covers the left half of it. */
const half = (scene: Phaser.Scene): GameObject => scene.add.rectangle(160, 150, 80, 60, GREY);

/** What is drawn counts in the bits of the stencil that are written. */
const count = (context: Context4, writeMask: number): void =>
  context.setStencil(true, ALWAYS, 0, 0xff, INCR, INCR, INCR, 0, writeMask);

function countUnseen(context: Context4, writeMask: number): void {
  count(context, writeMask);
  context.setColorWritemask(false, false, false, false);
}

const LIT: Partial<Variant> = { renderers: ['webgl'] };

/** A scene whose camera is faint. */
function faint(scene: Phaser.Scene): Phaser.Scene {
  scene.cameras.main.setAlpha(0.6);
  return scene;
}

/** A shader that leaves the right half of what it is drawn on out. */
const HALVING = `#pragma phaserTemplate(shaderName)
precision mediump float;
varying vec2 outTexCoord;
void main () { if (outTexCoord.x > 0.5) discard; gl_FragColor = vec4(1.0); }`;

/** Masks it by a strip of the screen, as opaque as told. */
function strips<T extends { scene: Phaser.Scene }>(object: T, x: number, isInverted = false, alpha = 1): T {
  const strip = object.scene.make.graphics({}, false).fillStyle(0xffffff, alpha).fillRect(x, 0, 60, 300);
  filtersOf(object as Filtered)?.external.addMask(strip, isInverted);
  return object;
}

/** Masks over one another; in Phaser 3 there are none. */
function nested(name: string, build: (scene: Phaser.Scene) => Ad): Variant {
  return { name, ...WEBGL, isMeasured: true, build: (stage) => build(stage.scene(0)) };
}

/** An ad in a masked container, and pictures over both ends of it, in another scene that no camera changes. */
function displaced(name: string, change: (camera: Phaser.Cameras.Scene2D.Camera) => unknown): Variant {
  return {
    name,
    ...LIT,
    ownGame: true,
    isMeasured: true,
    build: (stage) => {
      const scene = stage.scene(0);
      const ad = putAd(scene, 0, 0);
      strips(scene.add.container(200, 150, [ad]), 100, true);
      change(scene.cameras.main);
      for (const x of [165, 235]) stage.scene(1).add.rectangle(x, 150, 20, 80, GREY).setName(`cover ${x}`);
      return ad;
    },
  };
}

/** What only Phaser 4 has; in Phaser 3, and where a version lacks one, the ad is there alone. */
export const phaser4Traps: readonly Trap[] = [
  {
    number: 0,
    title: 'masks of Phaser 4 whose source is in the display list, elsewhere:',
    variants: [
      over('a container', undefined, (scene) => maskedBy(scene, corner(scene)), WEBGL),
      over(
        'a layer',
        undefined,
        (scene) => maskedBy(scene, scene.add.layer([scene.add.image(32, 24, 'brick')])),
        WEBGL,
      ),
      over(
        'a container in a container',
        undefined,
        (scene) => {
          const source = corner(scene);
          scene.add.container(0, 0, [source]);
          return maskedBy(scene, source);
        },
        WEBGL,
      ),
    ],
  },
  {
    number: 0,
    title: 'masks of Phaser 4 that are masked themselves:',
    variants: [
      { name: 'that of the ad', ...WEBGL, build: (stage) => maskedByStrip(putAd(stage.scene(0))) },
      over('that of a cover', undefined, (scene) => maskedByStrip(slab(scene)), WEBGL),
      over('that of a cover, inside out', undefined, (scene) => maskedByStrip(slab(scene), true), WEBGL),
    ],
  },
  {
    number: 0,
    title: 'a tint of Phaser 4 that is added, and makes what is faint hide more:',
    variants: (['alpha', 'veil'] as const).map((faint) =>
      over(
        faint,
        undefined,
        (scene, stage) => {
          const image = scene.add.image(190, 150, flat(stage, 'white', '#fff')).setScale(3);
          (image as unknown as { setTintMode?(mode: number): unknown }).setTintMode?.(2);
          if (faint === 'alpha') return image.setAlpha(0.45);
          const veil = scene.add.rectangle(200, 150, 120, 60, GREY, 0.2).setName('veil');
          scene.children.moveBelow(veil, image);
          return image.setAlpha(0.4);
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true },
      ),
    ),
  },
  {
    number: 0,
    title: 'stencils of Phaser 4 that are set in other ways than by shapes:',
    variants: [
      {
        ...of42('cleared to one, where nothing is drawn', (scene, add) => {
          add.stencil(0, 0, [], { stencilLayerMode: 'clear', stencilClearValue: 1 });
          return putAd(scene);
        }),
        isMeasured: true,
        mayBeUnmeasurable: false,
        namesUnjudged: false,
      },
      {
        ...of42('cleared to one, of which a shape takes some away twice', (scene, add) => {
          add.stencil(0, 0, [], { stencilLayerMode: 'clear', stencilClearValue: 1 });
          for (const shape of [half(scene), half(scene)]) {
            add.stencil(0, 0, [shape], { stencilLayerMode: 'subtractLayer', stencilValueWrap: false });
          }
          return putAd(scene);
        }),
        isMeasured: true,
        mayBeUnmeasurable: false,
        namesUnjudged: false,
      },
      {
        ...of42('cleared by a small camera, away from the ad', (scene, add, stage) => {
          add.stencil(0, 0, [half(scene)]);
          const second = stage.scene(1);
          second.cameras.main.setViewport(0, 0, 50, 50);
          (second.add as unknown as Required<Factory4>).stencil(0, 0, [], { stencilLayerMode: 'clear' });
          return putAd(stage.scene(2));
        }),
        isMeasured: true,
        mayBeUnmeasurable: false,
        namesUnjudged: false,
      },
      of42('an ad that is tested by less', (scene, add) => {
        const ad = putAd(scene);
        add.customcontext(0, 0, [ad], (context) => context.setStencil(true, LESS, 0));
        return ad;
      }),
      of42('an ad that is tested for a part of the number', (scene, add) => {
        add.stencil(0, 0, [half(scene)]);
        const ad = putAd(scene);
        add.customcontext(0, 0, [ad], (context) => context.setStencil(true, EQUAL, 1, 0x0e));
        return ad;
      }),
      of42('a part of the number is written', (scene, add) => {
        const ad = putAd(scene);
        add.customcontext(0, 0, [half(scene)], (context) => countUnseen(context, 0x02));
        slab(scene);
        return ad;
      }),
      {
        ...of42('cut out of all that a camera shows, but for a round window', (scene, add) => {
          const ad = putAd(scene);
          add.stencil(0, 0, [scene.add.circle(210, 150, 25, GREY)], { stencilInvert: true });
          slab(scene);
          return ad;
        }),
        mayBeUnmeasurable: false,
        namesUnjudged: false,
      },
      {
        ...of42('of all that a camera shows, but for a round window, before the ad', (scene, add) => {
          add.stencil(0, 0, [scene.add.circle(210, 150, 30, GREY)], { stencilInvert: true });
          return putAd(scene);
        }),
        mayBeUnmeasurable: false,
        namesUnjudged: false,
      },
      {
        ...of42(
          'of all that a camera shows, but for a round window, and taken back below nothing in it',
          (scene, add) => {
            const round = scene.add.circle(210, 150, 30, GREY);
            const stencil = add.stencil(0, 0, [round], { stencilInvert: true });
            scene.add.rectangle(220, 150, 60, 60, GREY);
            add.stencilreference(stencil, { stencilInvert: true, stencilLayerMode: 'subtractLayer' });
            return putAd(scene);
          },
        ),
        isMeasured: true,
        mayBeUnmeasurable: false,
        namesUnjudged: false,
      },
      {
        ...of42('drawn by a picture with soft edges, away from the ad', (scene, add) => {
          add.stencil(0, 0, [scene.add.image(60, 60, 'disc'), scene.add.text(300, 200, 'HP')]);
          const ad = putAd(scene);
          half(scene);
          return ad;
        }),
        mayBeUnmeasurable: false,
        namesUnjudged: false,
      },
      of42('drawn by what is seen, too', (scene, add) => {
        add.customcontext(0, 0, [half(scene)], (context) => count(context, 0xff));
        return putAd(scene);
      }),
      {
        ...of42('drawn where a test that all pass is passed, and nowhere else', (scene, add) => {
          add.customcontext(0, 0, [half(scene)], (context) => {
            context.setStencil(true, ALWAYS, 0, 0xff, KEEP, KEEP, INCR, 0, 0xff);
            context.setColorWritemask(false, false, false, false);
          });
          return putAd(scene);
        }),
        isMeasured: true,
        mayBeUnmeasurable: false,
      },
      of42('not drawn, as no bit of it is written', (scene, add) => {
        const ad = putAd(scene);
        add.customcontext(0, 0, [half(scene)], (context) => countUnseen(context, 0));
        slab(scene);
        return ad;
      }),
      {
        ...of42('drawn by another ad, before what covers this one', (scene, add, stage) => {
          const ad = putAd(scene);
          const other = putAd(scene, 60, 60);
          add.stencil(0, 0, [other]);
          GameMeter.of(stage.game).observe(other, () => undefined);
          scene.add.image(200, 150, 'brick').setScale(3);
          return ad;
        }),
        isMeasured: true,
        mayBeUnmeasurable: false,
        namesUnjudged: false,
      },
      of42('drawn by sprites of the graphics card', (scene, add) => {
        const layer = add.spriteGPULayer('brick', 1);
        layer.addMember({ x: 200, y: 150 });
        add.stencil(0, 0, [layer]);
        return putAd(scene);
      }),
      of42('drawn by a shader that leaves pixels out', (scene, add) => {
        const ad = putAd(scene);
        add.stencil(0, 0, [add.shader({ name: 'Halving', fragmentSource: HALVING }, 200, 150, 100, 60)]);
        slab(scene);
        return ad;
      }),
      of42('drawn by a gradient that ends', (scene, add) => {
        const ad = putAd(scene);
        const config = {
          bands: [{ start: 0, end: 1 }],
          shapeMode: 2,
          repeatMode: 1,
          start: { x: 0.5, y: 0.5 },
          shape: { x: 0.2, y: 0 },
        };
        add.stencil(0, 0, [add.gradient(config, 200, 150, 100, 60)]);
        slab(scene);
        return ad;
      }),
      of42('drawn by a class of the game', (scene, add) => {
        class Own extends Phaser.GameObjects.Image {}
        const { renderWebGL } = Own.prototype as unknown as { renderWebGL(...args: unknown[]): void };
        Object.assign(Own.prototype, {
          renderWebGL(this: object, ...args: unknown[]) {
            renderWebGL.apply(this, args);
          },
        });
        const own = new Own(scene, 200, 150, 'brick');
        (own as unknown as { _renderSteps: unknown[] })._renderSteps = [
          (own as unknown as { renderWebGL: unknown }).renderWebGL,
        ];
        add.stencil(0, 0, [own]);
        return putAd(scene);
      }),
      of42('an ad in a container that is drawn apart and tested by less', (scene, add) => {
        const ad = putAd(scene);
        const container = scene.add.container(0, 0, [ad]);
        drawApart(container);
        add.customcontext(0, 0, [container], (context) => context.setStencil(true, LESS, 0));
        return ad;
      }),
    ],
  },
  {
    number: 0,
    title: 'what Phaser 4 draws apart without a filter, and shows elsewhere:',
    variants: [
      of42('a picture', (scene) => {
        const ad = putAd(scene);
        showElsewhere(scene.add.image(-105, 150, 'brick').setScale(3, 1), 300, 30, 600, 60);
        scene.add.image(230, 150, 'brick').setBlendMode('ADD');
        return ad;
      }),
      of42('a container', (scene) => {
        const ad = putAd(scene);
        showElsewhere(scene.add.container(-400, 150, [scene.add.image(0, 0, 'brick')]), 200, 150, 400, 300);
        scene.add.image(230, 150, 'brick').setBlendMode('ADD');
        return ad;
      }),
      of42('what a context of the game shows by another camera', (scene, add) => {
        const ad = putAd(scene);
        const other = new Phaser.Cameras.Scene2D.Camera(0, 0, 400, 300).setScroll(600, 0);
        other.setScene(scene);
        (other as unknown as { preRender(): void }).preRender();
        add.customcontext(0, 0, [scene.add.image(800, 150, 'brick')], (context) => context.setCamera(other));
        scene.add.image(230, 150, 'brick').setBlendMode('ADD');
        return ad;
      }),
      of42('the ad in a container, half of it under a picture', (scene) => {
        const ad = putAd(scene, 0, 0);
        showElsewhere(scene.add.container(-400, 150, [ad]), 200, 150, 400, 300);
        half(scene);
        return ad;
      }),
      of42('the ad in a container, half of it under a picture, where it is not far', (scene) => {
        const ad = putAd(scene, 0, 0);
        showElsewhere(scene.add.container(170, 150, [ad]), 200, 150, 400, 300);
        scene.add.rectangle(235, 150, 20, 60, GREY);
        return ad;
      }),
      of42('a masked ad that a camera with a viewport draws, half of it under a picture', (scene) => {
        const ad = putAd(scene, 0, 0);
        scene.cameras.main.setViewport(30, 0, 370, 300).setScroll(30, 0);
        filtersOf(scene.add.container(260, 150, [ad]) as Filtered)?.internal.addMask('__WHITE');
        scene.add.rectangle(210, 150, 40, 60, GREY);
        return ad;
      }),
      of42('the ad, by a context of the game with another camera, half of it under a picture', (scene, add) => {
        const other = new Phaser.Cameras.Scene2D.Camera(0, 0, 400, 300).setScroll(600, 0);
        other.setScene(scene);
        (other as unknown as { preRender(): void }).preRender();
        const ad = putAd(scene, 800, 150);
        add.customcontext(0, 0, [ad], (context) => context.setCamera(other));
        half(scene);
        return ad;
      }),
      of42('all that a camera has drawn so far', (scene, add) => {
        const ad = putAd(scene);
        (scene.cameras.main as unknown as { setForceComposite(is: boolean): void }).setForceComposite(true);
        scene.add.image(350, 260, 'brick');
        add.captureFrame('all so far');
        // The picture that was captured at 350, 260 is now over the ad.
        scene.add.image(50, 40, 'all so far');
        return ad;
      }),
    ],
  },
  {
    number: 0,
    title: 'an ad in a masked container, which Phaser 4 draws beside its place:',
    variants: [
      displaced('it does not shake, under a picture', (camera) => camera.shake(1e6, 0.04, true)),
      displaced('it scales about the middle, under a picture', (camera) => camera.setOrigin(0, 0.5).setZoom(1.4)),
      displaced('it scales about the middle, far away', (camera) => camera.setOrigin(-2, 0.5).setZoom(1.2)),
    ],
  },
  {
    number: 0,
    title: 'masks of Phaser 4 over one another:',
    variants: [
      nested('a masked ad in a masked container', (scene) => {
        const ad = putAd(scene, 0, 0);
        strips(ad, 160);
        strips(scene.add.container(200, 150, [ad]), 185);
        return ad;
      }),
      nested('a masked ad in a masked camera', (scene) => {
        const ad = putAd(scene);
        strips(ad, 160);
        strips(scene.cameras.main, 185);
        return ad;
      }),
      nested('an ad with two masks, one of them inverted', (scene) => {
        const ad = putAd(scene);
        strips(ad, 160);
        strips(ad, 225, true);
        return ad;
      }),
      nested('three masks, and a picture in the masked camera above the ad', (scene) => {
        const ad = putAd(scene, 0, 0);
        strips(ad, 160);
        strips(scene.add.container(200, 150, [ad]), 175);
        scene.add.rectangle(200, 160, 100, 20, GREY);
        strips(scene.cameras.main, 185);
        return ad;
      }),
      nested('a cover with two masks', (scene) => {
        const ad = putAd(scene);
        strips(strips(scene.add.image(200, 150, 'brick'), 160), 185);
        return ad;
      }),
      nested('a cover with two masks that together let too little through to hide the ad', (scene) => {
        const ad = putAd(scene);
        strips(strips(scene.add.rectangle(200, 150, 100, 60, GREY), 160, false, 0.7), 185, false, 0.7);
        return ad;
      }),
      nested('a masked cover in a masked container, below the ad there and above it', (scene) => {
        const below = strips(scene.add.rectangle(0, 0, 100, 60, GREY), 190);
        const ad = putAd(scene, 0, 0);
        const cover = strips(scene.add.rectangle(0, 10, 100, 20, GREY), 200);
        strips(scene.add.container(200, 150, [below, ad, cover]), 170, false, 0.7);
        return ad;
      }),
    ],
  },
  {
    number: 0,
    title: 'beside an outline of Phaser 4 with corners that are no numbers:',
    variants: [
      {
        name: 'an ad below a masked picture, while both are observed',
        ...LIT,
        ownGame: true,
        isMeasured: true,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          strips(scene.add.image(200, 150, 'brick').setName('cover'), 190);
          const panel = scene.add.rectangle(60, 60, 80, 40, GREY) as Phaser.GameObjects.Rectangle & {
            setRounded?(radius: number): unknown;
          };
          panel.setStrokeStyle(4, 0xffffff).setRounded?.(10);
          GameMeter.of(stage.game).observe(panel, () => undefined);
          return ad;
        },
      },
    ],
  },
  {
    number: 0,
    title: 'light that is added in a camera of Phaser 4 that is drawn apart and then shown faintly:',
    variants: [
      over('a point light', undefined, (scene) => faint(scene).add.pointlight(180, 160, 0xaaaaaa, 38, 0.34), LIT),
      over(
        'a picture that adds',
        undefined,
        (scene) => faint(scene).add.image(200, 150, 'soft').setTintFill(0xe0e0e0).setBlendMode('ADD'),
        LIT,
      ),
    ],
  },
  {
    number: 0,
    title: 'what mixes colours of its own in Phaser 4, and changes the light below:',
    variants: (['ADD', 'SCREEN', 'MULTIPLY'] as const).flatMap((mode) =>
      (['gradient', 'noise'] as const).map((kind) =>
        of42(`a ${kind}, ${mode}`, (scene, add) => {
          const ad = putAd(scene);
          add[kind]({}, 200, 150, 60, 60).setBlendMode(mode);
          return ad;
        }),
      ),
    ),
  },
  {
    number: 0,
    title: 'Meshes, which Phaser 4 draws in classes',
    variants: [
      over('of a game', undefined, meshOf, { renderers: ['webgl'], isMeasured: true }),
      over('of a library, by triangles', undefined, triangleOf, {
        renderers: ['webgl'],
        isMeasured: true,
        ownGame: true,
      }),
    ],
  },
  {
    number: 0,
    title: 'A rope without points, for whose picture Phaser 4 keeps a place in no batch:',
    variants: [
      over(
        'below that picture',
        undefined,
        (scene) => {
          scene.add.rope(200, 150, 'brick', undefined, []);
          // Alone in its batch the next one could not be drawn by Phaser either.
          scene.add.image(20, 20, '__WHITE');
          return scene.add.image(180, 150, 'brick');
        },
        { renderers: ['webgl'], isMeasured: true, namesUnjudged: true },
      ),
    ],
  },
  {
    number: 0,
    title: 'Spine skeletons, which Phaser 4 draws by objects that no list has:',
    variants: [
      skeletal('a picture', (scene) => [scene.add.image(180, 150, 'brick')]),
      skeletal('a list', (scene) => [scene.add.container(180, 150, [scene.add.image(0, 0, 'brick')])]),
      skeletal('two, and one far away', (scene) => [
        scene.add.image(20, 20, 'brick'),
        scene.add.image(165, 150, 'brick'),
        scene.add.rectangle(235, 150, 20, 20, GREY),
      ]),
      {
        name: 'the ad itself, and a picture over it',
        share: 50,
        withoutPicture: true,
        ...WEBGL,
        mayBeUnmeasurable: false,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          const cover = scene.add.rectangle(180, 150, 40, 40, GREY);
          if (Phaser.VERSION.startsWith('4')) skeletonOf(scene, ad, cover);
          return ad;
        },
      },
    ],
  },
];
