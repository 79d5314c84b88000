import type Phaser from 'phaser';

import { Rehearsal } from '../../src/rehearsal/Rehearsal.js';
import type { InsteadOfDrawing, RehearsedEngine } from '../../src/rehearsal/RehearsedEngine.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

type GameObject = Phaser.GameObjects.GameObject;
type Named = Pick<GameObject, 'name'>;

/** Equal numbers for the same object. */
const ids = new Map<unknown, number>();
function idOf(object: unknown): number {
  if (!ids.has(object)) ids.set(object, ids.size);
  return ids.get(object)!;
}

/** What a rehearsal changes while it runs. */
function stateOf(scene: Phaser.Scene): unknown {
  const ofList = (list: readonly GameObject[]): unknown[] =>
    list.map((object) => {
      const { alpha, alphaTopLeft, scrollFactorX, scrollFactorY, renderCanvas, postPipelines, hasPostPipeline, list: inner } = object as unknown as Record<string, unknown>; // prettier-ignore
      return { name: object.name, alpha, alphaTopLeft, scrollFactorX, scrollFactorY, hasPostPipeline, own: [renderCanvas, postPipelines, inner].map(idOf), inner: inner && ofList(inner as GameObject[]) }; // prettier-ignore
    });
  const { emit, renderList, scrollX, scrollY, dirty, worldView, matrix, addToRenderList } = scene.cameras.main as unknown as Record<string, object>; // prettier-ignore
  const { a, b, c, d, e, f } = matrix as Record<string, number>;
  return [ofList(scene.children.list), idOf(emit), idOf(renderList), idOf(addToRenderList), scrollX, scrollY, dirty, { ...worldView }, [a, b, c, d, e, f]]; // prettier-ignore
}

/** A rehearsal of a real game by an engine that draws nothing, and notes what it was told to draw. */
async function start() {
  const test = await TestGame.start();
  const scene = test.scene();
  const { main } = scene.cameras;
  const told: string[] = [];
  const names = (list: readonly Named[]): string => list.map(({ name }) => name).join();
  const nameOf = (object: GameObject): string => {
    const { list } = object as unknown as { list?: readonly GameObject[] };
    return list === undefined ? object.name : `${object.name}[${list.map(nameOf).join()}]`;
  };
  const says = { canBegin: true, draw: (_children: GameObject[]): void => undefined };
  const engine = {
    method: 'renderCanvas' as const,
    begin: () => says.canBegin && told.push('begin') > 0,
    end: () => void told.push('end'),
    render(_scene: Phaser.Scene, children: GameObject[]) {
      told.push(children.map(nameOf).join());
      says.draw(children);
    },
    renderAlone: jest.fn(),
    onCamera: () => undefined,
    onObject: jest.fn(),
    onForeign: jest.fn(),
    intercept(object: GameObject, _instead: InsteadOfDrawing) {
      told.push(`intercept ${object.name}`);
      return () => void told.push(`undo ${object.name}`);
    },
  } satisfies RehearsedEngine;
  const foreign = new Set<GameObject>();
  const rehearsal = new Rehearsal(test.game, engine, (object) => foreign.has(object));
  const put = (name: string, x: number, y = 150) => scene.add.image(x, y, '__WHITE').setName(name);
  const NEAR = { minX: 100, minY: 100, maxX: 200, maxY: 200 };
  /** What the engine was told in a rehearsal of the part around the ads. */
  const rehearse = (always: readonly GameObject[] = []): string[] => {
    told.length = 0;
    rehearsal.run(() => rehearsal.drawScenes(NEAR, always));
    return told.filter((one) => one !== 'begin' && one !== 'end');
  };
  return { test, scene, main, told, names, says, engine, foreign, rehearsal, put, rehearse };
}

