import type { Drawable } from '../displayTree.js';
import type { Stage } from '../Stage.js';
import { drawPentagram, flat, GREY, over, picture, putAd, type Trap, type Variant } from './Trap.js';

const ADD = 1;
const MULTIPLY = 2;

type Scene = Phaser.Scene;

function tiles(scene: Scene, fill: (layer: Phaser.Tilemaps.TilemapLayer) => void): Phaser.Tilemaps.TilemapLayer {
  const map = scene.make.tilemap({ tileWidth: 32, tileHeight: 32, width: 12, height: 9 });
  const tileset = map.addTilesetImage('big tile', 'big tile', 32, 32, 0, 0)!;
  const layer = map.createBlankLayer('layer', tileset)!;
  fill(layer);
  return layer;
}

function bigTile(stage: Stage): void {
  picture(stage, 'big tile', 32, 32, (c) => {
    c.fillStyle = '#967850';
    c.fillRect(0, 0, 32, 32);
  });
}

function oneParticle(scene: Scene, stage: Stage, x: number, y: number): Phaser.GameObjects.Particles.ParticleEmitter {
  const key = picture(stage, 'square', 60, 60, (c) => {
    c.fillStyle = '#aaaaaa';
    c.fillRect(0, 0, 60, 60);
  });
  const emitter = scene.add.particles(x, y, key, { speed: 0, lifespan: 1e6, emitting: false });
  emitter.explode(1, 0, 0);
  return emitter;
}

/** A shader of one colour; its vertices may be moved. */
function flatShader(move = ''): Phaser.Display.BaseShader {
  const fragment = 'precision mediump float; void main () { gl_FragColor = vec4(0.4, 0.5, 0.6, 1.0); }';
  const vertex = `precision mediump float; uniform mat4 uProjectionMatrix; uniform mat4 uViewMatrix; attribute vec2 inPosition;
    void main () { gl_Position = uProjectionMatrix * uViewMatrix * vec4(inPosition ${move}, 1.0, 1.0); }`;
  return new Phaser.Display.BaseShader(`flat${move}`, fragment, move === '' ? undefined : vertex);
}

/** An atlas some of whose frames the packer turned: WebGL shows the texels of a lying cut, mirrored, Canvas those of an upright one. */
function turned(stage: Stage): string {
  const key = picture(stage, 'unpacked', 128, 64, (c) => {
    c.fillStyle = '#777777';
    c.fillRect(64, 32, 10, 24);
    c.fillRect(78, 44, 14, 6);
    c.fillRect(70, 56, 12, 5);
  });
  const { textures } = stage.game;
  if (textures.exists('turned')) return 'turned';
  const sizes = { trimmed: true, sourceSize: { w: 40, h: 50 }, spriteSourceSize: { x: 12, y: 4, w: 24, h: 32 } };
  textures.addAtlasJSONHash('turned', textures.get(key).getSourceImage() as HTMLImageElement, {
    frames: {
      whole: { frame: { x: 64, y: 32, w: 24, h: 32 }, rotated: true },
      trimmed: { frame: { x: 64, y: 32, w: 24, h: 32 }, rotated: true, ...sizes },
      square: { frame: { x: 64, y: 32, w: 24, h: 24 }, rotated: true },
    },
  });
  return 'turned';
}

/** A texture of 4 × 4 texels, the left half solid, whose numbers the game goes on using. */
function numbers(
  name: string,
  share: number | undefined,
  change: (data: Uint8Array, cover: Phaser.GameObjects.Image) => unknown,
): Variant {
  return over(
    name,
    share,
    (scene) => {
      const { textures } = scene;
      const data = Uint8Array.from({ length: 64 }, (_, i) => (i % 4 < 3 ? 90 : i % 16 < 8 ? 255 : 0));
      // Phaser 3.60 has no such textures.
      if ('addUint8Array' in textures) textures.addUint8Array('numbers', data, 4, 4);
      else {
        const canvas = (textures as Phaser.Textures.TextureManager).createCanvas('numbers', 4, 4)!;
        canvas.putData(new ImageData(Uint8ClampedArray.from(data), 4, 4), 0, 0).refresh();
      }
      const cover = scene.add.image(200, 150, 'numbers');
      change(data, cover);
      return cover;
    },
    { renderers: ['webgl'], ownGame: true },
  );
}

