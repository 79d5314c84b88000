import type { Stage } from '../Stage.js';
import { drawPentagram, flat, GREY, over, picture, putAd, type Trap, type Variant } from './Trap.js';

type Scene = Phaser.Scene;
type Masked = Phaser.GameObjects.GameObject & { setMask(mask: Phaser.Display.Masks.GeometryMask): unknown };

/** A geometry mask of what `draw` draws. */
function maskOf(
  scene: Scene,
  draw: (graphics: Phaser.GameObjects.Graphics) => void,
): Phaser.Display.Masks.GeometryMask {
  const graphics = scene.make.graphics({}, false).fillStyle(0xffffff);
  draw(graphics);
  return new Phaser.Display.Masks.GeometryMask(scene, graphics);
}

function masked<T extends Masked>(scene: Scene, object: T, draw: (graphics: Phaser.GameObjects.Graphics) => void): T {
  object.setMask(maskOf(scene, draw));
  return object;
}

/** A rounded mask of which some ends of lines and arcs are a few 1e-14 pixels apart, in all directions. */
function turnedPanel(scene: Scene): Phaser.Display.Masks.GeometryMask {
  return maskOf(scene, (g) => g.fillRoundedRect(0, 0, 200, 120, 30).setPosition(128, 60).setAngle(20));
}

/** A rectangle around the ad, of computed points: the last is the first but for 0.00005 pixels. */
function drawNearlyClosed(graphics: Phaser.GameObjects.Graphics): void {
  graphics.beginPath().moveTo(100, 50).lineTo(300, 50).lineTo(300, 250).lineTo(100, 250);
  graphics.lineTo(100, 49.99995).closePath().fillPath();
}

/** A dark picture that covers a part of the ad. */
function grey(scene: Scene, stage: Stage): Phaser.GameObjects.Image {
  return scene.add
    .image(200, 150, flat(stage, 'grey', '#555555'))
    .setScale(3)
    .setName('picture');
}

/** A bitmap mask that leaves the right half of it. */
function pictureMask(scene: Scene, stage: Stage): Phaser.Display.Masks.BitmapMask {
  const image = scene.make.image({ x: 225, y: 150, key: flat(stage, 'whole', '#ffffff') }, false).setScale(3);
  return new Phaser.Display.Masks.BitmapMask(scene, image);
}

/** A picture so large that reading it waits for time to spare, of which only the right half is painted. */
function largeMask(scene: Scene, stage: Stage, key: string, left: number): Phaser.Display.Masks.BitmapMask {
  picture(stage, key, 1024, 1024, (c) => {
    c.fillStyle = '#ffffff';
    c.fillRect(512, 0, 512, 1024);
  });
  const image = scene.make.image({ x: left, y: 150, key }, false).setOrigin(0, 0.5).setDisplaySize(80, 80);
  return new Phaser.Display.Masks.BitmapMask(scene, image);
}

function behindOneMask(name: string, change: (cover: Phaser.GameObjects.Image, scene: Scene) => unknown): Variant {
  return {
    name,
    renderers: ['webgl'],
    build: (stage) => {
      const scene = stage.scene(0);
      const mask = pictureMask(scene, stage);
      const ad = putAd(scene).setMask(mask);
      change(grey(scene, stage).setX(215).setMask(mask), scene);
      return ad;
    },
  };
}

/** A picture that lets 40 % of what it masks through everywhere. */
function faintMask(scene: Scene, stage: Stage): Phaser.Display.Masks.BitmapMask {
  const key = picture(stage, 'faint', 16, 16, (c) => {
    c.fillStyle = 'rgba(255, 255, 255, 0.4)';
    c.fillRect(0, 0, 16, 16);
  });
  return new Phaser.Display.Masks.BitmapMask(scene, scene.make.image({ x: 200, y: 150, key }, false).setScale(12));
}

/** A picture that lets 70 % of what it masks through everywhere. */
function softMask(scene: Scene, stage: Stage): Phaser.Display.Masks.BitmapMask {
  const key = flat(stage, 'gauze', 'rgba(255, 255, 255, 0.7)');
  return new Phaser.Display.Masks.BitmapMask(scene, scene.make.image({ x: 200, y: 150, key }, false).setScale(12));
}

