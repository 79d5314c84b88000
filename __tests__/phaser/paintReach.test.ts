import fc from 'fast-check';
import Phaser from 'phaser';

import { DrawRecord } from '../../src/record/frame/DrawRecord.js';
import type { DrawnObject } from '../../src/record/phaser3/internals.js';
import { NearQuads, STRIDE } from '../../src/record/frame/NearQuads.js';
import { PaintedReach } from '../../src/record/objects/PaintedReach.js';
import { PaintReach } from '../../src/record/canvas2d/PaintReach.js';
import { viewMatrixOf } from '../../src/record/objects/viewMatrixOf.js';
import { CanvasDraws, DrawKind } from '../../src/record/canvas2d/CanvasDraws.js';
import { CanvasEngine } from '../../src/record/canvas2d/CanvasEngine.js';
import { CanvasProbe } from '../../src/record/canvas2d/CanvasProbe.js';
import { RecordingContext } from '../../src/record/canvas2d/RecordingContext.js';
import { Rehearsal } from '../../src/rehearsal/Rehearsal.js';
import { TestGame } from './support/TestGame.js';

/** Where the ad is. */
const AD = [150, 110, 260, 190] as const;

type Placed = Phaser.GameObjects.GameObject & Phaser.GameObjects.Components.Transform;
type Numbers = readonly number[];

let scene: Phaser.Scene;
let rehearsal: Rehearsal;
let draws: CanvasDraws;
let reach: PaintReach;

beforeAll(async () => {
  const test = await TestGame.start();
  scene = test.scene();
  const { game } = test;
  const picture = scene.textures.createCanvas('sheet', 64, 32)!;
  picture.add('part', 0, 8, 4, 30, 20)!.setTrim(50, 40, 12, 6, 30, 20);
  const font = { image: 'sheet', width: 8, height: 8, chars: 'ABCDEFGH', charsPerRow: 8 };
  scene.cache.bitmapFont.add(
    'letters',
    Phaser.GameObjects.RetroFont.Parse(scene, font as unknown as Phaser.Types.GameObjects.BitmapText.RetroFontConfig),
  );
  draws = new CanvasDraws();
  const real = document.createElement('canvas').getContext('2d')!;
  const context = new RecordingContext(game.canvas, draws, real);
  rehearsal = new Rehearsal(
    game,
    new CanvasEngine(game, context, new Map(), new PaintedReach(game, new CanvasProbe(game))),
    () => false,
  );
  const data = new ArrayBuffer(4 * STRIDE * 6);
  const near = NearQuads.of({
    vertexData: data,
    bytes: new Uint8Array(data),
    vertexViewF32: new Float32Array(data),
    vertexViewU32: new Uint32Array(data),
    vertexCount: 0,
  });
  const record = new DrawRecord(near);
  record.begin();
  record.addPiece(0, Float64Array.from(AD));
  near.bins.fill(record.pieceBoxes, record.pieceCount);
  reach = new PaintReach(record, near.bins, new Map());
});
afterAll(() => TestGame.endAll());

