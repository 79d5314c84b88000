import type * as Phaser from 'phaser';

import { AdMeter } from '../../../src/meter/AdMeter.js';
import { openPage } from '../../../src/page/PageView.js';
import { FlatAd } from '../../../src/record/FlatAd.js';
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

  it('may be children of a container', () => {
    const { meter, asked } = blockedAd([drawnWithin()]);
    expect(meter.blockingSprites).toHaveLength(1);
    meter.keep();
    expect(meter.blockingSprites).toHaveLength(1);
    expect(asked.times).toBe(1);
  });
});

describe('an ad under texels that are sampled', () => {
  const leaves = alphaMap(96, 64, (column, row) => 0.5 + 0.5 * Math.sin(0.7 * column) * Math.cos(0.45 * row));
  const { snapshot, view } = new FrameBuilder(400, 300)
    .ad(rectangle(50, 50, 300, 200))
    .paint(rectangle(60, 40, 280, 190), { map: leaves });
  view.camera = camera;
  /** Percent of the ad's pixels that no leaf covers, counted one by one. */
  const CLEAR = 57.9;
  const measure = (meter: AdMeter): boolean => meter.measure(snapshot, 0, { blockingOpacity: 0.5 }, page, true);

  it('gets finer figures while it stands still, at the 2nd, 4th, 8th and 16th frame, and then none', () => {
    const meter = new AdMeter({} as GameObject, () => []);
    const figures: number[] = [];
    const renewed: number[] = [];
    for (let frame = 1; frame <= 40; frame++) {
      expect(meter.canRefine).toBe(frame > 1 && frame <= 16);
      if (measure(meter)) renewed.push(frame);
      figures.push(meter.percentageInView);
    }
    expect(renewed).toEqual([1, 2, 4, 8, 16]);
    const [first, last] = [figures[0]!, figures.at(-1)!];
    expect(Math.abs(last - CLEAR)).toBeLessThan(Math.abs(first - CLEAR) / 4);
  });
});
