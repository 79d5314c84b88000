import { ATLAS_FRAMES, FONT, HOLED_PICTURES, OPAQUE_PICTURES } from '../art.js';
import { type Random, withSeededRandom } from '../Random.js';
import { colour, type Kind, opacity, option } from './Kind.js';
import { buildGraphics } from './vectors.js';

type Point = readonly [number, number];

function anyPicture(random: Random): [key: string, frame: string | null] {
  if (random.chance(0.35)) return ['atlas', random.pick(ATLAS_FRAMES)];
  return [random.pick([...OPAQUE_PICTURES, ...HOLED_PICTURES]), null];
}

/** Kinds of the ornate scenes only: the same types of object, told more than most games tell them. */
export const ornateKinds: Record<string, Kind> = {
  tintedPicture: {
    weight: 0,
    ornateWeight: 4,
    random: (random) => {
      const [key, frame] = anyPicture(random);
      return {
        key,
        ...(frame ? { frame } : {}),
        fill: random.chance(0.5),
        tints: Array.from({ length: 4 }, () => colour(random)),
      };
    },
    build: (scene, o) => {
      const image = scene.add.image(0, 0, option(o, 'key', 'brick'), option<string | undefined>(o, 'frame', undefined));
      const [a, b, c, d] = option<number[]>(o, 'tints', [0xffffff, 0xffffff, 0xffffff, 0xffffff]);
      return option(o, 'fill', false) ? image.setTintFill(a, b, c, d) : image.setTint(a, b, c, d);
    },
  },
  ornateTiles: {
    weight: 0,
    ornateWeight: 5,
    random: (random) => {
      const columns = random.integer(2, 7);
      const rows = random.integer(2, 5);
      return {
        tile: random.pick([
          [16, 16],
          [24, 16],
          [16, 12],
          [32, 32],
        ]),
        spacing: random.chance(0.3) ? 16 : 0,
        tiles: Array.from({ length: rows * columns }, (_, i) => [
          i % columns,
          Math.floor(i / columns),
          random.chance(0.4) ? -1 : random.integer(0, 3),
          random.chance(0.3),
          random.chance(0.3),
          random.chance(0.25) ? random.pick([0.5, 1, 1.5]) * Math.PI : 0,
          random.chance(0.25) ? opacity(random) : 1,
          random.chance(0.9),
        ]),
        columns,
        rows,
        skipCull: random.chance(0.2),
        order: random.pick(['right-down', 'left-down', 'right-up', 'left-up']),
      };
    },
    build: (scene, o) => {
      const [tileWidth, tileHeight] = option<Point>(o, 'tile', [16, 16]);
      const map = scene.make.tilemap({
        tileWidth,
        tileHeight,
        width: option(o, 'columns', 4),
        height: option(o, 'rows', 3),
      });
      const tileset = map.addTilesetImage('tiles', 'tiles', 16, 16, 0, option(o, 'spacing', 0))!;
      const layer = map.createBlankLayer('layer', tileset, 0, 0)!;
      const tiles = option<[number, number, number, boolean, boolean, number, number, boolean][]>(o, 'tiles', []);
      for (const [x, y, index, flipX, flipY, rotation, alpha, visible] of tiles) {
        if (index < 0 || index >= tileset.total) continue;
        const tile = layer.putTileAt(index, x, y);
        tile.setFlip(flipX, flipY).setAlpha(alpha).setVisible(visible);
        tile.rotation = rotation;
      }
      layer.setRenderOrder(option(o, 'order', 'right-down'));
      layer.skipCull = option(o, 'skipCull', false);
      return layer;
    },
  },
  ornateParticles: {
    weight: 0,
    ornateWeight: 4,
    random: (random) => ({
      atlas: random.chance(0.5),
      count: random.integer(1, 8),
      x: [random.integer(-60, 0), random.integer(0, 60)],
      y: [random.integer(-50, 0), random.integer(0, 50)],
      scaleX: random.between(-1.5, 2),
      scaleY: random.between(0.4, 1.6),
      rotate: [random.integer(0, 90), random.integer(90, 360)],
      alpha: opacity(random),
      seed: random.integer(1, 1e6),
      sort: random.chance(0.3),
    }),
    build: (scene, o) => {
      const [xFrom, xTo] = option<Point>(o, 'x', [0, 0]);
      const [yFrom, yTo] = option<Point>(o, 'y', [0, 0]);
      const [from, to] = option<Point>(o, 'rotate', [0, 0]);
      const atlas = option(o, 'atlas', false);
      const emitter = scene.add.particles(0, 0, atlas ? 'atlas' : 'star', {
        ...(atlas ? { frame: ['trimmed', 'pivot'] } : {}),
        x: { min: xFrom, max: xTo },
        y: { min: yFrom, max: yTo },
        scaleX: option(o, 'scaleX', 1),
        scaleY: option(o, 'scaleY', 1),
        rotate: { start: from, end: to },
        alpha: option(o, 'alpha', 1),
        lifespan: 1000,
        emitting: false,
        ...(option(o, 'sort', false) ? { sortProperty: 'y', sortOrderAsc: true } : {}),
      });
      withSeededRandom(option(o, 'seed', 1), () => {
        emitter.explode(option(o, 'count', 5), 0, 0);
        emitter.preUpdate(0, 300);
      });
      emitter.active = false;
      return emitter;
    },
  },
  ornateText: {
    weight: 0,
    ornateWeight: 4,
    random: (random) => ({
      text: random.pick(['LEVEL 12 CLEARED', 'PAUSE', 'a\nlonger line\nb', 'HIGH SCORE 90210']),
      size: random.integer(16, 44),
      align: random.pick(['left', 'center', 'right', 'justify']),
      stroke: random.chance(0.4) ? random.integer(2, 10) : 0,
      shadow: random.chance(0.3) ? [random.integer(-8, 8), random.integer(-8, 8)] : [],
      wrap: random.chance(0.4) ? random.integer(60, 160) : 0,
      fixed: random.chance(0.25) ? [random.integer(60, 180), random.integer(30, 90)] : [],
      lineSpacing: random.integer(-6, 12),
      letterSpacing: random.chance(0.3) ? random.integer(-1, 6) : 0,
      maxLines: random.chance(0.15) ? 1 : 0,
    }),
    build: (scene, o) => {
      const wrap = option(o, 'wrap', 0);
      const text = scene.add.text(0, 0, option(o, 'text', 'PAUSE'), {
        fontFamily: 'sans-serif',
        fontStyle: 'bold',
        fontSize: `${option(o, 'size', 24)}px`,
        color: '#e0e0e0',
        align: option(o, 'align', 'left'),
        maxLines: option(o, 'maxLines', 0),
        ...(wrap ? { wordWrap: { width: wrap } } : {}),
      });
      const [shadowX, shadowY] = option<number[]>(o, 'shadow', []);
      const [fixedWidth, fixedHeight] = option<number[]>(o, 'fixed', []);
      if (option(o, 'stroke', 0)) text.setStroke('#303030', option(o, 'stroke', 0));
      if (shadowX !== undefined) text.setShadow(shadowX, shadowY, '#505050', 0, true, true);
      if (fixedWidth !== undefined) text.setFixedSize(fixedWidth, fixedHeight!);
      text.setLineSpacing(option(o, 'lineSpacing', 0));
      const spacing = option(o, 'letterSpacing', 0);
      if (spacing && 'setLetterSpacing' in text) text.setLetterSpacing(spacing);
      return text;
    },
  },
  ornateBitmapText: {
    weight: 0,
    ornateWeight: 4,
    random: (random) => ({
      text: random.pick(['AB C 12 3', 'CAB', '1 2 3 A B C', 'AA\n\nBB']),
      size: random.integer(14, 44),
      align: random.integer(0, 2),
      maxWidth: random.chance(0.4) ? random.integer(50, 140) : 0,
      lineSpacing: random.integer(-6, 14),
      shadow: random.chance(0.4) ? [random.integer(-12, 12), random.integer(-12, 12), opacity(random)] : [],
      characterTint: random.chance(0.3),
      dynamic: random.chance(0.4),
      box: random.chance(0.5) ? [random.integer(20, 90), random.integer(16, 60)] : [],
      scroll: [random.integer(-20, 20), random.integer(-10, 10)],
    }),
    build: (scene, o) => {
      const isDynamic = option(o, 'dynamic', false);
      const make = isDynamic ? scene.add.dynamicBitmapText : scene.add.bitmapText;
      const content = option(o, 'text', 'CAB');
      const text = make.call(scene.add, 0, 0, FONT, content, option(o, 'size', 24), option(o, 'align', 0));
      if (option(o, 'maxWidth', 0)) text.setMaxWidth(option(o, 'maxWidth', 0));
      if ('setLineSpacing' in text) text.setLineSpacing(option(o, 'lineSpacing', 0));
      const [shadowX, shadowY, shadowAlpha] = option<number[]>(o, 'shadow', []);
      if (shadowX !== undefined) text.setDropShadow(shadowX, shadowY, 0x404040, shadowAlpha);
      if (option(o, 'characterTint', false)) text.setCharacterTint(0, 2, true, 0x808080);
      const [width, height] = option<number[]>(o, 'box', []);
      if (isDynamic && width !== undefined) {
        const dynamic = text as Phaser.GameObjects.DynamicBitmapText;
        const [x, y] = option<Point>(o, 'scroll', [0, 0]);
        dynamic.setSize(width, height!).setScrollX(x).setScrollY(y);
      }
      return text;
    },
  },
  ornateGraphics: {
    weight: 0,
    ornateWeight: 6,
    random: (random) => {
      const commands: unknown[] = [];
      for (let n = random.integer(1, 4); n > 0; n--) commands.push(...ornateCommands(random));
      return { commands };
    },
    build: buildGraphics,
  },
  ornateRenderTexture: {
    weight: 0,
    ornateWeight: 2,
    random: (random) => ({
      width: random.integer(50, 130),
      height: random.integer(40, 110),
      draws: Array.from({ length: random.integer(1, 3) }, () => [
        ...anyPicture(random),
        random.integer(-30, 60),
        random.integer(-30, 50),
        random.between(-1.5, 1.5),
        random.between(0.5, 1.5),
        random.chance(0.25),
      ]),
      fill: random.chance(0.3) ? opacity(random) : 0,
    }),
    build: (scene, o) => {
      const target = scene.add.renderTexture(0, 0, option(o, 'width', 60), option(o, 'height', 60));
      const fill = option(o, 'fill', 0);
      if (fill) target.fill(0x508050, fill);
      type Draw = [string, string | null, number, number, number, number, boolean];
      for (const [key, frame, x, y, rotation, scale, isErased] of option<Draw[]>(o, 'draws', [])) {
        const image = scene.make.image({ key, x, y, add: false, ...(frame ? { frame } : {}) }, false);
        image.setRotation(rotation).setScale(scale);
        if (isErased) target.erase(image);
        else target.draw(image);
        image.destroy();
      }
      return target;
    },
  },
  ornateBlitter: {
    weight: 0,
    ornateWeight: 2,
    random: (random) => ({
      bobs: Array.from({ length: random.integer(1, 6) }, () => [
        random.integer(-80, 40),
        random.integer(-60, 30),
        random.pick(ATLAS_FRAMES),
        opacity(random),
        random.chance(0.4),
        random.chance(0.4),
      ]),
    }),
    build: (scene, o) => {
      const blitter = scene.add.blitter(0, 0, 'atlas', 'trimmed');
      type BobSpec = [number, number, string, number, boolean, boolean];
      for (const [x, y, frame, alpha, flipX, flipY] of option<BobSpec[]>(o, 'bobs', [])) {
        blitter.create(x, y, frame).setAlpha(alpha).setFlip(flipX, flipY);
      }
      return blitter;
    },
  },
  ornateRope: {
    weight: 0,
    ornateWeight: 2,
    random: (random) => {
      const length = random.integer(3, 6);
      return {
        points: Array.from({ length }, (_, i) => [i * random.integer(14, 26) - 40, random.integer(-35, 35)]),
        alphas: Array.from({ length }, () => opacity(random)),
        vertical: random.chance(0.3),
        fill: random.chance(0.3),
      };
    },
    build: (scene, o) => {
      const points = option<Point[]>(o, 'points', [
        [0, 0],
        [40, 20],
        [80, 0],
      ]).map(([x, y]) => new Phaser.Math.Vector2(x, y));
      const rope = scene.add.rope(0, 0, 'rope', undefined, points, !option(o, 'vertical', false));
      if (option(o, 'fill', false)) rope.setTintFill(true);
      return rope.setAlphas(option<number[]>(o, 'alphas', []));
    },
  },
  ornateNineSlice: {
    weight: 0,
    ornateWeight: 3,
    random: (random) => ({
      key: random.pick(['panel', 'frame', 'fence', 'star']),
      width: random.integer(20, 150),
      height: random.integer(20, 120),
      corners: [random.integer(2, 20), random.integer(2, 20), random.integer(2, 20), random.integer(2, 20)],
    }),
    build: (scene, o) => {
      const [left, right, top, bottom] = option<number[]>(o, 'corners', [8, 8, 8, 8]);
      const key = option(o, 'key', 'panel');
      const width = option(o, 'width', 60);
      return scene.add.nineslice(0, 0, key, undefined, width, option(o, 'height', 60), left, right, top, bottom);
    },
  },
  ornateTileSprite: {
    weight: 0,
    ornateWeight: 3,
    random: (random) => {
      const [key, frame] = anyPicture(random);
      return {
        key,
        ...(frame ? { frame } : {}),
        width: random.integer(20, 140),
        height: random.integer(20, 110),
        offset: [random.integer(-60, 60), random.integer(-60, 60)],
        tileScale: [random.between(0.4, 1.8), random.between(0.4, 1.8)],
      };
    },
    build: (scene, o) => {
      const frame = option<string | undefined>(o, 'frame', undefined);
      const width = option(o, 'width', 60);
      const tile = scene.add.tileSprite(0, 0, width, option(o, 'height', 60), option(o, 'key', 'brick'), frame);
      return tile
        .setTilePosition(...option<[number, number]>(o, 'offset', [0, 0]))
        .setTileScale(...option<[number, number]>(o, 'tileScale', [1, 1]));
    },
  },
};

