import type { Stage } from '../Stage.js';
import { flat, GREY, over, putAd, type Trap, type Variant } from './Trap.js';

function upperScene(name: string, share: number, change: (scene: Phaser.Scene) => void): Variant {
  return {
    name,
    share,
    build: (stage) => {
      stage.scene(1).add.rectangle(200, 150, 200, 200, GREY).setName('menu');
      change(stage.scene(1));
      return putAd(stage.scene(0));
    },
  };
}

/** An ad that the lowest scene made, put into the one above. */
function drawnAbove(
  name: string,
  share: number,
  put: (scene: Phaser.Scene, ad: Phaser.GameObjects.Image) => void,
): Variant {
  return {
    name,
    share,
    build: (stage) => {
      const ad = putAd(stage.scene(0));
      put(stage.scene(1), ad);
      return ad;
    },
  };
}

function adInside(name: string, share: number, wrap: (stage: Stage, ad: Phaser.GameObjects.Image) => void): Variant {
  return {
    name,
    share,
    build: (stage) => {
      const ad = putAd(stage.scene(0));
      wrap(stage, ad);
      return ad;
    },
  };
}

function inContainer(change: (container: Phaser.GameObjects.Container) => void) {
  return (stage: Stage, ad: Phaser.GameObjects.Image): void => {
    const container = stage.scene(0).add.container(200, 150, [ad.setPosition(0, 0)]);
    change(container);
  };
}

/** Tiles of 16 × 16 over the whole ad. */
function tileCover(scene: Phaser.Scene, stage: Stage): Phaser.Tilemaps.TilemapLayer {
  const key = flat(stage, 'grey', '#555555');
  const map = scene.make.tilemap({ tileWidth: 16, tileHeight: 16, width: 7, height: 4 });
  const layer = map.createBlankLayer('cover', map.addTilesetImage(key, key, 16, 16, 0, 0)!, 144, 118)!;
  return layer.fill(0).setName('cover');
}

/** Bobs of 16 × 16 over the whole ad. */
function blitterCover(scene: Phaser.Scene, stage: Stage): Phaser.GameObjects.Blitter {
  const blitter = scene.add.blitter(144, 118, flat(stage, 'grey', '#555555'));
  for (let x = 0; x < 112; x += 16) for (let y = 0; y < 64; y += 16) blitter.create(x, y);
  return blitter.setName('cover');
}

function inLayer<T extends Phaser.GameObjects.GameObject>(scene: Phaser.Scene, child: T, alpha: number): T {
  scene.add.layer([child]).setAlpha(alpha);
  return child;
}

