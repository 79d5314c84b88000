import { GameMeter } from '../../../../src/meter/GameMeter.js';
import type { Stage } from '../Stage.js';
import { flat, GREY, over, picture, putAd, type Trap, type Variant } from './Trap.js';

type Scene = Phaser.Scene;

/** Effects that recolour, and make transparent. */
const FADING: Readonly<Record<string, (effects: Phaser.GameObjects.Components.FX) => unknown>> = {
  'a vignette': (effects) => effects.addVignette(0.3, 0.5, 0.25),
  'a shine that reveals it': (effects) => effects.addShine(0.5, 0.5, 5, true),
  // prettier-ignore
  'a colour matrix for its alpha': (effects) =>
    effects.addColorMatrix().set([1, 0, 0, 0, 0,  0, 1, 0, 0, 0,  0, 0, 1, 0, 0,  0, 0, 0, 0.2, 0]),
};

type Effects = Phaser.GameObjects.Components.FX;

/** A grey that is given three times its light. */
const overbright = (effects: Effects): unknown => effects.addColorMatrix().brightness(3);

/** A black object that is made white. */
const whitened = (effects: Effects): unknown => effects.addGradient(0xffffff, 0xffffff, 0);

/** Effects of a picture that is mixed with what is below by its colour: name → the picture's, the mode, the effect. */
const RELIGHTING: Readonly<Record<string, readonly [string, string, (effects: Effects) => unknown]>> = {
  'dark light made white by a gradient': ['black', 'ADD', whitened],
  'bright light dimmed by a colour matrix': ['white', 'ADD', (effects) => effects.addColorMatrix().brightness(0.1)],
  'a dark picture in SCREEN, its negative shown': ['black', 'SCREEN', (effects) => effects.addColorMatrix().negative()],
  'a dark picture in MULTIPLY made white by a gradient': ['black', 'MULTIPLY', whitened],
  'faint light with a shine': ['#787878', 'ADD', (effects) => effects.addShine(0, 0.5, 1)],
};

/** Effects after which what is faint may hide more than its alpha tells. */
const THICKENING: Readonly<Record<string, (effects: Effects) => unknown>> = {
  'a shine': (effects) => effects.addShine(0, 0.5, 1),
  'a colour matrix for more light than there is': overbright,
};

/** An ad at the middle of the stage and what `build` puts around it. */
function scene(
  name: string,
  share: Variant['share'],
  build: (scene: Scene, ad: Phaser.GameObjects.Image, stage: Stage) => unknown,
  more: Partial<Variant> = {},
): Variant {
  return {
    name,
    ...(share === undefined ? {} : { share }),
    ...more,
    build: async (stage) => {
      const ad = putAd(stage.scene(0));
      await build(stage.scene(0), ad, stage);
      return ad;
    },
  };
}

/** A container of phaser3-rex-plugins that draws its children itself. */
async function rexLayer(
  of: Scene,
  child: Phaser.GameObjects.GameObject,
): Promise<{ setVisible(on: boolean): unknown }> {
  // It asks for the global Phaser as soon as it is loaded.
  const { default: ContainerLite } = await import('phaser3-rex-plugins/plugins/containerlite.js');
  const container = new ContainerLite(of, 200, 150, 200, 120, [child]);
  of.add.existing(container);
  container.enableLayer();
  return container;
}

/** A sheet of four 16 × 16 cells, margin 2, spacing 3: solid, hollow, left half, clear. */
function sheet(stage: Stage): string {
  return picture(stage, 'spaced sheet', 2 + 4 * 16 + 3 * 3 + 2, 20, (c) => {
    c.fillStyle = '#7a5230';
    c.fillRect(2, 2, 16, 16);
    c.fillRect(21, 2, 16, 16);
    c.clearRect(25, 6, 8, 8);
    c.fillRect(40, 2, 8, 16);
  });
}

function foreground(of: Scene, stage: Stage, cells: number[][]): Phaser.Tilemaps.TilemapLayer {
  const map = of.make.tilemap({ data: cells, tileWidth: 16, tileHeight: 16 });
  const tiles = map.addTilesetImage('spaced', sheet(stage), 16, 16, 2, 3)!;
  return map.createLayer(0, tiles, 0, 0)!;
}

function cells(index: (column: number, row: number) => number): number[][] {
  return Array.from({ length: 19 }, (_, row) => Array.from({ length: 25 }, (_, column) => index(column, row)));
}

