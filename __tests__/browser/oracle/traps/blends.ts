import { flat, GREY, over, putAd, type Trap } from './Trap.js';

/** Canvas' composite operations that leave the light of what is below, or paint beneath it. */
const HARMLESS = ['OVERLAY', 'COLOR_DODGE', 'COLOR_BURN', 'SOFT_LIGHT', 'DESTINATION_OVER'];

/** Of the modes of Canvas, WebGL knows four; it draws all others as if they were NORMAL. */
const OF_CANVAS = ['LIGHTEN', 'DARKEN', 'LIGHTER', 'OVERLAY', 'XOR'];

export const blendTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'blend modes',
    variants: [
      over(
        'white that multiplies is dark when tinted so',
        40,
        (s, stage) =>
          s.add
            .image(200, 150, flat(stage, 'white', '#fff'))
            .setScale(3)
            .setTint(0x404040)
            .setBlendMode('MULTIPLY'),
        { renderers: ['webgl'] },
      ),
      // Canvas knows no tints.
      ...(['ADD', 'SCREEN'] as const).map((mode) =>
        over(`white with ${mode}, tinted dark`, { webgl: 100, canvas: 40 }, (s, stage) =>
          s.add
            .image(200, 150, flat(stage, 'white', '#fff'))
            .setScale(3)
            .setTint(0x404040)
            .setBlendMode(mode),
        ),
      ),
      over(
        'black that adds is bright when filled with a tint',
        40,
        (s, stage) =>
          s.add
            .image(200, 150, flat(stage, 'black', '#000'))
            .setScale(3)
            .setTintFill(0xffffff)
            .setBlendMode('ADD'),
        { renderers: ['webgl'] },
      ),
      ...OF_CANVAS.map((mode) =>
        over(
          `white with ${mode} in WebGL`,
          40,
          (s, stage) =>
            s.add
              .image(200, 150, flat(stage, 'white', '#fff'))
              .setScale(3)
              .setBlendMode(mode),
          { renderers: ['webgl'] },
        ),
      ),
      ...HARMLESS.map((mode) =>
        over(
          `grey with ${mode} on Canvas`,
          100,
          (s, stage) =>
            s.add
              .image(200, 150, flat(stage, 'pale', '#cccccc'))
              .setScale(3)
              .setBlendMode(mode),
          { renderers: ['canvas'] },
        ),
      ),
      over(
        'a mode of Canvas that clears all around what it draws',
        0,
        (s, stage) =>
          s.add
            .image(200, 150, flat(stage, 'white', '#fff'))
            .setScale(3)
            .setBlendMode('SOURCE_IN'),
        { renderers: ['canvas'], mayBeUnmeasurable: true },
      ),
      {
        name: 'an ad that is added itself, under a cover',
        share: 75,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene).setBlendMode('ADD');
          scene.add.rectangle(200, 150, 20, 60, GREY).setName('cover');
          return ad;
        },
      },
      ...[0.5, 1.5].map((intensity) =>
        over(
          `a point light that outshines the screen about its middle, intensity ${intensity}`,
          undefined,
          (s) => s.add.pointlight(190, 150, 0xffffff, 40, intensity, 0.1),
          { renderers: ['webgl'] },
        ),
      ),
    ],
  },
  {
    number: 0,
    title: 'corners',
    variants: [
      over('a rounded rectangle (since 3.90)', undefined, (s) => {
        const shape = s.add.rectangle(200, 150, 60, 30, GREY) as Phaser.GameObjects.Rectangle & {
          setRounded?(radius: number): unknown;
        };
        shape.setRounded?.(12);
        return shape;
      }),
    ],
  },
  {
    number: 0,
    title: 'lists with a blend mode',
    // Their children are drawn in whatever mode the one before has left.
    variants: [
      over(
        'and a container in them',
        40,
        (scene, stage) => {
          const key = flat(stage, 'grey', '#555555');
          const inner = scene.add.container(0, 0, [scene.add.image(20, 20, key)]);
          const picture = scene.add.image(200, 150, key).setScale(3).setName('picture');
          scene.add.layer([inner, picture]).setBlendMode('ADD');
          return picture;
        },
        { renderers: ['webgl'] },
      ),
      over(
        'and particles in them',
        18,
        (scene, stage) => {
          const key = flat(stage, 'grey', '#555555');
          const sparks = scene.add.particles(0, 0, key, { speed: 0, emitting: false, scale: 2 }).setName('sparks');
          sparks.explode(1, 180, 150);
          const picture = scene.add.image(216, 150, key).setScale(2.5).setName('picture');
          scene.add.layer([sparks, picture]).setBlendMode('ADD');
          return undefined;
        },
        { renderers: ['webgl'] },
      ),
    ],
  },
];
