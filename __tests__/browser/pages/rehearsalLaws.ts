import * as Phaser from 'phaser';
import { Rehearsal } from '../../../src/rehearsal/Rehearsal.js';
import { Stage } from '../oracle/Stage.js';
import { callsDuring, sceneNotes, stateOf } from './contextWatch.js';

/** What a rehearsal left behind, by the name of a law; each true where it holds. */
export type Laws = Record<string, boolean>;

declare global {
  interface Window {
    rehearse?: () => Promise<Laws>;
    rehearseFailing?: () => Promise<Laws>;
    rehearseWithin?: () => Promise<Laws>;
    rehearseLost?: () => Promise<Laws>;
  }
}

export type Renderer = Phaser.Renderer.WebGL.WebGLRenderer;
type Call = (...args: unknown[]) => unknown;
type Engine = ConstructorParameters<typeof Rehearsal>[1] & {
  readonly recorder: { readonly ops: readonly { readonly type: string }[] };
};

/** What the laws need of an engine. */
export interface EngineUnderLaw {
  makeEngine(game: Phaser.Game): Engine;
  /** By which function of its own an object is drawn. */
  readonly method: 'renderWebGL' | 'renderWebGLStep';
  /** Adds what changes the renderer's state in ways no other engine has; pictures have the texture `p`. */
  addOwnObjects(scene: Phaser.Scene): void;
  /** What the renderer notes that a drawing may change. */
  notesOf(renderer: Renderer): unknown;
  /** What tells of a drawing, apart from renderer and cameras. */
  emittersOf(renderer: Renderer): readonly (readonly [emitter: Phaser.Events.EventEmitter, name: string])[];
  /** Masks a container, and bends what is in it. */
  maskAndBend(container: Phaser.GameObjects.Container): void;
  /** False where the targets of effects are lost to a pool when an object in them throws, as in a frame of the game. */
  readonly keepsTargets: boolean;
  /** False where a lost context is not restored. */
  readonly restores: boolean;
  /** The laws of refusing that the engine has for itself. */
  lawsOfRefusal(rig: Rig): Laws;
}

export interface Rig {
  readonly stage: Stage;
  readonly scene: Phaser.Scene;
  readonly engine: Engine;
  readonly renderer: Renderer;
  /** Everything Phaser notes that a drawing may change. */
  notes(): string;
  /** Draws everything without painting. */
  rehearse(): boolean;
}

const EVERYWHERE = { minX: 0, minY: 0, maxX: 320, maxY: 240 };

/** Hangs what asks for the laws on the window. */
export function askForLaws(of: EngineUnderLaw): void {
  window.rehearse = () => lawsOf(of);
  window.rehearseFailing = () => lawsOfFailure(of);
  window.rehearseWithin = () => lawsOfRefusal(of);
  window.rehearseLost = () => lawsOfLoss(of);
}

/** A game whose scene has nearly everything that changes the renderer's state. */
async function openRig(of: EngineUnderLaw): Promise<Rig> {
  const stage = await Stage.open({ renderer: 'webgl', config: { render: { maxTextures: 16 } } });
  const scene = stage.scene(0);
  addPlainObjects(scene);
  of.addOwnObjects(scene);
  for (let i = 0; i < 3; i++) stage.step(16);
  const engine = of.makeEngine(stage.game);
  const renderer = stage.game.renderer as Renderer;
  return {
    stage,
    scene,
    engine,
    renderer,
    notes: () => JSON.stringify([of.notesOf(renderer), sceneNotes(stage, of.method)]),
    rehearse() {
      const rehearsal = new Rehearsal(stage.game, engine, () => false);
      return rehearsal.run(() => rehearsal.drawScenes(EVERYWHERE, []));
    },
  };
}

async function lawsOf(of: EngineUnderLaw): Promise<Laws> {
  const { stage, scene, engine, renderer, notes, rehearse } = await openRig(of);
  const { gl } = renderer;
  stage.step();
  stage.step();
  const callsBefore = callsDuring(gl, () => stage.step());
  const pixelsBefore = stage.pixels().join();
  const [notesBefore, state] = [notes(), stateOf(gl)];
  const heard: string[] = [];
  const hear = (emitter: Phaser.Events.EventEmitter, name: string): void => {
    const listener = (): void => void heard.push(name);
    emitter.on(name, listener);
  };
  for (const name of ['render', 'prerender', 'postrender']) hear(renderer, name);
  for (const camera of scene.cameras.cameras)
    for (const name of ['prerender', 'postrender', 'followupdate']) hear(camera, name);
  for (const [emitter, name] of of.emittersOf(renderer)) hear(emitter, name);
  const hasRun = rehearse();
  const { ops } = engine.recorder;
  const untouched = stage.pixels().join() === pixelsBefore;
  const laws: Laws = {
    hasRun,
    'it recorded what was drawn': ops.filter(({ type }) => type === 'draw').length > 20,
    'the screen is untouched': untouched,
    'no event is heard': heard.length === 0,
    'the renderer, the cameras and the objects are as they were': notes() === notesBefore,
    'the context is set as it was': stateOf(gl) === state,
    'the context has no error': gl.getError() === 0,
  };
  laws['the next frame makes the same calls'] = callsDuring(gl, () => stage.step()) === callsBefore;
  laws['the next frame has the same pixels'] = stage.pixels().join() === pixelsBefore;
  stage.close();
  return laws;
}