/** A texture of two frames, both trimmed in the packer: a spark and a wide leaf. */
function packed(stage: Stage): string {
  const key = picture(stage, 'packed', 64, 32, (c) => {
    c.fillStyle = '#c0a040';
    c.fillRect(4, 4, 12, 12);
    c.fillRect(32, 0, 30, 10);
  });
  const texture = stage.game.textures.get(key);
  if (!texture.has('spark')) {
    texture.add('spark', 0, 4, 4, 12, 12)!.setTrim(32, 32, 10, 10, 12, 12);
    texture.add('leaf', 0, 32, 0, 30, 10)!.setTrim(40, 40, 5, 25, 30, 10);
  }
  return key;
}

function pixelArt(name: string, zoom: number, share?: number): Variant {
  return scene(
    name,
    share,
    (s, _ad, stage) => {
      const camera = s.cameras.main.setRoundPixels(true).setZoom(zoom);
      camera.setScroll(0.37, 0.61);
      s.add
        .image(180.6, 140.4, flat(stage, 'grey', '#555555'))
        .setScale(1.3)
        .setName('sprite');
      s.add.text(190.3, 150.7, 'HP 3', { fontSize: '14px' }).setName('text');
      // On Canvas the ad itself grows by half a pixel, which no arithmetic foresees.
    },
    { renderers: ['webgl'] },
  );
}

/** In a game that rounds pixels everywhere. On Canvas the ad, too, is drawn in another size, which no arithmetic foresees. */
function roundedEverywhere(name: string, build: Parameters<typeof scene>[2]): Variant {
  const config = { render: { roundPixels: true } };
  return scene(`a game that rounds pixels: ${name}`, undefined, build, { renderers: ['webgl'], config });
}

/**
 * There Canvas draws it half a texel larger, which must not make up for what lies beyond the canvas. It is measured; the mark keeps
 * the picture from being compared with arithmetic, which foresees no other size.
 */
const enlargedOverEdge: Variant = {
  name: 'a game that rounds pixels: an enlarged ad that reaches over the edge by little',
  renderers: ['canvas'],
  config: { render: { roundPixels: true } },
  mayBeUnmeasurable: true,
  isMeasured: true,
  build: (stage) => {
    stage.scene(0).add.graphics().fillStyle(0x335577).fillCircle(200, 150, 60);
    return putAd(stage.scene(0), 241, 150).setScale(4);
  },
};

/**
 * A cover that ends within the ad, drawn by an enlarging camera of its own that rounds. The ad's camera does not: on Canvas the
 * ad would grow by half a pixel, which no arithmetic foresees.
 */
function rounded(
  name: string,
  zoom: number,
  put: (scene: Scene, x: number, y: number, stage: Stage) => Phaser.GameObjects.GameObject,
): Variant {
  return scene(name, undefined, (s, ad, stage) => {
    const camera = s.cameras.add(0, 0, 400, 300).setRoundPixels(true).setZoom(zoom);
    camera.ignore(ad);
    s.cameras.main.setZoom(2);
    const cover = put(s, 200, 150 - 96 / zoom + 0.9, stage).setName('cover');
    s.cameras.main.ignore(cover);
  });
}

/** A picture of a few large texels, drawn without smoothing: clear, glass and solid ones. */
function texels(stage: Stage): string {
  const key = picture(stage, 'texels', 6, 4, (c) => {
    c.fillStyle = 'rgba(90,90,90,0.4)';
    c.fillRect(0, 0, 4, 4);
    c.fillStyle = '#777777';
    for (const [x, y] of [[1, 1], [3, 2], [3, 3], [0, 3], [5, 1]] as const) c.fillRect(x, y, 1, 1); // prettier-ignore
  });
  stage.game.textures.get(key).setFilter(Phaser.Textures.FilterMode.NEAREST);
  return key;
}

