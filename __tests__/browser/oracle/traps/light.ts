import type { Stage } from '../Stage.js';
import { flat, over, picture, type Trap } from './Trap.js';

/** A disc that fades from grey in its middle to nothing at its rim. */
function soft(stage: Stage, level = 200): string {
  return picture(stage, `soft grey ${level}`, 96, 96, (c) => {
    const gradient = c.createRadialGradient(48, 48, 0, 48, 48, 48);
    gradient.addColorStop(0, `rgba(${level},${level},${level},1)`);
    gradient.addColorStop(1, `rgba(${level},${level},${level},0)`);
    c.fillStyle = gradient;
    c.fillRect(0, 0, 96, 96);
  });
}

/** Particles scattered over the ad, always alike. */
function burst(
  scene: Phaser.Scene,
  key: string,
  count: number,
  config: Phaser.Types.GameObjects.Particles.ParticleEmitterConfig,
): Phaser.GameObjects.Particles.ParticleEmitter {
  const emitter = scene.add.particles(200, 150, key, { lifespan: 1e4, frequency: -1, speed: 0, ...config });
  for (let i = 0; i < count; i++) emitter.emitParticleAt(((i * 29) % 81) - 40, ((i * 17) % 41) - 20, 1);
  return emitter.setName('particles');
}

/** From black on the left to white on the right. */
function ramp(stage: Stage): string {
  return picture(stage, 'ramp', 64, 24, (c) => {
    const gradient = c.createLinearGradient(0, 0, 64, 0);
    gradient.addColorStop(0, '#000');
    gradient.addColorStop(1, '#fff');
    c.fillStyle = gradient;
    c.fillRect(0, 0, 64, 24);
  });
}

/** What an ad that lets light through is seen on. */
const grounds: Record<string, (scene: Phaser.Scene, stage: Stage) => Phaser.GameObjects.GameObject> = {
  white: (s) => s.add.rectangle(200, 150, 300, 200, 0xffffff),
  grey: (s) => s.add.rectangle(200, 150, 300, 200, 0x808080),
  black: (s) => s.add.rectangle(200, 150, 300, 200, 0x000000),
  'a half of white': (s) => s.add.rectangle(160, 150, 80, 60, 0xffffff),
  'a soft dark picture': (s, stage) => s.add.image(200, 150, soft(stage, 50)).setScale(2),
  'a light picture that is faint': (s, stage) =>
    s.add
      .image(200, 150, flat(stage, 'light', '#dddddd'))
      .setScale(8)
      .setAlpha(0.5),
};

