import type * as Phaser from 'phaser';

import { AdMeter, blockersIn } from '../../../src/meter/AdMeter.js';
import { copyMeasurement, measurementOfNothing, withoutCreative } from '../../../src/meter/copyMeasurement.js';
import { openPage } from '../../../src/page/PageView.js';
import type { FrameSnapshot } from '../../../src/measure/FrameSnapshot.js';
import { measureView } from '../../../src/measure/measureView.js';
import { ViewMeasurement } from '../../../src/measure/ViewMeasurement.js';
import { FlatAd } from '../../../src/record/frame/FlatAd.js';
import { alphaMap, FrameBuilder, rectangle } from '../viewability/support/FrameBuilder.js';

type GameObject = Phaser.GameObjects.GameObject;

const page = openPage(400, 300);
const camera = { matrix: { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 } } as unknown as Phaser.Cameras.Scene2D.Camera;

interface SceneLike {
  sys: { settings: { visible: boolean; status: number } };
}

interface Drawn {
  scene: SceneLike | undefined;
  renderFlags: number;
  cameraFilter: number;
  x: number;
  y: number;
  displayList: object | null;
  parentContainer: Drawn | null;
}

const RUNNING = 5;
const SLEEPING = 7;

function sceneIn(status: number): SceneLike {
  return { sys: { settings: { visible: true, status } } };
}

function drawn(scene = sceneIn(RUNNING)): Drawn {
  return { scene, renderFlags: 15, cameraFilter: 0, x: 7, y: 8, displayList: { scene }, parentContainer: null };
}

/** What is in a container, which is in a layer. */
function drawnWithin(): Drawn {
  return { ...drawn(), displayList: null, parentContainer: { ...drawn(), displayList: drawn() } };
}

/** An ad of which something covers a half; every question for the blockers is counted. */
function blockedAd(blockers: Drawn[]) {
  const asked = { times: 0 };
  const meter = new AdMeter({} as GameObject, () => {
    asked.times++;
    return [...blockers] as unknown as GameObject[];
  });
  meter.measureFlat(Object.assign(new FlatAd(), { camera, area: 100.5, covered: 50.5 }), 400, 300, page, true);
  return { meter, asked };
}

describe('the blockers of an ad while nothing looks different', () => {
  it('are asked for once', () => {
    const { meter, asked } = blockedAd([drawn()]);
    for (let frame = 0; frame < 3; frame++) {
      meter.keep();
      expect(meter.blockingSprites).toHaveLength(1);
    }
    expect(asked.times).toBe(1);
  });

  it('are asked for once where another scene draws them than the sleeping one that made them', () => {
    const { meter, asked } = blockedAd([{ ...drawn(), scene: sceneIn(SLEEPING) }]);
    for (let frame = 0; frame < 3; frame++) {
      meter.keep();
      expect(meter.blockingSprites).toHaveLength(1);
    }
    expect(asked.times).toBe(1);
  });

  const gone: [string, (object: Drawn) => void][] = [
    ['destroyed', (object) => Object.assign(object, { scene: undefined, displayList: null })],
    ['put to sleep with its scene', (object) => (object.scene!.sys.settings.status = SLEEPING)],
    ['invisible', (object) => (object.renderFlags = 14)],
    ['taken off the display list', (object) => (object.displayList = null)],
    ['moved away', (object) => (object.x += 50)],
    ['left out by a camera', (object) => (object.cameraFilter = 1)],
  ];
  it.each(gone)('are asked for anew when one was %s and its like took its place', (_how, change) => {
    const blockers = [drawn()];
    const { meter, asked } = blockedAd(blockers);
    expect(meter.blockingSprites).toEqual(blockers);
    change(blockers[0]!);
    const next = (blockers[0] = drawn());
    meter.keep();
    expect(meter.blockingSprites[0]).toBe(next);
    expect(asked.times).toBe(2);
  });

  const goneWithin: [string, (container: Drawn) => void][] = [
    ['container was hidden', (container) => (container.renderFlags = 14)],
    ['container was moved away', (container) => (container.y += 50)],
    ['layer was hidden', (container) => ((container.displayList as Drawn).renderFlags = 14)],
  ];
  it.each(goneWithin)('are asked for anew when their %s and another one took its place', (_how, change) => {
    const blockers = [drawnWithin()];
    const { meter, asked } = blockedAd(blockers);
    expect(meter.blockingSprites).toEqual(blockers);
    change(blockers[0]!.parentContainer!);
    const next = (blockers[0] = drawnWithin());
    meter.keep();
    expect(meter.blockingSprites[0]).toBe(next);
    expect(asked.times).toBe(2);
  });

  it('are asked for anew when one moved away, also of an ad that needs a rehearsal', () => {
    const blockers = [drawn()];
    const { meter, asked } = blockedAd(blockers);
    const { snapshot, view } = new FrameBuilder(400, 300)
      .ad(rectangle(50, 50, 100, 100))
      .paint(rectangle(50, 50, 50, 100));
    view.camera = camera;
    const measure = (): boolean => meter.measure(snapshot, 0, { blockingOpacity: 0.5 }, page, true);
    expect([measure(), meter.blockingSprites]).toEqual([true, blockers]);
    expect([measure(), meter.blockingSprites, asked.times]).toEqual([false, blockers, 1]);
    blockers[0]!.x += 50;
    blockers[0] = drawn();
    expect([measure(), meter.blockingSprites[0]]).toEqual([false, blockers[0]]);
  });

  it('may be children of a container', () => {
    const { meter, asked } = blockedAd([drawnWithin()]);
    expect(meter.blockingSprites).toHaveLength(1);
    meter.keep();
    expect(meter.blockingSprites).toHaveLength(1);
    expect(asked.times).toBe(1);
  });
});