/** Calls of a Graphics object that the usual scenes do not make. */
function ornateCommands(random: Random): unknown[] {
  const x = random.integer(-60, 30);
  const y = random.integer(-50, 30);
  const width = random.integer(15, 80);
  const height = random.integer(15, 70);
  const radius = random.integer(10, 35);
  const fill = ['fillStyle', colour(random), opacity(random)];
  const line = ['lineStyle', random.integer(3, 16), colour(random), opacity(random)];
  const corners = {
    tl: random.integer(-14, 14),
    tr: random.integer(0, 14),
    bl: random.integer(-14, 14),
    br: random.integer(0, 14),
  };
  const points = Array.from({ length: random.integer(3, 6) }, () => ({
    x: x + random.integer(0, width),
    y: y + random.integer(0, height),
  }));
  switch (random.integer(0, 13)) {
    case 0:
      return [fill, ['fillRoundedRect', x, y, width, height, corners]];
    case 1:
      return [line, ['strokeRoundedRect', x, y, width, height, corners]];
    case 2:
      return [fill, ['fillPoints', points, true, true]];
    case 3:
      return [line, ['strokePoints', points, random.chance(0.5), random.chance(0.5)]];
    case 4:
      return [line, ['strokeEllipse', x, y, width, height]];
    case 5:
      return [line, ['strokeTriangle', x, y, x + width, y, x, y + height]];
    case 6:
      return [
        fill,
        ['beginPath'],
        ['arc', x, y, radius, random.between(-3, 3), random.between(-3, 7), random.chance(0.5), 0.02],
        ['fillPath'],
      ];
    case 7:
      return [
        ['fillGradientStyle', 0x404040, 0x606060, 0x808080, 0x202020, 0.2, 0.4, 0.1, 0.45],
        ['fillRect', x, y, width, height],
      ];
    case 8:
      return [
        ['lineGradientStyle', random.integer(3, 12), 0x404040, 0x606060, 0x808080, 0x202020, opacity(random)],
        ['lineBetween', x, y, x + width, y + height],
      ];
    case 9:
      return [
        fill,
        ['beginPath'],
        ['moveTo', x, y],
        ['lineTo', x + width, y],
        ['lineTo', x, y + height],
        ['moveTo', x + 10, y + 60],
        ['lineTo', x + width + 20, y + 60],
        ['lineTo', x + 10, y + height + 60],
        ['closePath'],
        ['fillPath'],
      ];
    case 10:
      return [
        ['save'],
        ['translateCanvas', random.integer(-20, 20), random.integer(-20, 20)],
        ['scaleCanvas', random.between(-1.4, 1.4), random.between(0.6, 1.4)],
        ['rotateCanvas', random.between(-1, 1)],
        line,
        ['strokeRect', x, y, width, height],
        fill,
        ['fillTriangle', x, y, x + width, y, x, y + height],
        ['restore'],
      ];
    case 11:
      return [line, ['slice', x, y, radius, 0.4, random.between(2, 6), random.chance(0.5)], ['strokePath']];
    case 12:
      return [fill, ['fillRect', x, y, width, height], ['fillPoint', x - 10, y - 10, random.integer(4, 20)]];
    default:
      return [
        fill,
        line,
        ['fillEllipse', x, y, width, height, random.integer(6, 32)],
        ['strokePoints', points, true, true],
        ['strokeCircle', x, y, radius],
      ];
  }
}
