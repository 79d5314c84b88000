import { GameMeter } from '../../../../src/meter/GameMeter.js';
import { flat, GREY, picture, putAd, type Trap, type Variant } from './Trap.js';
import type { Stage } from '../Stage.js';

type Image = Phaser.GameObjects.Image;
type Pipelines = Phaser.Renderer.WebGL.PipelineManager;

/** A scene of Phaser 3 with an effect; in Phaser 4, which has none, it is the same without. */
function v(name: string, put: (scene: Phaser.Scene, stage: Stage) => unknown, x = 200, y = 150): Variant {
  return {
    name,
    renderers: ['webgl'],
    mayBeUnmeasurable: true,
    namesUnjudged: true,
    build(stage) {
      const ad = putAd(stage.scene(0), x, y);
      put(stage.scene(0), stage);
      return ad;
    },
  };
}

function cover(stage: Stage, x: number, y: number, width: number, height: number, colour = '#112233'): Image {
  const image = stage.scene(0).add.image(x, y, flat(stage, `flat ${colour}`, colour));
  return image.setDisplaySize(width, height).setName('cover');
}

/** The effects of an object or camera; undefined in Phaser 4. */
const fx = (of: object): Phaser.GameObjects.Components.FX | undefined =>
  (of as { postFX?: Phaser.GameObjects.Components.FX }).postFX;

const right = (stage: Stage): Image => cover(stage, 330, 150, 60, 80);
const farRight = (stage: Stage): Image => cover(stage, 370, 150, 40, 80);
const corner = (stage: Stage): Image => cover(stage, 40, 40, 40, 40);

/** Makes something of nothing: alpha is full everywhere. */
const FULL_ALPHA = [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 255];

/** A camera that shows one object alone, over the others. */
function cameraOf(scene: Phaser.Scene, object: Phaser.GameObjects.GameObject): Phaser.Cameras.Scene2D.Camera {
  const camera = scene.cameras.add(0, 0, 400, 300);
  scene.cameras.main.ignore(object);
  camera.ignore(scene.children.list.filter((other) => other !== object));
  return camera;
}

function half(stage: Stage): string {
  return picture(stage, 'half of 64', 64, 64, (context) => {
    context.fillStyle = '#112233';
    context.fillRect(0, 0, 32, 64);
  });
}