it('the blockers of one ad among several are those in the camera that shows most of it', () => {
  const frame = new FrameBuilder(600, 300);
  const show = (ad: number, x: number, hidden: number, owner: string): void => {
    frame.ad(rectangle(x, 100, 100, 100)).paint(rectangle(x, 100, hidden, 100), { owner });
    frame.view.ad = ad;
  };
  show(1, 150, 50, 'tree');
  show(0, 0, 90, 'wall');
  show(0, 300, 20, 'lamp');
  show(2, 450, 0, 'nothing');
  const blockers = [0, 1, 2, 3].map((ad) => blockersIn(frame.snapshot, ad, { blockingOpacity: 0.5 }));
  expect(blockers).toEqual([['lamp'], ['tree'], [], []]);
});

describe('an ad under texels that are sampled', () => {
  const leaves = alphaMap(96, 64, (column, row) => 0.5 + 0.5 * Math.sin(0.7 * column) * Math.cos(0.45 * row));
  const options = { blockingOpacity: 0.5 };
  const PLACES = 12;

  it('gets finer figures while it stands still, at the 2nd, 4th, 8th and 16th frame, and then none', () => {
    let firstErrors = 0;
    let lastErrors = 0;
    for (let place = 0; place < PLACES; place++) {
      const { snapshot, view } = new FrameBuilder(400, 300)
        .ad(rectangle(50, 50, 300, 200))
        .paint(rectangle(60 + 1.37 * place, 40 + 0.71 * place, 280, 190), { map: leaves });
      view.camera = camera;
      const meter = new AdMeter({} as GameObject, () => []);
      const figures: number[] = [];
      const renewed: number[] = [];
      for (let frame = 1; frame <= 20; frame++) {
        expect(meter.canRefine).toBe(frame > 1 && frame <= 16);
        if (meter.measure(snapshot, 0, options, page, true)) renewed.push(frame);
        figures.push(meter.percentageInView);
      }
      expect(renewed).toEqual([1, 2, 4, 8, 16]);
      // By each pixel.
      const exact = new ViewMeasurement();
      measureView(snapshot, view, { ...options, maxSamples: 1e6 }, exact);
      const percentage = (100 * exact.visibleArea) / exact.totalArea;
      firstErrors += Math.abs(figures[0]! - percentage);
      lastErrors += Math.abs(figures.at(-1)! - percentage);
    }
    expect(lastErrors).toBeLessThan(firstErrors / 2);
    expect(lastErrors / PLACES).toBeLessThan(0.1);
  });
});

