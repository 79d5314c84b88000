import type { Stage } from '../Stage.js';
import { flat, GREY, over, picture, putAd, type Trap, type Variant } from './Trap.js';

/** Canvas' composite operations that leave the light of what is below, or paint beneath it. */
const HARMLESS = ['OVERLAY', 'COLOR_DODGE', 'COLOR_BURN', 'SOFT_LIGHT', 'DESTINATION_OVER'];

/** Of the modes of Canvas, WebGL knows four; it draws all others as if they were NORMAL. */
const OF_CANVAS = ['LIGHTEN', 'DARKEN', 'LIGHTER', 'OVERLAY', 'XOR'];

/** Corners tinted so that one of them says nothing about the others. */
const ONE_DARK = [0, 0xffffff, 0xffffff, 0xffffff] as const;

type Blended = Phaser.GameObjects.GameObject & { setBlendMode(mode: string): unknown };

/** Something in WebGL that colours of its own, which are not in its picture, make bright or dark. */
function coloured(
  name: string,
  mode: 'ADD' | 'SCREEN' | 'MULTIPLY',
  put: (scene: Phaser.Scene, white: string, dark: string) => Blended,
  more: Partial<Variant> = {},
): Variant {
  const build = (scene: Phaser.Scene, stage: Stage): Blended => {
    const object = put(scene, flat(stage, 'white', '#fff'), flat(stage, 'dark', '#333'));
    object.setBlendMode(mode);
    return object;
  };
  return over(`${name}, ${mode}`, undefined, build, { renderers: ['webgl'], ...more });
}

/** Blend modes of an ad, each with a ground on which it shows nothing. */
const GROUNDS = [
  ['ADD', 0xffffff],
  ['SCREEN', 0xffffff],
  ['MULTIPLY', 0x000000],
  ['ERASE', 0x000000],
] as const;

/** Nobody knows what light they leave. */
const UNKNOWN: Partial<Variant> = { mayBeUnmeasurable: true };

const BRIGHTENING = ['ADD', 'SCREEN'] as const;
const CHANGING = ['ADD', 'MULTIPLY'] as const;

const points = (): Phaser.Math.Vector2[] => [-45, 0, 45].map((x) => new Phaser.Math.Vector2(x, 0));

/** A disc of light that fades out, filled with a tint. In Phaser 3 its rim keeps some of its own light beside the tint. */
function filledFlare(
  name: string,
  mode: 'ADD' | 'SCREEN' | 'MULTIPLY',
  tints: readonly number[],
  more: Partial<Variant> = {},
): Variant {
  const put = (s: Phaser.Scene, stage: Stage): Phaser.GameObjects.Image => {
    const key = picture(stage, 'grey flare', 32, 32, (c) => {
      const gradient = c.createRadialGradient(16, 16, 2, 16, 16, 16);
      gradient.addColorStop(0, 'rgba(160,160,160,1)');
      gradient.addColorStop(1, 'rgba(160,160,160,0)');
      c.fillStyle = gradient;
      c.fillRect(0, 0, 32, 32);
    });
    return s.add
      .image(200, 150, key)
      .setScale(2)
      .setBlendMode(mode)
      .setTintFill(...tints);
  };
  return over(name, undefined, put, { renderers: ['webgl'], ...more });
}

/** Something half clear, filled with a tint, that lies over the ad without a blend mode. */
const filledSheet = (tint: number, alpha: number, isStill: boolean): Variant =>
  over(
    `${tint === 0 ? 'dark' : 'white'}, at an alpha of ${alpha}, ${isStill ? 'still' : 'below a veil that multiplies'}`,
    undefined,
    (s, stage) => {
      const key = picture(stage, 'white sheet', 32, 32, (c) => {
        c.fillStyle = 'rgba(255,255,255,0.4)';
        c.fillRect(0, 0, 32, 32);
      });
      const sheet = s.add.image(190, 150, key).setScale(2).setAlpha(alpha).setTintFill(tint);
      if (!isStill) s.add.rectangle(200, 150, 120, 60, 0xffffff).setBlendMode('MULTIPLY').setName('veil');
      return sheet;
    },
    { renderers: ['webgl'] },
  );

/** A veil that leaves an ad 70 % of its light. */
const addVeil = (stage: Stage): unknown => stage.scene(0).add.rectangle(200, 150, 120, 60, GREY, 0.3).setName('veil');

