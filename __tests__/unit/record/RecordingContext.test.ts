import * as fc from 'fast-check';

import { At, CanvasDraws, DrawKind } from '../../../src/record/canvas2d/CanvasDraws.js';
import { DrawRole } from '../../../src/record/draws/DrawRole.js';
import { Colours } from '../../../src/record/canvas2d/Colours.js';
import { flattenPath } from '../../../src/record/canvas2d/flattenPath.js';
import { RecordingContext } from '../../../src/record/canvas2d/RecordingContext.js';
import { evenly } from '../../helpers/evenly.js';

const PICTURE = { width: 20, height: 10 };

let draws: CanvasDraws;
let context: RecordingContext;
beforeEach(() => {
  draws = new CanvasDraws();
  draws.near.set([0, 0, 100, 100]);
  context = new RecordingContext(null, draws, null);
  context.begin();
});

const last = () => draws.draws[draws.count - 1]!;
const target = () => [...last().numbers.subarray(At.TO, At.TO + 4)];
const source = () => [...last().numbers.subarray(At.FROM, At.FROM + 4)];
const box = () => [...last().numbers.subarray(At.BOX, At.BOX + 4)];

describe('a recording context', () => {
  it('notes a draw with the state it is made in', () => {
    context.owner = 'a panel';
    context.setTransform(2, 0, 0, 2, 10, 0);
    context.globalAlpha = 0.25;
    context.globalCompositeOperation = 'screen';
    context.fillStyle = '#ff0000';
    context.fillRect(5, 10, 20, 10);
    expect(last()).toMatchObject({ kind: DrawKind.RECTANGLE, owner: 'a panel', composite: 'screen', style: '#ff0000' });
    expect(last().numbers[At.ALPHA]).toBe(0.25);
    expect(target()).toEqual([5, 10, 20, 10]);
    expect(box()).toEqual([20, 20, 60, 40]);
  });

  it('keeps what one object leaves behind for the next', () => {
    context.globalCompositeOperation = 'screen';
    context.save();
    context.globalCompositeOperation = 'multiply';
    context.restore();
    context.drawImage(PICTURE, 0, 0);
    expect(last().composite).toBe('screen');
  });

  it('brings everything back that was saved, and ignores one restore too many', () => {
    context.save();
    context.translate(50, 50);
    context.globalAlpha = 0.5;
    context.beginPath();
    context.rect(0, 0, 1, 1);
    context.clip();
    context.restore();
    context.restore();
    context.fillRect(0, 0, 10, 10);
    expect(box()).toEqual([0, 0, 10, 10]);
    expect(last()).toMatchObject({ clip: -1 });
    expect(last().numbers[At.ALPHA]).toBe(1);
  });

  it.each([
    ['a matrix that is none', () => context.setTransform(NaN, 0, 0, 1, 0, 0)],
    ['an infinite one', () => context.scale(Infinity, 1)],
    ['an alpha above 1', () => (context.globalAlpha = 1.5)],
    ['an alpha that is no number', () => (context.globalAlpha = NaN)],
    [
      'a composite operation nobody knows, such as the number of a blend mode',
      () => (context.globalCompositeOperation = 0 as never),
    ],
    ['a line of no width', () => (context.lineWidth = 0)],
  ])('ignores %s, as the browser does', (_name, change) => {
    context.setTransform(1, 0, 0, 1, 3, 4);
    context.globalAlpha = 0.5;
    context.globalCompositeOperation = 'lighter';
    context.fillStyle = '#123456';
    change();
    context.fillRect(0, 0, 1, 1);
    expect(last()).toMatchObject({ composite: 'lighter', style: '#123456' });
    expect([...last().numbers.subarray(0, 6)]).toEqual([1, 0, 0, 1, 3, 4]);
    expect([last().numbers[At.ALPHA], last().numbers[At.LINE_WIDTH]]).toEqual([0.5, 1]);
  });

  it('cuts a picture where it ends, and its target alike', () => {
    context.drawImage(PICTURE, -10, 5, 20, 10, 0, 0, 40, 40);
    expect(source()).toEqual([0, 5, 10, 5]);
    expect(target()).toEqual([20, 0, 20, 20]);
    context.drawImage(PICTURE, 10, 0, -10, 10, 30, 30, 10, 10);
    expect(source()).toEqual([0, 0, 10, 10]);
    expect(target()).toEqual([40, 30, -10, 10]);
    const { count } = draws;
    context.drawImage(PICTURE, 30, 0, 5, 5, 0, 0, 10, 10);
    context.drawImage({ naturalWidth: 5, naturalHeight: 5, complete: false }, 0, 0);
    expect(draws.count).toBe(count);
  });

  it('leaves out what lies beside the ads or outside of the clip, but not the ad itself as it would be whole', () => {
    context.fillRect(100, 0, 10, 10);
    context.beginPath();
    context.rect(0, 0, 10, 10);
    context.clip();
    context.fillRect(20, 20, 10, 10);
    expect(draws.count).toBe(0);
    context.mark(0, DrawRole.SHAPE);
    context.fillRect(200, 20, 10, 10);
    expect(box()).toEqual([200, 20, 210, 30]);
  });

  it('keeps no path that nothing is painted with', () => {
    for (let i = 0; i < 100; i++) {
      context.beginPath();
      context.moveTo(200 + i, 0);
      context.lineTo(300, 50);
      context.lineTo(200, 50);
      context.fill();
    }
    expect(draws.count).toBe(0);
    const kept = draws.pathLength;
    context.beginPath();
    context.rect(0, 0, 5, 5);
    context.fill();
    expect(draws.pathLength).toBeLessThanOrEqual(kept + 20);
    expect(flattenPath(draws, last().pathFrom, last().pathTo, new Float64Array(16))).toBe(4);
  });

  it('says that nobody knows what a call paints that it has never heard of, and what a path of an earlier frame is', () => {
    class Real {
      drawWithRays(): string {
        return 'drawn';
      }
      get raysColour(): string {
        return 'red';
      }
      set raysColour(_colour: string) {}
    }
    const real = new Real();
    const asked = new RecordingContext(null, draws, real as unknown as CanvasRenderingContext2D);
    asked.begin();
    expect((asked as unknown as Real).drawWithRays()).toBe('drawn');
    expect(last().kind).toBe(DrawKind.UNKNOWN);
    (asked as unknown as Real).raysColour = 'red';
    expect(draws.count).toBe(1);
    (asked as unknown as Real).raysColour = 'blue';
    expect(draws.count).toBe(2);
    expect(last().kind).toBe(DrawKind.UNKNOWN);
    asked.fill();
    expect(draws.count).toBe(3);
    expect(last().kind).toBe(DrawKind.UNKNOWN);
    asked.clip();
    expect(draws.clips[0]!.isKnown).toBe(false);
  });

  it('takes what clears all around to reach everywhere within its clip', () => {
    context.beginPath();
    context.rect(0, 0, 30, 30);
    context.clip();
    context.globalCompositeOperation = 'source-in';
    context.fillRect(500, 500, 1, 1);
    expect(box()).toEqual([0, 0, 30, 30]);
  });
});