/** How objects of each type are made, by numbers of a length up to 60. */
const KINDS: Readonly<Record<string, (n: Numbers) => Placed>> = {
  Image: () => scene.add.image(0, 0, 'sheet', 'part'),
  Sprite: ([a]) =>
    scene.add
      .sprite(0, 0, 'sheet', 'part')
      .setFlip(a! > 30, a! < 20)
      .setAlpha(0.5),
  'a cropped Image': ([a, b, c, d]) =>
    scene.add
      .image(0, 0, 'sheet')
      .setCrop(a, b, c! + 1, d! + 1)
      .setFlip(a! > 20, b! > 20),
  Text: () => scene.add.text(0, 0, 'Score', { fontSize: '20px', backgroundColor: '#fff' }),
  TileSprite: ([a, b]) => scene.add.tileSprite(0, 0, a! + 1, b! + 1, 'sheet'),
  Rectangle: ([a, b, c]) => scene.add.rectangle(0, 0, a! + 1, b! + 1, 0xff0000).setStrokeStyle(c! / 6, 0),
  Arc: ([a, b, c]) => scene.add.arc(0, 0, a! + 1, b, 3 * c!, a! > 30, 0xff0000).setStrokeStyle(b! / 6, 0),
  Ellipse: ([a, b]) => scene.add.ellipse(0, 0, a! + 1, b! + 1, 0xff0000).setStrokeStyle(3, 0),
  Star: ([a, b]) => scene.add.star(0, 0, 5, a! + 1, b! + 1, 0xff0000).setStrokeStyle(3, 0),
  Polygon: (n) => scene.add.polygon(0, 0, [...n], 0xff0000).setStrokeStyle(n[0]! / 6, 0),
  Line: ([a, b, c, d]) => scene.add.line(0, 0, a, b, c, d, 0xff0000).setLineWidth(a! / 6),
  Triangle: ([a, b, c, d, e, f]) => scene.add.triangle(0, 0, a, b, c, d, e, f, 0xff0000).setStrokeStyle(2, 0),
  'a Graphics of paths': ([a, b, c, d, e, f]) =>
    scene.add
      .graphics()
      .lineStyle(a! / 6, 0xff0000)
      .fillStyle(0xff00)
      .fillRect(a!, -b!, c!, d!)
      .strokeRoundedRect(c!, d!, a! + 9, b! + 9, 4)
      .fillTriangle(a!, b!, -c!, d!, e!, -f!)
      .fillCircle(-e!, f!, a!)
      .strokePoints([new Phaser.Math.Vector2(-a!, b), new Phaser.Math.Vector2(c, d), new Phaser.Math.Vector2(e, f)]),
  'a Graphics of a circle': ([a, b, c]) =>
    scene.add
      .graphics()
      .fillStyle(1)
      .fillCircle(a! - 30, b! - 30, c!),
  'a Graphics that moves': ([a, b, c, d]) =>
    scene.add.graphics().fillStyle(1).translateCanvas(a!, b!).rotateCanvas(b!).scaleCanvas(2, 3).fillRect(0, 0, c!, d!),
  BitmapText: ([a]) => scene.add.bitmapText(0, 0, 'letters', 'ABBA\nCAFE', a! + 4, 1).setLetterSpacing(3),
  ParticleEmitter: ([a]) => {
    const emitter = scene.add.particles(0, 0, 'sheet', { emitting: false, speed: 90, lifespan: 9e4, scale: a! / 30 });
    emitter.explode(5, a, -a!);
    emitter.preUpdate(0, 500);
    return emitter;
  },
  Zone: ([a, b]) => scene.add.zone(0, 0, a!, b!),
};

const number = fc.integer({ min: 0, max: 60 });
const rotation = fc.integer({ min: -30, max: 30 }).map((tenths) => tenths / 10);
const scale = fc.integer({ min: -20, max: 20 }).map((tenths) => tenths / 10);
const scroll = fc.constantFrom(0, 1, 0.5);
const across = fc.integer({ min: 0, max: 400 });
const down = fc.integer({ min: 0, max: 300 });
const offset = fc.integer({ min: -40, max: 40 });
const place = fc.record({ x: across, y: down, rotation, scaleX: scale, scaleY: scale, scroll });
/** Of what is in a container. */
const inner = fc.record({ x: offset, y: offset, rotation, scaleX: scale, scaleY: scale, scroll });
type Place = typeof place extends fc.Arbitrary<infer T> ? T : never;

const painted = fc.record({
  kind: fc.constantFrom(...Object.keys(KINDS)),
  numbers: fc.array(number, { minLength: 6, maxLength: 8 }).map((n) => n.slice(0, n.length & ~1)),
  origin: fc.tuple(fc.constantFrom(0, 0.5, 1, -0.3), fc.constantFrom(0, 0.5, 2)),
  /** Where it is, and the containers around it, the outermost first. */
  places: fc.tuple(place, fc.array(inner, { maxLength: 2 })).map(([outermost, others]) => [outermost, ...others]),
  camera: fc.record({
    scrollX: fc.integer({ min: -60, max: 60 }),
    rotation: fc.constantFrom(0, 0, 0.4),
    zoom: fc.constantFrom(1, 1, 0.6, 2),
    rounds: fc.boolean(),
  }),
});