const filledVariants: readonly Variant[] = [
  filledFlare('white, ADD', 'ADD', [0xffffff]),
  filledFlare('dark, MULTIPLY', 'MULTIPLY', [0x222222]),
  filledFlare('four tints, ADD', 'ADD', ONE_DARK, UNKNOWN),
  ...[1, 0.85, 0.5].flatMap((alpha) => [filledSheet(0xffffff, alpha, true), filledSheet(0xffffff, alpha, false)]),
  filledSheet(0, 1, true),
  ...[1, 0.8].map((alpha): Variant => {
    const flare = filledFlare(`grey at an alpha of ${alpha} below a veil, SCREEN`, 'SCREEN', [0x999999]);
    return {
      ...flare,
      build: async (stage) => {
        const ad = await flare.build(stage);
        const image = stage.scene(0).children.getByName('cover') as Phaser.GameObjects.Image;
        image.setAlpha(alpha);
        addVeil(stage);
        return ad;
      },
    };
  }),
];

const colouredVariants: readonly Variant[] = [
  ...BRIGHTENING.map((mode) =>
    coloured('an image with one dark corner', mode, (s, white) =>
      s.add
        .image(200, 150, white)
        .setDisplaySize(120, 60)
        .setTint(...ONE_DARK),
    ),
  ),
  coloured(
    'an image with one dark corner',
    'MULTIPLY',
    (s, white) =>
      s.add
        .image(200, 150, white)
        .setDisplaySize(120, 60)
        .setTint(...ONE_DARK),
    UNKNOWN,
  ),
  ...CHANGING.map((mode) =>
    coloured('an image filled with four tints', mode, (s, white, dark) =>
      s.add
        .image(200, 150, mode === 'ADD' ? dark : white)
        .setDisplaySize(120, 60)
        .setTintFill(...ONE_DARK),
    ),
  ),
  coloured(
    'an image with four tints and four alphas',
    'ADD',
    (s, white) =>
      s.add
        .image(200, 150, white)
        .setDisplaySize(120, 60)
        .setTint(...ONE_DARK)
        .setAlpha(0.5, 1, 1, 1),
    UNKNOWN,
  ),
  coloured('a tile sprite with one dark corner', 'ADD', (s, white) =>
    s.add.tileSprite(200, 150, 120, 60, white).setTint(...ONE_DARK),
  ),
  coloured(
    'a tile sprite with one dark corner',
    'MULTIPLY',
    (s, white) => s.add.tileSprite(200, 150, 120, 60, white).setTint(...ONE_DARK),
    UNKNOWN,
  ),
  ...CHANGING.flatMap((mode) => [
    coloured('a gradient in a rectangle', mode, (s) =>
      s.add
        .graphics()
        .fillGradientStyle(...ONE_DARK)
        .fillRect(140, 120, 120, 60),
    ),
    coloured('a gradient in a triangle', mode, (s) =>
      s.add
        .graphics()
        .fillGradientStyle(...ONE_DARK)
        .fillTriangle(140, 110, 280, 110, 140, 190),
    ),
    coloured(
      'a gradient in a circle',
      mode,
      (s) =>
        s.add
          .graphics()
          .fillGradientStyle(...ONE_DARK)
          .fillCircle(200, 150, 60),
      UNKNOWN,
    ),
    coloured('a rope of one dark colour', mode, (s, white) =>
      s.add.rope(200, 150, white, undefined, points(), true, [0x404040, 0x404040, 0x404040]).setScale(1, 4),
    ),
    coloured('a plane tinted dark', mode, (s, white) => {
      const plane = s.add.plane(200, 150, white, undefined, 2, 2).setScale(8);
      plane.setTint(0x404040);
      return plane;
    }),
    coloured('a nine-slice filled with a tint', mode, (s, white, dark) => {
      const isAdding = mode === 'ADD';
      const slices = s.add.nineslice(200, 150, isAdding ? dark : white, undefined, 120, 60, 4, 4, 4, 4);
      slices.setTintFill(isAdding ? 0xffffff : 0x202020);
      return slices;
    }),
    coloured('a text of which a character is tinted', mode, (s) =>
      s.add.bitmapText(160, 130, 'retro', 'ABC', 32).setCharacterTint(1, 1, false, 0x404040),
    ),
    coloured(
      'a picture in the dark',
      mode,
      (s, white) => {
        s.lights.enable().setAmbientColor(0x111111);
        return s.add.image(200, 150, white).setDisplaySize(120, 60).setPipeline('Light2D');
      },
      UNKNOWN,
    ),
  ]),
  coloured('a nine-slice tinted dark', 'MULTIPLY', (s, white) => {
    const slices = s.add.nineslice(200, 150, white, undefined, 120, 60, 4, 4, 4, 4);
    slices.setTint(0x404040);
    return slices;
  }),
  coloured('a text of which a character is filled', 'ADD', (s) =>
    s.add.bitmapText(160, 130, 'retro', 'ABC', 32).setTint(0x404040).setCharacterTint(1, 1, true, 0xffffff),
  ),
  // Characters without edges: what a filled one has there is a mixture of picture and tint.
  coloured('a dark text with a white shadow', 'ADD', (s, _white, dark) => {
    const font = Phaser.GameObjects.RetroFont.Parse(s, {
      image: dark,
      width: 16,
      height: 16,
      chars: 'A',
      charsPerRow: 1,
      'offset.x': 0,
      'offset.y': 0,
      'spacing.x': 0,
      'spacing.y': 0,
      lineSpacing: 0,
    });
    s.cache.bitmapFont.add('blocks', font);
    return s.add.bitmapText(170, 120, 'blocks', 'AA', 32).setDropShadow(8, 16, 0xffffff, 1);
  }),
  coloured('a rope of several colours', 'ADD', (s, white) =>
    s.add.rope(200, 150, white, undefined, points(), true, [0, 0x404040, 0xffffff]).setScale(1, 4),
  ),
  coloured(
    'a rope of several colours',
    'MULTIPLY',
    (s, white) => s.add.rope(200, 150, white, undefined, points(), true, [0, 0x404040, 0xffffff]).setScale(1, 4),
    UNKNOWN,
  ),
];

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
      // As games add it to the renderer, since Phaser's own ADD takes the alpha of the canvas for a factor.
      ...(
        [
          ['white', undefined, 40],
          ['white, tinted dark,', 0x404040, 100],
        ] as const
      ).map(([what, tint, share]) =>
        over(
          `${what} with a mode of the game's own that adds`,
          share,
          (s, stage) => {
            const [one, add] = [1, 0x8006];
            const renderer = s.game.renderer as Phaser.Renderer.WebGL.WebGLRenderer;
            return s.add
              .image(200, 150, flat(stage, 'white', '#fff'))
              .setScale(3)
              .setTint(tint)
              .setBlendMode(renderer.addBlendMode([one, one], add));
          },
          { renderers: ['webgl'] },
        ),
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
      over(
        'such a mode far from the ad',
        0,
        (s, stage) => s.add.image(20, 20, flat(stage, 'white', '#fff')).setBlendMode('COPY'),
        { renderers: ['canvas'], mayBeUnmeasurable: true },
      ),
      over(
        'such a mode far from the ad, in a container',
        0,
        (s, stage) => {
          const image = s.add
            .image(20, 20, flat(stage, 'white', '#fff'))
            .setBlendMode('COPY')
            .setName('cover');
          return s.add.container(0, 0, [image]);
        },
        { renderers: ['canvas'], mayBeUnmeasurable: true },
      ),
      {
        name: 'an ad that is added itself, under a cover',
        share: 75,
        mayBeUnmeasurable: true,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene).setBlendMode('ADD');
          scene.add.rectangle(200, 150, 20, 60, GREY).setName('cover');
          return ad;
        },
      },
      ...GROUNDS.map(([mode, ground]) => ({
        name: `an ad in ${mode} of which its ground leaves nothing`,
        share: 0,
        mayBeUnmeasurable: true,
        namesUnjudged: true,
        build: (stage: Stage) => {
          const scene = stage.scene(0);
          scene.add.rectangle(200, 150, 200, 100, ground);
          return putAd(scene).setBlendMode(mode);
        },
      })),
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
    title: 'blend modes and colours beside the picture:',
    variants: colouredVariants,
  },
  {
    number: 0,
    title: 'a soft picture filled with a tint:',
    variants: filledVariants,
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
