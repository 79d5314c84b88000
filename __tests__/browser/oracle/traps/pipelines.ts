import { GameMeter } from '../../../../src/meter/GameMeter.js';
import type { Drawable } from '../displayTree.js';
import type { Stage } from '../Stage.js';
import { flat, GREY, putAd, type Trap, type Variant } from './Trap.js';

/** What `MultiPipeline` draws, in green. */
const GREEN = `precision mediump float;
uniform sampler2D uMainSampler[%count%];
varying vec2 outTexCoord;
varying float outTexId;
varying vec4 outTint;
void main () {
  vec4 texture;
  %forloop%
  gl_FragColor = vec4(0.0, texture.a, 0.0, texture.a) * outTint.a;
}`;

/** A game adds a pipeline while the ad is already measured, and draws a cover with it. */
function late(name: string, change: (stage: Stage, cover: Phaser.GameObjects.Image) => void): Variant {
  return {
    name,
    share: 40,
    renderers: ['webgl'],
    ownGame: true,
    mayBeUnmeasurable: true,
    build: (stage) => {
      const scene = stage.scene(0);
      const ad = putAd(scene);
      const cover = scene.add
        .image(200, 150, flat(stage, 'grey', '#555555'))
        .setScale(3)
        .setName('cover');
      GameMeter.of(stage.game).observe(ad, () => undefined);
      stage.step();
      change(stage, cover);
      return ad;
    },
  };
}

function pipelinesOf({ game }: Stage): Phaser.Renderer.WebGL.PipelineManager {
  return (game.renderer as Phaser.Renderer.WebGL.WebGLRenderer).pipelines;
}

type Glowing = Phaser.GameObjects.Image & { preFX: Phaser.GameObjects.Components.FX };

const NO_MORE_EFFECTS: Readonly<Record<string, (object: Glowing, glow: Phaser.FX.Glow) => unknown>> = {
  'switched off': (_, glow) => (glow.active = false),
  'taken away': ({ preFX }, glow) => preFX.remove(glow),
  cleared: ({ preFX }) => preFX.clear(),
  disabled: ({ preFX }) => preFX.disable(),
};

/** Phaser goes on drawing the object with the pipeline of effects. */
function withoutEffect(
  name: string,
  end: (object: Glowing, glow: Phaser.FX.Glow) => unknown,
  place: (scene: Phaser.Scene, ad: Glowing, cover: Glowing) => unknown = () => undefined,
  share: number | null = 52.5,
): Variant {
  return {
    name,
    ...(share === null ? {} : { share }),
    renderers: ['webgl'],
    ownGame: true,
    build: (stage) => {
      const scene = stage.scene(0);
      const ad = putAd(scene) as unknown as Glowing;
      const cover = scene.add.image(226, 150, flat(stage, 'grey', '#555555')) as Glowing;
      cover.setScale(3).setName('cover');
      for (const object of [ad, cover]) {
        const glow = object.preFX.addGlow();
        stage.step();
        end(object, glow);
      }
      place(scene, ad, cover);
      return ad;
    },
  };
}

function halfCovered(stage: Stage): { scene: Phaser.Scene; ad: Drawable; cover: Phaser.GameObjects.Rectangle } {
  const scene = stage.scene(0);
  const ad = putAd(scene);
  return { scene, ad, cover: scene.add.rectangle(180, 150, 40, 80, GREY).setName('cover') };
}

/** In WebGL what is batched goes to the texture; on Canvas nothing does. */
function clearedTexture(
  name: string,
  draw: (texture: Phaser.GameObjects.RenderTexture, ad: Drawable, cover: Phaser.GameObjects.Rectangle) => unknown,
): Variant {
  return {
    name,
    share: { webgl: 0, canvas: 50 },
    mayBeUnmeasurable: true,
    ownGame: true,
    build: (stage) => {
      const { scene, ad, cover } = halfCovered(stage);
      const texture = scene.add.renderTexture(60, 60, 100, 100).setName('texture');
      scene.events.on('render', () => draw(texture, ad, cover));
      return ad;
    },
  };
}

/** Pipelines of a game's own, and what Phaser's pipeline of effects draws without them. */
export const pipelineTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'a pipeline added while an ad is measured',
    variants: [
      late('draws a cover', (stage, cover) => {
        const pipeline = new Phaser.Renderer.WebGL.Pipelines.MultiPipeline({ game: stage.game, fragShader: GREEN });
        pipelinesOf(stage).add('Green', pipeline);
        cover.setPipeline('Green');
      }),
      late('draws a cover though it is taken out again', (stage, cover) => {
        const pipeline = new Phaser.Renderer.WebGL.Pipelines.MultiPipeline({ game: stage.game, fragShader: GREEN });
        pipelinesOf(stage).add('Green', pipeline);
        cover.setPipeline('Green');
        stage.step();
        pipelinesOf(stage).remove('Green');
      }),
    ],
  },
  {
    number: 0,
    title: 'an ad and its cover whose effects were ended',
    variants: [
      ...Object.entries(NO_MORE_EFFECTS).map(([name, end]) => withoutEffect(name, end)),
      withoutEffect(
        'cleared, faint and between pixels',
        ({ preFX }) => preFX.clear(),
        (_, ad, cover) => {
          ad.setPosition(200.4, 150.6);
          cover.setAlpha(0.7).setPosition(230.3, 148.7);
        },
        null,
      ),
      withoutEffect(
        'cleared, in a masked container',
        ({ preFX }) => preFX.clear(),
        (scene, _, cover) => {
          const shape = scene.make.graphics({}, false).fillRect(0, 0, 400, 150);
          scene.add.container(0, 0, [cover]).setMask(shape.createGeometryMask());
        },
        76,
      ),
      withoutEffect(
        'cleared, behind a bitmap mask',
        ({ preFX }) => preFX.clear(),
        (scene, _, cover) => {
          const shape = scene.make.image({ x: 200, y: 150, key: 'block' }, false);
          cover.setMask(shape.createBitmapMask());
        },
        77.5,
      ),
    ],
  },
  {
    number: 0,
    title: 'a render texture that is drawn to while the frame is drawn',
    variants: [
      clearedTexture('takes from the screen what was to be drawn when it is cleared before', (texture, ad) =>
        texture.clear().draw(ad, 50, 50),
      ),
      clearedTexture('takes it, too, when the ad is not drawn to it', (texture, _, cover) =>
        texture.clear().draw(cover, 50, 50),
      ),
      {
        name: 'leaves the screen as it is when it is not cleared',
        share: 50,
        ownGame: true,
        build: (stage) => {
          const { scene, ad, cover } = halfCovered(stage);
          const texture = scene.add.renderTexture(60, 60, 100, 100).setName('texture');
          scene.events.on('render', () => texture.draw([ad, cover], 50, 50));
          return ad;
        },
      },
    ],
  },
];