/** What adds light, multiplies it or turns it over. */
export const lightTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'light that adds up',
    variants: [
      ...(['ADD', 'SCREEN'] as const).flatMap((mode) => [
        over(`three faint rectangles with ${mode}`, { ADD: 62.5, SCREEN: 80.5 }[mode], (s) => {
          for (let i = 0; i < 3; i++) {
            s.add
              .rectangle(180 + 12 * i, 150, 50, 24, 0x404040)
              .setBlendMode(mode)
              .setName(`glow ${i}`);
          }
          return undefined;
        }),
        over(`soft particles with ${mode}`, undefined, (s, stage) =>
          burst(s, soft(stage), 20, { scale: 0.3, alpha: 0.35, blendMode: mode }),
        ),
      ]),
      over('faint particles', undefined, (s, stage) =>
        burst(s, flat(stage, 'grey', '#555555'), 12, {
          scale: 1.75,
          alpha: 0.45,
          blendMode: 'ADD',
        }),
      ),
      over('a glow below a shade', undefined, (s) => {
        s.add.rectangle(190, 150, 50, 24, 0x404040).setBlendMode('ADD').setName('glow');
        s.add.rectangle(210, 150, 50, 24, 0x000000, 0.4).setName('shade');
        return undefined;
      }),
      over('a glow above a bright veil', undefined, (s) => {
        s.add.rectangle(210, 150, 50, 24, 0xffffff, 0.4).setName('veil');
        s.add.rectangle(190, 150, 50, 24, 0x303030).setBlendMode('ADD').setName('glow');
        return undefined;
      }),
      over('a glow above a dark shade', undefined, (s) => {
        s.add.rectangle(210, 150, 50, 24, 0x000000, 0.4).setName('shade');
        s.add.rectangle(190, 150, 50, 24, 0x303030).setBlendMode('ADD').setName('glow');
        return undefined;
      }),
      over('a glow above a grey shade', undefined, (s) => {
        s.add.rectangle(210, 150, 50, 24, 0x606060, 0.4).setName('shade');
        s.add.rectangle(190, 150, 50, 24, 0x383838).setBlendMode('ADD').setName('glow');
        return undefined;
      }),
      over('a glow over an ad that lets light through', undefined, (s) => {
        (s.children.getByName('ad') as Phaser.GameObjects.Image).setAlpha(0.6);
        // Black and white differ by 0.6 of all light there is: 0.55 more takes a quarter, 0.85 three quarters.
        s.add.rectangle(175, 150, 20, 24, 0x8c8c8c).setBlendMode('ADD').setName('weak');
        return s.add.rectangle(225, 150, 20, 24, 0xd9d9d9).setBlendMode('ADD').setName('strong');
      }),
      ...Object.entries(grounds).flatMap(([ground, lay]) =>
        (['ADD', 'SCREEN'] as const).map((mode) =>
          over(`a soft glow with ${mode} over an ad that shows ${ground} below it`, undefined, (s, stage) => {
            const ad = s.children.getByName('ad') as Phaser.GameObjects.Image;
            s.children.moveTo(lay(s, stage).setName('ground'), 0);
            ad.setAlpha(0.62);
            return s.add.image(210, 158, soft(stage)).setBlendMode(mode);
          }),
        ),
      ),
      over(
        'a soft glow with ADD over an ad that shows a light picture with a dark tint below it',
        undefined,
        (s, stage) => {
          const ground = s.add
            .image(200, 150, flat(stage, 'light', '#dddddd'))
            .setScale(8)
            .setTint(0x404040);
          s.children.moveTo(ground.setName('ground'), 0);
          (s.children.getByName('ad') as Phaser.GameObjects.Image).setAlpha(0.62);
          return s.add.image(210, 158, soft(stage)).setBlendMode('ADD');
        },
        { renderers: ['webgl'] },
      ),
      over('faint emitters, none of them enough', undefined, (s, stage) => {
        for (let i = 0; i < 3; i++) {
          const emitter = s.add.particles(180 + 12 * i, 150, flat(stage, 'grey', '#555555'), {
            scale: 1.8,
            alpha: 0.6,
            frequency: -1,
            lifespan: 1e4,
            speed: 0,
            blendMode: 'ADD',
          });
          emitter.explode(1, 0, 0);
          emitter.setName(`sparks ${i}`);
        }
        return undefined;
      }),
      over('after a dark picture that dims has made room for it', 100, (s, stage) => {
        s.add
          .image(180, 150, flat(stage, 'dusk', '#112233'))
          .setScale(4)
          .setAlpha(0.3)
          .setName('dim');
        return s.add.rectangle(200, 150, 100, 60, 0x404040).setBlendMode('ADD').setName('glow');
      }),
      over('after a dark picture with holes has made room for it', 100, (s, stage) => {
        const key = picture(stage, 'half dusk', 40, 40, (c) => {
          c.fillStyle = '#112233';
          c.fillRect(0, 0, 40, 40);
          c.clearRect(0, 0, 40, 5);
        });
        s.add.image(180, 150, key).setAlpha(0.4).setName('dim');
        return s.add.rectangle(200, 155, 80, 30, 0x606060).setBlendMode('ADD').setName('glow');
      }),
      over(
        'which a dark picture filled with white has left no room',
        undefined,
        (s, stage) => {
          s.add
            .image(180, 150, flat(stage, 'dusk', '#112233'))
            .setScale(3)
            .setAlpha(0.3)
            .setTintFill(0xffffff)
            .setName('dim');
          return s.add.rectangle(200, 150, 100, 60, 0x606060).setBlendMode('ADD').setName('glow');
        },
        { renderers: ['webgl'] },
      ),
    ],
  },
  {
    number: 0,
    title: 'tints that multiply',
    variants: [
      ...[0xcccccc, 0x606060].flatMap((tint) => [
        over(`particles, ${tint.toString(16)}`, undefined, (s, stage) =>
          burst(s, flat(stage, 'pale', '#cccccc'), 8, { tint, blendMode: 'MULTIPLY' }),
        ),
        over(`soft particles, ${tint.toString(16)}`, undefined, (s, stage) =>
          burst(s, soft(stage), 4, { scale: 0.4, tint, alpha: 0.9, blendMode: 'MULTIPLY' }),
        ),
        over(`particles filled with it, ${tint.toString(16)}`, undefined, (s, stage) => {
          const emitter = burst(s, flat(stage, 'white', '#fff'), 4, {
            tint,
            scale: 2,
            alpha: 0.9,
            blendMode: 'MULTIPLY',
          });
          emitter.tintFill = true;
          return emitter;
        }),
        over(`bobs, ${tint.toString(16)}`, undefined, (s, stage) => {
          const blitter = s.add.blitter(170, 135, flat(stage, 'pale', '#cccccc'));
          for (let i = 0; i < 6; i++) blitter.create(9 * i, 5 * (i % 3)).setTint(tint);
          return blitter.setBlendMode('MULTIPLY');
        }),
        // On Canvas a layer of tiles has no blend mode.
        over(`tiles, ${tint.toString(16)}`, { webgl: tint === 0x606060 ? 52 : 100, canvas: 36 }, (s, stage) => {
          const map = s.make.tilemap({ width: 4, height: 2, tileWidth: 16, tileHeight: 16 });
          const key = flat(stage, 'pale', '#cccccc');
          const layer = map.createBlankLayer('layer', map.addTilesetImage(key, key, 16, 16)!, 170, 135)!;
          layer.fill(0);
          layer.forEachTile((tile, index) => {
            if (index % 3 < 2) tile.tint = tint;
          });
          return layer.setBlendMode('MULTIPLY');
        }),
        over(`an image, ${tint.toString(16)}`, undefined, (s, stage) =>
          s.add.image(200, 150, soft(stage)).setTint(tint).setAlpha(0.8).setBlendMode('MULTIPLY'),
        ),
      ]),
    ],
  },
  {
    number: 0,
    title: 'modes of Canvas',
    variants: ['HARD_LIGHT', 'DIFFERENCE', 'EXCLUSION'].flatMap((mode) => [
      ...[0x000000, 0x303030, 0x909090, 0xffffff].flatMap((colour) =>
        [1, 0.4].map((alpha) =>
          over(
            `a rectangle of ${colour.toString(16)}, alpha ${alpha}, with ${mode}`,
            undefined,
            (s) => s.add.rectangle(200, 150, 50, 24, colour, alpha).setBlendMode(mode),
            { renderers: ['canvas'], mayBeUnmeasurable: mode !== 'HARD_LIGHT' },
          ),
        ),
      ),
      over(`a picture with ${mode}`, undefined, (s, stage) => s.add.image(200, 150, ramp(stage)).setBlendMode(mode), {
        renderers: ['canvas'],
        mayBeUnmeasurable: mode !== 'HARD_LIGHT',
      }),
    ]),
  },
];