describe('the figures of an ad from frame to frame', () => {
  const options = { blockingOpacity: 0.5 };
  const other = { matrix: { a: 2, b: 0, c: 0, d: 1, e: 0, f: 0 } } as unknown as Phaser.Cameras.Scene2D.Camera;

  const AD = { name: 'ad' };
  const TREE = { name: 'tree' };

  /** A frame in which each of these cameras shows the ad, half of it covered. */
  function frameOf(...cameras: Phaser.Cameras.Scene2D.Camera[]): FrameSnapshot {
    const frame = new FrameBuilder(400, 300);
    Object.assign(frame, { adObject: AD });
    for (const each of cameras) frame.ad(rectangle(50, 50, 100, 100)).view.camera = each;
    return frame.paint(rectangle(50, 50, 50, 100), { owner: TREE }).snapshot;
  }

  const newMeter = (): AdMeter => new AdMeter({} as GameObject, () => []);

  it('are those of the present frame, though the ad lay whole under nothing but quads between two like it', () => {
    const meter = newMeter();
    meter.measure(frameOf(camera), 0, options, page, true);
    meter.measureFlat(Object.assign(new FlatAd(), { camera, area: 10_000.5, covered: 0 }), 400, 300, page, true);
    expect(meter.isFullyVisible).toBe(true);
    expect(meter.measure(frameOf(camera), 0, options, page, true)).toBe(true);
    expect(meter).toMatchObject({ percentageInView: 50, isFullyVisible: false });
  });

  it('are those of the present frame under nothing but quads, whatever they were before', () => {
    const meter = newMeter();
    const flat = (covered: number, seen = page, of = other): void =>
      meter.measureFlat(Object.assign(new FlatAd(), { camera: of, area: 10_000.5, covered }), 400, 200, seen, true);
    meter.measure(frameOf(camera, other), 0, options, { ...page, focused: false }, true);
    flat(0);
    expect(meter).toMatchObject({ isFullyVisible: true, camera: other, squeezeRatio: 0.5, reasons: [] });
    expect(meter.screenCoveragePercentage).toBeCloseTo(12.5, 2);
    expect([meter.holds(400, 200, page, true), meter.view, meter.measurement]).toEqual([true, null, null]);
    flat(5000);
    expect(meter).toMatchObject({ isFullyVisible: false, reasons: ['obstructed'] });
    flat(0, { ...page, hidden: true }, camera);
    expect(meter).toMatchObject({ isVisible: false, camera, squeezeRatio: 1, reasons: ['backgrounded'] });
    flat(0);
    expect(meter.measure(new FrameBuilder(400, 200).snapshot, 0, options, page, true)).toBe(true);
    expect(meter).toMatchObject({ isVisible: false, isFullyVisible: false, camera: null, reasons: ['hidden'] });
  });

  it('stay when nobody listens any more, and everything of the game is let go of', () => {
    const { meter, asked } = blockedAd([drawn()]);
    expect(meter.isMeasured).toBe(true);
    meter.release();
    expect([meter.percentageInView, meter.camera, meter.isMeasured]).toEqual([expect.closeTo(50, 0), null, false]);
    meter.keep();
    expect([meter.blockingSprites, asked.times, meter.canRefine]).toEqual([[], 0, false]);
    // A game may stop listening in the midst of a frame.
    expect(meter.measure(frameOf(other), 0, options, page, true)).toBe(true);
    expect([meter.percentageInView, meter.camera]).toEqual([50, other]);
  });

  it('name the camera that shows it now, though another one showed the same', () => {
    const meter = newMeter();
    meter.measure(frameOf(camera), 0, options, page, true);
    expect(meter.measure(frameOf(camera), 0, options, page, true)).toBe(false);
    expect(meter.measure(frameOf(other), 0, options, page, true)).toBe(true);
    expect([meter.camera, meter.squeezeRatio]).toEqual([other, 0.5]);
  });

  it('are gone with the last camera', () => {
    const meter = newMeter();
    meter.measure(frameOf(camera, other), 0, options, page, true);
    expect(meter.measure(frameOf(camera), 0, options, page, true)).toBe(true);
    expect(meter.measure(new FrameBuilder(400, 300).snapshot, 0, options, page, true)).toBe(true);
    expect(meter).toMatchObject({ isVisible: false, camera: null, reasons: ['hidden'], squeezeRatio: 1 });
    expect(meter.measure(frameOf(camera), 0, options, page, true)).toBe(true);
    expect(meter.percentageInView).toBe(50);
  });

  it.each<[string, object, object]>([
    ['the page is hidden', { hidden: true }, { reasons: ['backgrounded', 'obstructed'], isVisible: false }],
    ['the window has lost the focus', { focused: false }, { reasons: ['noWindowFocus', 'obstructed'] }],
    ['the canvas has another size on the page', { cssAreaRatio: 0.5 }, { pixelsInView: 2500 }],
    ['the page squeezes the canvas', { cssAspectRatio: 0.5 }, { squeezeRatio: 0.5 }],
  ])('are others when %s', (_, change, figures) => {
    const meter = newMeter();
    const frame = frameOf(camera);
    meter.measure(frame, 0, options, page, true);
    const changed = { ...page, ...change };
    expect([meter.holds(400, 300, page, true), meter.holds(400, 300, changed, true)]).toEqual([true, false]);
    expect(meter.measure(frame, 0, options, changed, true)).toBe(true);
    expect(meter).toMatchObject(figures);
    expect(meter.measure(frame, 0, options, changed, true)).toBe(false);
  });

  it('are others on another canvas, and of an object that is gone', () => {
    const meter = newMeter();
    meter.measure(frameOf(camera), 0, options, page, true);
    expect(meter.screenCoveragePercentage).toBeCloseTo(5000 / 1200, 9);
    for (const [width, height, found] of [[401, 300, true], [400, 301, true], [400, 300, false]] as const)
      expect(meter.holds(width, height, page, found)).toBe(false); // prettier-ignore
    expect(meter.measure(frameOf(camera), 0, options, page, false)).toBe(true);
    expect(meter).toMatchObject({ isVisible: false, reasons: ['notFound'] });
  });

  it('are of that one of several ads which is asked for', () => {
    const frame = new FrameBuilder(400, 300);
    frame.ad(rectangle(0, 0, 100, 100)).view.camera = camera;
    frame.ad(rectangle(200, 0, 40, 40)).view.camera = camera;
    frame.view.ad = 1;
    frame.paint(rectangle(200, 0, 20, 40));
    const meters = [newMeter(), newMeter()];
    meters.forEach((meter, ad) => meter.measure(frame.snapshot, ad, options, page, true));
    expect(meters.map(({ visibleArea }) => visibleArea)).toEqual([10_000, 800]);
  });

  it('name blockers only where something is lost', () => {
    let asked = 0;
    const meter = new AdMeter({} as GameObject, () => {
      asked++;
      return [];
    });
    const cut = new FrameBuilder(400, 300).ad(rectangle(350, 50, 100, 100), [rectangle(350, 50, 50, 100)]);
    const touched = new FrameBuilder(400, 300).ad(rectangle(50, 50, 100, 100)).paint(rectangle(50, 50, 0.7, 1));
    cut.view.camera = touched.view.camera = camera;
    meter.measure(touched.snapshot, 0, options, page, true);
    expect([meter.blockingSprites, meter.reasons, asked]).toEqual([[], [], 0]);
    meter.measure(cut.snapshot, 0, options, page, true);
    expect([meter.blockingSprites, meter.reasons, asked]).toEqual([[], ['clipped'], 0]);
    meter.beginAsking();
    meter.measure(frameOf(camera), 0, options, page, true);
    expect(meter.awaitsBlockers).toBe(false);
    expect([meter.blockingSprites, asked]).toEqual([[], 1]);
    // They hold as long as nothing changes.
    expect(meter.awaitsBlockers).toBe(false);
    meter.measureFlat(Object.assign(new FlatAd(), { camera, area: 100.5, covered: 50.5 }), 400, 300, page, true);
    expect(meter.awaitsBlockers).toBe(true);
  });

  it('are all in a copy, which stays as it is; of a placeholder nothing is seen, and the rest says where it is', () => {
    const meter = new AdMeter({} as GameObject, () => [TREE as unknown as GameObject]);
    meter.measure(frameOf(camera), 0, options, { ...page, cssAreaRatio: 0.5 }, true);
    const copy = copyMeasurement(meter);
    const placeholder = withoutCreative(meter);
    const unseen = {
      isFullyVisible: false,
      isVisible: false,
      visibleArea: 0,
      percentageInView: 0,
      pixelsInView: 0,
      screenCoveragePercentage: 0,
      meanTransmittance: 0,
    };
    for (const field of Object.keys(measurementOfNothing()) as (keyof typeof copy)[]) {
      expect([field, copy[field]]).toEqual([field, meter[field]]);
    }
    expect(placeholder).toEqual({ ...copy, ...unseen, reasons: ['notLoaded', 'obstructed'] });
    expect(copy).toMatchObject({ totalArea: 10_000, totalPixels: 5000, pixelsInView: 2500, camera });
    expect(copy.blockingSprites).toEqual([TREE]);
    // It is the caller's own: what it does with it changes nothing here.
    for (const list of [copy.reasons, copy.blockingSprites] as unknown[][]) list.length = 0;
    expect([meter.reasons, meter.blockingSprites]).toEqual([['obstructed'], [TREE]]);
    meter.measureFlat(Object.assign(new FlatAd(), { camera, area: 10_000.5, covered: 0 }), 400, 300, page, true);
    expect(withoutCreative(meter)).toMatchObject({ ...unseen, reasons: ['notLoaded'] });
    meter.measure(new FrameBuilder(400, 300).snapshot, 0, options, page, true);
    expect(copy.visibleArea).toBe(5000);
    const gone = measurementOfNothing();
    expect(gone).toEqual({ ...gone, ...unseen, camera: null, squeezeRatio: 1, totalArea: 0, reasons: ['notFound'] });
  });
});

it('what a game does to the empty list of blockers of one ad is not seen in that of another', () => {
  const [one, other] = [{}, {}].map((object) => new AdMeter(object as GameObject, () => []));
  expect(() => (one!.blockingSprites as GameObject[]).push({} as GameObject)).toThrow(TypeError);
  expect(other!.blockingSprites).toEqual([]);
});
