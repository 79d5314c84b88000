import type { Drawable } from '../displayTree.js';
import { addAd, adKey } from '../art.js';
import type { Stage } from '../Stage.js';
import { GREY, over, picture, putAd, type Trap, type Variant } from './Trap.js';

type Frame = Phaser.Textures.Frame;
type AdImage = Drawable & Phaser.GameObjects.Image;

/** An ad of which something is cut off. */
const cut = (name: string, share: number, change: (ad: AdImage) => unknown): Variant => ({
  name,
  share,
  build: (stage) => {
    const ad = putAd(stage.scene(0));
    change(ad);
    return ad;
  },
});

/** An ad whose own picture has a frame of less, in each of its colours. */
const cutFrame = (name: string, share: number, change: (frame: Frame) => unknown, turn = 0): Variant => ({
  name,
  share,
  ownGame: true,
  build: (stage) => {
    addAd(stage.game, 'cut', 80, 40, () => undefined);
    for (let channel = -1; channel < 3; channel++) {
      const frame = stage.game.textures.get(adKey('cut', channel)).get();
      change(frame);
      frame.updateUVs();
    }
    return putAd(stage.scene(0), 200, 150, 'cut').setRotation(turn);
  },
});

/** As `Frame.setCutPosition` and `Frame.setCutSize`, which Phaser 3.60 does not have. */
function cutTo(frame: Frame, x: number, y: number, width: number, height: number): Frame {
  return Object.assign(frame, { cutX: x, cutY: y, cutWidth: width, cutHeight: height }).updateUVs();
}

function tileSpriteBeside(scene: Phaser.Scene): Phaser.GameObjects.TileSprite {
  // A property: Phaser goes on with the display origin it has worked out from the one before.
  return Object.assign(scene.add.tileSprite(240, 150, 80, 40, 'brick'), { originX: 0 });
}

function arcBeside(scene: Phaser.Scene): Phaser.GameObjects.Arc {
  return Object.assign(scene.add.circle(240, 150, 40, GREY), { originX: 0 });
}

function halfSolid(stage: Stage, scene: Phaser.Scene): Phaser.GameObjects.Image {
  const key = picture(stage, 'half solid', 160, 40, (c) => {
    c.fillStyle = '#405060';
    c.fillRect(0, 0, 80, 40);
  });
  const cover = scene.add.image(200, 150, key);
  cutTo(cover.frame, 80, 0, 80, 40);
  return cover.setDisplayOrigin(40, 20);
}

function tiles(scene: Phaser.Scene, stage: Stage, columns = 6): Phaser.Tilemaps.TilemapLayer {
  picture(stage, 'field tile', 32, 32, (c) => {
    // Over the ad it hides it, and as light that is added it does not.
    c.fillStyle = '#606060';
    c.fillRect(0, 0, 32, 32);
  });
  const map = scene.make.tilemap({ tileWidth: 32, tileHeight: 32, width: 13, height: 10 });
  const layer = map.createBlankLayer('layer', map.addTilesetImage('field tile', 'field tile', 32, 32, 0, 0)!)!;
  layer.fill(0, 0, 0, columns, 10);
  return layer;
}

/** A picture of a class of the game that leaves the context of Canvas as no object of Phaser does. */
function careless(scene: Phaser.Scene, leave: (context: CanvasRenderingContext2D) => void): void {
  const image = scene.add.image(40, 40, 'brick').setScale(0.5).setName('careless');
  const drawn = image as unknown as { renderCanvas(renderer: unknown, ...rest: unknown[]): void };
  const { renderCanvas } = drawn;
  drawn.renderCanvas = function (renderer, ...rest) {
    renderCanvas.call(this, renderer, ...rest);
    leave((renderer as { currentContext: CanvasRenderingContext2D }).currentContext);
  };
}