/** One large particle over the ad, of which a bitmap mask leaves the right half. */
function maskedSparks(scene: Scene, stage: Stage): Phaser.GameObjects.Particles.ParticleEmitter {
  const sparks = scene.add.particles(200, 150, flat(stage, 'grey', '#555555'), { speed: 0, emitting: false, scale: 3 });
  sparks.explode(1, 0, 0);
  return sparks.setMask(pictureMask(scene, stage)).setName('sparks');
}

/** Far from the ad: what it masks is not seen there. */
const elsewhere = (graphics: Phaser.GameObjects.Graphics): unknown => graphics.fillRect(0, 0, 40, 40);

/** Two lines of letters of which the upper is left over the ad, one and a half of them. */
function cropped(scene: Phaser.Scene): Phaser.GameObjects.DynamicBitmapText {
  return scene.add.dynamicBitmapText(160, 130, 'retro', 'ABC\n123', 24).setSize(40, 22);
}

/** Masks as the renderers really apply them, beyond the well-known half-covered ad. */
export const maskTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'bitmap masks whose pictures are drawn elsewhere, too:',
    variants: [
      over(
        'a container in a container, which the mask draws without that',
        0,
        (scene) => {
          const source = scene.add.container(200, 150, [scene.add.image(0, 0, 'block').setScale(3)]);
          scene.add.container(0, -400, [source]);
          return scene.add
            .rectangle(200, 150, 90, 50, GREY)
            .setMask(new Phaser.Display.Masks.BitmapMask(scene, source));
        },
        { renderers: ['webgl'], namesUnjudged: true },
      ),
    ],
  },
  {
    number: 0,
    title: 'bitmap masks whose pictures are large',
    variants: [
      over(
        'over a cover',
        70,
        (scene, stage) => grey(scene, stage).setMask(largeMask(scene, stage, 'large mask of a cover', 160)),
        { renderers: ['webgl'] },
      ),
      {
        name: 'over the ad',
        renderers: ['webgl'],
        share: 50,
        build: (stage) => putAd(stage.scene(0)).setMask(largeMask(stage.scene(0), stage, 'large mask of an ad', 160)),
      },
      {
        name: 'over the camera',
        renderers: ['webgl'],
        share: 50,
        build: (stage) => {
          const scene = stage.scene(0);
          scene.cameras.main.setMask(largeMask(scene, stage, 'large mask of a camera', 160));
          return putAd(scene);
        },
      },
    ],
  },
  {
    number: 0,
    title: 'a masked camera above the one that shows the ad',
    // When its batch is drawn Phaser has already forgotten the mask.
    variants: [
      {
        name: 'another camera',
        share: 100,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          const cover = grey(scene, stage);
          scene.cameras.main.ignore(cover);
          scene.cameras.add().setMask(maskOf(scene, elsewhere)).ignore(ad);
          return ad;
        },
      },
      {
        name: 'of another scene',
        share: 100,
        build: (stage) => {
          const above = stage.scene(1);
          grey(above, stage);
          above.cameras.main.setMask(maskOf(above, elsewhere));
          return putAd(stage.scene(0));
        },
      },
      {
        name: 'of another scene, by a picture',
        renderers: ['webgl'],
        build: (stage) => {
          const above = stage.scene(1);
          grey(above, stage);
          above.cameras.main.setMask(pictureMask(above, stage));
          return putAd(stage.scene(0));
        },
      },
      {
        name: 'whose background covers the ad, and not the shape of its mask',
        share: 62.5,
        build: (stage) => {
          const above = stage.scene(1);
          const mask = maskOf(above, (graphics) => graphics.fillRect(0, 0, 190, 300));
          above.cameras.main.setBackgroundColor(0x444444).setMask(mask);
          return putAd(stage.scene(0));
        },
      },
      {
        name: 'whose mask is faint and whose background is opaque',
        share: { webgl: 62.5, canvas: 100 },
        build: (stage) => {
          const above = stage.scene(1);
          const mask = maskOf(above, (graphics) => graphics.fillRect(0, 0, 190, 300));
          mask.geometryMask.setAlpha(0.2);
          above.cameras.main.setBackgroundColor(0x444444).setMask(mask);
          return putAd(stage.scene(0));
        },
      },
    ],
  },
  {
    number: 0,
    title: 'effects within masks',
    // After some effects Phaser leaves the stencil test off.
    variants: [
      over(
        'a grey picture in a masked container',
        40,
        (scene, stage) => {
          const picture = grey(scene, stage);
          picture.postFX.addColorMatrix().grayscale();
          masked(scene, scene.add.container(0, 0, [picture]), elsewhere);
          return undefined;
        },
        { renderers: ['webgl'], ownGame: true },
      ),
      over(
        'a picture in a masked container, another mask after it',
        70,
        (scene, stage) => {
          const first = grey(scene, stage).setScale(1.5, 3).setX(188);
          first.postFX.addColorMatrix().grayscale();
          masked(scene, scene.add.container(0, 0, [first]), elsewhere);
          return masked(scene, grey(scene, stage), elsewhere);
        },
        { renderers: ['webgl'], ownGame: true },
      ),
      over(
        'a shaded picture in a masked container',
        100,
        (scene, stage) => {
          const picture = grey(scene, stage);
          picture.postFX.addVignette(0.5, 0.5, 0.9, 0.1);
          masked(scene, scene.add.container(0, 0, [picture]), elsewhere);
          return undefined;
        },
        { renderers: ['webgl'], ownGame: true },
      ),
      over(
        'a picture that multiplies',
        100,
        (scene, stage) => {
          const picture = grey(scene, stage).setBlendMode('MULTIPLY');
          picture.postFX.addColorMatrix().grayscale();
          return picture;
        },
        { renderers: ['webgl'], ownGame: true },
      ),
    ],
  },
  {
    number: 0,
    title: 'bitmap masks whose parts lie over each other:',
    variants: [
      over(
        'two of 0.4 let through enough to hide the ad, where one does not',
        50,
        (s) => {
          const mask = s.make.graphics({}, false).fillStyle(0xffffff, 0.4);
          mask.fillRect(160, 130, 60, 40).fillRect(180, 130, 60, 40);
          return s.add.rectangle(200, 150, 80, 40, GREY).setMask(mask.createBitmapMask(mask));
        },
        { renderers: ['webgl'] },
      ),
    ],
  },
  {
    number: 0,
    title: 'bitmap masks within other masks',
    // Phaser mixes them up, and draws once more what it masked before.
    variants: [
      {
        name: 'below the ad, in a masked camera',
        renderers: ['webgl'],
        mayBeUnmeasurable: true,
        ownGame: true,
        build: (stage) => {
          const scene = stage.scene(0);
          grey(scene, stage).setMask(pictureMask(scene, stage));
          scene.cameras.main.setMask(maskOf(scene, (graphics) => graphics.fillRect(0, 0, 400, 300)));
          return putAd(scene);
        },
      },
      over(
        'in a masked container',
        undefined,
        (scene, stage) => {
          const list = scene.add.container(0, 0, [grey(scene, stage).setMask(pictureMask(scene, stage))]);
          list.setMask(largeMask(scene, stage, 'mask around a mask', 160));
          return undefined;
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true, ownGame: true },
      ),
      over(
        'in a masked container in a container',
        80,
        (scene, stage) => {
          const list = scene.add.container(0, 0, [grey(scene, stage).setMask(pictureMask(scene, stage))]);
          scene.add.container(0, 0, [masked(scene, list, (graphics) => graphics.fillRect(0, 0, 217, 300))]);
          return undefined;
        },
        { renderers: ['webgl'], ownGame: true },
      ),
    ],
  },
  {
    number: 0,
    title: 'beyond the list: masks on children',
    variants: [
      over('Canvas ignores the mask of particles in a container', { webgl: 100, canvas: 0 }, (scene, stage) => {
        const emitter = scene.add.particles(0, 0, flat(stage, 'grey', '#555555'), {
          speed: 0,
          emitting: false,
          scale: 8,
        });
        emitter.explode(1, 0, 0);
        scene.add.container(200, 150, [masked(scene, emitter, elsewhere).setName('sparks')]);
        return undefined;
      }),
      over('Canvas ignores the mask of a blitter in a layer', { webgl: 100, canvas: 0 }, (scene, stage) => {
        const blitter = scene.add.blitter(150, 120, flat(stage, 'grey', '#555555')).setName('bobs');
        for (let x = 0; x < 112; x += 16) for (let y = 0; y < 64; y += 16) blitter.create(x, y);
        scene.add.layer([masked(scene, blitter, elsewhere)]);
        return undefined;
      }),
      over('a mask on an image in a container cuts it', 100, (scene, stage) => {
        const image = scene.add
          .image(0, 0, flat(stage, 'grey', '#555555'))
          .setScale(10)
          .setName('picture');
        scene.add.container(200, 150, [masked(scene, image, elsewhere)]);
        return undefined;
      }),
    ],
  },
  {
    number: 0,
    title: 'beyond the list: an ad and a picture behind one bitmap mask',
    // Phaser draws neighbours with the same mask together, and masks the result.
    variants: ['ADD', 'SCREEN', 'MULTIPLY', 'ERASE'].flatMap((mode) => [
      behindOneMask(`with ${mode}`, (cover) => cover.setBlendMode(mode)),
      behindOneMask(`with ${mode}, another picture far away between them`, (cover, scene) => {
        // The oracle hides pictures to see what each takes; a container stays.
        scene.add.container(0, 0, [scene.add.image(30, 30, 'block').setName('far')]);
        cover.setBlendMode(mode).setDepth(1);
      }),
      behindOneMask(`with ${mode}, a far picture behind it too`, (cover, scene) => {
        scene.add.image(30, 30, 'block').setName('far').setMask(cover.mask);
        cover.setBlendMode(mode).setDepth(1);
      }),
      behindOneMask(`with ${mode}, a hidden picture between them`, (cover, scene) => {
        scene.add.image(30, 30, 'block').setName('hidden').setVisible(false);
        cover.setBlendMode(mode).setDepth(1);
      }),
    ]),
  },
  {
    number: 0,
    title: 'beyond the list: an ad and a faint picture behind one soft bitmap mask',
    // The picture hides the ad first, and of what is left the mask takes its share.
    variants: [
      {
        name: 'block together, side by side',
        renderers: ['webgl'],
        share: 40,
        build: (stage) => {
          const scene = stage.scene(0);
          const mask = softMask(scene, stage);
          const ad = putAd(scene).setMask(mask);
          grey(scene, stage).setAlpha(0.3).setMask(mask);
          return ad;
        },
      },
      {
        name: 'block together, in a container',
        renderers: ['webgl'],
        share: 40,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          scene.add.container(0, 0, [ad, grey(scene, stage).setAlpha(0.3)]).setMask(softMask(scene, stage));
          return ad;
        },
      },
      {
        name: 'do not block, something else between them',
        renderers: ['webgl'],
        share: 100,
        build: (stage) => {
          const scene = stage.scene(0);
          const mask = softMask(scene, stage);
          const ad = putAd(scene).setMask(mask);
          // The oracle hides pictures to see what each takes; a container stays.
          scene.add.container(0, 0, [scene.add.image(30, 30, 'block').setName('far')]);
          grey(scene, stage).setAlpha(0.3).setMask(mask);
          return ad;
        },
      },
    ],
  },
  {
    number: 0,
    // After a bitmap mask within a masked container Phaser 3 goes on masking, into the frames that follow.
    title: 'beyond the list: what Phaser masks with a mask that it has lost sight of',
    variants: [true, false].map((isThere) => ({
      name: isThere ? 'while the masked container is there' : 'once the masked container is gone',
      renderers: ['webgl'],
      ownGame: true,
      namesUnjudged: true,
      mayBeUnmeasurable: true,
      build: (stage) => {
        const scene = stage.scene(0);
        const ad = putAd(scene);
        const far = grey(scene, stage).setPosition(40, 40).setMask(pictureMask(scene, stage));
        const panel = scene.add.container(0, 0, [far]).setMask(maskOf(scene, (g) => g.fillRect(0, 0, 80, 80)));
        stage.step();
        if (!isThere) panel.destroy();
        return ad;
      },
    })),
  },
  {
    number: 0,
    title: 'beyond the list: pictures over each other behind one faint bitmap mask',
    // They hide each other, and only then the mask lets some of them through.
    variants: [
      over(
        'two in a container do not block',
        100,
        (scene, stage) => {
          scene.add
            .container(0, 0, [grey(scene, stage).setName('one'), grey(scene, stage).setName('two')])
            .setMask(faintMask(scene, stage));
          return undefined;
        },
        { renderers: ['webgl'] },
      ),
      over(
        'two in a layer do not block',
        100,
        (scene, stage) => {
          const pictures = [grey(scene, stage).setName('one'), grey(scene, stage).setName('two')];
          scene.add.layer(pictures).setMask(faintMask(scene, stage));
          return undefined;
        },
        { renderers: ['webgl'] },
      ),
      over(
        'a Graphics that fills the same place twice does not block',
        100,
        (scene, stage) =>
          scene.add
            .graphics()
            .fillStyle(GREY)
            .fillRect(150, 100, 100, 100)
            .fillRect(150, 100, 100, 100)
            .setMask(faintMask(scene, stage)),
        { renderers: ['webgl'] },
      ),
      over(
        'two neighbours that share it do not block',
        100,
        (scene, stage) => {
          const mask = faintMask(scene, stage);
          for (const name of ['one', 'two']) grey(scene, stage).setMask(mask).setName(name);
          return undefined;
        },
        { renderers: ['webgl'] },
      ),
      over(
        'two that share it block, something else between them',
        40,
        (scene, stage) => {
          const mask = faintMask(scene, stage);
          grey(scene, stage).setMask(mask).setName('one');
          // The oracle hides pictures to see what each takes; a container stays.
          scene.add.container(0, 0, [scene.add.image(30, 30, 'block').setName('far')]);
          grey(scene, stage).setMask(mask).setName('two');
          return undefined;
        },
        { renderers: ['webgl'] },
      ),
      over(
        'two in a container block together with what lies above them',
        40,
        (scene, stage) => {
          scene.add
            .container(0, 0, [grey(scene, stage).setName('one'), grey(scene, stage).setName('two')])
            .setMask(faintMask(scene, stage));
          return scene.add.rectangle(200, 150, 400, 300, GREY, 0.3);
        },
        { renderers: ['webgl'] },
      ),
    ],
  },
  {
    number: 0,
    title: 'beyond the list: particles behind a bitmap mask',
    // In containers and layers Phaser draws what is masked twice: for the list they are in, and for themselves.
    variants: [0.4, 0.2].flatMap((alpha) => [
      over(`of alpha ${alpha}`, 100, (scene, stage) => maskedSparks(scene, stage).setAlpha(alpha), {
        renderers: ['webgl'],
      }),
      over(
        `in a container of alpha ${alpha}`,
        alpha < 0.3 ? 100 : undefined,
        (scene, stage) => {
          scene.add.container(0, 0, [maskedSparks(scene, stage)]).setAlpha(alpha);
          return undefined;
        },
        { renderers: ['webgl'] },
      ),
      over(
        `in a layer of alpha ${alpha}`,
        alpha < 0.3 ? 100 : undefined,
        (scene, stage) => {
          scene.add.layer([maskedSparks(scene, stage)]).setAlpha(alpha);
          return undefined;
        },
        { renderers: ['webgl'] },
      ),
    ]),
  },
  {
    number: 0,
    title: 'beyond the list: blend modes behind a bitmap mask',
    // What is masked is drawn apart, onto nothing, and comes to the picture as NORMAL.
    variants: ['ADD', 'SCREEN', 'MULTIPLY', 'ERASE'].flatMap((mode) => [
      over(
        `a picture with ${mode}`,
        undefined,
        (scene, stage) => grey(scene, stage).setBlendMode(mode).setMask(pictureMask(scene, stage)),
        { renderers: ['webgl'] },
      ),
      over(
        `a picture with ${mode} in a masked container`,
        undefined,
        (scene, stage) => {
          const picture = grey(scene, stage).setBlendMode(mode);
          scene.add.container(0, 0, [picture]).setMask(pictureMask(scene, stage));
          return picture;
        },
        { renderers: ['webgl'] },
      ),
    ]),
  },
  {
    number: 0,
    title: 'beyond the list: what is erased behind a bitmap mask',
    // Of what is drawn apart before it, not of the picture.
    variants: [
      over(
        'a picture that shares it does not block',
        100,
        (scene, stage) => {
          const mask = pictureMask(scene, stage);
          grey(scene, stage).setMask(mask);
          grey(scene, stage).setBlendMode('ERASE').setMask(mask).setName('eraser');
          return undefined;
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true },
      ),
      over(
        'a picture in a container does not block',
        100,
        (scene, stage) => {
          const pictures = [grey(scene, stage), grey(scene, stage).setBlendMode('ERASE').setName('eraser')];
          scene.add.container(0, 0, pictures).setMask(pictureMask(scene, stage));
          return undefined;
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true },
      ),
      over(
        'is measured where the eraser lies elsewhere',
        undefined,
        (scene, stage) => {
          const eraser = grey(scene, stage).setBlendMode('ERASE').setPosition(40, 40).setName('eraser');
          scene.add.container(0, 0, [grey(scene, stage), eraser]).setMask(pictureMask(scene, stage));
          return undefined;
        },
        { renderers: ['webgl'] },
      ),
      over(
        'is not what the mask shows, if it is an eraser itself',
        undefined,
        (scene, stage) => {
          const eraser = grey(scene, stage).setBlendMode('ERASE');
          scene.children.remove(eraser);
          const mask = new Phaser.Display.Masks.BitmapMask(scene, eraser);
          mask.invertAlpha = true;
          return grey(scene, stage).setMask(mask);
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true, ownGame: true },
      ),
    ],
  },
  {
    number: 0,
    title: 'rounded masks whose arcs begin where lines end, but for rounding',
    variants: [
      over('let a cover through as far as they reach', 0, (s) =>
        s.add.rectangle(200, 150, 300, 250, GREY).setMask(turnedPanel(s)),
      ),
      {
        name: 'show an ad that lies within',
        share: 100,
        build: (stage) => putAd(stage.scene(0)).setMask(turnedPanel(stage.scene(0))),
      },
    ],
  },
  {
    number: 0,
    title: 'masks of paths that end nearly where they began',
    variants: [
      over('let a cover through as far as they reach', 0, (s) =>
        s.add.rectangle(200, 150, 300, 250, GREY).setMask(maskOf(s, drawNearlyClosed)),
      ),
      {
        name: 'show an ad that lies within',
        share: 100,
        build: (stage) => putAd(stage.scene(0)).setMask(maskOf(stage.scene(0), drawNearlyClosed)),
      },
    ],
  },
  {
    number: 0,
    title: 'beyond the list: masks on Canvas',
    variants: [
      over('a mask that is a star of one line', undefined, (s) =>
        s.add.rectangle(200, 150, 300, 250, GREY).setMask(maskOf(s, (g) => drawPentagram(g.setPosition(200, 150), 40))),
      ),
      over('a masked image gets the alpha of its mask', { webgl: 100, canvas: 0 }, (scene, stage) =>
        masked(
          scene,
          scene.add
            .image(200, 150, flat(stage, 'grey', '#555555'))
            .setScale(10)
            .setAlpha(0.2),
          (graphics) => graphics.fillRect(0, 0, 400, 300),
        ),
      ),
      over('a masked shape keeps its own alpha', 100, (scene) =>
        masked(scene, scene.add.rectangle(200, 150, 160, 160, 0x555555).setAlpha(0.2), (graphics) =>
          graphics.fillRect(0, 0, 400, 300),
        ),
      ),
      over('only the last path of a mask clips', { webgl: 0, canvas: 100 }, (scene, stage) =>
        masked(scene, scene.add.image(200, 150, flat(stage, 'grey', '#555555')).setScale(10), (graphics) =>
          graphics.fillCircle(200, 150, 80).fillCircle(20, 20, 15),
        ),
      ),
      over('rectangles of a mask clip together', 50, (scene, stage) =>
        masked(scene, scene.add.image(200, 150, flat(stage, 'grey', '#555555')).setScale(10), (graphics) =>
          graphics.fillRect(160, 100, 20, 100).fillRect(220, 100, 20, 100),
        ),
      ),
      over('a mask drawn on a turned canvas that was put back', 75, (scene, stage) =>
        masked(scene, scene.add.image(200, 150, flat(stage, 'grey', '#555555')).setScale(10), (graphics) =>
          graphics
            .save()
            .translateCanvas(170, 150)
            .rotateCanvas(Math.PI / 2)
            .fillRect(-50, -10, 100, 20)
            .restore(),
        ),
      ),
      over(
        'a mask of alpha 0 clips by nobody knows which path',
        undefined,
        (scene, stage) =>
          masked(scene, scene.add.image(200, 150, flat(stage, 'grey', '#555555')).setScale(10), (graphics) =>
            elsewhere(graphics.setAlpha(0)),
          ),
        { renderers: ['canvas'], mayBeUnmeasurable: true },
      ),
      {
        name: 'an ad masked by a shape that is no Graphics',
        renderers: ['canvas'],
        mayBeUnmeasurable: true,
        build: (stage) => {
          const scene = stage.scene(0);
          const rectangle = new Phaser.GameObjects.Rectangle(scene, 200, 150, 60, 60, 0x555555);
          return putAd(scene).setMask(
            new Phaser.Display.Masks.GeometryMask(scene, rectangle as unknown as Phaser.GameObjects.Graphics),
          );
        },
      },
      {
        name: 'an ad of little alpha stays hidden whatever its mask',
        share: 0,
        build: (stage) => {
          const scene = stage.scene(0);
          return masked(scene, putAd(scene).setAlpha(0.3), (graphics) => graphics.fillRect(0, 0, 400, 300));
        },
      },
      ...[0.4, 0.7].map((alpha) => ({
        name: `an ad is drawn with the alpha ${alpha} of its mask`,
        share: { webgl: 25, canvas: alpha < 0.5 ? 0 : 25 },
        build: (stage: Stage) => {
          const scene = stage.scene(0);
          return masked(scene, putAd(scene), (graphics) => graphics.setAlpha(alpha).fillRect(180, 140, 40, 20));
        },
      })),
    ],
  },
  {
    number: 0,
    title: 'beyond the list: gradients of a Graphics',
    variants: [
      over('black in a gradient is a command on Canvas', undefined, (scene) =>
        scene.add
          .graphics()
          .fillStyle(0x333333)
          .fillGradientStyle(0x445566, 0, 0, 0x112233, 1, 1, 1, 1)
          .fillRect(150, 100, 60, 100)
          .fillRect(150, 100, 30, 100),
      ),
      {
        name: 'alone, fills on Canvas with the background of the camera',
        // Since 3.90 a Graphics is clear on Canvas until it is given a style.
        share: { webgl: 25 },
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          scene.cameras.main.setBackgroundColor('rgba(32,48,64,0.7)');
          const graphics = scene.add.graphics().setName('sky');
          graphics.fillGradientStyle(0x404040, 0x606060, 0x808080, 0x202020).fillRect(170, 100, 60, 100);
          return ad;
        },
      },
      {
        name: 'alone, fills on Canvas with the background of the game',
        share: { webgl: 25 },
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          const graphics = scene.add.graphics().setName('sky');
          graphics.save().fillStyle(0x112233, 0.3).restore();
          graphics.fillGradientStyle(0x404040, 0x606060, 0x808080, 0x202020).fillRect(170, 100, 60, 100);
          return ad;
        },
      },
      over('a gradient from clear to solid covers where it is solid', { webgl: 50 }, (scene) =>
        scene.add
          .graphics()
          .fillGradientStyle(1118481, 1118481, 1118481, 1118481, 0, 1, 0, 1)
          .fillRect(160, 100, 80, 100),
      ),
    ],
  },
  {
    number: 0,
    title: 'a cropped bitmap text',
    variants: [
      over('is drawn as far as its crop goes', undefined, cropped),
      over('is drawn whole after a bitmap mask, by which WebGL stops cutting', undefined, (scene) => {
        const mask = scene.make.image({ x: 40, y: 40, key: 'disc' }, false).createBitmapMask();
        scene.add.image(40, 40, 'brick').setMask(mask);
        return cropped(scene);
      }),
      over('is drawn as far as its crop goes before one', undefined, (scene) => {
        const text = cropped(scene);
        const mask = scene.make.image({ x: 40, y: 40, key: 'disc' }, false).createBitmapMask();
        scene.add.image(40, 40, 'brick').setMask(mask);
        return text;
      }),
    ],
  },
  {
    number: 0,
    title: 'two effects behind a geometry mask, of which Phaser 3 shows nothing:',
    variants: [
      {
        name: 'around the ad',
        renderers: ['webgl'],
        share: 0,
        mayBeUnmeasurable: true,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          const inner = scene.add.container(0, 0, [ad]);
          for (let i = 0; i < 2; i++) inner.postFX.addVignette(0.5, 0.5, 0.8, 0.2);
          masked(scene, scene.add.container(0, 0, [inner]), (g) => g.fillRect(100, 100, 200, 100));
          return ad;
        },
      },
    ],
  },
];
