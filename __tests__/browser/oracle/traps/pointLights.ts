import type { Stage } from '../Stage.js';
import { GREY, over, putAd, type Trap, type Variant } from './Trap.js';

function underLight(name: string, arrange: (stage: Stage, light: Phaser.GameObjects.PointLight) => unknown): Variant {
  return {
    name,
    renderers: ['webgl'],
    build: (stage) => {
      const ad = putAd(stage.scene(0));
      const light = stage.scene(0).add.pointlight(180, 170, 0xffffff, 70, 0.3);
      arrange(stage, light.setName('light'));
      return ad;
    },
  };
}

type Masked = Phaser.GameObjects.GameObject & Phaser.GameObjects.Components.Mask;

/** A point light is the mask of what is given, alone or together with a picture. */
function maskedByLight(object: Masked, isInverted: boolean, hasPicture = false): void {
  const { scene } = object;
  const light = scene.add.pointlight(190, 150, 0xffffff, 60, 1);
  const picture = scene.make.graphics({}, false).fillStyle(0xffffff).fillRect(150, 100, 60, 100);
  const source = hasPicture ? scene.add.container(0, 0, [picture, light]) : light;
  scene.children.remove(source);
  const mask = new Phaser.Display.Masks.BitmapMask(scene, source);
  mask.invertAlpha = isInverted;
  object.setMask(mask);
}

/** How large a point light is: the shader knows less of cameras and objects than one would think. */
export const pointLightTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'point lights are drawn with the zoom of the camera that is current when their batch is',
    variants: [
      underLight('of a scene above', (stage) => {
        stage.scene(3).cameras.main.setZoom(1.7, 1.3);
      }),
      underLight('of a scene above that shows more', (stage) => {
        stage.scene(3).cameras.main.setZoom(0.4);
      }),
      underLight('their own, when something is drawn after them', (stage) => {
        stage.scene(0).add.rectangle(200, 250, 20, 20, GREY);
        stage.scene(3).cameras.main.setZoom(0.4);
      }),
      underLight('their own, behind a viewport', (stage) => {
        stage.scene(0).cameras.main.setViewport(0, 0, 400, 290);
        stage.scene(3).cameras.main.setZoom(0.4);
      }),
      underLight('of the last of several empty cameras', (stage) => {
        const { cameras } = stage.scene(3);
        cameras.main.setZoom(0.4);
        cameras.add().setZoom(1.6);
      }),
      underLight('of the first that paints', (stage) => {
        const { cameras } = stage.scene(3);
        cameras.main.setZoom(0.4).setBackgroundColor('rgba(0,0,0,0.01)');
        cameras.add().setZoom(1.6);
      }),
      underLight('of a camera with another light', (stage) => {
        const scene = stage.scene(3);
        scene.add.pointlight(330, 60, 0xffffff, 30, 0.1);
        scene.cameras.main.setZoom(1.6);
      }),
      underLight('below empty texts and graphics', (stage) => {
        const scene = stage.scene(0);
        scene.add.text(200, 150, '');
        scene.add.graphics();
        stage.scene(3).cameras.main.setZoom(1.6);
      }),
      underLight('when they are the last child of a container', (stage, light) => {
        const scene = stage.scene(0);
        scene.add.container(0, 0, [scene.add.rectangle(200, 250, 20, 20, GREY), light]);
        stage.scene(3).cameras.main.setZoom(1.6);
      }),
    ],
  },
  {
    number: 0,
    title: 'a point light as a mask, which lets nothing through',
    variants: [
      ...[false, true].map((hasPicture) => ({
        name: `of the ad${hasPicture ? ', beside a picture' : ''}`,
        renderers: ['webgl'] as const,
        ownGame: true,
        share: hasPicture ? 62.5 : 0,
        build: (stage: Stage) => {
          const ad = putAd(stage.scene(0));
          maskedByLight(ad, false, hasPicture);
          return ad;
        },
      })),
      over(
        'of a cover, inside out',
        12.5,
        (scene) => {
          const cover = scene.add.rectangle(200, 150, 70, 70, GREY);
          maskedByLight(cover, true);
          return cover;
        },
        { renderers: ['webgl'], ownGame: true },
      ),
    ],
  },
  {
    number: 0,
    title: 'a point light is round',
    variants: [
      underLight('however it is scaled', (_, light) => light.setScale(2, 0.5)),
      underLight('in a container that stretches it', (stage, light) => {
        light.setPosition(0, 0);
        stage.scene(0).add.container(180, 160, light).setScale(0.6, 1.2).setRotation(0.5);
      }),
    ],
  },
];
