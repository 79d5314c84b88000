import type { Random } from '../Random.js';
import type { Options } from '../SceneSpec.js';
import { colour, type Kind, opacity, option } from './Kind.js';

/** Fill and stroke of a shape: any of the two, both, or none. */
function paint(random: Random, ownStroke = true): Options {
  const options: Options = {};
  if (random.chance(0.88)) {
    options['fill'] = colour(random);
    options['fillAlpha'] = opacity(random);
  }
  if (ownStroke && random.chance(0.3)) {
    options['stroke'] = colour(random);
    options['strokeWidth'] = random.integer(3, 20);
    options['strokeAlpha'] = opacity(random);
  }
  return options;
}

interface Paintable extends Phaser.GameObjects.GameObject {
  setFillStyle(color?: number, alpha?: number): unknown;
  setStrokeStyle(width?: number, color?: number, alpha?: number): unknown;
}

function painted<T extends Paintable>(shape: T, o: Options): T {
  const fill = option<number | undefined>(o, 'fill', undefined);
  if (fill === undefined) shape.setFillStyle();
  else shape.setFillStyle(fill, option(o, 'fillAlpha', 1));
  const stroke = option<number | undefined>(o, 'stroke', undefined);
  if (stroke !== undefined) shape.setStrokeStyle(option(o, 'strokeWidth', 4), stroke, option(o, 'strokeAlpha', 1));
  return shape;
}

const POLYGONS: readonly (readonly number[])[] = [
  [0, 0, 60, 10, 80, 60, 30, 80, -10, 40],
  [-50, -30, 50, -30, 50, 0, 10, 0, 10, 50, -30, 50],
  [-60, 0, 0, -60, 60, 0, 0, 60],
  [0, 0, 70, 0, 35, 25, 70, 60, 0, 60],
];

