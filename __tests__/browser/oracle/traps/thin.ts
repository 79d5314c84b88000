import { buildStage } from '../buildScene.js';
import type { StageSpec } from '../SceneSpec.js';
import type { Stage } from '../Stage.js';
import { GREY, over, picture, putAd, type Trap } from './Trap.js';

/** A panel of 32 × 32 with rounded corners. */
function panel(stage: Stage): string {
  return picture(stage, 'rounded panel', 32, 32, (c) => {
    c.fillStyle = '#112233';
    c.beginPath();
    c.roundRect(0, 0, 32, 32, 8);
    c.fill();
  });
}

/** A frame of 80 × 40 around a hole of half its size. */
function frame(stage: Stage): string {
  return picture(stage, 'frame with a hole', 80, 40, (c) => {
    c.fillStyle = '#112233';
    c.fillRect(0, 0, 80, 40);
    c.clearRect(20, 10, 40, 20);
  });
}

function enlargeAd(scene: Phaser.Scene): void {
  const [ad] = scene.children.list as Phaser.GameObjects.Image[];
  ad!.setScale(2.5);
}

/** Lines of text over an enlarged ad. */
function smallText(scene: Phaser.Scene, fontSize: number): Phaser.GameObjects.Text {
  enlargeAd(scene);
  const lines = Array(14).fill('Lorem ipsum dolor sit amet, consectetur').join('\n');
  return scene.add.text(200, 150, lines, { fontSize }).setOrigin(0.5);
}

/** A random scene, cut down. */
const FADING_OVER_CORNER: StageSpec = {
  scenes: [
    {
      cameras: [],
      objects: [{ kind: 'ad', name: 'ad', x: 190.461, y: 110, options: { variant: 'plain' }, rotation: 0.734 }],
    },
    {
      cameras: [],
      objects: [
        {
          kind: 'graphics',
          name: 'graphics',
          x: 84,
          y: 97,
          options: {
            commands: [
              ['lineStyle', 9, 0x808020, 1],
              ['lineBetween', 7, 8, 23, 50],
              ['strokeRect', -57, -5, 41, 38],
              ['fillStyle', 0x208040, 1],
              ['slice', -46, 12, 30, 0.4, 5, false],
              ['fillPath'],
              ['fillRect', 19, -49, 21, 46],
            ],
          },
        },
        {
          kind: 'tileSprite',
          name: 'tileSprite',
          x: 268.227,
          y: 140.595,
          options: { key: 'disc', width: 62, height: 81, tileScale: 1.5 },
          corners: [1, 0.1, 0.5, 0],
        },
        {
          kind: 'tilemap',
          name: 'tilemap',
          x: 120,
          y: 140,
          options: {
            orientation: 'isometric',
            data: [
              [0, 3, 0, -1, 0, -1, 3, -1],
              [0, 2, 0, 0, -1, -1, 3, 1],
              [-1, 0, 2, 0, -1, 2, 3, -1],
              [-1, -1, 3, 0, 0, 1, 3, -1],
              [-1, -1, 0, -1, 1, -1, -1, -1],
              [3, 2, 1, 3, 1, -1, 0, -1],
            ],
          },
          mask: { type: 'geometry', x: 152, y: 188, shape: 'star', width: 72, height: 105 },
        },
      ],
    },
  ],
};