/** What games are made of, put together as games do. */
export const gameTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'as in a game: user interface',
    variants: [
      scene('a rexUI container whose renderer layer draws its children', 0, (s) =>
        rexLayer(s, s.add.rectangle(200, 150, 200, 120, GREY).setName('panel')),
      ),
      scene('an ad inside such a container, and a cover in a hidden one', 100, async (s, ad) => {
        await rexLayer(s, ad);
        const panel = s.add.rectangle(200, 150, 200, 120, GREY).setName('panel');
        (await rexLayer(s, panel)).setVisible(false);
      }),
      scene(
        'a panel of nine slices with a text on it',
        { canvas: 95 },
        (s, _ad, stage) => {
          const key = picture(stage, 'panel', 48, 48, (c) => {
            c.fillStyle = '#335577';
            c.beginPath();
            c.roundRect(0, 0, 48, 48, 12);
            c.fill();
          });
          s.add.nineslice(180, 140, key, undefined, 100, 60, 16, 16, 16, 16).setName('panel');
          s.add.text(205, 152, 'OK', { fontSize: '20px', fontFamily: 'monospace' }).setName('label');
        },
        { shareWithin: 6 },
      ),
      scene(
        'a faint panel of nine slices, of which a batch holds fewer, over a picture',
        undefined,
        (s, _ad, stage) => {
          s.add
            .image(200, 150, flat(stage, 'grey', '#555555'))
            .setScale(3, 2)
            .setName('picture');
          s.add.nineslice(200, 150, 'panel', undefined, 90, 78, 16, 16, 16, 16).setAlpha(0.15).setName('panel');
        },
        // Phaser 3 writes all nine into it, whatever fits.
        { renderers: ['webgl'], config: { render: { batchSize: 2 } } },
      ),
      scene('text with stroke, shadow, padding and resolution', undefined, (s) => {
        s.add
          .text(165, 132, 'GAME', { fontSize: '32px', stroke: '#000000', strokeThickness: 8, padding: { x: 12, y: 6 } })
          .setShadow(4, 4, '#333333', 2, true, true)
          .setResolution(2)
          .setName('title');
      }),
      scene('a cropped and a flipped text', undefined, (s) => {
        s.add
          .text(165, 132, 'GAME', { fontSize: '40px', backgroundColor: '#224466' })
          .setCrop(0, 0, 40, 30)
          .setName('a');
        s.add.text(225, 132, 'II', { fontSize: '40px', backgroundColor: '#224466' }).setFlipX(true).setName('b');
      }),
      scene('flipped texts of other opacity in each corner', undefined, (s) => {
        const style = { fontSize: '30px', backgroundColor: '#224466' };
        s.add.text(165, 132, 'LL', style).setFlipX(true).setAlpha(1, 0.6, 0.6, 0).setName('a');
        s.add
          .text(205, 132, 'LLL', style)
          .setFlip(true, true)
          .setCrop(9, 3, 36, 22)
          .setAlpha(0, 1, 0.3, 0.8)
          .setName('b');
      }),
      scene('bitmap text with a drop shadow, wrapped, centred and tinted by character', undefined, (s) => {
        s.add
          .bitmapText(200, 150, 'retro', 'ABC 123 CAB 321', 16)
          .setOrigin(0.5)
          .setMaxWidth(70)
          .setCenterAlign()
          .setLetterSpacing(2)
          .setDropShadow(3, 3, 0x000000, 0.9)
          .setCharacterTint(0, 3, true, 0xff8800)
          .setName('score');
      }),
      scene('a button that was flipped inside a mirrored container', undefined, (s, _ad, stage) => {
        const button = s.add.image(30, 10, packed(stage), 'leaf').setFlipX(true).setScale(2).setOrigin(0, 1);
        s.add
          .container(200, 150, [button.setName('button')])
          .setScale(-1.2, 0.8)
          .setAngle(20);
      }),
      scene(
        'a modal dimmer of 50 % with a hole cut by an inverted mask',
        { webgl: 50 },
        (s) => {
          const hole = s.make.graphics({}, false).fillRect(160, 100, 40, 100);
          const mask = new Phaser.Display.Masks.GeometryMask(s, hole).setInvertAlpha(true);
          s.add.rectangle(200, 150, 400, 300, 0, 0.6).setMask(mask).setName('dimmer');
        },
        { renderers: ['webgl'] },
      ),
    ],
  },
  {
    number: 0,
    title: 'as in a game: world',
    variants: [
      scene('a foreground of spaced tiles, some hollow, some half, some turned', undefined, (s, _ad, stage) => {
        const layer = foreground(
          s,
          stage,
          cells((column, row) => ((column * 7 + row * 5) % 5) - 1),
        );
        layer.forEachTile((tile, index) => {
          tile.rotation = ((tile.x + tile.y) % 4) * (Math.PI / 2);
          tile.flipX = index % 3 === 0;
        });
        layer.setName('trees');
      }),
      scene('a foreground that fades, with a tile made clear and one replaced', undefined, (s, _ad, stage) => {
        const layer = foreground(
          s,
          stage,
          cells(() => 0),
        )
          .setAlpha(0.8)
          .setName('roof');
        layer.getTileAt(11, 9).alpha = 0.3;
        layer.putTileAt(3, 12, 9);
        layer.putTileAt(1, 13, 9);
        layer.removeTileAt(10, 8);
        layer.getTileAt(14, 9).setVisible(false);
      }),
      scene('a scrolled, zoomed, parallax foreground', undefined, (s, _ad, stage) => {
        s.cameras.main.setZoom(1.5).setScroll(22, 12);
        const layer = foreground(
          s,
          stage,
          cells((column, row) => (column + row) % 4),
        );
        // Smoothed, the edges of enlarged tiles are mixed with the clear space between them, a third of a pixel deep.
        s.textures.get('spaced sheet').setFilter(Phaser.Textures.NEAREST);
        layer.setScrollFactor(1.4, 0.7).setScale(1.25).setPosition(-17, 5).setName('leaves');
      }),
      scene('particles with trimmed, turned frames of an atlas', undefined, (s, _ad, stage) => {
        const emitter = s.add.particles(200, 150, packed(stage), {
          frame: ['spark', 'leaf'],
          speed: { min: 20, max: 60 },
          rotate: { min: 0, max: 360 },
          scale: { start: 1.5, end: 0.6 },
          lifespan: 1e4,
          quantity: 8,
          frequency: -1,
        });
        emitter.explode(24);
        emitter.setName('leaves');
      }),
      scene('particles that follow, tint and fade in a turned container', undefined, (s, _ad, stage) => {
        const emitter = s.add.particles(10, -5, flat(stage, 'grey', '#555555'), {
          x: { min: -40, max: 40 },
          y: { min: -20, max: 20 },
          alpha: { values: [1, 0.2, 0.8] } as never,
          tint: [0xff0000, 0x00ff00],
          lifespan: 1e4,
          frequency: -1,
        });
        emitter.explode(20);
        s.add
          .container(200, 150, [emitter.setScale(0.9).setName('dust')])
          .setAngle(33)
          .setAlpha(0.9);
      }),
      scene('a sprite in mid animation, its sheet spaced', undefined, (s, _ad, stage) => {
        const texture = stage.game.textures.get(sheet(stage));
        for (let i = 0; i < 4; i++) if (!texture.has(`c${i}`)) texture.add(`c${i}`, 0, 2 + 19 * i, 2, 16, 16);
        s.add.sprite(185, 150, 'spaced sheet', 'c0').setFrame('c2').setScale(3).setName('hero');
        s.add
          .sprite(225, 150, 'spaced sheet', 'c3')
          .setFrame('c1')
          .setScale(2, 3)
          .setTintFill(0x00ff00)
          .setName('ghost');
      }),
      scene('a texture of twice the resolution', undefined, (s, _ad, stage) => {
        const key = picture(stage, 'dense', 80, 40, (c) => {
          c.fillStyle = '#445566';
          c.fillRect(0, 0, 80, 40);
        });
        s.add.image(200, 150, key).setName('plain');
        stage.game.textures.get(key).source[0]!.resolution = 2;
        s.add.image(160, 150, key).setName('dense');
      }),
      scene('a gradient sky, an arc and a path of a Graphics', undefined, (s) => {
        const graphics = s.add.graphics().setName('hills');
        graphics.fillGradientStyle(0x334455, 0x334455, 0x112233, 0x112233, 0, 0, 1, 1).fillRect(160, 120, 80, 60);
        graphics.fillStyle(0x226622).beginPath().arc(180, 180, 30, Math.PI, 0.3).closePath().fillPath();
        graphics.lineStyle(6, 0x884422, 0.9).strokeCircle(220, 140, 14).strokeRoundedRect(150, 125, 30, 30, 8);
      }),
      scene('a rope of smoke and a plane on a slope', undefined, (s, _ad, stage) => {
        const points = [0, 1, 2, 3, 4].map((i) => new Phaser.Math.Vector2(i * 20 - 40, Math.sin(i) * 12));
        s.add
          .rope(190, 145, flat(stage, 'grey', '#555555'), undefined, points)
          .setAlphas(1, 0.2)
          .setName('smoke');
      }),
      scene('a canvas texture that the game has painted anew', undefined, (s, _ad, stage) => {
        const texture = stage.game.textures.exists('map')
          ? (stage.game.textures.get('map') as Phaser.Textures.CanvasTexture)
          : stage.game.textures.createCanvas('map', 60, 60)!;
        texture.getContext().fillRect(0, 0, 60, 60);
        texture.refresh();
        s.add.image(200, 150, 'map').setName('map');
        stage.step();
        texture.getContext().clearRect(20, 0, 40, 60);
        texture.refresh();
      }),
      scene('a pattern, which stays as it was when the canvas it is made of is painted anew', 50, (s, _ad, stage) => {
        const key = picture(stage, 'weave', 64, 64, () => undefined);
        const texture = stage.game.textures.get(key) as Phaser.Textures.CanvasTexture;
        texture.clear().getContext().fillRect(0, 0, 32, 64);
        texture.refresh();
        s.add.tileSprite(200, 150, 128, 64, key).setName('pattern');
        stage.step();
        texture.clear().getContext().fillRect(0, 0, 4, 64);
        texture.refresh();
      }),
      scene('a pattern whose picture was removed since', 50, (s, _ad, stage) => {
        const key = picture(stage, 'planks', 64, 64, (c) => c.fillRect(0, 0, 32, 64));
        s.add.tileSprite(200, 150, 128, 64, key).setName('pattern');
        stage.step();
        stage.game.textures.remove(key);
      }),
      scene(
        'a pattern in a game without smoothing, whose few texels WebGL stretches to powers of two',
        undefined,
        (s, _ad, stage) => {
          const key = picture(stage, 'dots', 5, 3, (c) => {
            c.fillStyle = '#777777';
            c.fillRect(1, 1, 2, 1);
            c.fillRect(4, 2, 1, 1);
          });
          s.add.tileSprite(200, 150, 70, 36, key).setTileScale(6, 7).setTilePosition(3.3, 1.2).setName('pattern');
        },
        { config: { render: { pixelArt: true } }, renderers: ['webgl'] },
      ),
      scene(
        'a drawn texture over the ad is opaque as far as anybody knows',
        undefined,
        (s) => {
          s.add.renderTexture(200, 150, 60, 30).fill(0x445566, 1).setName('trail');
        },
        { mayBeUnmeasurable: true },
      ),
    ],
  },
  {
    number: 0,
    title: 'as in a game: cameras',
    variants: [
      pixelArt('pixel art at zoom 2', 2),
      pixelArt('pixel art at zoom 3', 3),
      pixelArt('pixel art at zoom 1', 1),
      ...[1, 2.5].flatMap((zoom) => [
        rounded(`a picture between pixels in a camera that rounds, at zoom ${zoom}`, zoom, (s, x, y, stage) =>
          s.add.image(x, y, flat(stage, 'grey', '#555555')).setScale(192 / 16 / zoom),
        ),
        rounded(`another ad between pixels in a camera that rounds, at zoom ${zoom}`, zoom, (s, x, y, stage) => {
          const other = s.add.image(x, y, flat(stage, 'grey', '#555555')).setScale(192 / 16 / zoom);
          GameMeter.of(stage.game).observe(other, () => undefined);
          return other;
        }),
        rounded(
          `another ad below a text between pixels in a camera that rounds, at zoom ${zoom}`,
          zoom,
          (s, x, y, stage) => {
            const other = s.add.image(x, y, flat(stage, 'grey', '#555555')).setScale(192 / 16 / zoom);
            s.add.text(x, y, ' ');
            GameMeter.of(stage.game).observe(other, () => undefined);
            return other;
          },
        ),
        rounded(`a text between pixels in a camera that rounds, at zoom ${zoom}`, zoom, (s, x, y) =>
          s.add
            .text(x, y, '', { backgroundColor: '#555555', fixedWidth: 192, fixedHeight: 192 })
            .setOrigin(0.5)
            .setScale(1 / zoom),
        ),
        rounded(`a pattern between pixels in a camera that rounds, at zoom ${zoom}`, zoom, (s, x, y, stage) =>
          s.add.tileSprite(x, y, 192, 192, flat(stage, 'grey', '#555555')).setScale(1 / zoom),
        ),
        rounded(
          `a picture between pixels of a container in a camera that rounds, at zoom ${zoom}`,
          zoom,
          (s, x, y, stage) => {
            const picture = s.add.image(0.9, 0.9, flat(stage, 'grey', '#555555')).setScale(192 / 32 / zoom);
            return s.add.container(x, y, [picture]).setScale(2);
          },
        ),
      ]),
      ...[1, 2, 2.5].map((zoom) =>
        rounded(`tiles between pixels in a camera that rounds, at zoom ${zoom}`, zoom, (s, _x, y, stage) => {
          const tiles = foreground(
            s,
            stage,
            cells(() => 0),
          );
          return tiles.setPosition(0, y + 96 / zoom - 19 * 16);
        }),
      ),
      enlargedOverEdge,
      roundedEverywhere('a picture over half of the ad and less than half a pixel', (s, _ad, stage) => {
        s.add
          .image(255.6, 150.6, flat(stage, 'grey', '#555555'))
          .setScale(5, 1.37)
          .setName('picture');
      }),
      roundedEverywhere('a picture that is moved off the ad', (s, _ad, stage) => {
        s.add
          .image(247.6, 150, flat(stage, 'grey', '#555555'))
          .setScale(1, 4)
          .setName('picture');
      }),
      roundedEverywhere('an ad that is moved from under a picture', (s, ad, stage) => {
        ad.setPosition(200.4, 150.4);
        s.add
          .image(247.8, 150, flat(stage, 'grey', '#555555'))
          .setScale(1, 4)
          .setName('picture');
      }),
      roundedEverywhere('a turned picture with holes, and a text', (s, _ad, stage) => {
        s.add.image(190.3, 150.4, texels(stage)).setScale(9.3).setAngle(25).setName('art');
        s.add.text(205.3, 140.7, 'HP 3', { fontSize: '24px' }).setName('text');
      }),
      roundedEverywhere('a shape over pictures', (s, _ad, stage) => {
        s.add.image(190.3, 150.4, flat(stage, 'grey', '#555555')).setName('picture');
        s.add.star(215.4, 150.4, 5, 6.3, 14.7, GREY).setName('star');
        s.add.circle(175.6, 140.3, 9.4, GREY).setName('circle');
      }),
      roundedEverywhere(
        'a drawing over pictures, which in some versions keeps all from being rounded',
        (s, _ad, stage) => {
          s.add
            .image(190.4, 150.4, flat(stage, 'grey', '#555555'))
            .setScale(1.3)
            .setName('picture');
          s.add.graphics().fillStyle(GREY).fillRect(205.4, 140.4, 9.3, 9.3).setName('drawing');
        },
      ),
      roundedEverywhere('a crowd of small pictures', (s, _ad, stage) => {
        for (let i = 0; i < 24; i++) {
          s.add
            .image(164.4 + 3.3 * i, 134.3 + ((i * 7.7) % 32), flat(stage, 'grey', '#555555'))
            .setScale(0.23)
            .setAngle(11 * i)
            .setName(`picture ${i}`);
        }
      }),
      scene('pixel art without smoothing, much enlarged', undefined, (s, _ad, stage) => {
        s.add.image(200.3, 150.2, texels(stage)).setScale(13).setName('art');
      }),
      scene('pixel art without smoothing, turned and mirrored', undefined, (s, _ad, stage) => {
        s.add.image(200.3, 150.2, texels(stage)).setScale(-11, 13).setAngle(25).setName('art');
      }),
      scene('a pattern of pixel art, which is smoothed all the same', undefined, (s, _ad, stage) => {
        s.add.tileSprite(200, 150, 70, 36, texels(stage)).setTileScale(6.3).setName('pattern');
      }),
      scene(
        'a split screen, one half faded out',
        100,
        (s) => {
          const { main } = s.cameras;
          main.setViewport(0, 0, 200, 300).setScroll(100, 0);
          s.cameras.add(200, 0, 200, 300).setScroll(100, 0).fadeOut(30);
        },
        { frames: 6 },
      ),
      scene(
        'a camera that follows within bounds and a dead zone',
        undefined,
        (s) => {
          const hero = s.add.rectangle(230, 160, 40, 40, GREY).setName('hero');
          s.cameras.main.setBounds(0, 0, 800, 600).setDeadzone(60, 40).startFollow(hero, true, 0.3, 0.3).setZoom(1.2);
        },
        // On Canvas a following camera rounds the ad itself to another size.
        { frames: 5, renderers: ['webgl'] },
      ),
      scene('a scene that is drawn by a camera of half its size, moved', undefined, (s) => {
        s.cameras.main.setSize(150, 120).setPosition(70, 40).setZoom(0.6, 0.9).centerOn(200, 150);
        s.add.ellipse(215, 160, 50, 30, GREY).setName('rock');
      }),
    ],
  },
  {
    number: 0,
    title: 'as in a game: effects',
    variants: [
      over(
        'particles with an effect that have all died: Phaser does not end it, and the screen stays empty',
        0,
        (s, stage) => {
          const emitter = s.add.particles(60, 60, flat(stage, 'grey', '#555555'), { lifespan: 1e4, emitting: false });
          emitter.postFX?.addColorMatrix().grayscale(1);
          emitter.explode(4);
          stage.step(16);
          emitter.killAll();
          return emitter;
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true, ownGame: true },
      ),
      over(
        'a glow around a cover beside the ad',
        undefined,
        (s, stage) => {
          const cover = s.add.image(100, 150, flat(stage, 'grey', '#555555')).setScale(3);
          cover.preFX?.addGlow(0xffffff, 8);
          return cover;
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true },
      ),
      over(
        'a blurred cover',
        undefined,
        (s, stage) => {
          const cover = s.add.image(200, 150, flat(stage, 'grey', '#555555')).setScale(4);
          cover.postFX?.addBlur();
          return cover;
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true },
      ),
      over(
        'a cover with a colour matrix',
        undefined,
        (s, stage) => {
          const cover = s.add.image(200, 150, flat(stage, 'grey', '#555555')).setScale(4);
          cover.postFX?.addColorMatrix().grayscale(1);
          return cover;
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true },
      ),
      over(
        'a shadow cast onto the ad by a cover beside it',
        undefined,
        (s, stage) => {
          const cover = s.add.image(140, 150, flat(stage, 'grey', '#555555')).setScale(2);
          cover.postFX?.addShadow(0, 0, 0.06, 1, 0x000000, 12);
          return cover;
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true },
      ),
      over(
        'a dropped shadow in the ad',
        undefined,
        (s, stage) => {
          const cover = s.add.image(150, 110, flat(stage, 'grey', '#555555')).setScale(2);
          cover.postFX?.addShadow(-1, -1, 0.1, 1, 0x000000, 6);
          return cover;
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true },
      ),
      scene(
        'an ad in the light of a lamp',
        undefined,
        (s, ad) => {
          s.lights.enable().setAmbientColor(0x404040);
          s.lights.addLight(200, 150, 100);
          ad.setPipeline('Light2D');
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true },
      ),
      over(
        'a cover in the light of a lamp',
        undefined,
        (s, stage) => {
          s.lights.enable().setAmbientColor(0x808080);
          return s.add
            .image(190, 150, flat(stage, 'grey', '#888888'))
            .setScale(3)
            .setPipeline('Light2D');
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true },
      ),
      scene(
        'a layer with a glow',
        undefined,
        (s, _ad, stage) => {
          const cover = s.add
            .image(200, 150, flat(stage, 'grey', '#555555'))
            .setScale(2)
            .setName('cover');
          s.add.layer([cover]).postFX?.addGlow(0xff0000, 6);
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true },
      ),
      scene(
        'a faint window with a grey tone, in a container in a container',
        100,
        (s, _ad, stage) => {
          const panel = s.add
            .image(0, 0, flat(stage, 'grey', '#555555'))
            .setScale(3)
            .setAlpha(0.4)
            .setName('panel');
          const window = s.add.container(190, 150, [panel]);
          s.add.container(25, 0, [window]).postFX?.addColorMatrix().grayscale();
        },
        { renderers: ['webgl'] },
      ),
      scene(
        'two faint pictures in a faint layer with a gradient',
        100,
        (s, _ad, stage) => {
          const pictures = ['first', 'second'].map((name) =>
            s.add
              .image(215, 150, flat(stage, 'grey', '#555555'))
              .setScale(3)
              .setAlpha(0.5)
              .setName(name),
          );
          s.add.layer(pictures).setAlpha(0.4).postFX?.addGradient(0xff0000, 0x0000ff);
        },
        { renderers: ['webgl'] },
      ),
      ...Object.entries(FADING).map(([name, fade]) =>
        scene(
          `a cover with ${name}`,
          undefined,
          (s, _ad, stage) => {
            const cover = s.add
              .image(215, 150, flat(stage, 'grey', '#555555'))
              .setScale(3)
              .setName('cover');
            fade(cover.postFX);
          },
          { renderers: ['webgl'], mayBeUnmeasurable: true },
        ),
      ),
      ...Object.entries(THICKENING).flatMap(([name, thicken]) => [
        over(
          `a faint window with ${name}`,
          undefined,
          (s, stage) => {
            const window = s.add
              .image(200, 150, flat(stage, 'silver', '#999999'))
              .setScale(8)
              .setAlpha(0.4);
            thicken(window.postFX);
            return window;
          },
          { renderers: ['webgl'], mayBeUnmeasurable: true },
        ),
        over(
          `a rectangle of a faint colour with ${name}`,
          undefined,
          (s) => {
            const window = s.add.rectangle(200, 150, 120, 90, 0x999999, 0.4);
            thicken(window.postFX);
            return window;
          },
          { renderers: ['webgl'], mayBeUnmeasurable: true },
        ),
        scene(
          `a faint window in a container with ${name}`,
          undefined,
          (s, _ad, stage) => {
            const window = s.add
              .image(200, 150, flat(stage, 'silver', '#999999'))
              .setScale(8)
              .setAlpha(0.4);
            thicken(s.add.container(0, 0, [window.setName('window')]).postFX);
          },
          { renderers: ['webgl'], mayBeUnmeasurable: true },
        ),
        over(
          `a cover with ${name}`,
          50,
          (s, stage) => {
            const cover = s.add.image(264, 150, flat(stage, 'silver', '#999999')).setScale(8);
            thicken(cover.postFX);
            return cover;
          },
          { renderers: ['webgl'] },
        ),
      ]),
      ...Object.entries(RELIGHTING).map(([name, [colour, mode, relight]]) =>
        over(
          name,
          undefined,
          (s, stage) => {
            const light = s.add
              .image(200, 150, flat(stage, `flat ${colour}`, colour))
              .setScale(8)
              .setBlendMode(mode);
            relight(light.postFX);
            return light;
          },
          { renderers: ['webgl'], mayBeUnmeasurable: true },
        ),
      ),
      over(
        'a black rectangle of light made white by a gradient',
        undefined,
        (s) => {
          const light = s.add.rectangle(200, 150, 120, 90, 0x000000).setBlendMode('ADD');
          whitened(light.postFX);
          return light;
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true },
      ),
      scene(
        'faint light over a faint dark window made white by a gradient',
        undefined,
        (s, _ad, stage) => {
          const window = s.add
            .image(200, 150, flat(stage, 'flat black', 'black'))
            .setScale(8)
            .setAlpha(0.4);
          whitened(window.setName('window').postFX);
          s.add.rectangle(200, 150, 120, 90, 0xffffff, 0.3).setBlendMode('ADD').setName('light');
        },
        { renderers: ['webgl'] },
      ),
      scene(
        'faint light over a faint dark rectangle in a layer made white by a gradient',
        undefined,
        (s) => {
          const window = s.add.rectangle(200, 150, 120, 90, 0x000000, 0.4).setName('window');
          whitened(s.add.layer([window]).postFX);
          s.add.rectangle(200, 150, 120, 90, 0xffffff, 0.3).setBlendMode('ADD').setName('light');
        },
        { renderers: ['webgl'] },
      ),
      scene(
        'light in a container with a grey tone',
        undefined,
        (s, _ad, stage) => {
          const light = s.add
            .image(215, 150, flat(stage, 'grey', '#555555'))
            .setScale(3)
            .setBlendMode('ADD')
            .setName('light');
          s.add.container(0, 0, [light]).postFX?.addColorMatrix().grayscale();
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true },
      ),
      scene(
        'an ad in a container with a grey tone',
        undefined,
        (s, ad) => {
          s.add.container(0, 0, [ad]).postFX?.addColorMatrix().grayscale();
        },
        { renderers: ['webgl'], mayBeUnmeasurable: true },
      ),
      scene(
        'a camera with a vignette',
        undefined,
        (s) => {
          s.cameras.main.postFX?.addVignette(0.5, 0.5, 0.5);
        },
        { renderers: ['webgl'] },
      ),
      scene('a masked layer in front', 50, (s) => {
        const shape = s.make.graphics({}, false).fillStyle(0xffffff).fillRect(160, 100, 40, 100);
        const cover = s.add.rectangle(200, 150, 200, 200, GREY).setName('cover');
        s.add.layer([cover]).setMask(new Phaser.Display.Masks.GeometryMask(s, shape));
      }),
      over('a sprite masked by a picture with holes', undefined, (s, stage) => {
        const source = s.make.image({ x: 200, y: 150, key: 'ring', add: false }, false).setScale(1.5);
        return s.add
          .image(200, 150, flat(stage, 'grey', '#555555'))
          .setScale(8)
          .setMask(new Phaser.Display.Masks.BitmapMask(s, source));
      }),
      over('a cover that is said to be tiny', undefined, (s, stage) =>
        s.add
          .image(100, 150, flat(stage, 'grey', '#555555'))
          .setDisplaySize(160, 100)
          .setSize(1, 1),
      ),
      over('a cover whose corners fade', undefined, (s, stage) =>
        s.add
          .image(200, 150, flat(stage, 'grey', '#555555'))
          .setScale(6, 4)
          .setAlpha(1, 0, 1, 0),
      ),
      scene('a container with a blend mode of its own', undefined, (s, _ad, stage) => {
        const glow = s.add
          .image(0, 0, flat(stage, 'dark', '#202020'))
          .setScale(4)
          .setName('glow');
        s.add.container(200, 150, [glow]).setBlendMode(1);
      }),
    ],
  },
];