function put(object: Placed, { x, y, rotation, scaleX, scaleY, scroll }: Place): void {
  object.setPosition(x, y).setRotation(rotation).setScale(scaleX, scaleY);
  (object as unknown as Phaser.GameObjects.Image).setScrollFactor(scroll);
}

/** Whether the record of what is drawn has something where the ad is, and whether the object may reach it. */
function compare({
  kind,
  numbers,
  origin,
  places,
  camera: aim,
}: typeof painted extends fc.Arbitrary<infer T> ? T : never) {
  const { main } = scene.cameras;
  main.setScroll(aim.scrollX, 0).setRotation(aim.rotation).setZoom(aim.zoom);
  main.roundPixels = aim.rounds;
  let object = KINDS[kind]!(numbers);
  if ('setOrigin' in object) (object as unknown as Phaser.GameObjects.Image).setOrigin(...origin);
  put(object, places.at(-1)!);
  for (const one of places.slice(0, -1).reverse()) {
    const holder = scene.add.container(0, 0, [object]);
    put(holder, one);
    object = holder;
  }
  scene.game.step(0, 0);
  const found = { drawn: false, near: false };
  rehearsal.run(() => {
    draws.reset();
    draws.near.set(AD);
    rehearsal.drawScenes({ minX: AD[0], minY: AD[1], maxX: AD[2], maxY: AD[3] }, []);
    found.drawn = draws.draws.slice(0, draws.count).some(({ kind: drawn }) => drawn !== DrawKind.MARK);
  });
  reach.aim(main, viewMatrixOf(main));
  const shown = object as unknown as DrawnObject;
  found.near = shown.renderFlags === 15 && reach.touching(shown) !== 0;
  object.destroy();
  return found;
}

test('what the Canvas renderer draws over an ad is found near it, and most of what it does not is found far', () => {
  let [far, foundFar] = [0, 0];
  fc.assert(
    fc.property(fc.noBias(painted), (object) => {
      const { drawn, near } = compare(object);
      if (!drawn) far++;
      if (!near) foundFar++;
      return near || !drawn;
    }),
    { numRuns: 800 },
  );
  expect(far).toBeGreaterThan(200);
  expect(foundFar).toBeGreaterThan(far / 2);
});

test.each([
  ['that clears all around it', () => scene.add.image(0, 0, 'sheet').setBlendMode(Phaser.BlendModes.COPY)],
  ['drawn by code of the game', () => Object.assign(scene.add.image(0, 0, 'sheet'), { renderCanvas: () => undefined })],
  ['of a type of the game', () => Object.assign(scene.add.image(0, 0, 'sheet'), { type: 'Badge' })],
  ['whose texture was removed', () => Object.assign(scene.add.image(0, 0, 'sheet'), { frame: { source: null } })],
  // With an origin of 2 it lies three times its width beside its place.
  ['cropped and mirrored', () => scene.add.image(0, 0, 'sheet').setOrigin(2, 0).setCrop(0, 0, 8, 8).setFlipX(true)],
  ['whose place is no number', () => scene.add.image(NaN, 0, 'sheet')],
  [
    'with a point that is no number before others',
    () =>
      scene.add
        .graphics()
        .lineStyle(1, 0xffffff)
        .strokePoints([
          { x: NaN, y: NaN },
          { x: 900, y: 900 },
        ] as never),
  ],
  ['stroked with no width', () => scene.add.rectangle(0, 0, 8, 8).setStrokeStyle(0, 0)],
  ['of paths without a width', () => scene.add.graphics().lineStyle(0, 0).strokeRect(0, 0, 8, 8)],
  ['drawn a pixel at a time', () => scene.add.blitter(0, 0, 'sheet')],
])('an object %s may be anywhere', (_, make) => {
  const object = make() as unknown as DrawnObject;
  reach.aim(scene.cameras.main, { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 });
  expect(reach.touching(object)).not.toBe(0);
  (object as unknown as Phaser.GameObjects.GameObject).removeFromDisplayList();
});