/** What each object really paints. */
export const paintingTraps: readonly Trap[] = [
  {
    number: 7,
    title: 'a Graphics panel, which has no bounds',
    variants: [over('blocks', 0, (scene) => scene.add.graphics().fillStyle(GREY).fillRect(150, 100, 100, 100))],
  },
  {
    number: 9,
    title: 'transparent art over the ad',
    variants: [
      over('a full-screen frame of which only the border is painted does not block', 100, (scene, stage) =>
        scene.add.image(
          200,
          150,
          picture(stage, 'border', 400, 300, (c) => {
            c.strokeStyle = '#dcb428';
            c.lineWidth = 10;
            c.strokeRect(5, 5, 390, 290);
          }),
        ),
      ),
      over('a padded text takes only its glyphs', undefined, (scene) =>
        scene.add
          .text(200, 150, 'i', { fontFamily: 'sans-serif', fontSize: '40px', padding: { x: 60, y: 40 } })
          .setOrigin(0.5),
      ),
      over('the hole of a ring does not block', undefined, (scene) => scene.add.image(200, 150, 'ring')),
    ],
  },
  {
    number: 0,
    title: 'a texture made of numbers',
    variants: [
      numbers('covers where they are solid', 84, (_, cover) => cover.setScale(8)),
      numbers('covers where they are solid, smoothed', undefined, (_, cover) => {
        cover.texture.setFilter(Phaser.Textures.LINEAR);
        cover.setScale(9.3).setAngle(20);
      }),
      numbers('covers in part by a frame of it', 92, (_, cover) => {
        cover.texture.add('part', 0, 1, 0, 2, 4);
        cover.setFrame('part').setScale(8);
      }),
      numbers('covers as it was when it was made', 84, (data, cover) => {
        cover.setScale(8);
        data.fill(0);
      }),
      numbers('adds its light', undefined, (_, cover) => cover.setScale(8).setBlendMode('ADD')),
    ],
  },
  {
    number: 10,
    title: 'a tile layer above',
    variants: [
      over('with only its top row filled does not block', 100, (scene, stage) => {
        bigTile(stage);
        return tiles(scene, (layer) => layer.fill(0, 0, 0, 12, 1));
      }),
      over('takes what its one tile over the ad covers', 70, (scene, stage) => {
        bigTile(stage);
        return tiles(scene, (layer) => layer.putTileAt(0, 6, 4));
      }),
    ],
  },
  {
    number: 11,
    title: 'invisible hit areas',
    variants: [
      over('a rectangle without fill does not block', 100, (scene) =>
        scene.add.rectangle(200, 150, 100, 100).setInteractive(),
      ),
      over('a zone does not block', 100, (scene) => scene.add.zone(200, 150, 100, 100).setInteractive()),
    ],
  },
  {
    number: 14,
    title: 'how opaque a cover is',
    variants: [
      over('alpha 0 does not block', 100, (scene) => scene.add.rectangle(200, 150, 400, 300, GREY).setAlpha(0)),
      over('a 2 % dimmer does not block', 100, (scene) => scene.add.rectangle(200, 150, 400, 300, GREY, 0.02)),
      over('a 60 % dimmer blocks', 0, (scene) => scene.add.rectangle(200, 150, 400, 300, GREY, 0.6)),
      over('fill alpha 0 does not block', 100, (scene) => scene.add.rectangle(200, 150, 400, 300, GREY, 0)),
      over('two dimmers of 30 % together block, and both are named', 0, (scene) => {
        scene.add.rectangle(200, 150, 400, 300, GREY, 0.3).setName('dimmer 1');
        scene.add.rectangle(200, 150, 400, 300, GREY, 0.3).setName('dimmer 2');
      }),
    ],
  },
  {
    number: 19,
    title: 'a mask over half of the ad',
    variants: [
      ...(['plain', 'invisible', 'of alpha 0', 'inverted', 'in a container'] as const).map((how): Variant => ({
        name: `cuts it: geometry mask, ${how}`,
        // Canvas knows no inversion, and clips with a mask of alpha 0 by whatever path was drawn last.
        ...(how === 'inverted' || how === 'of alpha 0' ? { renderers: ['webgl'] as const } : {}),
        share: 50,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          const shape = scene.make.graphics({}, false).fillStyle(0xffffff).fillRect(160, 100, 40, 100);
          if (how === 'invisible') shape.setVisible(false);
          if (how === 'of alpha 0') shape.setAlpha(0);
          if (how === 'in a container') scene.add.container(100, 70, [shape]).setVisible(false);
          const mask = new Phaser.Display.Masks.GeometryMask(scene, shape);
          if (how === 'inverted') mask.setInvertAlpha(true);
          ad.setMask(mask);
          return ad;
        },
      })),
      {
        name: 'cuts it once more in a masked container',
        renderers: ['webgl'],
        share: 25,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          const box = scene.add.container(0, 0, [ad]);
          const left = scene.make.graphics({}, false).fillStyle(0xffffff).fillRect(100, 100, 100, 100);
          const top = scene.make.graphics({}, false).fillStyle(0xffffff).fillRect(100, 100, 200, 50);
          ad.setMask(new Phaser.Display.Masks.GeometryMask(scene, left));
          box.setMask(new Phaser.Display.Masks.GeometryMask(scene, top));
          return ad;
        },
      },
      {
        name: 'cuts it: bitmap mask',
        renderers: ['webgl'],
        share: 50,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          const shape = scene.make
            .image({ x: 160, y: 150, key: flat(stage, 'white', '#ffffff'), add: false })
            .setDisplaySize(80, 100);
          ad.setMask(new Phaser.Display.Masks.BitmapMask(scene, shape));
          return ad;
        },
      },
      over('keeps a masked cover from blocking outside of the mask', 50, (scene) => {
        const shape = scene.make.graphics({}, false).fillStyle(0xffffff).fillRect(100, 50, 100, 200);
        return scene.add
          .image(200, 150, 'brick')
          .setDisplaySize(200, 200)
          .setMask(new Phaser.Display.Masks.GeometryMask(scene, shape));
      }),
    ],
  },
  {
    number: 20,
    title: 'rotation',
    variants: [
      over('a diagonal bar whose box overlaps does not block', 100, (scene) =>
        scene.add.rectangle(290, 80, 200, 10, GREY).setAngle(45),
      ),
      {
        name: 'a diagonal ad is blocked by a bar only where they cross',
        build: (stage) => {
          const ad = putAd(stage.scene(0)).setAngle(30);
          stage.scene(0).add.rectangle(200, 150, 12, 200, GREY).setName('bar').setAngle(-30);
          return ad;
        },
      },
    ],
  },
  {
    number: 21,
    title: 'particles',
    variants: [
      over('one particle takes what it covers', 25, (scene, stage) => oneParticle(scene, stage, 200, 150)),
      over('one particle of an emitter in a container takes what it covers', 25, (scene, stage) => {
        const emitter = oneParticle(scene, stage, 0, 0).setName('emitter');
        scene.add.container(200, 150, [emitter]);
      }),
      over('a scaled emitter scales its particle once', undefined, (scene, stage) =>
        oneParticle(scene, stage, 200, 150).setScale(0.5),
      ),
    ],
  },
  {
    number: 25,
    title: 'trimmed, cropped and flipped frames',
    variants: [
      over('a frame trimmed to a dot does not block beside it', 100, (scene) =>
        scene.add.image(200, 150, 'atlas', 'dot'),
      ),
      over('a cropped cover blocks only where it is drawn', 100, (scene, stage) => {
        const key = picture(stage, 'big', 200, 200, (c) => {
          c.fillStyle = '#777777';
          c.fillRect(0, 0, 200, 200);
        });
        return scene.add.image(200, 150, key).setCrop(0, 0, 200, 20);
      }),
      over('a crop beside the picture of a trimmed frame shows a single texel', 100, (scene) =>
        scene.add.image(320, 100, 'atlas', 'dot').setCrop(0, 60, 39, 280),
      ),
      over('such a texel may be solid', { canvas: 100 }, (scene, stage) => {
        const key = picture(stage, 'odd atlas', 50, 30, (c) => {
          c.fillStyle = '#777777';
          c.fillRect(0, 0, 50, 30);
        });
        const texture = scene.textures.get(key);
        if (!texture.has('far')) texture.add('far', 0, 30, 0, 10, 10)!.setTrim(300, 300, 250, 250, 10, 10);
        return scene.add.image(200, 150, key, 'far').setCrop(60, 60, 180, 180);
      }),
      over('a frame wider than its picture is all painted in WebGL', { webgl: 0, canvas: 80 }, (scene, stage) => {
        const key = picture(stage, 'short', 40, 40, (c) => {
          c.fillStyle = '#777777';
          c.fillRect(0, 0, 40, 40);
        });
        const texture = scene.textures.get(key);
        if (!texture.has('long')) texture.add('long', 0, 0, 0, 160, 40);
        return scene.add.image(200, 150, key, 'long').setScale(0.6, 2);
      }),
      over('a trimmed, scaled, flipped frame covers where it is painted', undefined, (scene) =>
        scene.add.image(150, 190, 'atlas', 'trimmed').setScale(2).setFlipX(true).setOrigin(0, 1),
      ),
      over('a frame with its own pivot is flipped about it', undefined, (scene) =>
        scene.add.image(200, 150, 'atlas', 'pivot').setScale(1.5).setFlipX(true),
      ),
      over('a frame that lies turned in its atlas', undefined, (scene, stage) =>
        scene.add.image(200, 150, turned(stage), 'whole').setScale(3),
      ),
      over('a turned frame, trimmed and flipped', undefined, (scene, stage) =>
        scene.add.image(200, 150, turned(stage), 'trimmed').setScale(3, 2).setFlipX(true).setAngle(20),
      ),
      over('a turned frame as wide as high', undefined, (scene, stage) =>
        scene.add.image(160, 150, turned(stage), 'square').setScale(2),
      ),
      over('a turned frame, cropped', undefined, (scene, stage) =>
        scene.add.image(200, 150, turned(stage), 'whole').setScale(3).setCrop(2, 5, 18, 20),
      ),
      over('a turned frame, cropped to all of it', undefined, (scene, stage) =>
        scene.add.image(160, 150, turned(stage), 'square').setScale(2).setCrop(0, 0, 24, 24),
      ),
      over('a turned frame on the bobs of a Blitter', undefined, (scene, stage) => {
        const blitter = scene.add.blitter(160, 130, turned(stage), 'whole');
        blitter.create(0, 0);
        blitter.create(40, 6, 'trimmed').setFlipX(true);
        return blitter;
      }),
      over('a turned frame on particles', undefined, (scene, stage) => {
        const emitter = scene.add.particles(165, 150, turned(stage), {
          frame: 'whole',
          rotate: 30,
          scale: 2.5,
          lifespan: 1e4,
          frequency: -1,
        });
        emitter.explode(1);
        return emitter;
      }),
      over('a turned frame, repeated', undefined, (scene, stage) =>
        scene.add.tileSprite(200, 150, 100, 70, turned(stage), 'whole').setTileScale(2),
      ),
      over('a turned frame in nine slices', undefined, (scene, stage) =>
        scene.add.nineslice(200, 150, turned(stage), 'whole', 70, 60, 8, 8, 8, 8),
      ),
      over('a turned frame on a plane', undefined, (scene, stage) =>
        scene.add.plane(200, 150, turned(stage), 'whole', 2, 2).setScale(2),
      ),
      over('a turned frame on a rope', undefined, (scene, stage) =>
        scene.add.rope(200, 150, turned(stage), 'whole', 4 as never, true).setScale(2),
      ),
      over(
        'a cropped and flipped cover',
        undefined,
        (scene) => scene.add.image(200, 150, 'brick').setScale(2).setCrop(0, 0, 20, 48).setFlipX(true),
        { renderers: ['webgl'] },
      ),
    ],
  },
  {
    number: 26,
    title: 'a negative scale with an origin at the edge',
    variants: [
      over('moves the cover to the other side, over the ad', 0, (scene) => {
        const cover = scene.add.rectangle(260, 150, 100, 100, GREY).setOrigin(0, 0.5);
        cover.scaleX = -1;
        return cover;
      }),
    ],
  },
  {
    number: 27,
    title: 'a shape that is not its bounds',
    variants: [
      over('a polygon around (0, 0)', 66, (scene) =>
        scene.add.polygon(305, 150, [-60, -60, 60, -60, 60, 60, -60, 60], GREY),
      ),
      over('an isometric box is painted upward from its place', 14.5, (scene) => scene.add.isobox(200, 215, 120, 60)),
      over('a stroke reaches beyond the box', 87.5, (scene) =>
        scene.add.rectangle(100, 150, 60, 100, GREY).setStrokeStyle(80, GREY),
      ),
      over('a panel that only touches does not block', 100, (scene) => scene.add.rectangle(290, 150, 100, 100, GREY)),
      over('a circle leaves its corners free', undefined, (scene) => scene.add.circle(225, 150, 40, GREY)),
      over('a star', undefined, (scene) => scene.add.star(200, 150, 5, 15, 45, GREY)),
      over('a star drawn in one line that crosses itself', undefined, (scene) =>
        drawPentagram(scene.add.graphics({ x: 200, y: 150 }).fillStyle(GREY), 40),
      ),
      ...(
        [
          [0, 360, false],
          [30, 200, true],
          [20, -70, false],
        ] as const
      ).map(([start, end, anticlockwise]) =>
        over(`arcs of few corners from ${start}° to ${end}°, which Canvas draws round`, undefined, (scene) => {
          const arc = (x: number): Phaser.GameObjects.Arc =>
            scene.add.arc(x, 150, 19, start, end, anticlockwise, GREY, 0.9).setIterations(0.25);
          arc(180).setStrokeStyle(3, GREY).setClosePath(true).setName('closed');
          return arc(222).setStrokeStyle(3, GREY).setAngle(20);
        }),
      ),
      over('strokes of width 0, which Canvas draws one pixel wide', { webgl: 100 }, (scene) => {
        for (let i = 0; i < 4; i++) {
          scene.add
            .rectangle(200.5, 150.5, 64 - 14 * i, 32 - 6 * i)
            .setStrokeStyle(0, 0xffffff)
            .setName(`frame ${i}`);
        }
        return scene.add.line(200.5, 150.5, 0, 0, 60, 0, 0xffffff).setLineWidth(0).setName('line');
      }),
      over('open outlines, which Canvas closes for triangles, ellipses and stars', undefined, (scene) => {
        scene.add
          .triangle(200, 150, 10, 10, 60, 0, 30, 40)
          .setStrokeStyle(6, 0xffffff)
          .setClosePath(false)
          .setName('triangle');
        scene.add
          .ellipse(175, 150, 12, 40)
          .setSmoothness(4)
          .setStrokeStyle(4, 0xffffff)
          .setClosePath(false)
          .setName('ellipse');
        return scene.add.star(226, 150, 3, 6, 20).setStrokeStyle(4, 0xffffff).setClosePath(false).setName('star');
      }),
      over('a closed outline whose path does not come back, as Canvas draws it', undefined, (scene) => {
        const arrow = scene.add.polygon(200, 150, [0, 0, 60, 0, 60, 30, 0, 30]).setStrokeStyle(8, 0xffffff);
        // A class of a game that sets its own path.
        arrow.pathData.length = 6;
        return arrow;
      }),
      over('a pattern of broken size, of which Canvas draws whole texels', { webgl: 0, canvas: 18 }, (scene) =>
        scene.add.tileSprite(199.5, 149.5, 9, 5, 'brick').setSize(8.9, 4.9).setOrigin(0.5).setScale(10),
      ),
      over('a pattern of broken size, flipped', { webgl: 0, canvas: 18 }, (scene) =>
        scene.add
          .tileSprite(200.5, 150.5, 9, 5, 'brick')
          .setSize(8.9, 4.9)
          .setOrigin(0.5)
          .setScale(10)
          .setFlip(true, true),
      ),
      over('a part of a flipped pattern, which Canvas moves', { webgl: 80.3, canvas: 62.5 }, (scene) =>
        scene.add.tileSprite(170, 135, 100, 60, 'block').setOrigin(0.4).setFlip(true, true).setCrop(20, 10, 40, 30),
      ),
      over(
        'a bar made shorter, whose outline only Canvas makes shorter with it',
        { webgl: 62.5, canvas: 50 },
        (scene) => {
          const bar = scene.add.rectangle(160, 150, 200, 60, GREY).setOrigin(0, 0.5).setStrokeStyle(20, GREY);
          bar.width = 30;
          return bar;
        },
      ),
      over('an open outline of a rectangle, which Canvas closes', { webgl: 87.5, canvas: 75 }, (scene) =>
        scene.add.rectangle(200, 150, 40, 80).setStrokeStyle(10, GREY).setClosePath(false),
      ),
      over('a triangle whose corner was moved, of which only Canvas moves the outline', undefined, (scene) => {
        const triangle = scene.add.triangle(200, 150, 0, 0, 60, 0, 30, 60).setStrokeStyle(8, GREY);
        (triangle.geom as Phaser.Geom.Triangle).x2 = -40;
        return triangle;
      }),
      over('strokes of width 0 of a Graphics, which on Canvas keep the width there was', { webgl: 95 }, (scene) =>
        scene.add
          .graphics()
          .lineStyle(4, GREY)
          .lineBetween(180, 140, 220, 140)
          .lineStyle(0, GREY)
          .lineBetween(170, 155, 230, 155),
      ),
      over('a filled path that was drawn before its canvas was moved', { webgl: 100, canvas: 75 }, (scene) => {
        const graphics = scene.add.graphics().fillStyle(GREY).beginPath();
        graphics.moveTo(160, 100);
        graphics.lineTo(180, 100);
        graphics.lineTo(180, 200);
        graphics.lineTo(160, 200);
        return graphics.translateCanvas(300, 0).rotateCanvas(0.5).fillPath();
      }),
      over('a stroked path that was drawn before its canvas was stretched', { webgl: 100, canvas: 75 }, (scene) => {
        const graphics = scene.add.graphics().lineStyle(10, GREY).beginPath();
        graphics.moveTo(170, 100);
        graphics.lineTo(170, 200);
        return graphics.save().scaleCanvas(2, 2).strokePath().restore();
      }),
      over('an open path that goes on from where a closed one began', { canvas: 100 }, (scene) => {
        const graphics = scene.add.graphics().lineStyle(10, GREY).beginPath();
        graphics.moveTo(20, 20);
        graphics.lineTo(40, 20);
        graphics.lineTo(40, 40);
        graphics.closePath();
        graphics.lineTo(20, 280);
        graphics.lineTo(380, 280);
        return graphics.strokePath();
      }),
      over('a filled triangle, which on Canvas is a path that may be stroked', { webgl: 87.5, canvas: 75 }, (scene) =>
        scene.add
          .graphics()
          .fillStyle(GREY)
          .lineStyle(20, GREY)
          .fillTriangle(170, -100, 170, 400, -400, 150)
          .strokePath(),
      ),
    ],
  },
  {
    number: 29,
    title: 'effects and blend modes',
    variants: [
      over('a black overlay that only adds light does not block', 100, (scene, stage) =>
        scene.add
          .image(200, 150, flat(stage, 'black', '#000000'))
          .setDisplaySize(200, 200)
          .setBlendMode(ADD),
      ),
      over('a white overlay that multiplies does not block', 100, (scene, stage) =>
        scene.add
          .image(200, 150, flat(stage, 'white', '#ffffff'))
          .setDisplaySize(200, 200)
          .setBlendMode(MULTIPLY),
      ),
      over('a black overlay that multiplies blocks', 0, (scene, stage) =>
        scene.add
          .image(200, 150, flat(stage, 'black', '#000000'))
          .setDisplaySize(200, 200)
          .setBlendMode(MULTIPLY),
      ),
      {
        name: 'an ad of four corner alphas 0 is not seen in WebGL',
        renderers: ['webgl'],
        share: 0,
        build: (stage) => putAd(stage.scene(0)).setAlpha(0, 0, 0, 0),
      },
      {
        name: 'an ad tinted black shows nothing in WebGL; Canvas knows no tint',
        share: { webgl: 0, canvas: 100 },
        build: (stage) => putAd(stage.scene(0)).setTint(0),
      },
      {
        name: 'effects of the ad that are switched off',
        renderers: ['webgl'],
        share: 100,
        ownGame: true,
        build: (stage) => {
          const ad = putAd(stage.scene(0));
          ad.postFX.addBlur();
          (ad as unknown as { postPipelines: { active: boolean }[] }).postPipelines[0]!.active = false;
          return ad;
        },
      },
      {
        name: 'effects of the ad that were taken off again',
        renderers: ['webgl'],
        share: 100,
        build: (stage) => {
          const ad = putAd(stage.scene(0));
          ad.preFX!.addGlow();
          ad.preFX!.clear();
          return ad;
        },
      },
      over(
        'a glow far from the ad',
        100,
        (_, stage) => {
          const far = stage.scene(0).add.image(60, 60, 'block');
          far.postFX.addGlow();
          return far;
        },
        { renderers: ['webgl'], ownGame: true },
      ),
      over(
        'a ring whose effects were taken off again',
        undefined,
        (scene) => {
          const cover = scene.add.image(200, 150, 'ring').setScale(0.8);
          cover.preFX!.addGlow();
          cover.preFX!.clear();
          return cover;
        },
        { renderers: ['webgl'] },
      ),
      {
        name: 'half of the ad wiped away by an effect',
        renderers: ['webgl'],
        share: 50,
        mayBeUnmeasurable: true,
        build: (stage) => {
          const ad = putAd(stage.scene(0));
          ad.preFX!.setPadding(0);
          ad.preFX!.addWipe(0.01, 0, 0).progress = 0.5;
          return ad;
        },
      },
    ],
  },
  {
    number: 30,
    title: 'objects that do not paint in this renderer, or not yet',
    variants: [
      over('a nine-slice paints in WebGL only', { webgl: 0, canvas: 100 }, (scene, stage) =>
        scene.add.nineslice(200, 150, flat(stage, 'white', '#ffffff'), undefined, 200, 200, 4, 4, 4, 4),
      ),
      over('a rope paints in WebGL only', { canvas: 100 }, (scene) => scene.add.rope(200, 150, 'brick')),
      over('a plane paints in WebGL only', { canvas: 100 }, (scene) => scene.add.plane(200, 150, 'brick')),
      over(
        'a shader paints what nobody knows',
        { webgl: 0 },
        (scene) => scene.add.shader(flatShader(), 200, 150, 200, 200),
        { mayBeUnmeasurable: true, renderers: ['webgl'] },
      ),
      over(
        'a shader paints nothing beyond its rectangle',
        100,
        (scene) => {
          const shader = scene.add.shader(flatShader(), 10, 0, 80, 60);
          scene.add.container(80, 60, [shader]).setAngle(30);
          return shader;
        },
        { renderers: ['webgl'] },
      ),
      over(
        'a shader whose own vertex shader moves it over the ad',
        { webgl: 0 },
        (scene) => scene.add.shader(flatShader('+ vec2(120.0, 90.0)'), 80, 60, 100, 80),
        { mayBeUnmeasurable: true, renderers: ['webgl'] },
      ),
      over('an empty text paints nothing', 100, (scene) => scene.add.text(200, 150, '', { fontSize: '80px' })),
      over('a video before its first frame paints nothing', 100, (scene) => scene.add.video(200, 150)),
      { name: 'a video that plays paints its picture', share: 40, ownGame: true, build: buildVideo },
      over('a sprite whose texture is missing paints a placeholder', undefined, (scene) =>
        scene.add.sprite(200, 150, '__MISSING'),
      ),
      {
        name: 'a bitmap mask has no effect on Canvas',
        renderers: ['canvas'],
        share: 100,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          const shape = scene.make.image({ x: 160, y: 150, key: flat(stage, 'white', '#ffffff'), add: false });
          ad.setMask(new Phaser.Display.Masks.BitmapMask(scene, shape));
          return ad;
        },
      },
      {
        name: 'nothing is on the screen after the graphics context is lost',
        renderers: ['webgl'],
        share: 0,
        withoutPicture: true,
        ownGame: true,
        build: async (stage) => {
          const ad = putAd(stage.scene(0));
          stage.step();
          const { gl } = stage.game.renderer as Phaser.Renderer.WebGL.WebGLRenderer;
          const lost = new Promise((resolve) => stage.game.canvas.addEventListener('webglcontextlost', resolve));
          gl.getExtension('WEBGL_lose_context')!.loseContext();
          await lost;
          return ad;
        },
      },
    ],
  },
  {
    number: 0,
    title: 'beyond the list: copies and doubles',
    variants: [
      {
        name: 'a copy in a render texture does not make an invisible ad seen',
        share: 0,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          scene.add.renderTexture(200, 150, 400, 300).draw(ad, 200, 150).setName('copy');
          ad.setVisible(false);
          return ad;
        },
      },
      {
        name: 'a cover in a container that does not own it is painted twice and named once',
        ownGame: true,
        build: (stage) => {
          const scene = stage.scene(0);
          const cover = scene.add.rectangle(180, 150, 20, 100, GREY).setName('cover');
          const ad = putAd(scene);
          const container = scene.add.container(30, 0);
          container.setExclusive(false);
          container.add(cover);
          return ad;
        },
      },
    ],
  },
  {
    number: 0,
    title: 'what a game got wrong in its arithmetic',
    // A canvas ignores numbers that are none, and goes on with those before.
    variants: [
      ...[1, 0.7].flatMap((cameraAlpha) => [
        over(`an alpha that is no number, below a camera of alpha ${cameraAlpha}`, undefined, (scene, stage) => {
          scene.cameras.main.setAlpha(cameraAlpha);
          return brick(scene, stage).setAlpha(NaN);
        }),
        over(`that of a container, below a camera of alpha ${cameraAlpha}`, undefined, (scene, stage) => {
          scene.cameras.main.setAlpha(cameraAlpha);
          const child = brick(scene, stage);
          scene.add.container(0, 0, [child]).setAlpha(NaN);
          return child;
        }),
      ]),
      over('that of a shape', undefined, (scene) => scene.add.rectangle(190, 150, 40, 30, GREY).setAlpha(NaN)),
      over('that of a Graphics', undefined, (scene) =>
        scene.add.graphics().fillStyle(GREY).fillRect(170, 130, 40, 30).setAlpha(NaN),
      ),
      {
        name: 'that of the ad',
        build: (stage) => putAd(stage.scene(0)).setAlpha(NaN),
      },
      ...(['rotation', 'x', 'scaleX'] as const).map((field): Variant => ({
        name: `a picture whose ${field} is no number`,
        build: (stage) => {
          const ad = putAd(stage.scene(0), 50, 30);
          const cover = brick(stage.scene(0), stage, 50, 30).setOrigin(0).setDisplaySize(40, 40);
          cover[field] = NaN;
          return ad;
        },
      })),
    ],
  },
  {
    number: 0,
    title: 'opacities beyond 1:',
    // WebGL keeps their last eight bits, a canvas ignores them.
    variants: [
      over('bobs', undefined, (scene, stage) => {
        const blitter = scene.add.blitter(0, 0, flat(stage, 'grey', '#555555'));
        for (let i = 0; i < 12; i++)
          blitter.create(170 + 16 * (i % 4), 130 + 16 * Math.floor(i / 4)).alpha = i < 8 ? 1.2 : 1;
        return blitter;
      }),
      over('particles that fade in and out with a swing', undefined, (scene, stage) => {
        const emitter = scene.add.particles(0, 0, flat(stage, 'grey', '#555555'), {
          alpha: { start: 1, end: 0, ease: 'Back.easeIn' },
          lifespan: 1000,
          frequency: -1,
          speed: 0,
          scale: 2,
        });
        for (let i = 0; i < 6; i++) {
          emitter.emitParticleAt(170 + 12 * i, 150);
          emitter.preUpdate(0, i < 3 ? 180 : 40);
        }
        return emitter;
      }),
      over('bobs after a faint one', undefined, (scene, stage) => {
        const blitter = scene.add.blitter(0, 0, flat(stage, 'grey', '#555555'));
        blitter.create(40, 40).alpha = 0.3;
        for (let i = 0; i < 12; i++) blitter.create(170 + 16 * (i % 4), 130 + 16 * Math.floor(i / 4)).alpha = 1.8;
        return blitter;
      }),
      over('a rectangle', undefined, (scene) => scene.add.rectangle(190, 150, 40, 30, GREY, 1.3)),
      over('a rectangle in a faint container', undefined, (scene) => {
        const rectangle = scene.add.rectangle(190, 150, 40, 30, GREY, 1.8);
        scene.add.container(0, 0, [rectangle]).setAlpha(0.4);
        return rectangle;
      }),
      over('a Graphics', undefined, (scene) => scene.add.graphics().fillStyle(GREY, 1.8).fillRect(170, 130, 40, 30)),
      over('a Graphics in a faint container', undefined, (scene) => {
        const graphics = scene.add.graphics().fillStyle(GREY, 1.8).fillRect(170, 130, 40, 30);
        scene.add.container(0, 0, [graphics]).setAlpha(0.4);
        return graphics;
      }),
    ],
  },
];

function brick(scene: Phaser.Scene, stage: Stage, x = 200, y = 150): Phaser.GameObjects.Image {
  return scene.add
    .image(x, y, flat(stage, 'grey', '#555555'))
    .setScale(3)
    .setName('brick');
}

/** A film of one colour over the middle of the ad. */
async function buildVideo(stage: Stage): Promise<Drawable> {
  const scene = stage.scene(0);
  const ad = putAd(scene);
  const film = document.createElement('canvas');
  film.width = film.height = 32;
  const context = film.getContext('2d')!;
  const draw = setInterval(() => {
    context.fillStyle = '#335577';
    context.fillRect(0, 0, 32, 32);
  }, 40);
  const video = scene.add.video(200, 150).setName('film');
  video.loadMediaStream(film.captureStream(), true);
  video.play(true);
  while (!video.videoTexture) await new Promise((resolve) => setTimeout(resolve, 50));
  clearInterval(draw);
  video.setDisplaySize(48, 48);
  return ad;
}
