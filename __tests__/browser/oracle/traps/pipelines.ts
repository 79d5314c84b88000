import { GameMeter } from '../../../../src/phaser/GameMeter.js';
import type { Stage } from '../Stage.js';
import { flat, putAd, type Trap, type Variant } from './Trap.js';

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

/** Pipelines of a game's own. */
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
];
