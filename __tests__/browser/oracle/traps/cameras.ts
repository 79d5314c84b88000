import type { Stage } from '../Stage.js';
import { flat, putAd, type Trap, type Variant } from './Trap.js';

const GREY = 0x112233;

/** Cameras: what they show, paint and cover. */
export const cameraTraps: readonly Trap[] = [
  {
    number: 6,
    title: 'a camera fade',
    variants: [
      {
        name: 'that is complete hides everything',
        share: 0,
        build: (stage) => {
          stage.scene(0).cameras.main.fadeOut(30);
          return putAd(stage.scene(0));
        },
        frames: 12,
      },
      {
        name: 'that has come back shows everything again',
        share: 100,
        build: (stage) => {
          const camera = stage.scene(0).cameras.main;
          camera.once('camerafadeoutcomplete', () => camera.fadeIn(30));
          camera.fadeOut(30);
          return putAd(stage.scene(0));
        },
        frames: 20,
      },
      {
        name: 'at a quarter leaves the ad its light',
        share: 100,
        build: (stage) => {
          stage.scene(0).cameras.main.fadeOut(128);
          return putAd(stage.scene(0));
        },
        frames: 2,
      },
      {
        name: 'of a scene above hides everything',
        share: 0,
        build: (stage) => {
          stage.scene(1).cameras.main.fadeOut(30);
          return putAd(stage.scene(0));
        },
        frames: 12,
      },
    ],
  },
  {
    number: 12,
    title: 'zoom',
    variants: [
      {
        name: 'makes the ad nine times as large on the screen',
        share: 100,
        build: (stage) => {
          stage.scene(0).cameras.main.setZoom(3);
          return putAd(stage.scene(0));
        },
      },
      {
        name: 'in which the ad outgrows the canvas',
        share: 75,
        build: (stage) => {
          stage.scene(0).cameras.main.setZoom(5);
          return putAd(stage.scene(0), 180);
        },
      },
    ],
  },
  {
    number: 13,
    title: 'a following camera',
    variants: [1, 2, 5].map((frames): Variant => ({
      name: `is judged where it was drawn, frame ${frames}`,
      frames,
      ownGame: true,
      share: (100 * Math.min(80, 100 - 10 * frames)) / 80,
      build: (stage) => {
        const scene = stage.scene(0);
        const target = scene.add.zone(200, 150, 1, 1);
        scene.cameras.main.startFollow(target, false, 1, 1);
        scene.events.on('update', (_time: number, delta: number) => {
          if (delta > 0) target.x += 10;
        });
        // Each frame moves it ten pixels further out of the canvas.
        return putAd(scene, 60, 150);
      },
    })),
  },
  {
    number: 17,
    title: 'a second camera on top',
    variants: [
      {
        name: 'with an opaque background covers what the first drew',
        share: 25,
        build: (stage) => {
          stage.scene(0).cameras.add(180, 130, 100, 80).setBackgroundColor('#112233').setScroll(9000, 0);
          return putAd(stage.scene(0));
        },
      },
      {
        name: 'without a background covers nothing',
        share: 100,
        build: (stage) => {
          stage.scene(0).cameras.add(180, 130, 100, 80).setScroll(9000, 0);
          return putAd(stage.scene(0));
        },
      },
    ],
  },
  {
    number: 18,
    title: 'an ad only one camera draws',
    variants: [
      {
        name: 'is seen though the main camera ignores it',
        share: 100,
        build: (stage) => {
          const { cameras } = stage.scene(0);
          const ad = putAd(stage.scene(0));
          cameras.main.setScroll(3000, 0).ignore(ad);
          cameras.add(0, 0, 400, 300);
          return ad;
        },
      },
      {
        name: 'is seen in the right half of a split screen',
        share: 100,
        build: (stage) => {
          const { cameras } = stage.scene(0);
          cameras.main.setViewport(0, 0, 200, 300);
          cameras.add(200, 0, 200, 300).setScroll(1000, 0);
          return putAd(stage.scene(0), 1100, 150);
        },
      },
      {
        name: 'is cut by the split',
        build: (stage) => {
          const { cameras } = stage.scene(0);
          cameras.main.setViewport(0, 0, 200, 300);
          cameras.add(200, 0, 200, 300).setScroll(1000, 0);
          return putAd(stage.scene(0), 1190, 150);
        },
        share: 62.5,
      },
    ],
  },
  {
    number: 24,
    title: 'an opaque background above',
    variants: [
      {
        name: 'of an otherwise empty scene hides the ad',
        share: 0,
        build: (stage) => {
          stage.scene(1).cameras.main.setBackgroundColor('#112233');
          return putAd(stage.scene(0));
        },
      },
      {
        name: 'of an otherwise empty camera hides the ad',
        share: 0,
        build: (stage) => {
          const ad = putAd(stage.scene(0));
          stage.scene(0).cameras.add().setBackgroundColor('#112233').ignore(ad);
          return ad;
        },
      },
      {
        name: 'by a pipeline of an otherwise empty scene hides the ad',
        share: 0,
        renderers: ['webgl'],
        ownGame: true,
        mayBeUnmeasurable: true,
        build: (stage) => {
          class Black extends Phaser.Renderer.WebGL.Pipelines.PostFXPipeline {
            constructor(game: Phaser.Game) {
              super({ game, fragShader: 'void main() { gl_FragColor = vec4(0.0, 0.0, 0.0, 1.0); }' });
            }
          }
          const { pipelines } = stage.game.renderer as Phaser.Renderer.WebGL.WebGLRenderer;
          pipelines.addPostPipeline('Black', Black);
          stage.scene(1).cameras.main.setPostPipeline('Black');
          return putAd(stage.scene(0));
        },
      },
      {
        name: 'by an effect of an otherwise empty scene is none',
        share: 100,
        renderers: ['webgl'],
        ownGame: true,
        build: (stage) => {
          stage.scene(1).cameras.main.postFX.addVignette(0.5, 0.5, 0.2, 0.9);
          return putAd(stage.scene(0));
        },
      },
      {
        name: 'that is a thin tint leaves the ad its light',
        share: 100,
        build: (stage) => {
          stage.scene(1).cameras.main.setBackgroundColor('rgba(20,30,40,0.3)');
          return putAd(stage.scene(0));
        },
      },
    ],
  },
  {
    number: 28,
    title: 'a rotated or shaking camera',
    variants: [
      {
        name: 'turned by 90° cuts an ad at its edge',
        share: 62.5,
        build: (stage) => {
          stage.scene(0).cameras.main.setAngle(90);
          return putAd(stage.scene(0), 60, 150);
        },
      },
      {
        name: 'turned by 90° shows an ad that lies above the canvas',
        share: 100,
        build: (stage) => {
          stage.scene(0).cameras.main.setAngle(90);
          return putAd(stage.scene(0), 200, -25);
        },
      },
      ...[1, 2, 3].map((frames): Variant => ({
        name: `shaking at the edge is judged where it was drawn, frame ${frames}`,
        frames,
        build: (stage) => {
          stage.scene(0).cameras.main.shake(10000, 0.04);
          stage.seedRandom(frames * 7919);
          return putAd(stage.scene(0), 38, 150);
        },
      })),
    ],
  },
  {
    number: 0,
    title: 'beyond the list: cameras',
    variants: [
      {
        name: 'a removed camera leaves its ignore list to the next one added',
        share: 100,
        build: (stage) => {
          const { cameras } = stage.scene(0);
          const cover = stage.scene(0).add.rectangle(200, 150, 400, 300, GREY).setName('cover');
          const first = cameras.add();
          first.ignore(cover);
          cameras.remove(first);
          cameras.main.ignore(cover);
          cameras.add();
          return putAd(stage.scene(0));
        },
      },
      {
        name: 'a camera of size 0 paints unclipped in WebGL and nothing on Canvas',
        build: (stage) => {
          const { cameras } = stage.scene(0);
          const cover = stage.scene(0).add.rectangle(200, 150, 60, 400, GREY).setName('cover');
          const ad = putAd(stage.scene(0));
          cover.setDepth(1);
          cameras.main.ignore(cover);
          cameras.add(0, 0, 0, 0).ignore(ad);
          return ad;
        },
      },
      {
        name: 'a camera of alpha 0.6 lets an opaque cover leak, but not enough',
        share: 0,
        build: (stage) => {
          const ad = putAd(stage.scene(0));
          stage.scene(0).add.rectangle(200, 150, 200, 200, GREY).setName('cover');
          stage.scene(0).cameras.main.setAlpha(0.6);
          return ad;
        },
      },
      {
        name: 'a camera of alpha 0.4 hides the ad',
        share: 0,
        build: (stage) => {
          stage.scene(0).cameras.main.setAlpha(0.4);
          return putAd(stage.scene(0));
        },
      },
      ...[
        { name: 'after a bitmap mask', place: 0, under: 0 },
        { name: 'before a bitmap mask', place: 1, under: 0 },
        { name: 'in a scene above that of a bitmap mask', place: 0, under: 1 },
      ].map(({ name, place, under }): Variant => ({
        name: `a small camera above the ad, ${name}`,
        ownGame: true,
        build: (stage) => {
          const below = stage.scene(0);
          const above = stage.scene(under);
          const cover = above.add.rectangle(200, 150, 48, 400, GREY).setName('cover');
          // The oracle hides pictures to see what each takes; a container stays.
          const masked = below.add.container(0, 0, [below.add.image(40, 40, 'brick').setScale(0.5)]);
          masked.setMask(below.make.image({ x: 40, y: 40, key: 'brick' }, false).createBitmapMask());
          const ad = putAd(above);
          cover.setDepth(2);
          const small = above.cameras.add(0, 0, 100, 300);
          small.ignore(ad);
          above.cameras.main.ignore(cover);
          if (under === 0 && place === 0) small.ignore(masked);
          if (place === 1) {
            above.cameras.main.ignore(masked);
            masked.setDepth(3);
          }
          return ad;
        },
      })),
      {
        name: 'a scene reordered inside update is judged as it was drawn, one frame late',
        share: 100,
        withoutPicture: true,
        onlyNow: true,
        ownGame: true,
        frames: 1,
        build: (stage) => {
          stage.scene(0).add.rectangle(200, 150, 200, 200, GREY).setName('cover');
          const ad = putAd(stage.scene(1));
          stage.scene(1).events.once('update', () => stage.scene(0).scene.bringToTop());
          return ad;
        },
      },
    ],
  },
  {
    number: 0,
    title: 'cameras that draw apart, on a texture of their own (Phaser 4):',
    variants: [
      {
        name: 'half of the ad under a picture, away from the corner of the canvas',
        share: 50,
        build: (stage) => {
          const scene = stage.scene(0);
          drawApart(scene.cameras.main.setViewport(150, 60, 250, 200).setScroll(50, 10));
          const ad = putAd(scene);
          scene.add.rectangle(220, 150, 40, 40, GREY).setName('cover');
          return ad;
        },
      },
      {
        name: 'half of an ad that is masked, at an opacity of 0.7 under a veil of 0.4',
        share: 50,
        renderers: ['webgl'],
        build: (stage) => {
          const scene = stage.scene(0);
          drawApart(scene.cameras.main.setAlpha(0.7));
          const ad = putAd(scene);
          scene.add.rectangle(200, 150, 200, 100, GREY, 0.4).setName('veil');
          const shape = scene.make.graphics({}, false).fillStyle(0xffffff).fillRect(200, 100, 100, 100);
          ad.setMask(shape.createGeometryMask());
          return ad;
        },
      },
      fading('a panel and a picture on it, at an opacity of 0.45 above the ad', 0.45, (scene) => {
        scene.add.rectangle(200, 150, 100, 60, GREY).setName('panel');
        scene.add.image(200, 150, 'brick').setName('picture');
      }),
      fading('a background and a picture on it, at an opacity of 0.4', 0.4, (scene, camera) => {
        camera.setBackgroundColor('#112233');
        scene.add.image(220, 150, 'star').setName('picture');
      }),
      fading('a veil of 0.45 and another, at an opacity of 0.7', 0.7, (scene) => {
        scene.add.rectangle(200, 150, 100, 60, GREY, 0.45).setName('veil');
        scene.add.rectangle(220, 150, 60, 60, GREY, 0.45).setName('other veil');
      }),
      fading('a panel, a picture on it, and a veil over both that does not fade', 0.4, (scene, _camera, stage) => {
        scene.add.rectangle(180, 150, 60, 60, GREY).setName('panel');
        scene.add.image(180, 150, 'disc').setScale(0.4).setName('picture');
        stage.scene(2).add.rectangle(200, 150, 200, 100, GREY, 0.3).setName('veil');
      }),
      fading('a panel that covers half, and a picture on it', 0.8, (scene) => {
        scene.add.rectangle(180, 150, 40, 60, GREY).setName('panel');
        scene.add.image(180, 150, 'disc').setScale(0.3).setName('picture');
      }),
      {
        name: 'what a mask hides that was drawn before for a smaller one',
        share: 100,
        build: (stage) => {
          const scene = stage.scene(0);
          drawApart(scene.cameras.main.setViewport(30, 0, 300, 200));
          scene.cameras.add(0, 0, 400, 300);
          const ad = putAd(scene, 176, 133);
          const cover = scene.add.rectangle(176, 133, 60, 80, GREY).setName('cover');
          // So far from the lower left corner as the smaller camera shows it, the larger one shows the ad.
          const shape = scene.make.graphics({}, false).fillStyle(0xffffff).fillRect(113, 13, 125, 40);
          cover.setMask(shape.createGeometryMask());
          return ad;
        },
      },
    ],
  },
  {
    number: 0,
    title: 'cameras that were brought in, which have no scene of their own:',
    variants: [
      {
        name: 'half of the ad under a picture',
        share: 50,
        build: (stage) => {
          const scene = broughtIn(stage);
          const ad = putAd(scene);
          scene.add.rectangle(180, 150, 40, 40, GREY).setName('cover');
          return ad;
        },
      },
      {
        name: 'half of the ad under a lit picture',
        share: 50,
        renderers: ['webgl'],
        build: (stage) => {
          const scene = broughtIn(stage);
          const ad = putAd(scene);
          scene.lights.enable().setAmbientColor(0xffffff);
          const image = scene.add.image(180, 150, flat(stage, 'grey', '#555555')).setName('cover');
          image.setDisplaySize(40, 40).setPipeline('Light2D');
          return ad;
        },
      },
    ],
  },
];

/** An ad, and above it what a camera of another scene shows, all of which fades. */
function fading(
  name: string,
  alpha: number,
  put: (scene: Phaser.Scene, camera: Phaser.Cameras.Scene2D.Camera, stage: Stage) => void,
): Variant {
  return {
    name,
    build: (stage) => {
      const above = stage.scene(1);
      put(above, above.cameras.main.setAlpha(alpha), stage);
      return putAd(stage.scene(0));
    },
  };
}

/** Phaser 3 has no such cameras. */
function drawApart(camera: Phaser.Cameras.Scene2D.Camera): void {
  (camera as { setForceComposite?(is: boolean): void }).setForceComposite?.(true);
}

/** A scene that only a camera brought in shows. */
function broughtIn(stage: Stage): Phaser.Scene {
  const scene = stage.scene(0);
  scene.cameras.main.setVisible(false);
  scene.cameras.addExisting(new Phaser.Cameras.Scene2D.Camera(0, 0, 400, 300));
  return scene;
}