describe('what Phaser does not use of a context', () => {
  const begin = (draw: () => void): void => {
    context.beginPath();
    context.moveTo(10, 10);
    draw();
  };
  it.each([
    ['an ellipse', () => context.ellipse(40, 40, 20, 10), [10, 10, 60, 60]],
    ['a curve', () => context.quadraticCurveTo(50, 20, 40, 30), [10, 10, 50, 30]],
    ['a curve of two points', () => context.bezierCurveTo(50, 20, 70, 30, 20, 60), [10, 10, 70, 60]],
    ['a rounded rectangle', () => context.roundRect(20, 20, 30, 10), [10, 10, 50, 30]],
  ])('is unknown within the box of the path: %s', (_name, draw, around) => {
    begin(draw);
    context.fill();
    expect(last().kind).toBe(DrawKind.UNKNOWN);
    expect(box()).toEqual(around);
    context.clip();
    expect(draws.clips[0]).toMatchObject({ isKnown: false });
    expect([...draws.clips[0]!.box]).toEqual(around);
    begin(() => context.lineTo(20, 30));
    context.fill();
    expect(last().kind).toBe(DrawKind.FILL);
  });

  it('is unknown anywhere: a path of its own', () => {
    context.fill({} as Path2D);
    expect(last().kind).toBe(DrawKind.UNKNOWN);
    expect(box()).toEqual([0, 0, 100, 100]);
  });

  it('is unknown where it lies: a cleared rectangle even where nothing else would be painted, and one with a line', () => {
    context.globalAlpha = 0;
    context.clearRect(10, 10, 20, 20);
    expect(last().kind).toBe(DrawKind.UNKNOWN);
    expect(box()).toEqual([10, 10, 30, 30]);
    context.globalAlpha = 1;
    context.lineWidth = 2;
    context.strokeRect(30, 30, 10, 10);
    expect(last().kind).toBe(DrawKind.UNKNOWN);
    expect(box()).toEqual([20, 20, 50, 50]);
  });

  it.each(['tomato', 'rgba(1,2,3,NaN)', {}])('is no colour: %s', (style) => {
    expect(new Colours().read(style)).toBeNull();
  });
});

