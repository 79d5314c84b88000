import Phaser from 'phaser';
import { calculateAdCoverage, checkAdFullVisibility } from 'phaser-inview';

import { GameMeter } from '../../src/meter/GameMeter.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

type Render = (renderer: Phaser.Renderer.Canvas.CanvasRenderer) => void;

/** An ad of 100 × 100 about (200, 150), and over it an image that a class of the game draws as it likes. */
async function show(renderCanvas: Render) {
  class Own extends Phaser.GameObjects.Image {}
  Object.assign(Own.prototype, { renderCanvas });
  const test = await TestGame.start();
  const scene = test.scene();
  const ad = scene.add.image(200, 150, '__WHITE').setDisplaySize(100, 100);
  const own = new Own(scene, 20, 20, '__WHITE');
  scene.add.existing(own);
  const ask = () => {
    const { visibleArea, totalArea } = calculateAdCoverage(ad, scene.cameras.main);
    return { seen: (100 * visibleArea) / totalArea, isFull: checkAdFullVisibility(ad, scene).isFullyVisible };
  };
  const rendersItself = (): boolean => functionOf(own) === renderCanvas;
  return { test, scene, ad, own, ask, rendersItself };
}

const functionOf = (object: object): unknown => (object as { readonly renderCanvas?: unknown }).renderCanvas;

/** Covers a quarter of the ad, far from where the object is. */
const overAd: Render = ({ currentContext }) => {
  currentContext.save();
  currentContext.setTransform(1, 0, 0, 1, 0, 0);
  currentContext.fillRect(150, 100, 50, 50);
  currentContext.restore();
};
const nothing: Render = () => undefined;

describe('where code of a game paints', () => {
  it('is not known before it was watched: an ad is not seen', async () => {
    const { test, ask } = await show(overAd);
    test.step();
    expect(ask()).toEqual({ seen: 0, isFull: false });
  });

  it('is told by what it painted in the frame drawn last, however far from its place', async () => {
    const { test, ask } = await show(overAd);
    ask();
    test.step();
    const { seen, isFull } = ask();
    expect(Math.abs(seen - 75)).toBeLessThan(1);
    expect(isFull).toBe(false);
  });

  it('is nowhere when it painted nothing, though it has a size', async () => {
    const { test, own, ask } = await show(nothing);
    own.setPosition(200, 150).setDisplaySize(300, 300);
    ask();
    test.step();
    expect(ask()).toEqual({ seen: 100, isFull: true });
  });

  it('is anywhere once more in a frame in which it was not drawn', async () => {
    const { test, own, ask } = await show(nothing);
    ask();
    test.step();
    own.visible = false;
    test.step();
    own.visible = true;
    expect(ask()).toEqual({ seen: 0, isFull: false });
  });

  it('is anywhere when it failed in the midst', async () => {
    let fails = false;
    const { test, ask } = await show(() => {
      if (fails) throw new Error('The code of a game has a fault');
    });
    ask();
    test.step();
    fails = true;
    expect(() => test.step()).toThrow('The code of a game has a fault');
    // As if the game had caught it and gone on.
    (test.game.renderer as Phaser.Renderer.Canvas.CanvasRenderer).postRender();
    expect(ask()).toEqual({ seen: 0, isFull: false });
  });

  it('is anywhere when it writes in a browser that does not tell how high letters are', async () => {
    const { test, ask } = await show(({ currentContext }) => currentContext.fillText('Score', 20, 20));
    const { gameContext } = test.game.renderer as Phaser.Renderer.Canvas.CanvasRenderer;
    const box = { actualBoundingBoxLeft: 0, actualBoundingBoxRight: 40, actualBoundingBoxAscent: 9 };
    const measure = jest.spyOn(gameContext, 'measureText');
    const seenWith = (more: object): number => {
      measure.mockReturnValue({ ...box, actualBoundingBoxDescent: 3, ...more } as TextMetrics);
      ask();
      test.step();
      return ask().seen;
    };
    expect(seenWith({ fontBoundingBoxAscent: 12, fontBoundingBoxDescent: 4 })).toBe(100);
    expect(seenWith({})).toBe(0);
  });

  it('is told of one that is drawn by another as part of that one', async () => {
    const { test, scene, own, ask } = await show(overAd);
    class Holder extends Phaser.GameObjects.Image {}
    Object.assign(Holder.prototype, {
      renderCanvas: (...values: unknown[]) =>
        (own as unknown as { renderCanvas: (...v: unknown[]) => void }).renderCanvas(...values),
    });
    scene.add.existing(new Holder(scene, 20, 20, '__WHITE'));
    ask();
    test.step();
    expect(Math.abs(ask().seen - 75)).toBeLessThan(1);
  });

  it('is known of an object that is new, when others of its class were there before', async () => {
    const { test, scene, own, ask } = await show(overAd);
    ask();
    test.step();
    own.destroy();
    scene.add.existing(new (own.constructor as typeof Phaser.GameObjects.Image)(scene, 20, 20, '__WHITE'));
    test.step();
    expect(Math.abs(ask().seen - 75)).toBeLessThan(1);
  });

  it('is watched of the one object that has a function of its own, and not of its class', async () => {
    const { test, scene, own, ask } = await show(nothing);
    own.destroy();
    const image = scene.add.image(20, 20, '__WHITE');
    Object.assign(image, { renderCanvas: overAd });
    const other = scene.add.image(380, 20, '__WHITE');
    ask();
    test.step();
    expect(Math.abs(ask().seen - 75)).toBeLessThan(1);
    expect(functionOf(image)).not.toBe(overAd);
    expect(functionOf(other)).toBe(functionOf(Phaser.GameObjects.Image.prototype));
    test.step(200);
    expect(functionOf(image)).toBe(overAd);
  });

  it('is watched as long as somebody asks, and the object is as before a second later', async () => {
    const { test, ad, ask, rendersItself } = await show(overAd);
    const { events } = test.game;
    const listeners = events.listenerCount('prerender');
    const stop = GameMeter.of(test.game).observe(ad, () => undefined);
    test.step(200);
    expect(rendersItself()).toBe(false);
    stop();
    test.step(200);
    expect(rendersItself()).toBe(true);
    expect(events.listenerCount('prerender')).toBe(listeners);
    // And it is found out anew.
    ask();
    test.step();
    expect(Math.abs(ask().seen - 75)).toBeLessThan(1);
  });

  it('is no longer watched once the game has ended, be it in the midst of a frame', async () => {
    let fails = false;
    const { test, ask, rendersItself } = await show(() => {
      if (fails) throw new Error('The code of a game has a fault');
    });
    ask();
    test.step();
    fails = true;
    expect(() => test.step()).toThrow('The code of a game has a fault');
    expect(rendersItself()).toBe(false);
    test.destroy();
    expect(rendersItself()).toBe(true);
  });

  it('leaves the 2D context with its own functions', async () => {
    const { test, ask } = await show(overAd);
    const { gameContext } = test.game.renderer as Phaser.Renderer.Canvas.CanvasRenderer;
    const { fillRect, drawImage } = gameContext;
    ask();
    test.step(3);
    expect([gameContext.fillRect, gameContext.drawImage]).toEqual([fillRect, drawImage]);
  });
});