async function lawsOfFailure(of: EngineUnderLaw): Promise<Laws> {
  const { stage, scene, renderer, notes, rehearse } = await openRig(of);
  const { gl } = renderer;
  const holder = scene.add.container(80, 80).setAlpha(0.5).setScrollFactor(0.5);
  const culprit = scene.make.sprite({ x: 0, y: 0, key: 'p', add: false }, false).setAlpha(0.8);
  const outer = scene.add.container(10, 10, [holder]).setAlpha(0.5);
  of.maskAndBend(outer);
  holder.add(culprit);
  stage.step();
  stage.step();
  const pixelsBefore = stage.pixels().join();
  const callsBefore = callsDuring(gl, () => stage.step());
  const [notesBefore, state] = [notes(), stateOf(gl)];
  const message = failureOf(culprit, rehearse);
  const laws: Laws = {
    'its error comes out': message === 'half-way',
    'the screen is untouched': stage.pixels().join() === pixelsBefore,
    'the renderer, the cameras and the objects are as they were': notes() === notesBefore,
    'the context is set as it was': stateOf(gl) === state,
  };
  const callsAfter = callsDuring(gl, () => stage.step());
  if (of.keepsTargets) laws['the next frame makes the same calls'] = callsAfter === callsBefore;
  laws['the next frame has the same pixels'] = stage.pixels().join() === pixelsBefore;
  laws['another rehearsal runs'] = rehearse();
  stage.close();
  return laws;
}

async function lawsOfRefusal(of: EngineUnderLaw): Promise<Laws> {
  const rig = await openRig(of);
  const { stage, scene, rehearse } = rig;
  let answer: boolean | null = null;
  const sprite = scene.add.sprite(100, 100, 'p');
  const drawn = sprite as unknown as Record<typeof of.method, Call>;
  const draw = drawn[of.method];
  stage.step();
  const pixels = stage.pixels().join();
  drawn[of.method] = (...args) => {
    answer = rehearse();
    draw.apply(sprite, args);
  };
  stage.step();
  const laws: Laws = {
    'it refuses while an object is drawn': answer === false,
    'what was drawn is as without it': stage.pixels().join() === pixels,
  };
  drawn[of.method] = draw;
  Object.assign(laws, of.lawsOfRefusal(rig));
  laws['what was drawn last is, too'] = stage.pixels().join() === pixels;
  laws['and it runs after that'] = rehearse();
  stage.close();
  return laws;
}

async function lawsOfLoss(of: EngineUnderLaw): Promise<Laws> {
  const { stage, renderer, rehearse } = await openRig(of);
  const context = renderer.gl.getExtension('WEBGL_lose_context')!;
  const laws: Laws = { 'it runs before': rehearse() };
  context.loseContext();
  laws['it refuses at once'] = !rehearse();
  await new Promise((lost) => setTimeout(lost, 50));
  laws['it refuses while it is lost'] = !rehearse();
  if (of.restores) {
    const restored = new Promise((done) => renderer.once('restorewebgl', done));
    context.restoreContext();
    await restored;
    // Phaser 4 leaves an error behind when it restores, also where nothing is rehearsed.
    renderer.gl.getError();
    stage.step();
    laws['it runs when it is there again'] = rehearse();
    stage.step();
    laws['the context has no error'] = renderer.gl.getError() === 0;
  }
  stage.close();
  return laws;
}

/** What draws in any version, with a texture called `p`: much of what changes the renderer's state, followed by a camera. */
function addPlainObjects(scene: Phaser.Scene): void {
  const { add, make } = scene;
  const picture = make.graphics({}, false).fillStyle(0xff8800).fillRect(0, 0, 32, 32);
  picture.generateTexture('p', 32, 32);
  for (let i = 0; i < 4; i++) add.sprite(60 + 20 * i, 60, 'p').setBlendMode(i);
  const inner = add.container(3, 3, [add.sprite(0, 0, 'p').setScrollFactor(0.5), add.sprite(9, 9, 'p').setAlpha(0.5)]);
  add.container(100, 100, [add.rectangle(5, 5, 20, 20, 0xff0000, 0.5), inner]).setAlpha(0.7);
  add.layer([add.image(50, 50, 'p').setDepth(3), add.image(60, 60, 'p').setDepth(1)]).setAlpha(0.5);
  add.graphics().fillStyle(0xff, 0.5).fillRect(0, 0, 50, 50).lineStyle(3, 0xff00).strokeCircle(40, 40, 20);
  add.tileSprite(200, 200, 50, 50, 'p').tilePositionX = 5;
  add.rope(150, 50, 'p', undefined, [
    new Phaser.Math.Vector2(-30, 0),
    new Phaser.Math.Vector2(0, 9),
    new Phaser.Math.Vector2(30, 0),
  ]);
  add.nineslice(50, 150, 'p', undefined, 60, 50, 8, 8, 8, 8);
  add.pointlight(200, 100, 0xffffff, 60, 1);
  scene.lights.enable().setAmbientColor(0x808080);
  add.text(10, 10, 'hello');
  add.particles(100, 200, 'p', { speed: 10, lifespan: 1e6, frequency: 1, quantity: 2, maxParticles: 10 });
  const map = make.tilemap({ data: [[0, 0], [0, 0]], tileWidth: 32, tileHeight: 32 }); // prettier-ignore
  map.createLayer(0, map.addTilesetImage('p')!, 250, 20);
  const target = add.sprite(160, 120, 'p');
  scene.cameras.main.startFollow(target, false, 0.1, 0.1).shake(1e6);
}

/** What comes out of some work when an object throws as soon as it is drawn; it throws no more after that. */
function failureOf(culprit: Phaser.GameObjects.Sprite, work: () => unknown): string {
  const { frame } = culprit;
  let fails = true;
  Object.defineProperty(culprit, 'frame', {
    configurable: true,
    get() {
      if (fails) throw new Error('half-way');
      return frame;
    },
  });
  try {
    work();
    return '';
  } catch (error) {
    return (error as Error).message;
  } finally {
    fails = false;
  }
}