export const effectTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'an effect of Phaser 3 that reaches far',
    variants: [
      v('a displacement', (_, stage) => fx(right(stage))?.addDisplacement('__WHITE', 0.6, 0)),
      v('a barrel', (_, stage) => fx(cover(stage, 200, 150, 40, 40))?.addBarrel(4), 100, 150),
      v('a bokeh', (_, stage) => fx(cover(stage, 330, 150, 80, 200, '#ffffff'))?.addBokeh(20, 50, 0.2)),
      v('a tilt shift', (_, stage) => fx(cover(stage, 330, 150, 80, 200, '#ffffff'))?.addTiltShift(20, 50, 0.2, 1, 1, 4)), // prettier-ignore
      v('large pixels', (_, stage) => fx(cover(stage, 200, 240, 420, 120))?.addPixelate(198), 200, 120),
      v('a glow', (_, stage) => fx(cover(stage, 305, 150, 60, 80))?.addGlow(0xff0000, 60, 0, false, 0.02, 45)),
      v('a shadow against the light', (_, stage) =>
        fx(cover(stage, 370, 150, 50, 80))?.addShadow(-1, 0.5, 0.02, 12, GREY, 12, -16),
      ),
    ],
  },
  {
    number: 0,
    title: 'an effect of Phaser 3 on what holds a far picture',
    variants: [
      v('a container', (scene, stage) => fx(scene.add.container(0, 0, [farRight(stage)]))?.addShadow(2, 0.5, 0.3, 12, GREY, 12)), // prettier-ignore
      v('a layer', (scene, stage) => fx(scene.add.layer([farRight(stage)]))?.addShadow(2, 0.5, 0.3, 12, GREY, 12)),
      v('a camera', (scene, stage) => fx(cameraOf(scene, farRight(stage)))?.addShadow(2, 0.5, 0.3, 12, GREY, 12)),
    ],
  },
  {
    number: 0,
    title: 'an effect of Phaser 3 that paints where nothing is',
    variants: [
      v('a colour matrix', (_, stage) => fx(corner(stage))?.addColorMatrix().set(FULL_ALPHA)),
      v('a circle', (_, stage) => fx(corner(stage))?.addCircle(120)),
      v('a colour matrix of a camera', (scene, stage) => fx(cameraOf(scene, corner(stage)))?.addColorMatrix().set(FULL_ALPHA)), // prettier-ignore
      v('a colour matrix of a camera that shows nothing', (scene) => {
        const camera = scene.cameras.add(0, 0, 400, 300);
        camera.ignore(scene.children.list.slice());
        fx(camera)?.addColorMatrix().set(FULL_ALPHA);
      }),
      v('a circle of a camera that shows nothing', (scene) => {
        const camera = scene.cameras.add(0, 0, 400, 300);
        camera.ignore(scene.children.list.slice());
        const circle = fx(camera)?.addCircle(8, 0xff0000, 0x00ff00, 1, 0.005);
        if (circle) circle.backgroundAlpha = 1;
      }),
      v('a shader of the game’s own, before the object is drawn', (_, stage) => {
        const { PreFXPipeline } = Phaser.Renderer.WebGL.Pipelines as Partial<typeof Phaser.Renderer.WebGL.Pipelines>;
        if (PreFXPipeline === undefined) return;
        const fragShader =
          'precision mediump float; uniform sampler2D uMainSampler; varying vec2 outTexCoord;' +
          'void main() { gl_FragColor = vec4(0.1, 0.2, 0.3, 1.0); }';
        const config = { game: stage.game, name: 'AllOver', fragShader };
        const { pipelines } = stage.game.renderer as unknown as { readonly pipelines: Pipelines };
        pipelines.add('AllOver', new PreFXPipeline(config));
        const image = cover(stage, 300, 150, 80, 80);
        image.setPipeline('AllOver');
        image.preFX!.setPadding(60);
      }),
    ],
  },
  {
    number: 0,
    title: 'a texture of the graphics card that repeats',
    variants: [
      v('a rope', (scene, stage) => {
        const rope = scene.add
          .rope(200, 150, half(stage), undefined, 4 as never)
          .setName('cover')
          .setScale(3);
        for (let i = 0; i < rope.uv.length; i += 2) rope.uv[i]! *= 4;
      }),
    ],
  },
  {
    number: 0,
    title: 'a stencil drawn by a shader',
    variants: [
      v('of the ad', (scene) => {
        const { GeometryMask, BaseShader } = Phaser.Display.Masks ? { ...Phaser.Display.Masks, ...Phaser.Display } : {};
        if (GeometryMask === undefined || BaseShader === undefined) return;
        const white = new BaseShader('white', 'precision mediump float; void main() { gl_FragColor = vec4(1.0); }');
        const shader = scene.add.shader(white, 180, 150, 40, 40).setVisible(false);
        (scene.children.getByName('ad') as Image).setMask(new GeometryMask(scene, shader as never));
      }),
    ],
  },
  {
    number: 0,
    title: 'a vignette around one ad, above another one',
    variants: [
      {
        name: 'in a container',
        renderers: ['webgl'],
        // In Phaser 4 it lays a colour over all, which is nobody's.
        namesUnjudged: true,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          const above = scene.add.image(290, 60, ad.texture).setName('above');
          GameMeter.of(stage.game).observe(above, () => undefined);
          scene.add.container(0, 0, [above]).postFX.addVignette(0.72, 0.2, 0.2, 0.2);
          return ad;
        },
      },
    ],
  },
];
