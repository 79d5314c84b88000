import { GameMeter } from '../../../../src/meter/GameMeter.js';
import { registerBounds } from '../../../../src/record/objects/registerBounds.js';
import { calculateAdCoverage, checkAdFullVisibility } from '../../../../src/meter/tracking.js';
import type { Stage } from '../Stage.js';
import { asked, flat, GREY, over, picture, putAd, type Trap, type Variant } from './Trap.js';

/** A picture over three fifths of the ad, a little translucent. */
function cover(scene: Phaser.Scene, stage: Stage, x = 200, y = 150): Phaser.GameObjects.Image {
  return scene.add
    .image(x, y, flat(stage, 'grey', '#555555'))
    .setScale(3)
    .setAlpha(0.9)
    .setName('picture');
}

/** As a library with a renderer of its own paints: half of the ad, whichever camera is drawn. */
function paintsAnywhere(scene: Phaser.Scene): Phaser.GameObjects.Extern {
  const { gl } = scene.sys.renderer as Phaser.Renderer.WebGL.WebGLRenderer;
  const render = (): void => {
    const [x, y, width, height] = gl.getParameter(gl.SCISSOR_BOX) as Int32Array;
    gl.scissor(160, 130, 40, 40);
    gl.clearColor(0.1, 0.1, 0.1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.scissor(x!, y!, width!, height!);
  };
  return Object.assign(scene.add.extern(), { render });
}

/** A renderer that lends its context: in Phaser 4 by nodes. */
interface Lending {
  readonly pipelines?: { flush(): void; clear(): void; rebind(): void };
  readonly renderNodes?: { getNode(name: string): { run(drawing: unknown): void } };
}

/** The same by a class of the game's own, which hands the context over itself, or in Phaser 3 just paints. */
function paintsItselfAnywhere(scene: Phaser.Scene, handsOver = true): Phaser.GameObjects.Image {
  const { render } = paintsAnywhere(scene).setVisible(false) as unknown as { render(): void };
  const image = scene.add.image(0, 0, '__WHITE');
  const draw = ({ pipelines, renderNodes }: Lending, _image: unknown, drawing: unknown): void => {
    if (renderNodes) renderNodes.getNode('YieldContext').run(drawing);
    else if (handsOver) pipelines!.clear();
    else pipelines!.flush();
    render();
    if (renderNodes) renderNodes.getNode('RebindContext').run(drawing);
    else if (handsOver) pipelines!.rebind();
  };
  return Object.assign(image, { renderWebGL: draw, renderWebGLStep: draw });
}

/** As a class of a game that leaves itself out of the frame. */
function culled<T extends Phaser.GameObjects.GameObject>(object: T): T {
  object.willRender = () => false;
  return object;
}

/** Makes an object one of a type whose bounds, registered by the game, cannot be told. */
function unread<T extends Phaser.GameObjects.GameObject>(object: T): T {
  registerBounds(object.scene.game, 'Odd', () => {
    throw new Error('The code of a game has a fault');
  });
  object.type = 'Odd';
  return object;
}

function unreadable(scene: Phaser.Scene, x: number, y: number): Phaser.GameObjects.GameObject {
  return unread(scene.add.rectangle(x, y, 48, 48, 0x555555));
}

type Render = (renderer: unknown, object: unknown, camera: unknown, parent: unknown) => void;

/** A picture a class of the game draws once more, three times as wide. */
function drawnTwice<T extends Phaser.GameObjects.Image>(object: T): T {
  const drawn = object as unknown as Record<'renderCanvas' | 'renderWebGL', Render>;
  for (const name of ['renderCanvas', 'renderWebGL'] as const) {
    const render = drawn[name];
    drawn[name] = function (renderer, image, camera, parent) {
      render.call(this, renderer, image, camera, parent);
      const { scaleX } = object;
      object.scaleX = 3 * scaleX;
      render.call(this, renderer, image, camera, parent);
      object.scaleX = scaleX;
    };
  }
  return object;
}

/** A picture of a class that does not tell its camera that it is drawn. */
function untold(scene: Phaser.Scene, stage: Stage, x = 200, y = 150): Phaser.GameObjects.Image {
  const object = cover(scene, stage, x, y).setAlpha(1);
  const { constructor } = object as unknown as { constructor: { prototype: Record<string, Render> } };
  const quiet =
    (name: 'renderCanvas' | 'renderWebGL'): Render =>
    (renderer, image, view, parent) => {
      const camera = ((view as { camera?: object }).camera ?? view) as { addToRenderList(object: unknown): void };
      const { addToRenderList } = camera;
      camera.addToRenderList = () => undefined;
      constructor.prototype[name]!.call(image, renderer, image, view, parent);
      camera.addToRenderList = addToRenderList;
    };
  Object.assign(object, { type: 'Quiet', renderCanvas: quiet('renderCanvas'), renderWebGL: quiet('renderWebGL') });
  // Phaser 4 draws by a list of functions.
  const { _renderSteps: steps } = object as unknown as { _renderSteps?: unknown[] };
  if (steps) steps[0] = (object as unknown as { renderWebGL: Render }).renderWebGL;
  return object;
}

/** A picture drawn by a pipeline of the game's, which goes on from the sources of Phaser's shader. */
function piped<T extends Phaser.GameObjects.Image>(
  object: T,
  source: 'vertSrc' | 'fragSrc',
  line: RegExp,
  by: string,
): T {
  const { pipelines } = object.scene.sys.renderer as Phaser.Renderer.WebGL.WebGLRenderer;
  if (!pipelines.has(by)) {
    const before = pipelines.MULTI_PIPELINE.currentShader[source];
    const after = before.replace(line, by);
    if (after === before) throw new Error('No such line in the shader');
    const shader = source === 'vertSrc' ? { vertShader: after } : { fragShader: after };
    pipelines.add(by, new Phaser.Renderer.WebGL.Pipelines.MultiPipeline({ game: object.scene.game, ...shader }));
  }
  return object.setPipeline(by);
}

/** The shader puts it 100 pixels to the right. */
const moved = <T extends Phaser.GameObjects.Image>(object: T): T =>
  piped(object, 'vertSrc', /vec4\(inPosition/, 'vec4(inPosition + vec2(100.0, 0.0)');

/** A container a class of the game draws with a light of its own over what is in it. */
function litButton(scene: Phaser.Scene, x: number, y: number): Phaser.GameObjects.Container {
  const button = scene.add.container(x, y);
  const brick = scene.make.image({ x: 9, y: 9, key: 'brick' }, false).setScale(0.1);
  const light = scene.make.image({ x: x + 15, y: y + 15, key: 'block' }, false).setScale(0.75);
  const drawn = button as unknown as Record<'renderCanvas' | 'renderWebGL', Render>;
  const { renderCanvas, renderWebGL } = drawn;
  drawn.renderWebGL = function (renderer, source, camera, parent) {
    renderWebGL.call(this, renderer, source, camera, parent);
    // The oracle hides what is in it.
    if (brick.visible) (light as unknown as typeof drawn).renderWebGL(renderer, light, camera, undefined);
  };
  drawn.renderCanvas = function (renderer, source, camera, parent) {
    renderCanvas.call(this, renderer, source, camera, parent);
    if (!brick.visible) return;
    const { currentContext } = renderer as { currentContext: CanvasRenderingContext2D };
    currentContext.setTransform(1, 0, 0, 1, 0, 0);
    currentContext.globalAlpha = 1;
    currentContext.fillStyle = '#555555';
    currentContext.fillRect(button.x, button.y, 30, 30);
  };
  // A container is asked to be drawn for what is in it.
  return button.add(brick);
}

/** Some white that multiplies: in WebGL the ad below is read by a walk, and seen as before. */
function walked<T>(scene: Phaser.Scene, object: T): T {
  scene.add.rectangle(200, 150, 4, 4, 0xffffff).setBlendMode(Phaser.BlendModes.MULTIPLY).setName('white');
  return object;
}

interface Pair {
  set(x: number, y: number): void;
}

/**
 * A picture drawn as the plugins for Spine draw a skeleton, between two batches of Phaser's. On Canvas they put the skeleton
 * where the camera sees it; the plugin that came with Phaser does so in WebGL, too, counted from the bottom.
 */
function skeletal(
  scene: Phaser.Scene,
  stage: Stage,
  x: number,
  y: number,
  isOfPhaser: boolean,
): Phaser.GameObjects.Image {
  const object = cover(scene, stage, x, y).setAlpha(1);
  const skeleton = {
    x: 0,
    y: 0,
    scaleX: 1,
    scaleY: 1,
    getBounds(offset: Pair, size: Pair): void {
      offset.set(skeleton.x - 8 * skeleton.scaleX, skeleton.y - 8 * skeleton.scaleY);
      size.set(16 * skeleton.scaleX, 16 * skeleton.scaleY);
    },
  };
  Object.assign(object, { type: 'spine', skeleton, offsetX: 8, offsetY: 8 }, isOfPhaser ? { root: {} } : {});
  const drawn = object as unknown as Record<'renderCanvas' | 'renderWebGL', Render>;
  const place = (camera: unknown, parent: unknown, isFromBottom: boolean): void => {
    const { calc } = Phaser.GameObjects.GetCalcMatrix(object, camera as never, parent as never);
    skeleton.x = calc.tx;
    skeleton.y = isFromBottom ? scene.sys.renderer.height - calc.ty : calc.ty;
    skeleton.scaleX = calc.scaleX;
    skeleton.scaleY = calc.scaleY;
  };
  const { renderCanvas, renderWebGL } = drawn;
  drawn.renderCanvas = function (renderer, image, camera, parent) {
    place(camera, parent, false);
    renderCanvas.call(this, renderer, image, camera, parent);
  };
  drawn.renderWebGL = function (renderer, image, camera, parent) {
    const { pipelines } = renderer as Phaser.Renderer.WebGL.WebGLRenderer;
    pipelines.clear();
    pipelines.rebind();
    if (isOfPhaser) place(camera, parent, true);
    renderWebGL.call(this, renderer, image, camera, parent);
  };
  return object;
}

/** Skeletons of one of the plugins for Spine. */
function skeletons(plugin: string, isOfPhaser: boolean): readonly Variant[] {
  return [
    over(`of ${plugin} over the ad`, 40, (scene, stage) => skeletal(scene, stage, 200, 150, isOfPhaser), {
      mayBeUnmeasurable: true,
    }),
    over(`of ${plugin} away from the ad`, 100, (scene, stage) => skeletal(scene, stage, 50, 37.5, isOfPhaser)),
    over(
      `of ${plugin} in a turned container below a scrolled camera`,
      undefined,
      (scene, stage) => {
        scene.cameras.main.setScroll(15, -10).setZoom(1.3);
        const object = skeletal(scene, stage, 30, 10, isOfPhaser);
        scene.add.container(190, 130, [object]).setAngle(30);
        return object;
      },
      { mayBeUnmeasurable: true },
    ),
    over(
      `of ${plugin} that another camera draws, too`,
      undefined,
      (scene, stage) => {
        scene.cameras.add(0, 0, 120, 90).setZoom(0.3).setRotation(0.4).centerOn(200, 150);
        return skeletal(scene, stage, 200, 150, isOfPhaser);
      },
      { mayBeUnmeasurable: true },
    ),
  ];
}

/** An ad half of which is covered; it ends as a fault of the trap when the one who observed it first hears anything else. */
function observedTwice(
  name: string,
  change: (scene: Phaser.Scene, cover: Phaser.GameObjects.Rectangle) => void = () => undefined,
): Variant {
  return {
    name,
    share: 50,
    build: (stage) => {
      const scene = stage.scene(0);
      const ad = putAd(scene);
      change(scene, scene.add.rectangle(180, 150, 40, 80, GREY).setName('cover'));
      const heard: number[] = [];
      const stop = GameMeter.of(stage.game).observe(ad, ({ percentageInView }) => heard.push(percentageInView));
      const stopAgain = GameMeter.of(stage.game).observe(ad, ({ percentageInView }) => heard.push(percentageInView));
      for (let frame = 0; frame < 3; frame++) stage.step(16);
      stopAgain();
      stage.step(16);
      stop();
      if (heard.length !== 7 || heard.some((share) => Math.abs(share - 50) > 0.1)) throw new Error(heard.join(' '));
      return ad;
    },
  };
}

/** What the classes of games do beyond Phaser's own. */
export const gameClassTraps: readonly Trap[] = [
  {
    number: 0,
    title: 'classes of a game',
    variants: [
      over('that leave themselves out', 100, (scene, stage) => culled(cover(scene, stage))),
      over('that leave themselves out, opaque', 100, (scene, stage) => culled(cover(scene, stage).setAlpha(1))),
      over('that leave themselves out of a container', 100, (scene, stage) => {
        const picture = culled(cover(scene, stage, 0, 0));
        scene.add.container(200, 150, [picture]);
        return picture;
      }),
      over('that leave the container out they are in', 100, (scene, stage) => {
        culled(scene.add.container(200, 150, [cover(scene, stage, 0, 0)]));
        return undefined;
      }),
      over('that do not tell the camera that they are drawn', 40, (scene, stage) => untold(scene, stage)),
      over('that do not tell the camera that they are drawn, in a container', 40, (scene, stage) => {
        scene.add.container(200, 150, [untold(scene, stage, 0, 0)]);
        return undefined;
      }),
      over('that are containers of another type', 40, (scene, stage) => {
        scene.add.container(200, 150, [cover(scene, stage, 0, 0)]).type = 'Button';
        return undefined;
      }),
      over('that are containers of another type, far away', 100, (scene, stage) => {
        scene.add.container(20, 20, [cover(scene, stage, 0, 0)]).type = 'Button';
        // The frame has to be walked.
        return scene.add.image(200, 150, flat(stage, 'black', '#000000')).setBlendMode('ADD');
      }),
      over('that are layers of another type', 40, (scene, stage) => {
        scene.add.layer([cover(scene, stage)]).type = 'Hud';
        return undefined;
      }),
      {
        name: 'that are containers of another type around the ad',
        share: 40,
        build: (stage) => {
          const scene = stage.scene(0);
          const ad = putAd(scene, 0, 0);
          scene.add.container(200, 150, [ad, cover(scene, stage, 0, 0)]).type = 'Board';
          return ad;
        },
      },
      over(
        'that draw themselves in another way',
        undefined,
        (scene, stage) => walked(scene, drawnTwice(cover(scene, stage).setAlpha(1).setScale(1))),
        { mayBeUnmeasurable: true },
      ),
      over(
        'that draw themselves in another way, in a container',
        undefined,
        (scene, stage) => {
          scene.add.container(200, 150, [drawnTwice(cover(scene, stage, 0, 0).setScale(1))]);
          walked(scene, undefined);
          return undefined;
        },
        { mayBeUnmeasurable: true },
      ),
      asked(
        over('that draw themselves in another way, from beside the ad over it', undefined, (scene, stage) =>
          drawnTwice(cover(scene, stage, 100, 150).setAlpha(1).setScale(4)),
        ),
      ),
      asked(
        over(
          'that draw themselves in another way, from beside the ad over it where a walk is needed',
          undefined,
          (scene, stage) => walked(scene, drawnTwice(cover(scene, stage, 100, 150).setAlpha(1).setScale(4))),
          { mayBeUnmeasurable: true },
        ),
      ),
      asked(
        over(
          'that draw themselves in another way, from beside the ad over it out of a container',
          undefined,
          (scene, stage) => {
            scene.add.container(100, 150, [drawnTwice(cover(scene, stage, 0, 0).setScale(4))]);
            walked(scene, undefined);
          },
          { mayBeUnmeasurable: true },
        ),
      ),
      over(
        'that are clear, and painted all over by a shader of the game that goes on from one of Phaser',
        40,
        (scene, stage) => {
          const clear = scene.add.image(
            200,
            150,
            picture(stage, 'clear', 48, 48, () => undefined),
          );
          return piped(clear, 'fragSrc', /gl_FragColor = color/, 'gl_FragColor = vec4(0.1, 0.1, 0.1, 1.0)');
        },
        { mayBeUnmeasurable: true, renderers: ['webgl'] },
      ),
      over(
        'that a shader of the game moves once they are in their place',
        40,
        (scene, stage) =>
          piped(
            cover(scene, stage, 100, 150),
            'vertSrc',
            /gl_Position = ([^;]*);/,
            'gl_Position = $1; gl_Position.x += 0.5;',
          ),
        { mayBeUnmeasurable: true, renderers: ['webgl'] },
      ),
      over(
        'that are drawn where a shader of the game moves them',
        40,
        (scene, stage) => moved(cover(scene, stage, 100, 150)),
        { mayBeUnmeasurable: true, renderers: ['webgl'] },
      ),
      asked(
        over(
          'that draw themselves in another way where a shader of the game moves them',
          undefined,
          (scene, stage) => walked(scene, moved(drawnTwice(cover(scene, stage, 50, 150)))),
          { mayBeUnmeasurable: true, renderers: ['webgl'] },
        ),
      ),
      asked(
        over('that draw themselves in another way, far away', 100, (scene, stage) =>
          drawnTwice(cover(scene, stage, 50, 50)),
        ),
      ),
      asked(
        over('that draw themselves in another way, far away in a container', 100, (scene, stage) => {
          scene.add.container(20, 30, [drawnTwice(cover(scene, stage, 30, 20))]).setName('box');
          walked(scene, undefined);
        }),
      ),
      over(
        'that draw themselves in another way, in bounds the game tells',
        undefined,
        (scene, stage) => {
          registerBounds<Phaser.GameObjects.Image>(scene.game, 'Twice', ({ displayOriginX: x, width, ...image }) => ({
            x: -3 * x,
            y: -image.displayOriginY,
            width: 3 * width,
            height: image.height,
          }));
          const twice = drawnTwice(cover(scene, stage).setAlpha(1).setScale(1));
          twice.type = 'Twice';
          return walked(scene, twice);
        },
        { mayBeUnmeasurable: true, ownGame: true },
      ),
      over(
        'that paint with the context, far away in bounds the game tells',
        100,
        (scene) => {
          registerBounds(scene.game, 'Extern', () => ({ x: 0, y: 0, width: 60, height: 60 }));
          return walked(scene, scene.add.extern().setPosition(20, 20));
        },
        { renderers: ['webgl'], ownGame: true },
      ),
      over(
        'that paint with the context where they like, below the ad, and for a small camera once more',
        undefined,
        (scene) => {
          scene.cameras.add(0, 0, 60, 60).setScroll(2000, 0);
          return paintsAnywhere(scene).setDepth(-1);
        },
        { mayBeUnmeasurable: true, renderers: ['webgl'] },
      ),
      asked(
        over(
          'that hand the context over and paint where they like, below the ad, and for a small camera once more',
          undefined,
          (scene) => {
            scene.cameras.add(0, 0, 60, 60).setScroll(2000, 0);
            return walked(scene, paintsItselfAnywhere(scene).setDepth(-1));
          },
          { mayBeUnmeasurable: true, renderers: ['webgl'] },
        ),
      ),
      over(
        'that paint with the context and do not hand it over, while nothing is drawn once more',
        50,
        (scene) => paintsItselfAnywhere(scene, false),
        { mayBeUnmeasurable: true, renderers: ['webgl'] },
      ),
      asked(
        over(
          'that paint with the context and do not hand it over, above the ad',
          50,
          (scene) => walked(scene, paintsItselfAnywhere(scene, false)),
          { mayBeUnmeasurable: true, renderers: ['webgl'] },
        ),
      ),
      asked(
        over(
          'that hand the context over and paint where they like, above the ad',
          50,
          (scene) => walked(scene, paintsItselfAnywhere(scene)),
          { mayBeUnmeasurable: true, renderers: ['webgl'] },
        ),
      ),
      over(
        'that are containers and paint on their own',
        undefined,
        (scene) => walked(scene, litButton(scene, 180, 140)),
        { mayBeUnmeasurable: true },
      ),
      asked(
        over('that are containers and paint on their own, far away', 100, (scene) =>
          walked(scene, litButton(scene, 30, 30)),
        ),
      ),
      over('whose bounds fail', 40, (scene) => unreadable(scene, 200, 150), {
        mayBeUnmeasurable: true,
        ownGame: true,
      }),
      over('whose bounds fail, far away', 100, (scene) => unreadable(scene, 50, 50), { ownGame: true }),
      over(
        'whose bounds fail, far away in a masked container',
        100,
        (scene) => {
          const panel = unreadable(scene, 50, 50);
          const mask = scene.make.graphics({}, false).fillRect(0, 0, 60, 60).createGeometryMask();
          return scene.add.container(0, 0, [panel]).setMask(mask);
        },
        { ownGame: true },
      ),
      ...['Star', 'Rectangle', 'Grid', 'Rope', 'Blitter', 'Mesh', 'Video', 'Zone', 'Container'].map((type) =>
        over(`that are pictures and call their type ${type}`, 40, (scene, stage) => {
          const picture = cover(scene, stage);
          picture.type = type;
          return walked(scene, picture);
        }),
      ),
      ...['Sprite', 'Image', 'Text', 'Polygon'].flatMap((type) => [
        over(`that are containers and call their type ${type}`, 40, (scene, stage) => {
          scene.add.container(200, 150, [cover(scene, stage, 0, 0)]).type = type;
          walked(scene, undefined);
        }),
        over(`that are shapes and call their type ${type}, unwalked`, 40, (scene) => {
          const shape = scene.add.rectangle(200, 150, 48, 48, GREY);
          shape.type = type;
          return shape;
        }),
      ]),
      over('that are shapes in a container and call their type Sprite', 40, (scene) => {
        const shape = scene.add.rectangle(0, 0, 48, 48, GREY).setName('shape');
        shape.type = 'Sprite';
        scene.add.container(200, 150, [shape]);
        walked(scene, undefined);
      }),
      ...['node', 'pathData', 'skeleton', 'renderList'].map((field) =>
        over(`that are pictures of another type and keep a ${field}`, 40, (scene, stage) => {
          const picture = cover(scene, stage);
          class Keeper extends Phaser.GameObjects.Image {}
          Object.setPrototypeOf(picture, Keeper.prototype);
          Object.assign(picture, { type: 'Keeper', [field]: [] });
          return walked(scene, picture);
        }),
      ),
      over('that are drawings of another type and keep a pathData', 40, (scene) => {
        const drawing = scene.add.graphics().fillStyle(GREY).fillRect(176, 126, 48, 48);
        class Drawing extends Phaser.GameObjects.Graphics {}
        Object.setPrototypeOf(drawing, Drawing.prototype);
        Object.assign(drawing, { type: 'Drawing', pathData: [] });
        return walked(scene, drawing);
      }),
      over('that are emitters of another type in a list with a blend mode', 50, (scene) => {
        const emitter = scene.add.particles(0, 0, 'block', { lifespan: 1e5, emitting: false }).setName('fire');
        emitter.explode(1);
        emitter.type = 'Fire';
        scene.add.container(200, 150, [emitter]).setBlendMode(Phaser.BlendModes.ADD);
        walked(scene, undefined);
      }),
      over(
        'that are maps of another type with a blend mode, which Canvas does not set',
        0,
        (scene) => {
          const data = Array.from({ length: 19 }, () => Array.from({ length: 25 }, () => 0));
          const map = scene.make.tilemap({ data, tileWidth: 16, tileHeight: 16 });
          const layer = map.createLayer(0, map.addTilesetImage('tiles')!, 0, 0)!;
          layer.type = 'Ground';
          return layer.setBlendMode(Phaser.BlendModes.DESTINATION_OVER);
        },
        { renderers: ['canvas'] },
      ),
      over('that are of several kinds and call their type the same', 40, (scene, stage) => {
        const picture = cover(scene, stage);
        // Of both something lies near the ad, of the first one nothing on it.
        const shape = scene.add.rectangle(150, 150, 16, 16, GREY).setName('shape').setDepth(-1);
        picture.type = shape.type = 'Enemy';
        return walked(scene, picture);
      }),
      over('that are shapes and say they are a Graphics', undefined, (scene) => {
        const circle = scene.add.circle(200, 150, 30, GREY);
        circle.type = 'Graphics';
        return walked(scene, circle);
      }),
      over(
        'that are shapes, say they are a Graphics, and mask what covers the ad',
        undefined,
        (scene) => {
          const hole = new Phaser.GameObjects.Arc(scene, 200, 150, 12, 0, 360, false, 0xffffff);
          hole.type = 'Graphics';
          const mask = new Phaser.Display.Masks.GeometryMask(scene, hole as never).setInvertAlpha();
          return scene.add.rectangle(190, 150, 80, 80, GREY).setMask(mask);
        },
        { renderers: ['webgl'] },
      ),
      ...[false, true].map((isInside) =>
        over(
          `that mask what covers the ad${isInside ? ' from a container in another mask' : ''}, inverted, and cannot be read`,
          undefined,
          (scene) => {
            const hole = unread(scene.make.graphics({}, false).fillCircle(200, 150, 12));
            const mask = new Phaser.Display.Masks.GeometryMask(scene, hole).setInvertAlpha();
            const cover = scene.add.rectangle(190, 150, 80, 80, GREY);
            if (!isInside) return cover.setMask(mask);
            const far = scene.make.graphics({}, false).fillRect(0, 0, 60, 60);
            const inner = new Phaser.Display.Masks.GeometryMask(scene, far).setInvertAlpha();
            scene.add.container(0, 0, [cover.setMask(inner)]).setMask(mask);
            return cover;
          },
          { renderers: ['webgl'], mayBeUnmeasurable: true, ownGame: true },
        ),
      ),
      {
        name: 'of which an ad draws a mark of its own after its picture',
        share: 100,
        renderers: ['webgl'],
        ownGame: true,
        build: (stage) => {
          const scene = stage.scene(0);
          const mark = scene.make.image({ x: 200, y: 150, key: flat(stage, 'grey', '#555555') }, false).setScale(0.2);
          const ad = putAd(scene);
          const object = ad as unknown as { renderWebGL: Render };
          const { renderWebGL } = object;
          object.renderWebGL = function (renderer, image, camera, parent) {
            renderWebGL.call(this, renderer, image, camera, parent);
            (mark as unknown as { renderWebGL: Render }).renderWebGL(renderer, mark, camera, parent);
          };
          return ad;
        },
      },
    ],
  },
  {
    number: 0,
    title: 'Spine skeletons',
    variants: [
      ...skeletons('@esotericsoftware/spine-phaser', false),
      ...skeletons('the plugin that came with Phaser', true),
    ],
  },
  {
    number: 0,
    title: 'an Extern that was the ad',
    variants: [
      {
        name: 'was never seen, since nobody knows where it draws',
        share: 100,
        renderers: ['webgl'],
        build: (stage) => {
          const scene = stage.scene(0);
          const extern = scene.add.extern();
          const heard: string[] = [];
          const stop = GameMeter.of(stage.game).observe(extern, ({ isVisible, isFullyVisible, reasons }) =>
            heard.push(`${isVisible || isFullyVisible ? 'seen' : ''} ${reasons.join(' ')}`),
          );
          stage.step(16);
          stop();
          const { isFullyVisible } = checkAdFullVisibility(extern, scene);
          const { isVisible } = calculateAdCoverage(extern, scene.cameras.main);
          extern.destroy();
          if (isFullyVisible || isVisible || heard.join() !== ' unmeasurable') throw new Error(heard.join());
          return putAd(scene);
        },
      },
    ],
  },
  {
    number: 0,
    title: 'an ad that is observed twice',
    variants: [
      observedTwice('is measured both times'),
      observedTwice('is measured both times under what needs a walk', (scene, cover) => {
        const shape = scene.make.graphics({}, false).fillRect(0, 0, 400, 300);
        cover.setMask(shape.createGeometryMask());
      }),
    ],
  },
  {
    number: 0,
    title: 'render nodes of a game that go on from those of Phaser 4:',
    variants: [
      noded(
        'that paint clear pictures all over',
        200,
        'fragmentSource',
        /gl_FragColor = fragColor/,
        'gl_FragColor = vec4(0.1, 0.1, 0.1, 1.0)',
      ),
      noded(
        'that move pictures once they are in their place',
        100,
        'vertexSource',
        /gl_Position = ([^;]*);/,
        'gl_Position = $1; gl_Position.x += 0.5;',
      ),
      noded('that move pictures', 100, 'vertexSource', /vec4\(inPosition/, 'vec4(inPosition + vec2(100.0, 0.0)'),
    ],
  },
  {
    number: 0,
    title: 'classes of a game that draw once more from beside the ad over it, in Phaser 3 and Phaser 4:',
    variants: [
      ...[
        { from: 'by their own class', x: 100, scale: 4, times: 3 },
        { from: 'by their own class, from the end of the canvas', x: 24, scale: 3, times: 7 },
        { from: 'by their own class in WebGL, from the end of the canvas', x: 24, scale: 3, times: 7, isWebGL: true },
      ].flatMap(({ from, x, scale, times, isWebGL = false }) =>
        [false, true].map((isWalked) =>
          asked(
            over(
              isWalked ? `${from} where a walk is needed` : from,
              undefined,
              (scene, stage) => {
                class Twice extends Phaser.GameObjects.Image {}
                Object.assign(Twice.prototype, { renderWebGL: twice('renderWebGL', times) });
                if (!isWebGL) Object.assign(Twice.prototype, { renderCanvas: twice('renderCanvas', times) });
                const cover = new Twice(scene, x, 150, flat(stage, 'grey', '#555555')).setScale(scale);
                scene.add.existing(cover);
                return isWalked ? walked(scene, cover) : cover;
              },
              { mayBeUnmeasurable: isWalked },
            ),
          ),
        ),
      ),
      asked(
        over(
          'by a step of their own',
          undefined,
          (scene, stage) => {
            const object = cover(scene, stage, 100, 150).setAlpha(1).setScale(4);
            const stepped = object as unknown as Record<string, undefined | ((...values: unknown[]) => unknown)>;
            if (stepped['addRenderStep'] === undefined) return walked(scene, drawnTwice(object));
            const { scaleX } = object;
            const step = (renderer: unknown, of: unknown, view: unknown, parent: unknown, at: number): void => {
              for (const scale of [scaleX, 3 * scaleX]) {
                object.scaleX = scale;
                stepped['renderWebGLStep']!(renderer, of, view, parent, at + 1);
              }
              object.scaleX = scaleX;
            };
            stepped['addRenderStep'](step, 0);
            return walked(scene, object);
          },
          { mayBeUnmeasurable: true },
        ),
      ),
    ],
  },
  {
    number: 0,
    title: 'code of a game that draws with the context itself, in Phaser 3 and Phaser 4:',
    variants: [
      asked(
        over(
          'triangles over the ad',
          undefined,
          (scene) => {
            const image = scene.add.image(0, 0, '__WHITE');
            const { gl } = scene.sys.renderer as Phaser.Renderer.WebGL.WebGLRenderer;
            const paint = trianglesOver(gl);
            const draw = ({ pipelines, renderNodes }: Collecting): void => {
              if (renderNodes) renderNodes.finishBatch();
              else pipelines!.flush();
              paint();
            };
            return Object.assign(image, { renderWebGL: draw, renderWebGLStep: draw });
          },
          { renderers: ['webgl'], mayBeUnmeasurable: true, ownGame: true },
        ),
      ),
      maskedByContext('a mask of the container the ad is in', 25, (gl) => {
        const [x, y, width, height] = gl.getParameter(gl.SCISSOR_BOX) as Int32Array;
        gl.scissor(0, 0, 180, 300);
        gl.clearStencil(1);
        gl.clear(gl.STENCIL_BUFFER_BIT);
        gl.scissor(x!, y!, width!, height!);
        gl.enable(gl.STENCIL_TEST);
        gl.stencilFunc(gl.EQUAL, 1, 0xff);
      }),
      maskedByContext('a mask painted around the container the ad is in', 50, (gl, paint) => {
        gl.colorMask(false, false, false, false);
        gl.enable(gl.STENCIL_TEST);
        gl.stencilFunc(gl.ALWAYS, 0, 0xff);
        gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
        paint();
        gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
        gl.stencilFunc(gl.EQUAL, 0, 0xff);
        gl.colorMask(true, true, true, true);
      }),
    ],
  },
];

/** A renderer that is asked to draw now what it has collected. */
interface Collecting {
  readonly gl: WebGLRenderingContext;
  readonly pipelines?: { flush(): void };
  readonly renderNodes?: { finishBatch(): void };
}

/** Paints the left half of the canvas past the renderer, and puts everything back that the renderer knows of. */
function trianglesOver(gl: WebGLRenderingContext): () => void {
  const FREE = 7;
  const compile = (type: number, source: string): WebGLShader => {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    return shader;
  };
  const program = gl.createProgram();
  gl.attachShader(
    program,
    compile(gl.VERTEX_SHADER, 'attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }'),
  );
  gl.attachShader(program, compile(gl.FRAGMENT_SHADER, 'void main() { gl_FragColor = vec4(0.1, 0.1, 0.1, 1.0); }'));
  // One that Phaser's programs do not use: theirs stay as they are.
  gl.bindAttribLocation(program, FREE, 'at');
  gl.linkProgram(program);
  const buffer = gl.createBuffer();
  const VERTEX_ARRAY_BINDING = 0x85b5;
  const context = gl as WebGL2RenderingContext;
  const isSecond = 'bindVertexArray' in gl;
  return () => {
    const used = gl.getParameter(gl.CURRENT_PROGRAM) as WebGLProgram | null;
    const bound = gl.getParameter(gl.ARRAY_BUFFER_BINDING) as WebGLBuffer | null;
    const array = isSecond ? (gl.getParameter(VERTEX_ARRAY_BINDING) as WebGLVertexArrayObject | null) : null;
    if (isSecond) context.bindVertexArray(null);
    gl.useProgram(program);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(-1, -1, 0, -1, -1, 1, 0, 1), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(FREE);
    gl.vertexAttribPointer(FREE, 2, gl.FLOAT, false, 0, 0);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.disableVertexAttribArray(FREE);
    if (isSecond) context.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, bound);
    gl.useProgram(used);
  };
}

/** An ad in a container of which only what the stencil leaves is shown. The renderer does not know of that. */
function maskedByContext(
  name: string,
  share: number,
  mask: (gl: WebGLRenderingContext, paintLeftHalf: () => void) => void,
): Variant {
  return {
    name,
    renderers: ['webgl'],
    share,
    mayBeUnmeasurable: true,
    ownGame: true,
    // Nor can the oracle take such a mask off.
    withoutPicture: true,
    build: (stage) => {
      const scene = stage.scene(0);
      const ad = putAd(scene, 0, 0);
      const { gl } = scene.sys.renderer as Phaser.Renderer.WebGL.WebGLRenderer;
      const paint = trianglesOver(gl);
      drawWithin(scene.add.container(200, 150, [ad]), () => mask(gl, paint));
      return ad;
    },
  };
}

/** Draws a container after its mask, past the renderer, and takes that off again. */
function drawWithin(container: Phaser.GameObjects.Container, mask: () => void): void {
  const within = ({ gl, pipelines, renderNodes }: Collecting, draw: () => void): void => {
    const flush = (): void => (renderNodes ? renderNodes.finishBatch() : pipelines!.flush());
    flush();
    mask();
    draw();
    flush();
    gl.disable(gl.STENCIL_TEST);
    gl.clearStencil(0);
    gl.clear(gl.STENCIL_BUFFER_BIT);
  };
  const stepped = container as unknown as Record<string, undefined | ((...values: unknown[]) => unknown)>;
  if (stepped['addRenderStep'] !== undefined) {
    const step = (...[renderer, of, view, parent, at, ...rest]: unknown[]): void =>
      within(renderer as Collecting, () =>
        stepped['renderWebGLStep']!(renderer, of, view, parent, ((at ?? 0) as number) + 1, ...rest),
      );
    stepped['addRenderStep'](step, 0);
    return;
  }
  const drawn = container as unknown as Record<'renderWebGL', Render>;
  const { renderWebGL } = drawn;
  drawn.renderWebGL = (...values) => within(values[0] as Collecting, () => renderWebGL.call(container, ...values));
}

/** What a class overrides to be drawn once more, so many times as wide. */
function twice(name: 'renderCanvas' | 'renderWebGL', times: number): Render {
  const render = (Phaser.GameObjects.Image.prototype as unknown as Record<typeof name, Render>)[name];
  return (...values) => {
    const object = values[1] as Phaser.GameObjects.Image;
    render.call(object, ...values);
    const { scaleX } = object;
    object.scaleX = times * scaleX;
    render.call(object, ...values);
    object.scaleX = scaleX;
  };
}

interface Nodes {
  readonly renderNodes?: {
    getNode(name: string): object;
    addNodeConstructor(name: string, make: unknown): void;
  };
}
type NodeConfig = Record<'fragmentSource' | 'vertexSource', string>;
type NodeClass = new (manager: object, config: Partial<NodeConfig> & Record<'name' | 'shaderName', string>) => object;

/** A picture in the hands of a node whose shader is Phaser's but for a line. In Phaser 3 it is a plain one. */
function noded(name: string, x: number, source: keyof NodeConfig, line: RegExp, by: string): Variant {
  return over(
    name,
    undefined,
    (scene, stage) => {
      const { renderNodes } = stage.game.renderer as unknown as Nodes;
      const isClear = source === 'fragmentSource';
      const key = isClear ? picture(stage, 'clear', 48, 48, () => undefined) : flat(stage, 'grey', '#555555');
      const object = scene.add.image(x, 150, key).setScale(isClear ? 1 : 3);
      if (renderNodes === undefined) return object;
      const { defaultConfig, constructor } = renderNodes.getNode('BatchHandlerQuad') as {
        readonly defaultConfig: NodeConfig;
        readonly constructor: NodeClass;
      };
      const after = defaultConfig[source].replace(line, by);
      if (after === defaultConfig[source]) throw new Error('No such line in the shader');
      const node = `Batch${name.replaceAll(' ', '')}`;
      class Own extends constructor {
        constructor(manager: object) {
          super(manager, { name: node, shaderName: node, [source]: after });
        }
      }
      renderNodes.addNodeConstructor(node, Own);
      const own = object as unknown as { setRenderNodeRole(role: string, node: string): unknown };
      own.setRenderNodeRole('BatchHandler', node);
      return object;
    },
    { mayBeUnmeasurable: true, ownGame: true, renderers: ['webgl'] },
  );
}