describe('a path', () => {
  const corners = (draw: () => void): number[][] => {
    context.beginPath();
    draw();
    context.fill();
    const out = new Float64Array(128);
    const count = flattenPath(draws, last().pathFrom, last().pathTo, out);
    return Array.from({ length: count }, (_, i) => [...out.subarray(2 * i, 2 * i + 2)]);
  };

  it('is a polygon where its lines go round one shape, each under the matrix of its time', () => {
    expect(
      corners(() => {
        context.moveTo(0, 0);
        context.translate(10, 0);
        context.lineTo(0, 0);
        context.lineTo(0, 10);
        context.closePath();
      }),
    ).toEqual([[0, 0], [10, 0], [10, 10]]); // prettier-ignore
  });

  it('is none of two shapes', () => {
    const twice = corners(() => {
      context.rect(0, 0, 10, 10);
      context.rect(20, 0, 10, 10);
    });
    expect(twice).toEqual([]);
  });

  it.each([
    [0, 2 * Math.PI, false, Math.PI * 100],
    [0, Math.PI, false, (Math.PI * 100) / 2],
    [Math.PI, 0, true, (Math.PI * 100) / 2],
    [0, -1, false, ((2 * Math.PI - 1) / 2) * 100],
  ])('goes round an arc from %d to %d as the standard says', (from, to, isBackward, least) => {
    const points = corners(() => {
      context.moveTo(50, 50);
      context.arc(50, 50, 10, from, to, isBackward);
    });
    let twice = 0;
    points.forEach(([x, y], i) => {
      const [nextX, nextY] = points[(i + 1) % points.length]!;
      twice += x! * nextY! - nextX! * y!;
    });
    expect(Math.abs(twice / 2)).toBeGreaterThan(0.98 * least);
    expect(Math.abs(twice / 2)).toBeLessThanOrEqual(least + 1e-9);
    expect(box()).toEqual([40, 40, 60, 60]);
  });
});

type Matrix = readonly number[];
type Points = readonly (readonly [number, number])[];
/** What `save` keeps, by the HTML standard. */
interface State {
  readonly matrix: Matrix;
  readonly set: Readonly<Record<string, unknown>>;
  /** The paths of all clips in force, the innermost first. */
  readonly clips: readonly { readonly rule: string; readonly points: Points }[];
}
const NEW_SET = { globalAlpha: 1, globalCompositeOperation: 'source-over', imageSmoothingEnabled: true, fillStyle: '#000000', strokeStyle: '#000000', lineWidth: 1 }; // prettier-ignore
const NEW: State = { matrix: [1, 0, 0, 1, 0, 0], set: NEW_SET, clips: [] };

const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a! * g! + c! * h!, b! * g! + d! * h!, a! * i! + c! * j!, b! * i! + d! * j!, a! * k! + c! * l! + e!, b! * k! + d! * l! + f!,
]; // prettier-ignore
const near = (found: ArrayLike<number>, known: readonly number[]): void =>
  expect(Math.max(...known.map((number, i) => Math.abs(found[i]! - number)))).toBeLessThan(1e-6);

