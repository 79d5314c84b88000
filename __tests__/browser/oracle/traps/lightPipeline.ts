import { flat, over, putAd, type Trap, type Variant } from './Trap.js';

function inLight(
  name: string,
  share: number | undefined,
  light: (lights: Phaser.GameObjects.LightsManager) => void,
  more: Partial<Variant> = {},
): Variant {
  return {
    name,
    ...(share === undefined ? {} : { share }),
    renderers: ['webgl'],
    ...more,
    build: (stage) => {
      const scene = stage.scene(0);
      light(scene.lights);
      return putAd(scene).setPipeline('Light2D');
    },
  };
}

/** What the lights of a scene leave of a picture that is drawn with them. */
export const lightPipelineTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'the light pipeline',
    variants: [
      inLight('leaves an ad in the dark nothing', 0, (lights) => lights.enable().setAmbientColor(0x101010)),
      inLight('leaves an ad in daylight all', 100, (lights) => lights.enable().setAmbientColor(0xffffff)),
      inLight('draws no ad where lights are off', 0, (lights) => lights.disable()),
      inLight(
        'shows an ad where a lamp shines',
        undefined,
        (lights) => {
          lights.enable().setAmbientColor(0x101010);
          lights.addLight(180, 150, 60);
        },
        { mayBeUnmeasurable: true },
      ),
      over(
        'draws no cover where lights are off',
        100,
        (scene, stage) => {
          scene.lights.disable();
          return scene.add
            .image(200, 150, flat(stage, 'grey', '#555555'))
            .setScale(3)
            .setPipeline('Light2D');
        },
        { renderers: ['webgl'] },
      ),
      ...(['off', 'on'] as const).map((lights) =>
        over(
          `draws a rope as triangles that share no corner, lights ${lights}`,
          undefined,
          (scene, stage) => {
            scene.lights.setAmbientColor(0x808080).active = lights === 'on';
            const points = [0, 1, 2, 3].map((i) => new Phaser.Math.Vector2(i * 16 - 24, 0));
            return scene.add.rope(200, 150, flat(stage, 'grey', '#555555'), undefined, points).setPipeline('Light2D');
          },
          { renderers: ['webgl'] },
        ),
      ),
    ],
  },
];