export const vectorKinds: Record<string, Kind> = {
  rectangle: {
    weight: 6,
    random: (random) => ({
      width: random.integer(20, 110),
      height: random.integer(20, 90),
      rounded: random.chance(0.15) ? random.integer(5, 15) : 0,
      ...paint(random),
    }),
    build: (scene, o) => {
      const shape = scene.add.rectangle(0, 0, option(o, 'width', 60), option(o, 'height', 40));
      const rounded = option(o, 'rounded', 0);
      // Rounded rectangles came with a later 3.x than the oldest one tested.
      if (rounded && 'setRounded' in shape) (shape as { setRounded(radius: number): unknown }).setRounded(rounded);
      return painted(shape, o);
    },
  },
  ellipse: {
    weight: 2,
    random: (random) => ({ width: random.integer(30, 120), height: random.integer(30, 90), ...paint(random) }),
    build: (scene, o) => painted(scene.add.ellipse(0, 0, option(o, 'width', 60), option(o, 'height', 40)), o),
  },
  circle: {
    weight: 2,
    random: (random) => ({ radius: random.integer(12, 55), ...paint(random) }),
    build: (scene, o) => painted(scene.add.circle(0, 0, option(o, 'radius', 30)), o),
  },
  arc: {
    weight: 2,
    random: (random) => ({
      radius: random.integer(20, 60),
      from: random.integer(0, 180),
      to: random.integer(190, 360),
      anticlockwise: random.chance(0.2),
      open: random.chance(0.3),
      ...paint(random),
    }),
    build: (scene, o) => {
      const shape = scene.add.arc(
        0,
        0,
        option(o, 'radius', 30),
        option(o, 'from', 0),
        option(o, 'to', 270),
        option(o, 'anticlockwise', false),
      );
      if (option(o, 'open', false)) shape.setClosePath(false);
      return painted(shape, o);
    },
  },
  starShape: {
    weight: 2,
    random: (random) => ({
      points: random.integer(3, 8),
      inner: random.integer(10, 30),
      outer: random.integer(35, 70),
      ...paint(random),
    }),
    build: (scene, o) =>
      painted(scene.add.star(0, 0, option(o, 'points', 5), option(o, 'inner', 20), option(o, 'outer', 50)), o),
  },
  polygon: {
    weight: 3,
    random: (random) => ({ points: random.pick(POLYGONS), ...paint(random) }),
    build: (scene, o) => painted(scene.add.polygon(0, 0, [...option(o, 'points', POLYGONS[0]!)]), o),
  },
  triangle: {
    weight: 2,
    random: (random) => ({
      points: [
        random.integer(-40, 0),
        random.integer(0, 80),
        random.integer(20, 60),
        random.integer(-40, 0),
        random.integer(60, 110),
        random.integer(40, 90),
      ],
      ...paint(random),
    }),
    build: (scene, o) => {
      const [x1, y1, x2, y2, x3, y3] = option<number[]>(o, 'points', [0, 60, 30, 0, 60, 60]);
      return painted(scene.add.triangle(0, 0, x1, y1, x2, y2, x3, y3), o);
    },
  },
  line: {
    weight: 2,
    random: (random) => ({
      to: [random.integer(30, 120), random.integer(-60, 80)],
      width: random.integer(4, 24),
      stroke: colour(random),
      strokeAlpha: opacity(random),
    }),
    build: (scene, o) => {
      const [x, y] = option<number[]>(o, 'to', [80, 20]);
      return scene.add
        .line(0, 0, 0, 0, x, y, option(o, 'stroke', 0x808080), option(o, 'strokeAlpha', 1))
        .setLineWidth(option(o, 'width', 8));
    },
  },
  curve: {
    weight: 1,
    random: (random) => ({ bend: random.integer(-80, 80), span: random.integer(50, 120), ...paint(random) }),
    build: (scene, o) => {
      const span = option(o, 'span', 80);
      const bend = option(o, 'bend', 40);
      const points = [0, 0, span * 0.3, bend, span * 0.7, bend, span, 0].map(Number);
      const vectors = [0, 2, 4, 6].map((i) => new Phaser.Math.Vector2(points[i], points[i + 1]));
      return painted(
        scene.add.curve(0, 0, new Phaser.Curves.CubicBezier(vectors[0]!, vectors[1]!, vectors[2]!, vectors[3]!)),
        o,
      );
    },
  },
  isoBox: {
    weight: 1.5,
    random: (random) => ({
      size: random.integer(40, 100),
      height: random.integer(10, 60),
      projection: random.pick([4, 4, 3, 6]),
      top: random.chance(0.8),
      left: random.chance(0.8),
      right: random.chance(0.8),
    }),
    build: (scene, o) => {
      const box = scene.add.isobox(0, 0, option(o, 'size', 60), option(o, 'height', 30), 0x909090, 0x606060, 0x404040);
      return box
        .setProjection(option(o, 'projection', 4))
        .setFaces(option(o, 'top', true), option(o, 'left', true), option(o, 'right', true));
    },
  },
  isoTriangle: {
    weight: 1.5,
    random: (random) => ({
      size: random.integer(40, 100),
      height: random.integer(10, 60),
      reversed: random.chance(0.4),
      projection: random.pick([4, 4, 3]),
    }),
    build: (scene, o) => {
      const shape = scene.add.isotriangle(
        0,
        0,
        option(o, 'size', 60),
        option(o, 'height', 30),
        option(o, 'reversed', false),
        0x909090,
        0x606060,
        0x404040,
      );
      return shape.setProjection(option(o, 'projection', 4));
    },
  },
  grid: {
    weight: 2,
    random: (random) => ({
      columns: random.integer(2, 4),
      rows: random.integer(2, 4),
      cell: random.integer(14, 30),
      fillAlpha: opacity(random),
      alternate: random.chance(0.4),
      alternateAlpha: random.pick([0, 0.3, 1]),
      outline: random.chance(0.5),
      outlineAlpha: opacity(random),
      filled: random.chance(0.9),
    }),
    build: (scene, o) => {
      const cell = option(o, 'cell', 20);
      const grid = scene.add.grid(0, 0, option(o, 'columns', 3) * cell, option(o, 'rows', 3) * cell, cell, cell);
      if (option(o, 'filled', true)) grid.setFillStyle(0x705030, option(o, 'fillAlpha', 1));
      else grid.setFillStyle();
      if (option(o, 'alternate', false)) grid.setAltFillStyle(0x305070, option(o, 'alternateAlpha', 1));
      else grid.setAltFillStyle();
      if (option(o, 'outline', true) && 'setOutlineStyle' in grid)
        grid.setOutlineStyle(0xc0c0c0, option(o, 'outlineAlpha', 1));
      else (grid as unknown as { showOutline: boolean }).showOutline = false;
      return grid;
    },
  },
  graphics: {
    weight: 8,
    random: (random) => {
      const commands: unknown[] = [];
      for (let n = random.integer(1, 4); n > 0; n--) commands.push(...graphicsCommands(random));
      return { commands };
    },
    build: buildGraphics,
  },
};