/** What the field found, by kind. */
export const fieldTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'E2: an ad the game has cut',
    variants: [
      cut('to 4 % by a crop', 4, (ad) => ad.setCrop(0, 0, 16, 8)),
      cut('by a crop, turned and enlarged', 25, (ad) => ad.setCrop(40, 20, 40, 20).setRotation(0.4).setScale(2)),
      cut('by a crop, turned over', 12.5, (ad) => ad.setCrop(0, 0, 20, 20).setFlip(true, true)),
      cut('by a crop, in a container', 50, (ad) => ad.scene.add.container(20, 10, [ad.setCrop(0, 0, 40, 40)])),
      cut('by a crop of all of it', 100, (ad) => ad.setCrop(0, 0, 80, 40)),
      cut('by a crop, and covered', 25, (ad) => {
        ad.setCrop(0, 0, 40, 40);
        ad.scene.add.rectangle(170, 150, 20, 60, GREY).setName('cover');
      }),
      {
        // No share: Phaser 3.60 draws another part of a trimmed frame, and the picture decides.
        name: 'a trimmed picture by a crop',
        build: (stage) => putAd(stage.scene(0), 200, 150, 'trimmed').setCrop(0, 0, 70, 120),
      },
      {
        name: 'a trimmed picture by a crop beside it, which WebGL fills with one texel',
        mayBeUnmeasurable: true,
        build: (stage) => putAd(stage.scene(0), 200, 150, 'trimmed').setCrop(0, 0, 160, 20),
      },
      cutFrame('by the size of its frame', 4, (frame) => cutTo(frame, 0, 0, 16, 8)),
      cutFrame('by the size and position of its frame', 25, (frame) => cutTo(frame, 30, 10, 40, 20), 0.3),
    ],
  },
  {
    number: 0,
    title: 'E5: what one renderer draws by, and the other not,',
    variants: [
      over('as the origin of a tile sprite, a property', undefined, (scene) => tileSpriteBeside(scene)),
      over('as the origin of a circle, a property', undefined, (scene) => arcBeside(scene)),
      over('as the position of a frame’s cut', { webgl: 100, canvas: 0 }, (scene, stage) => halfSolid(stage, scene), {
        ownGame: true,
      }),
    ],
  },
  {
    number: 0,
    title: 'E6: what an object leaves behind',
    variants: [
      over(
        'is how a tile layer is mixed',
        { webgl: 60, canvas: 100 },
        (scene, stage) => {
          scene.add.rectangle(40, 40, 20, 20, 0x404040).setBlendMode(Phaser.BlendModes.SCREEN).setName('shape');
          return tiles(scene, stage);
        },
        { namesUnjudged: true },
      ),
      over(
        'is not in a tile layer drawn before it',
        60,
        (scene, stage) => {
          const layer = tiles(scene, stage);
          careless(scene, (c) => c.translate(120, 0));
          return layer;
        },
        { renderers: ['canvas'] },
      ),
      ...(
        [
          ['is where a tile layer lies', (c) => c.translate(120, 0)],
          ['is how a tile layer is mixed, by a class of the game', (c) => (c.globalCompositeOperation = 'screen')],
        ] as const satisfies readonly [string, (context: CanvasRenderingContext2D) => unknown][]
      ).map(([name, leave]) =>
        over(
          name,
          undefined,
          (scene, stage) => {
            careless(scene, leave);
            return tiles(scene, stage, name.includes('where') ? 4 : 6);
          },
          { renderers: ['canvas'], mayBeUnmeasurable: true, namesUnjudged: true },
        ),
      ),
    ],
  },
  {
    number: 0,
    title: 'E9: a large ad under a regular pattern',
    variants: [
      {
        name: 'of tiles, zoomed out',
        build: (stage) => {
          const scene = stage.scene(0);
          scene.cameras.main.setZoom(0.53);
          const ad = putAd(scene, 200, 150, 'plain').setDisplaySize(640, 480);
          picture(stage, 'pierced tile', 32, 32, (c) => {
            c.fillStyle = '#967850';
            c.fillRect(0, 0, 32, 32);
            c.clearRect(5, 7, 17, 16);
          });
          const map = scene.make.tilemap({ tileWidth: 32, tileHeight: 32, width: 26, height: 20 });
          const set = map.addTilesetImage('pierced tile', 'pierced tile', 32, 32, 0, 0)!;
          map.createBlankLayer('layer', set, -200, -150)!.fill(0).setName('cover');
          return ad;
        },
      },
      {
        name: 'of slopes, whose edges are half clear',
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene, 200, 150, 'plain');
          const map = scene.make.tilemap({ tileWidth: 16, tileHeight: 16, width: 25, height: 19 });
          map.createBlankLayer('layer', map.addTilesetImage('tiles')!)!.fill(1).setName('cover');
          return ad;
        },
      },
    ],
  },
  {
    number: 0,
    title: 'E11: what the engine shows though it seems unusual',
    variants: [
      over(
        'is measured: a text with a display callback',
        undefined,
        (scene) => scene.add.dynamicBitmapText(165, 135, 'retro', 'ABC', 24).setDisplayCallback((letter) => letter),
        { renderers: ['webgl'] },
      ),
      over(
        'is measured: an object behind two masks',
        undefined,
        (scene) => {
          const shape = scene.make.graphics({}, false).fillStyle(0xffffff).fillRect(0, 0, 400, 300);
          scene.cameras.main.setMask(shape.createGeometryMask());
          const mask = scene.make.image({ x: 260, y: 150, key: 'disc' }, false);
          return scene.add.image(270, 150, 'slab').setMask(mask.createBitmapMask());
        },
        { renderers: ['webgl'], ownGame: true },
      ),
    ],
  },
];