describe('a rehearsal draws what may reach a part of the canvas', () => {
  it('and leaves out plain sprites that are far from it, but for those always asked for', async () => {
    const { put, rehearse } = await start();
    put('near', 150);
    const far = put('far', 350);
    put('tinted', 350).setTint(0xff0000);
    put('hidden', 150).setVisible(false);
    expect(rehearse()).toEqual(['near']);
    expect(rehearse([far])).toEqual(['near,far']);
  });

  it('and leaves in whatever may paint elsewhere, or changes how the next is drawn', async () => {
    const { put, scene, rehearse } = await start();
    scene.add.graphics().setName('graphics');
    put('masked', 350).setMask(scene.make.graphics({}, false).createGeometryMask());
    put('after', 350);
    put('later', 350);
    Object.assign(put('own', 350), { renderCanvas: () => undefined });
    expect(rehearse()).toEqual(['graphics,masked,after,own']);
  });

  it('in containers and layers, too, of which those without anything near are left out', async () => {
    const { put, scene, rehearse } = await start();
    const children = () => [put('near', 150), put('far', 350)];
    const before = scene.add.container(0, 0, children()).setName('box');
    scene.add.layer(children()).setName('layer');
    scene.add.container(200, 0, [put('moved away', 150), put('moved near', -50)]).setName('moved');
    scene.add.container(0, 0, [put('far', 350)]).setName('empty');
    scene.add.container(0, 0, [put('far', 350)]).setMask(scene.make.graphics({}, false).createGeometryMask()).setName('mask'); // prettier-ignore
    // Each child is drawn in the mode that the one before has left.
    scene.add.container(0, 0, children()).setBlendMode('ADD').setName('mode');
    const list = before.list;
    expect(rehearse()).toEqual(['box[near],layer[near],moved[moved near],mask[],mode[near,far]']);
    expect([before.list, before.list.length]).toEqual([list, 2]);
    expect(before.list).toBe(list);
  });

  it('as each camera shows it that shows anything', async () => {
    const { put, scene, main, rehearse } = await start();
    put('near', 150);
    put('right', 350);
    const other = scene.cameras.add(0, 0, 400, 300).setScroll(200, 0);
    expect(rehearse()).toEqual(['near', 'right']);
    main.setVisible(false);
    expect(rehearse()).toEqual(['right']);
    other.setAlpha(0);
    expect(rehearse()).toEqual([]);
    main.setVisible(true).setScroll(200, 0);
    expect(rehearse()).toEqual(['right']);
    scene.scene.setVisible(false);
    expect(rehearse()).toEqual([]);
  });

  it('in the order of the next frame, though the lists are not sorted yet', async () => {
    const { put, scene, rehearse } = await start();
    put('first', 150).setDepth(2);
    put('second', 150);
    const layer = scene.add.layer([put('above', 150).setDepth(2), put('below', 150)]).setName('layer');
    layer.sortChildrenFlag = true;
    expect(rehearse()).toEqual(['second,layer[below,above],first']);
    expect([scene.children.list.map(({ name }) => name), layer.list.map(({ name }) => name), layer.sortChildrenFlag]).toEqual([['first', 'second', 'layer'], ['above', 'below'], true]); // prettier-ignore
  });

  it("and runs none of the game's own code", async () => {
    const { put, foreign, rehearse, scene, main } = await start();
    foreign.add(put('own', 150));
    const heard = jest.fn();
    main.on('prerender', heard);
    expect(rehearse()).toEqual(['intercept own', 'own', 'undo own']);
    expect([heard.mock.calls, scene.children.list.length]).toEqual([[], 1]);
  });
});

it('what a rehearsal leaves out surely does not reach the part that is asked for', async () => {
  const { scene, main, rehearsal, says } = await start();
  let seed = 7;
  const random = (from: number, to: number): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return from + (seed / 2_147_483_647) * (to - from);
  };
  const turnedScene = (): Phaser.GameObjects.Image[] => {
    const factor = (): number => (random(0, 1) < 0.7 ? 1 : random(0, 2));
    const images = Array.from({ length: 90 }, () =>
      scene.add.image(random(-150, 350), random(-150, 350), '__WHITE').setScale(random(1, 9), random(1, 30)).setRotation(random(0, 7)).setScrollFactor(factor(), factor()),
    ); // prettier-ignore
    const place = (container: Phaser.GameObjects.Container) =>
      container.setRotation(random(0, 7)).setScale(random(0.5, 2), random(0.3, 3)).setScrollFactor(factor(), factor());
    const inner = place(scene.add.container(random(-50, 50), random(-50, 50), images.slice(0, 50)));
    place(scene.add.container(random(0, 200), random(0, 200), [...images.slice(50, 65), inner]));
    place(scene.add.container(random(0, 200), random(0, 200), images.slice(65, 80)));
    main.setScroll(random(-200, 200), random(-200, 200)).setZoom(random(0.5, 2), random(0.5, 2)).setRotation(random(0, 7)); // prettier-ignore
    return images;
  };
  let [left, kept] = [0, 0];
  for (let round = 0; round < 80; round++) {
    scene.children.removeAll();
    const images = turnedScene();
    const near =
      round % 2 === 0
        ? { minX: 150, minY: random(0, 100), maxX: random(160, 190), maxY: random(110, 280) }
        : { minX: random(0, 100), minY: 140, maxX: random(110, 380), maxY: random(150, 180) };
    const drawn = new Set<GameObject>();
    const note = (list: readonly GameObject[]): void => {
      for (const object of list) {
        drawn.add(object);
        note((object as unknown as { list?: GameObject[] }).list ?? []);
      }
    };
    const reaches = (image: Phaser.GameObjects.Image): boolean => {
      const matrix = image.getWorldTransformMatrix();
      let [factorX, factorY] = [image.scrollFactorX, image.scrollFactorY];
      for (let at = image.parentContainer; at as unknown; at = at.parentContainer) {
        factorX *= at.scrollFactorX;
        factorY *= at.scrollFactorY;
      }
      const view = (main as unknown as { matrix: Phaser.GameObjects.Components.TransformMatrix }).matrix;
      // By points, so that nothing is held to reach the part that does not.
      for (let i = -2; i <= 2; i += 0.25) {
        for (let j = -2; j <= 2; j += 0.25) {
          const { x, y } = matrix.transformPoint(i, j) as Phaser.Math.Vector2;
          const at = view.transformPoint(x - main.scrollX * factorX, y - main.scrollY * factorY) as Phaser.Math.Vector2;
          if (at.x >= near.minX && at.x <= near.maxX && at.y >= near.minY && at.y <= near.maxY) return true;
        }
      }
      return false;
    };
    let missing = 0;
    says.draw = (children) => {
      note(children);
      for (const image of images) {
        if (drawn.has(image)) kept++;
        else if (reaches(image)) missing++;
        else left++;
      }
    };
    rehearsal.run(() => rehearsal.drawScenes(near, []));
    expect(missing).toBe(0);
  }
  expect([left > 400, kept > 400]).toEqual([true, true]);
});

