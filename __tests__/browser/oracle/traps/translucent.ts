import { asked, GREY, over, putAd, type Trap, type Variant } from './Trap.js';

type Outlined = Phaser.GameObjects.Shape;

/** A shape over the ad with a fill of its own and a stroke that lets light through. */
function stroked(
  name: string,
  alpha: number,
  width: number,
  put: (scene: Phaser.Scene) => Outlined,
  more: Partial<Variant> = {},
): Variant {
  return over(
    `${name}, stroke ${width} px of alpha ${alpha}`,
    undefined,
    (scene) => put(scene).setStrokeStyle(width, GREY, alpha),
    more,
  );
}

/** A text of 16 letters over the ad, cropped. */
function cropped(
  name: string,
  change: (text: Phaser.GameObjects.DynamicBitmapText, scene: Phaser.Scene) => void,
  more: Partial<Variant> = {},
): Variant {
  return over(
    name,
    undefined,
    (scene) => {
      const text = scene.add.dynamicBitmapText(160, 130, 'retro', 'ABC 123\nCAB 321', 24);
      change(text, scene);
      return text;
    },
    more,
  );
}

/** Lines of 10 px over the ad, of one path. */
function path(name: string, share: Variant['share'], ...lines: [number, number, number, number][]): Variant {
  return over(name, share, (scene) => {
    const graphics = scene.add.graphics().lineStyle(10, GREY, 0.4).beginPath();
    for (const [x0, y0, x1, y1] of lines) graphics.moveTo(x0, y0).lineTo(x1, y1);
    return graphics.strokePath();
  });
}

/** An ad that fades by itself and with its camera. */
function faint(name: string, alpha: number, cameraAlpha: number, share: number): Variant {
  return {
    name,
    share,
    // Drawn with 8 bits it is less than half either way.
    withoutPicture: true,
    build: (stage) => {
      const scene = stage.scene(0);
      scene.cameras.main.setAlpha(cameraAlpha);
      return putAd(scene).setAlpha(alpha);
    },
  };
}

/** A bitmap text whose callback throws each letter down by 40 pixels, out of the text's own box. */
function thrown(scene: Phaser.Scene): Phaser.GameObjects.DynamicBitmapText {
  return scene.add.dynamicBitmapText(165, 100, 'retro', 'ABC', 24).setDisplayCallback((data) => {
    data.y += 40;
    return data;
  });
}

/** Covers that let light through. */
export const translucentTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'translucent strokes',
    variants: [
      ...[0.36, 0.6].flatMap((alpha) => [
        ...[1.5, 3, 10].flatMap((width) => [
          stroked('an empty rectangle', alpha, width, (s) => s.add.rectangle(200, 150, 70, 34)),
          stroked('a half filled rectangle', alpha, width, (s) => s.add.rectangle(200, 150, 50, 24, GREY, 0.36)),
          stroked('a filled rectangle', alpha, width, (s) => s.add.rectangle(200, 150, 50, 24, GREY).setAngle(23)),
        ]),
        stroked('a circle', alpha, 8, (s) => s.add.circle(200, 150, 16, GREY, 0.3)),
        stroked('a star', alpha, 5, (s) => s.add.star(200, 150, 5, 8, 18, GREY, 0.3)),
        stroked('a polygon', alpha, 6, (s) => s.add.polygon(200, 150, [0, 0, 40, 5, 50, 30, 20, 18, 0, 30], GREY, 0.3)),
      ]),
      stroked('an ellipse', 0.6, 4, (s) => s.add.ellipse(200, 150, 60, 26, GREY, 0.3)),
      stroked('an arc', 0.6, 4, (s) => s.add.arc(200, 150, 16, 0, 250, false, GREY, 0.3)),
      stroked('a triangle', 0.6, 3, (s) => s.add.triangle(200, 150, 0, 30, 25, 0, 50, 30, GREY, 0.3)),
      stroked('a line', 0.6, 10, (s) => s.add.line(200, 150, 0, 0, 60, 20)),
      over('a graphics with a translucent stroked rectangle', undefined, (s) =>
        s.add.graphics().lineStyle(8, GREY, 0.6).strokeRect(175, 138, 50, 24),
      ),
      over('a graphics with a translucent path', undefined, (s) =>
        s.add
          .graphics()
          .lineStyle(8, GREY, 0.4)
          .strokePoints(
            [
              { x: 170, y: 140 },
              { x: 190, y: 160 },
              { x: 200, y: 140 },
              { x: 230, y: 160 },
            ],
            false,
          ),
      ),
    ],
  },
  {
    number: 0,
    title: 'cropped bitmap text',
    variants: [
      cropped('upright', (t) => t.setSize(40, 22)),
      cropped('scrolled', (t) => t.setSize(60, 40).setScrollX(5).setScrollY(6)),
      cropped('with an origin', (t) => t.setOrigin(0.5).setPosition(190, 145).setSize(33.3, 27.7)),
      cropped('scaled', (t) => t.setSize(40, 22).setScale(1.3, 1.2)),
      cropped('turned', (t) => t.setSize(60, 40).setAngle(20)),
      cropped('at half pixels', (t) => t.setSize(40.5, 22.5).setPosition(160.5, 130.5)),
      cropped('in width only', (t) => t.setSize(40, 0)),
      cropped('in height only', (t) => t.setSize(0, 22)),
      cropped('in a turned container', (t, s) => {
        t.setSize(50, 40).setPosition(-20, -18);
        s.add.container(200, 150, [t.setName('cover')]).setAngle(-15);
      }),
      cropped('with a zoomed camera', (t, s) => {
        t.setSize(50, 40);
        s.cameras.main.setZoom(1.25);
      }),
      cropped('aligned to the right', (t) => t.setText('ABC 123\nCAB').setRightAlign().setSize(60, 60)),
      cropped('faint', (t) => t.setSize(60, 60).setAlpha(0.7)),
    ],
  },
  {
    number: 0,
    title: 'bitmap text whose letters a callback moves',
    variants: [
      over('onto the ad', undefined, thrown, { renderers: ['canvas'], mayBeUnmeasurable: true }),
      asked(over('far away', 100, (scene) => thrown(scene).setPosition(40, 40))),
    ],
  },
  {
    number: 0,
    title: 'pictures between pixels',
    variants: [0, 0.33, 0.5].flatMap((away) => [
      over(`a fence, ${away} px off`, undefined, (s) => s.add.image(200 + away, 150 + away, 'fence')),
      over(`an enlarged fence, ${away} px off`, undefined, (s) =>
        s.add.image(200 + away, 150 + away, 'fence').setScale(1.5),
      ),
      over(`bitmap text, ${away} px off`, undefined, (s) =>
        s.add.bitmapText(152 + away, 130 + away, 'retro', 'ABC 123\nCAB 321', 16),
      ),
    ]),
  },
  {
    number: 0,
    title: 'a translucent path of several lines',
    variants: [
      // A canvas paints a path once, WebGL one segment after another.
      path('that cross', { webgl: 93.75, canvas: 100 }, [0, 150, 400, 150], [180, 0, 180, 300], [220, 0, 220, 300]),
      path('that lie side by side', 100, [0, 150, 400, 150], [0, 140, 190, 140], [210, 140, 400, 140]),
      path('that touch', 100, [0, 150, 190, 150], [190, 150, 400, 150]),
    ],
  },
  {
    number: 0,
    title: 'an ad of about half opacity',
    variants: [faint('just below it is hidden', 0.819, 0.609, 0), faint('just above it is seen', 0.684, 0.731, 100)],
  },
];