/** Draw order: what is drawn over the ad, and what only looks so. */
export const compositionTraps: readonly Trap[] = [
  {
    number: 1,
    title: 'a background drawn before the ad',
    variants: [
      {
        name: 'does not block it',
        share: 100,
        build: (stage) => {
          stage.scene(0).add.rectangle(200, 150, 400, 300, 0x223344).setName('background');
          return putAd(stage.scene(0));
        },
      },
    ],
  },
  {
    number: 2,
    title: 'an ad fixed to the screen under a scrolled camera',
    variants: [
      {
        name: 'is seen with its own scroll factor 0',
        share: 100,
        build: (stage) => {
          stage.scene(0).cameras.main.setScroll(1000, 500);
          return putAd(stage.scene(0)).setScrollFactor(0);
        },
      },
      {
        name: 'is seen in a container of scroll factor 0',
        share: 100,
        build: (stage) => {
          const scene = stage.scene(0);
          scene.cameras.main.setScroll(1000, 500);
          const ad = putAd(scene, 0, 0);
          scene.add.container(200, 150, [ad]).setScrollFactor(0);
          return ad;
        },
      },
    ],
  },
  {
    number: 3,
    title: 'a scene above the ad',
    variants: [
      upperScene('that runs blocks it', 0, () => undefined),
      upperScene('that is paused is still drawn and blocks it', 0, (scene) => scene.sys.pause()),
      upperScene('that sleeps does not block it', 100, (scene) => scene.sys.sleep()),
      upperScene('that is invisible does not block it', 100, (scene) => scene.sys.setVisible(false)),
    ],
  },
  {
    number: 0,
    title: 'an ad that one scene made and another draws',
    variants: [
      drawnAbove('on its list', 100, (scene, ad) => scene.add.existing(ad)),
      drawnAbove('in its container', 100, (scene, ad) => scene.add.container(20, 10, [ad])),
      drawnAbove('in its layer, scrolled', 50, (scene, ad) => {
        scene.cameras.main.setScroll(200, 0);
        scene.add.layer([ad]);
      }),
      drawnAbove('below a panel of its own', 50, (scene, ad) => {
        scene.add.existing(ad);
        scene.add.rectangle(220, 150, 40, 40, GREY).setName('panel');
      }),
      drawnAbove('though the one that made it sleeps', 100, (scene, ad) => {
        scene.add.existing(ad);
        ad.scene.sys.sleep();
      }),
    ],
  },
  {
    number: 4,
    title: 'a hidden parent',
    variants: [
      adInside(
        'container hides the ad',
        0,
        inContainer((container) => container.setVisible(false)),
      ),
      adInside(
        'container of alpha 0 hides the ad',
        0,
        inContainer((container) => container.setAlpha(0)),
      ),
      adInside(
        'container of scale 0 hides the ad',
        0,
        inContainer((container) => (container.scaleX = 0)),
      ),
      adInside('grandparent hides the ad', 0, (stage, ad) => {
        const inner = stage.scene(0).add.container(0, 0, [ad]);
        stage.scene(0).add.container(0, 0, [inner]).setVisible(false);
      }),
      adInside('layer hides the ad', 0, (stage, ad) => {
        stage.scene(0).add.layer([ad]).setVisible(false);
      }),
      adInside('layer around a layer hides the ad', 0, (stage, ad) => {
        const inner = stage.scene(0).add.layer([ad]);
        stage
          .scene(0)
          .add.layer([inner as unknown as Phaser.GameObjects.GameObject])
          .setVisible(false);
      }),
      adInside('popup keeps its visible children from blocking', 100, (stage) => {
        const scene = stage.scene(0);
        const child = scene.add.rectangle(0, 0, 200, 200, GREY).setName('popup child');
        scene.add.container(200, 150, [child]).setVisible(false);
      }),
      adInside('layer keeps its visible children from blocking', 100, (stage) => {
        const scene = stage.scene(0);
        scene.add.layer([scene.add.rectangle(200, 150, 200, 200, GREY)]).setVisible(false);
      }),
    ],
  },
  {
    number: 5,
    title: 'a popup in a container',
    variants: [
      {
        name: 'whose children stand in two far corners does not block',
        share: 100,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          scene.add.container(0, 0, [
            scene.add.rectangle(10, 10, 10, 10, GREY).setName('corner 1'),
            scene.add.rectangle(390, 290, 10, 10, GREY).setName('corner 2'),
          ]);
          return ad;
        },
      },
      {
        name: 'with a panel over the ad blocks, and the panel is named',
        share: 0,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          const panel = scene.add.rectangle(0, 0, 200, 100, GREY).setName('panel');
          scene.add.container(200, 150, [scene.add.rectangle(-190, -140, 10, 10, GREY).setName('corner'), panel]);
          return ad;
        },
      },
    ],
  },
  {
    number: 0,
    title: 'children of a faint list',
    variants: [
      // `setAlpha` with four corners, as WebGL's lists call it, leaves the one alpha these two are drawn with.
      over('WebGL draws a tile layer in a faint layer at full strength', { webgl: 0, canvas: 100 }, (s, stage) =>
        inLayer(s, tileCover(s, stage), 0.3),
      ),
      over('WebGL draws a blitter in a faint layer at full strength', { webgl: 0, canvas: 100 }, (s, stage) =>
        inLayer(s, blitterCover(s, stage), 0.3),
      ),
      over('WebGL draws a blitter in a faint container at full strength', { webgl: 0, canvas: 100 }, (s, stage) => {
        const blitter = blitterCover(s, stage);
        s.add.container(0, 0, [blitter]).setAlpha(0.3);
        return blitter;
      }),
      over('a faint blitter in a layer stays faint', 100, (s, stage) =>
        inLayer(s, blitterCover(s, stage).setAlpha(0.3), 0.9),
      ),
      over('an image in a faint layer is faint', 100, (s) =>
        inLayer(s, s.add.image(200, 150, 'block').setScale(3), 0.3),
      ),
    ],
  },
  {
    number: 8,
    title: 'depth against the order of the list',
    variants: [
      {
        name: 'a cover added first and raised in the same update blocks',
        ownGame: true,
        share: 0,
        build: (stage) => {
          const scene = stage.scene(0);
          const cover = scene.add.rectangle(200, 150, 100, 100, GREY).setName('cover');
          scene.events.once('update', () => cover.setDepth(10));
          return putAd(scene);
        },
        frames: 1,
      },
      {
        name: 'a cover added later stays below a raised ad',
        share: 100,
        build: (stage) => {
          const ad = putAd(stage.scene(0)).setDepth(10);
          stage.scene(0).add.rectangle(200, 150, 100, 100, GREY).setName('cover');
          return ad;
        },
      },
      {
        name: 'equal depths keep the order of the list',
        share: 0,
        build: (stage) => {
          const ad = putAd(stage.scene(0)).setDepth(3);
          stage.scene(0).add.rectangle(200, 150, 100, 100, GREY).setName('cover').setDepth(3);
          return ad;
        },
      },
    ],
  },
  {
    number: 15,
    title: 'children of a layer',
    variants: [
      {
        name: 'block, though they are not in the scene list',
        share: 0,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene);
          scene.add.layer([scene.add.rectangle(200, 150, 100, 100, GREY).setName('in layer')]);
          return ad;
        },
      },
      {
        name: 'are ordered by depth within the layer',
        share: 100,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene).setDepth(5);
          scene.add.layer([ad, scene.add.rectangle(200, 150, 100, 100, GREY).setName('in layer')]);
          return ad;
        },
      },
    ],
  },
  {
    number: 16,
    title: 'depth inside a container',
    variants: [
      {
        name: 'is ignored: the later child blocks an ad of depth 999',
        share: 0,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene, 0, 0).setDepth(999);
          scene.add.container(200, 150, [ad, scene.add.rectangle(0, 0, 100, 100, GREY).setName('sibling')]);
          return ad;
        },
      },
      {
        name: 'does not lift a child over the sibling of its container',
        share: 100,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene).setDepth(5);
          scene.add.container(200, 150, [scene.add.rectangle(0, 0, 100, 100, GREY).setName('child').setDepth(1000)]);
          return ad;
        },
      },
    ],
  },
];