/** A Graphics on which the methods called `commands` were called. */
export function buildGraphics(scene: Phaser.Scene, o: Options): Phaser.GameObjects.Graphics {
  const graphics = scene.add.graphics();
  for (const [name, ...values] of option<[string, ...unknown[]][]>(o, 'commands', [])) {
    (graphics as unknown as Record<string, (...values: unknown[]) => void>)[name]!(...values);
  }
  return graphics;
}

/** A few calls of the Graphics object that leave some paint. */
function graphicsCommands(random: Random): unknown[] {
  const x = random.integer(-60, 30);
  const y = random.integer(-50, 30);
  const width = random.integer(15, 70);
  const height = random.integer(15, 60);
  const radius = random.integer(10, 35);
  const fill = ['fillStyle', colour(random), opacity(random)];
  const line = ['lineStyle', random.integer(3, 16), colour(random), opacity(random)];
  switch (random.integer(0, 15)) {
    case 0:
    case 1:
      return [fill, ['fillRect', x, y, width, height]];
    case 2:
      return [fill, ['fillCircle', x, y, radius]];
    case 3:
      return [fill, ['fillTriangle', x, y, x + width, y, x, y + height]];
    case 4:
      return [fill, ['fillRoundedRect', x, y, width, height, 8]];
    case 5:
      return [fill, ['fillEllipse', x, y, width, height]];
    case 6:
      return [fill, ['slice', x, y, radius, 0.4, 4.5, false], ['fillPath']];
    case 7:
      return [
        fill,
        ['beginPath'],
        ['moveTo', x, y],
        ['lineTo', x + width, y + 10],
        ['lineTo', x + 15, y + height],
        ['lineTo', x + 10, y + 20],
        ['closePath'],
        ['fillPath'],
      ];
    case 8:
      return [line, ['strokeRect', x, y, width, height]];
    case 9:
      return [line, ['strokeCircle', x, y, radius]];
    case 10:
      return [line, ['lineBetween', x, y, x + width, y + height]];
    case 11:
      return [line, ['beginPath'], ['arc', x, y, radius, 0.3, 3.9, false], ['strokePath']];
    case 12:
      return [
        line,
        ['beginPath'],
        ['moveTo', x, y],
        ['lineTo', x + width, y],
        ['lineTo', x + width, y + height],
        ['strokePath'],
      ];
    case 13:
      return [
        ['save'],
        ['translateCanvas', random.integer(-20, 20), random.integer(-20, 20)],
        ['rotateCanvas', random.between(-1, 1)],
        ['scaleCanvas', random.between(0.6, 1.4), random.between(0.6, 1.4)],
        fill,
        ['fillRect', x, y, width, height],
        ['restore'],
      ];
    case 14:
      return [
        ['fillGradientStyle', 0x404040, 0x606060, 0x808080, 0x202020, 1, 1, 1, 1],
        ['fillRect', x, y, width, height],
      ];
    default:
      return [fill, line, ['fillRect', x, y, width, height], ['strokeRect', x, y, width, height]];
  }
}