/** Covers thinner than a pixel, patterns finer than pixels, and what only adds up with something else. */
export const thinTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'finer than pixels',
    variants: [
      over('a panel that overlaps the ad by a third of a pixel', 100, (s) =>
        s.add.rectangle(110.3, 150, 100, 60, GREY),
      ),
      over('a panel that overlaps the ad by two thirds of a pixel', 99.2, (s) =>
        s.add.rectangle(110.65, 150, 100, 60, GREY),
      ),
      over('a turned panel that overlaps a turned ad by a quarter of a pixel', 100, (s) => {
        const ad = s.children.getByName('ad') as Phaser.GameObjects.Image;
        ad.setAngle(30);
        const away = 40 + 50 - 0.25;
        return s.add
          .rectangle(200 - Math.cos(Math.PI / 6) * away, 150 - Math.sin(Math.PI / 6) * away, 100, 30, GREY)
          .setAngle(30);
      }),
      {
        name: 'a panel that overlaps an ad between pixels by three quarters of one',
        // Canvas moves the ad onto whole pixels.
        renderers: ['webgl'],
        build: (stage) => {
          const ad = putAd(stage.scene(0), 200, 150.3);
          stage
            .scene(0)
            .add.rectangle(200, 170.3 - 0.75 + 30, 60, 60, GREY)
            .setName('panel');
          return ad;
        },
      },
      {
        name: 'a strip on the edge of a large ad, all that a bitmap mask leaves of a cover',
        renderers: ['webgl'],
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene, 200, 150.17, 'plain');
          const mask = scene.make.image({ x: 200, y: 130, key: 'brick' }, false).setDisplaySize(120, 120);
          const cover = scene.add.rectangle(200, 170, 100, 100, GREY).setName('cover').setMask(mask.createBitmapMask());
          (cover.mask as Phaser.Display.Masks.BitmapMask).invertAlpha = true;
          return ad;
        },
      },
      {
        name: 'a short strip on the edge of an ad too large for every pixel to be looked at, below a faint picture',
        // Canvas moves the ad onto whole pixels.
        renderers: ['webgl'],
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene, 190.4, 140.4, 'plain').setDisplaySize(340, 240);
          scene.add.image(200, 150, 'slab').setDisplaySize(400, 300).setAlpha(0.2).setName('faint');
          scene.add.image(365, 130, 'slab').setDisplaySize(10, 40).setName('strip');
          return ad;
        },
      },
      {
        name: 'the corner of a large ad under the part of a fading picture that just hides it, among many tiles',
        renderers: ['webgl'],
        build: (stage) => buildStage(stage, FADING_OVER_CORNER).ad,
      },
      {
        name: 'a fence whose bars lie at half a pixel, over an ad too large for every pixel to be looked at',
        // On Canvas a picture of half size is drawn on whole pixels.
        share: { webgl: 50.4 },
        build: (stage) => {
          const ad = putAd(stage.scene(0), 135, 133, 'plain');
          stage.scene(0).add.tileSprite(119, 123, 115, 105, 'fence').setTileScale(0.5).setName('fence');
          return ad;
        },
      },
      {
        name: 'a picture that covers half of the pixels along the edge of an ad',
        // Canvas moves the ad onto whole pixels.
        renderers: ['webgl'],
        share: 99.7,
        shareWithin: 0.1,
        build: (stage) => {
          const ad = putAd(stage.scene(0), 200.55, 150);
          stage.scene(0).add.tileSprite(134, 110, 66, 67, 'fence').setTileScale(1.5).setName('fence');
          return ad;
        },
      },
      {
        name: 'a picture whose soft end lies along the edge of an ad between pixels, below thin strokes',
        renderers: ['webgl'],
        share: 99.7,
        shareWithin: 0.1,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene, 200, 150.624);
          scene.add.graphics().lineStyle(6, GREY, 0.1).strokeCircle(200, 152, 9).setName('strokes');
          // The lower bars of its glyphs end there.
          scene.add.bitmapText(160, 150.624 - 20 - 22.5, 'retro', 'C C', 24).setName('text');
          return ad;
        },
      },
      {
        name: 'a picture that touches an ad between pixels, below thin strokes',
        renderers: ['webgl'],
        share: 100,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene, 200.4, 150);
          scene.add.graphics().lineStyle(6, GREY, 0.1).strokeCircle(200, 152, 9).setName('strokes');
          scene.add.image(240.4, 140, 'corner').setOrigin(0).setName('corner');
          return ad;
        },
      },
      {
        name: 'a turned picture along the turned edge of an ad with a hole, in the same pixels',
        // Each edge is blended by itself: of what the ad paints of a pixel, the picture takes its share of the pixel.
        renderers: ['canvas'],
        build: (stage) => {
          const scene = stage.scene(0);
          // So little turned that each edge stays within one column of pixels; Chromium leaves upright ones sharp at times.
          const ad = putAd(scene, 200.3, 150, 'holed').setAngle(0.2);
          scene.add
            .image(200.3 + 60 + 45 - 0.1, 150, 'slab')
            .setDisplaySize(90, 76)
            .setAngle(0.2)
            .setName('picture');
          return ad;
        },
      },
      {
        name: 'two panes of glass that overlap by a third of a pixel, over an ad of 160 × 60',
        share: 100,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene, 200, 150, 'plain');
          scene.add.rectangle(150.15, 150, 100.3, 80, GREY, 0.3).setName('left');
          scene.add.rectangle(250, 150, 100, 80, GREY, 0.3).setName('right');
          return ad;
        },
      },
      {
        name: 'bars of two pixels in a large picture, as the strokes of a page of writing',
        share: 60,
        build: (stage) => {
          const ad = putAd(stage.scene(0), 200, 150, 'plain');
          const key = picture(stage, 'page of bars', 560, 350, (c) => {
            c.fillStyle = '#112233';
            for (let x = 0; x < 560; x += 5) c.fillRect(x, 0, 2, 350);
          });
          stage.scene(0).add.image(200, 150, key).setName('page');
          return ad;
        },
      },
      over('a thick translucent stroke around a small circle', undefined, (s) =>
        s.add.circle(200, 150, 16).setStrokeStyle(14, GREY, 0.3),
      ),
      over('a thick translucent stroke around a star', undefined, (s) =>
        s.add.star(200, 150, 8, 10, 26).setStrokeStyle(10, GREY, 0.3),
      ),
    ],
  },
  {
    number: 0,
    title: 'what adds up',
    variants: [
      {
        name: 'a half-transparent mask and a shade over it',
        renderers: ['webgl'],
        share: 50,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          const source = scene.make
            .image({ x: 200, y: 150, key: 'block', add: false }, false)
            .setScale(4)
            .setAlpha(0.7);
          ad.setMask(new Phaser.Display.Masks.BitmapMask(scene, source));
          scene.add.rectangle(180, 150, 40, 100, GREY, 0.4).setName('shade');
          return ad;
        },
      },
      {
        name: 'a second camera that draws the ad over itself, and a cover there',
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          const cover = scene.add.circle(220, 160, 12, GREY).setName('cover');
          scene.cameras.main.ignore(cover);
          scene.cameras.add(180, 140, 80, 60).setScroll(180, 140);
          return ad;
        },
      },
    ],
  },
  {
    number: 0,
    title: 'small ads under pictures with holes',
    variants: [
      ...[12.1, 12.2, 12.7, 12.9, 13, 13.3].map((y) => ({
        name: `a panel that slides over a flat banner, ${y} px down`,
        build: (stage: Stage) => {
          const scene = stage.scene(0);
          const banner = putAd(scene, 200, 150).setDisplaySize(160, 28);
          scene.add
            .image(200, 136 + y - 20, panel(stage))
            .setDisplaySize(180, 40)
            .setName('panel');
          return banner;
        },
      })),
      ...[
        [30, 20, 215, 145],
        [30, 20, 212, 141],
        [31, 9, 190.5, 150.5],
        [13, 13, 180.5, 140.5],
      ].map(([width, height, x, y]) => ({
        name: `an ad of ${width} × ${height} at the edge of a hole, ${x}, ${y}`,
        build: (stage: Stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene, x, y).setDisplaySize(width!, height!);
          scene.add.image(200, 150, frame(stage)).setName('frame');
          return ad;
        },
      })),
    ],
  },
  {
    number: 0,
    title: 'large pictures of fine bars, whose map has fewer cells than they have texels',
    variants: [
      ...[
        [1, 4, 1200],
        [3, 4, 1200],
        [2, 5, 1800],
        [8, 20, 1200],
        [12, 48, 2000],
      ].map(([bar, period, width]) =>
        over(
          `bars of ${bar} texels every ${period} over ${width}`,
          undefined,
          (scene, stage) => {
            const key = picture(stage, `bars ${bar} ${period} ${width}`, width!, 900, (c) => {
              c.fillStyle = '#112233';
              for (let x = 0; x < width!; x += period!) c.fillRect(x, 0, bar!, 900);
            });
            return scene.add.image(0, 0, key).setOrigin(0).setName('bars');
          },
          { mayBeUnmeasurable: period! < 6 },
        ),
      ),
      // As far apart as the rows of cells that are looked at.
      ...[0, 1, 4, 6].map((y) =>
        over(
          `lines of 1 texel every 8, from ${y}`,
          undefined,
          (scene, stage) => {
            const key = picture(stage, `lines ${y}`, 1024, 1024, (c) => {
              c.fillStyle = '#112233';
              for (let at = y; at < 1024; at += 8) c.fillRect(0, at, 1024, 1);
            });
            return scene.add.image(0, 0, key).setOrigin(0).setName('bars');
          },
          { mayBeUnmeasurable: true },
        ),
      ),
    ],
  },
  {
    number: 0,
    title: 'small text over a large ad',
    variants: [
      ...[10, 12, 16].flatMap((fontSize) =>
        [0.8, 1, 1.2, 1.5].map((zoom) =>
          over(`letters of ${fontSize} px, zoom ${zoom}`, undefined, (scene) => {
            scene.cameras.main.setScroll(zoom === 1 ? 0 : 10.3, zoom === 1 ? 0 : 5.7).setZoom(zoom);
            return smallText(scene, fontSize);
          }),
        ),
      ),
      ...[1, 0.8].map((alpha) =>
        over(`letters that are not smoothed, alpha ${alpha}`, undefined, (scene) => {
          const text = smallText(scene, 18).setAlpha(alpha);
          text.texture.setFilter(Phaser.Textures.FilterMode.NEAREST);
          return text;
        }),
      ),
      ...[0, 0.13].map((rotation) =>
        over(`a pattern of letters, turned by ${rotation}`, undefined, (scene, stage) => {
          const key = picture(stage, 'letters', 64, 64, (c) => {
            c.fillStyle = '#ff8800';
            c.font = '14px sans-serif';
            for (let y = 11; y < 64; y += 14) c.fillText('Lorem ipsum', 1, y);
          });
          enlargeAd(scene);
          return scene.add.tileSprite(200, 150, 250, 160, key).setRotation(rotation);
        }),
      ),
    ],
  },
];
