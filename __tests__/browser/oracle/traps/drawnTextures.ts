import { GameMeter } from '../../../../src/meter/GameMeter.js';
import type { Stage } from '../Stage.js';
import { over, putAd, TRAP_HEIGHT, TRAP_WIDTH, type Trap, type Variant } from './Trap.js';

type RenderTexture = Phaser.GameObjects.RenderTexture;

const DARK = 0x101820;
const ADD = 1;

/** On Canvas a texture that changes is read anew after 200 ms. */
const FRAMES_TO_NOTICE = 30;

/** Darkness over the whole canvas, with a hole that lies over the right upper quarter of the ad and goes on beyond it. */
function darkness(scene: Phaser.Scene, opacity = 1): RenderTexture {
  const texture = scene.add.renderTexture(0, 0, TRAP_WIDTH, TRAP_HEIGHT).setOrigin(0).setName('darkness');
  return lightAt(texture, 220, 130, opacity);
}

/** Darkens everything but a square of 40 × 40. */
function lightAt(texture: RenderTexture, x: number, y: number, opacity = 1): RenderTexture {
  const lamp = texture.scene.make.image({ key: 'block', add: false }, false);
  texture.clear().fill(DARK, opacity);
  texture.erase(lamp, x, y);
  lamp.destroy();
  return texture;
}

function dark(name: string, share: Variant['share'], change: (texture: RenderTexture) => unknown): Variant {
  return over(name, share, (scene) => {
    const texture = darkness(scene);
    change(texture);
    return texture;
  });
}

/** A texture the game keeps, the right upper quarter of which is clear. */
function threeQuarters(scene: Phaser.Scene, key: string): Phaser.Textures.DynamicTexture {
  const texture = scene.textures.addDynamicTexture(key, 80, 40)!;
  const lamp = scene.make.image({ key: 'block', add: false }, false);
  texture.fill(DARK).erase(lamp, 60, 0);
  lamp.destroy();
  return texture;
}

/** The ad is measured under darkness whose hole is elsewhere, and on under what `change` makes of it. */
function seenBefore(
  name: string,
  share: Variant['share'],
  change: (texture: RenderTexture, stage: Stage) => unknown,
): Variant {
  return {
    name,
    ...(share === undefined ? {} : { share }),
    ownGame: true,
    frames: FRAMES_TO_NOTICE,
    build: (stage) => {
      const scene = stage.scene(0);
      const ad = putAd(scene);
      const texture = lightAt(darkness(scene), 60, 60);
      GameMeter.of(stage.game).observe(ad, () => undefined);
      for (let frame = 0; frame < 8; frame++) stage.step(16);
      change(texture, stage);
      return ad;
    },
  };
}