test('a recording context keeps what a context does, whatever is set, saved, brought back and begun anew', () => {
  const matrix = fc.tuple(evenly(-2, 2), evenly(-2, 2), evenly(-2, 2), evenly(-2, 2), evenly(-9, 9), evenly(-9, 9));
  const setting = fc.oneof(
    fc.tuple(fc.constant('globalAlpha'), fc.constantFrom<unknown>(0.25, 0.5, 1)),
    fc.tuple(fc.constant('globalCompositeOperation'), fc.constantFrom<unknown>('screen', 'multiply', 'source-over')),
    fc.tuple(fc.constant('imageSmoothingEnabled'), fc.boolean()),
    fc.tuple(fc.constantFrom('fillStyle', 'strokeStyle'), fc.constantFrom<unknown>('#ff0000', '#00ff00')),
    fc.tuple(fc.constant('lineWidth'), fc.constantFrom<unknown>(2, 5)),
  );
  const step = fc.record({
    what: fc.constantFrom('save', 'restore', 'set', 'turn', 'place', 'place by a matrix', 'place as new', 'point', 'path', 'path', 'clip', 'fill', 'fill', 'stroke', 'begin'),
    matrix, setting,
    point: fc.tuple(evenly(-50, 150), evenly(-50, 150)),
    rule: fc.constantFrom<CanvasFillRule>('nonzero', 'evenodd'),
  }); // prettier-ignore
  const out = new Float64Array(256);
  let drawn = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      context.begin();
      draws.near.set([-1e6, -1e6, 1e6, 1e6]);
      let [state, path]: [State, [number, number][]] = [NEW, []];
      let saved: State[] = [];
      const isPath = (from: number, to: number, points: Points): void => {
        expect(flattenPath(draws, from, to, out)).toBe(points.length);
        near(out, points.flat());
      };
      context.beginPath();
      for (const { what, matrix, setting: [name, value], point, rule } of steps) {
        const turnTo = (matrix: Matrix): void => void (state = { ...state, matrix });
        if (what === 'save') {
          context.save();
          saved.push(state);
        } else if (what === 'restore') {
          context.restore();
          state = saved.pop() ?? state;
        } else if (what === 'set') {
          (context as unknown as Record<string, unknown>)[name] = value;
          state = { ...state, set: { ...state.set, [name]: value } };
        } else if (what === 'turn') {
          context.transform(...matrix);
          turnTo(times(state.matrix, matrix));
        } else if (what === 'place') {
          context.setTransform(...matrix);
          turnTo(matrix);
        } else if (what === 'place by a matrix') {
          const [a, b, c, d, e, f] = matrix;
          context.setTransform({ a, b, c, d, e, f });
          turnTo(matrix);
        } else if (what === 'place as new') {
          context.setTransform();
          turnTo(NEW.matrix);
        } else if (what === 'path' || what === 'point') {
          if (what === 'path') {
            context.beginPath();
            path = [];
          }
          for (const [right, down] of what === 'path' ? [[0, 0], [90, 0], [0, 90]] as const : [[0, 0]] as const) {
            const to = [point[0] + right, point[1] + down] as const;
            const [, , , , x, y] = times(state.matrix, [1, 0, 0, 1, ...to]);
            context.lineTo(...to);
            path = [...path, [x!, y!]];
          }
        } else if (what === 'begin') {
          Object.assign(context, { owner: 'a bird', role: DrawRole.PIECE, ad: 3, isMuted: true });
          [state, saved, path] = [NEW, [], []];
          context.begin();
          context.beginPath();
          expect(context).toMatchObject({ owner: null, role: DrawRole.COVER, ad: -1, isMuted: false });
        } else if (path.length > 2 && what === 'clip') {
          context.clip(rule);
          state = { ...state, clips: [{ rule, points: path }, ...state.clips] };
        } else if (path.length > 2) {
          const { count } = draws;
          if (what === 'fill') context.fill(rule);
          else context.stroke();
          const { set, matrix, clips } = state;
          const paths = [...(what === 'fill' ? [path] : []), ...clips.map(({ points }) => points)];
          const sides = [0, 1].map((k) => [Math.max(...paths.map((all) => Math.min(...all.map((at) => at[k]!)))), Math.min(...paths.map((all) => Math.max(...all.map((at) => at[k]!))))] as const);
          // What lies outside of its clips is left out; how far a line reaches is told elsewhere.
          if (draws.count === count) {
            if (what === 'fill') expect(sides.some(([least, most]) => !(most > least))).toBe(true);
            continue;
          }
          drawn++;
          const draw = last();
          if (what === 'fill') near(box(), [sides[0]![0], sides[1]![0], sides[0]![1], sides[1]![1]]);
          expect([draw.style, draw.rule]).toEqual(what === 'fill' ? [set['fillStyle'], rule] : [set['strokeStyle'], 'nonzero']);
          expect([draw.composite, draw.isSmooth, draw.numbers[At.ALPHA], draw.numbers[At.LINE_WIDTH]]).toEqual([set['globalCompositeOperation'], set['imageSmoothingEnabled'], set['globalAlpha'], set['lineWidth']]);
          near(draw.numbers, matrix);
          isPath(draw.pathFrom, draw.pathTo, path);
          let at = draw.clip;
          for (const { rule, points } of clips) {
            const clip = draws.clips[at]!;
            expect(clip).toMatchObject({ rule, isKnown: true });
            isPath(clip.pathFrom, clip.pathTo, points);
            at = clip.outer;
          }
          expect(at).toBe(-1);
        }
      }
    }),
    { numRuns: 400 },
  );
  expect(drawn).toBeGreaterThan(800);
}); // prettier-ignore