describe('what a rehearsal leaves is as it was', () => {
  async function startFull() {
    const all = await start();
    const { put, scene } = all;
    const child = put('child', 150).setAlpha(0.5).setScrollFactor(0.25, 0.75);
    scene.add.container(0, 0, [child, put('far', 350)]).setName('box');
    const effect = { active: true, destroy: () => undefined };
    const pipelines = [effect];
    Object.assign(put('effect', 150), { postPipelines: pipelines, hasPostPipeline: true });
    all.test.step();
    return { ...all, child, before: stateOf(scene) };
  }

  it.each(['ends', 'fails'])('when it %s', async (how) => {
    const { scene, main, child, told, rehearsal, says, before, engine } = await startFull();
    const fault = new Error('of an engine');
    const heard = jest.fn();
    main.on('prerender', heard);
    says.draw = (children) => {
      main.emit('prerender');
      main.setScroll(99, 98);
      expect((main as unknown as { renderList: unknown[] }).renderList).toEqual([]);
      (main as unknown as { addToRenderList(child: unknown): void }).addToRenderList(child);
      expect([...rehearsal.distorted]).toEqual([children[1]]);
      expect(children[1]).toMatchObject({ postPipelines: [], hasPostPipeline: false });
      expect(rehearsal.run(() => told.push('within'))).toBe(false);
      if (how === 'ends') return;
      // What a container multiplies into a child while it draws it.
      child.setAlpha(0.1).setScrollFactor(9, 8);
      throw fault;
    };
    const run = () => rehearsal.run(() => rehearsal.drawScenes({ minX: 0, minY: 0, maxX: 400, maxY: 300 }, []));
    if (how === 'ends') expect(run()).toBe(true);
    else expect(run).toThrow(fault);
    expect(engine.onObject).toHaveBeenCalledWith(child);
    expect(told).toEqual(['begin', 'box[child,far],effect', 'end']);
    expect(stateOf(scene)).toEqual(before);
    expect([heard.mock.calls.length, rehearsal.distorted.size]).toEqual([0, 0]);
    says.draw = () => undefined;
    expect(run()).toBe(true);
  });

  it('when the engine cannot begin', async () => {
    const { scene, told, rehearsal, says, before } = await startFull();
    says.canBegin = false;
    expect(rehearsal.run(() => told.push('work'))).toBe(false);
    expect([told, stateOf(scene)]).toEqual([[], before]);
  });

  it('when a camera was moved since it drew, which is drawn where it will be', async () => {
    const { scene, main, rehearsal, says } = await startFull();
    main.setScroll(30, 0).setZoom(2);
    const before = stateOf(scene);
    let drawn = 0;
    const { matrix } = main as unknown as { readonly matrix: { readonly a: number } };
    says.draw = () => (drawn = matrix.a);
    rehearsal.run(() => rehearsal.drawScenes({ minX: 0, minY: 0, maxX: 400, maxY: 300 }, []));
    expect([drawn, matrix.a, main.dirty]).toEqual([2, 1, true]);
    expect(stateOf(scene)).toEqual(before);
  });

  it.each(['ends', 'fails'])('of an object in containers that is drawn alone, when that %s', async (how) => {
    const { scene, main, rehearsal, put, engine, foreign } = await start();
    const ad = put('ad', 50).setScrollFactor(0.5, 0.25);
    const inner = scene.add.container(10, 0, [ad]).setScrollFactor(0.5, 2);
    scene.add.container(20, 30, [inner]).setScrollFactor(0.5, 2);
    const seen: unknown[] = [];
    engine.renderAlone.mockImplementation((_object, _camera, parent: { tx: number; ty: number }) => {
      seen.push(ad.scrollFactorX, ad.scrollFactorY, parent.tx, parent.ty);
      if (how === 'fails') throw new Error('of an engine');
    });
    const run = () => rehearsal.run(() => rehearsal.drawAlone(ad, main));
    if (how === 'ends') run();
    else expect(run).toThrow();
    expect([seen, ad.scrollFactorX, ad.scrollFactorY]).toEqual([[0.125, 1, 30, 30], 0.5, 0.25]);
    foreign.add(ad);
    rehearsal.run(() => rehearsal.drawAlone(ad, main));
    expect(seen).toHaveLength(4);
  });
});