/** Textures a game draws itself: what they show is on the GPU alone. */
export const drawnTextureTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'a texture drawn by the game over an ad',
    variants: [
      dark('is darkness with a hole', 25, () => undefined),
      over('is half darkness with a hole', undefined, (scene) => darkness(scene, 0.5)),
      dark('is turned over', 25, (texture) => texture.setFlip(true, true)),
      dark('is turned by a half', 25, (texture) => texture.setAngle(180).setPosition(TRAP_WIDTH, TRAP_HEIGHT)),
      dark('is cropped to some columns', 62.5, (texture) => texture.setCrop(0, 0, 190, TRAP_HEIGHT)),
      dark('is cropped to its lower part', 50, (texture) => texture.setCrop(0, 150, TRAP_WIDTH, 150)),
      dark('is larger than its picture', 25, (texture) => texture.setScale(2).setPosition(-200, -150)),
      dark('fades', 100, (texture) => texture.setAlpha(0)),
      dark('is a clear one', 100, (texture) => texture.clear()),
      dark('is filled again', 0, (texture) => texture.fill(DARK)),
      dark('gets a picture into its hole', 6.25, (texture) => texture.draw('brick', 210, 120)),
      dark('gets a circle into its hole, by a Graphics', 0, (texture) => {
        const graphics = texture.scene.make.graphics({}, false).fillStyle(0x556677).fillCircle(0, 0, 40);
        texture.draw(graphics, 230, 140);
      }),
      dark('is made larger', undefined, (texture) => texture.resize(500, 400)),
      dark('only adds light to the ad', 100, (texture) => texture.clear().fill(0, 1).setBlendMode(ADD)),
      over('is a texture of its own that an image shows', 37.5, (scene) => {
        threeQuarters(scene, 'three quarters 1');
        return scene.add.image(220, 150, 'three quarters 1');
      }),
      over('shows itself twice', 50, (scene) => {
        threeQuarters(scene, 'three quarters 2');
        const low = scene.add.image(200, 170, 'three quarters 2').setFlipY(true);
        return scene.add.container(0, 0, [low, scene.add.image(160, 150, 'three quarters 2')]);
      }),
      over('has frames', 62.5, (scene) => {
        threeQuarters(scene, 'three quarters 3').add('right', 0, 40, 0, 40, 40);
        return scene.add.image(180, 150, 'three quarters 3', 'right').setScale(2, 1);
      }),
      over('is one of which another was drawn', 25, (scene) => {
        const copy = scene.add.renderTexture(0, 0, TRAP_WIDTH, TRAP_HEIGHT).setOrigin(0);
        const texture = darkness(scene);
        copy.draw(texture, 0, 0);
        texture.destroy();
        return copy;
      }),
      over(
        'is the mask of a cover',
        25,
        (scene) => {
          const texture = darkness(scene).setVisible(false);
          return scene.add.rectangle(200, 150, 200, 100, 0x445566).setMask(texture.createBitmapMask());
        },
        { renderers: ['webgl'] },
      ),
    ],
  },
  {
    number: 0,
    title: 'a texture drawn by the game that it draws anew',
    variants: [
      seenBefore('with the hole over the ad', 50, (texture) => lightAt(texture, 180, 150)),
      seenBefore('without one', 0, (texture) => texture.fill(DARK)),
      seenBefore('as nothing at all', 100, (texture) => texture.clear()),
      seenBefore('by a brush that erases', 50, (texture) => texture.erase('block', 160, 130)),
      seenBefore('by a picture drawn into what was clear', 50, (texture, stage) => {
        texture.clear();
        for (let frame = 0; frame < FRAMES_TO_NOTICE; frame++) stage.step(16);
        texture.draw('block', 160, 130);
      }),
      seenBefore('larger', undefined, (texture) => lightAt(texture.resize(500, 400), 220, 130)),
      seenBefore('while the frame is drawn', 50, (texture, stage) => {
        stage.scene(0).events.once('render', () => texture.fill(DARK).erase('block', 160, 130));
      }),
      seenBefore('in every update, until it comes to a halt over the ad', 50, (texture, stage) => {
        let x = 60;
        stage.scene(0).events.on('update', (_: number, delta: number) => {
          x = Math.min(200, x + delta);
          lightAt(texture, x, 150);
        });
      }),
    ],
  },
  {
    number: 0,
    title: 'a canvas that the game paints on after it was sent to the GPU',
    variants: [
      over(
        'as a texture that is not refreshed',
        0,
        ({ add }, stage) => {
          const texture = stage.game.textures.createCanvas('sent', 64, 64)!;
          const context = texture.getContext();
          context.fillStyle = '#336633';
          context.fillRect(0, 0, 64, 64);
          texture.refresh();
          context.clearRect(0, 0, 64, 64);
          return add.image(200, 150, 'sent').setDisplaySize(300, 200);
        },
        { renderers: ['webgl'], ownGame: true },
      ),
      over(
        'as the next of several textures',
        0,
        ({ add }, stage) => {
          const canvas = document.createElement('canvas');
          canvas.width = canvas.height = 64;
          const context = canvas.getContext('2d')!;
          for (const [index, size] of [64, 8].entries()) {
            context.clearRect(0, 0, 64, 64);
            context.fillRect(0, 0, size, size);
            stage.game.textures.addCanvas(`stamp${index}`, canvas);
          }
          return add.image(200, 150, 'stamp0').setDisplaySize(300, 200);
        },
        { renderers: ['webgl'], ownGame: true },
      ),
    ],
  },
];
