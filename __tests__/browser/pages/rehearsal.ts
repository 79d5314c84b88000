import * as Phaser from 'phaser';
import { WebGLEngine } from '../../../src/record/phaser3/WebGLEngine.js';
import { Rehearsal } from '../../../src/rehearsal/Rehearsal.js';
import { Stage } from '../oracle/Stage.js';
import { addPlainObjects, callsDuring, failureOf, sceneNotes, stateOf } from './contextWatch.js';

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

type Renderer = Phaser.Renderer.WebGL.WebGLRenderer;
type Call = (...args: unknown[]) => unknown;

const EVERYWHERE = { minX: 0, minY: 0, maxX: 320, maxY: 240 };

interface Rig {
  readonly stage: Stage;
  readonly scene: Phaser.Scene;
  readonly engine: WebGLEngine;
  readonly renderer: Renderer;
  /** Draws everything without painting. */
  rehearse(isForeign?: (object: Phaser.GameObjects.GameObject) => boolean): boolean;
}

/** A game whose scene has nearly everything that changes the renderer's state. */
async function openRig(): Promise<Rig> {
  const stage = await Stage.open({ renderer: 'webgl', config: { render: { maxTextures: 16 } } });
  const scene = stage.scene(0);
  const { add, make } = scene;
  addPlainObjects(scene);
  add.sprite(220, 120, 'p').setPipeline('Light2D');
  const shape = make.graphics({}, false).fillRect(0, 0, 80, 80);
  add.sprite(40, 140, 'p').setMask(shape.createGeometryMask());
  add.sprite(45, 45, 'p').setMask(make.image({ x: 50, y: 50, key: 'p' }, false).createBitmapMask());
  add.sprite(150, 150, 'p').postFX.addGlow(0xffffff, 2);
  add.sprite(160, 160, 'p').preFX!.addShadow();
  add.sprite(200, 160, 'p').postFX.addBlur();
  scene.cameras.add(0, 0, 100, 100).setZoom(0.5).setBackgroundColor(0x222222);
  for (let i = 0; i < 12; i++) stage.step(16);
  const engine = new WebGLEngine(stage.game);
  const rehearse: Rig['rehearse'] = (isForeign = () => false) => {
    const rehearsal = new Rehearsal(stage.game, engine, { isForeign });
    return rehearsal.run(() => rehearsal.drawScenes(EVERYWHERE, []));
  };
  return { stage, scene, engine, renderer: stage.game.renderer as Renderer, rehearse };
}

/** Everything Phaser notes that a drawing may change. */
function notesOf({ stage, renderer }: Rig): string {
  const r = renderer as unknown as Record<string, unknown>;
  const { currentMask, currentCameraMask } = renderer as unknown as Record<string, { readonly mask: object | null }>;
  return JSON.stringify([
    [
      'currentBlendMode',
      'currentType',
      'newType',
      'nextTypeMatch',
      'finalType',
      'maskCount',
      'drawingBufferHeight',
    ].map((name) => r[name]),
    [r['currentScissor'], r['scissorStack'], (r['maskStack'] as unknown[]).length, (r['fboStack'] as unknown[]).length],
    [currentMask!.mask === null, currentCameraMask!.mask === null, renderer.currentFramebuffer === null],
    renderer.pipelines.current?.name,
    // A function of their own would make each later frame slower.
    Object.values(renderer.pipelines.pipelines.entries).map((pipeline) => Object.keys(pipeline).sort().join()),
    sceneNotes(stage, 'renderWebGL'),
  ]);
}

window.rehearse = async () => {
  const rig = await openRig();
  const { stage, scene, engine, renderer, rehearse } = rig;
  const { gl } = renderer;
  stage.step();
  stage.step();
  const callsBefore = callsDuring(gl, () => stage.step());
  const pixelsBefore = stage.pixels().join();
  const [notes, state] = [notesOf(rig), stateOf(gl)];
  const heard: string[] = [];
  const hear = (emitter: Phaser.Events.EventEmitter, name: string): void => {
    const listener = (): void => void heard.push(name);
    emitter.on(name, listener);
  };
  for (const name of ['render', 'prerender', 'postrender']) hear(renderer, name);
  for (const camera of scene.cameras.cameras)
    for (const name of ['prerender', 'postrender', 'followupdate']) hear(camera, name);
  for (const name of ['pipelinebeforeflush', 'pipelineafterflush', 'pipelinebind', 'pipelinerebind'])
    hear(renderer.pipelines.MULTI_PIPELINE, name);
  const hasRun = rehearse();
  const { ops } = engine.recorder;
  const untouched = stage.pixels().join() === pixelsBefore;
  const laws: Laws = {
    hasRun,
    'it recorded what was drawn': ops.filter(({ type }) => type === 'draw').length > 20,
    'the screen is untouched': untouched,
    'no event is heard': heard.length === 0,
    'the renderer, the cameras and the objects are as they were': notesOf(rig) === notes,
    'the context is set as it was': stateOf(gl) === state,
    'the context has no error': gl.getError() === 0,
  };
  laws['the next frame makes the same calls'] = callsDuring(gl, () => stage.step()) === callsBefore;
  laws['the next frame has the same pixels'] = stage.pixels().join() === pixelsBefore;
  stage.close();
  return laws;
};

window.rehearseFailing = async () => {
  const rig = await openRig();
  const { stage, scene, renderer, rehearse } = rig;
  const { gl } = renderer;
  const holder = scene.add.container(80, 80).setAlpha(0.5).setScrollFactor(0.5);
  const culprit = scene.make.sprite({ x: 0, y: 0, key: 'p', add: false }, false).setAlpha(0.8);
  const outer = scene.add.container(10, 10, [holder]).setAlpha(0.5);
  outer.setMask(scene.make.graphics({}, false).fillRect(0, 0, 99, 99).createGeometryMask());
  outer.postFX.addBarrel();
  holder.add(culprit);
  stage.step();
  stage.step();
  const pixelsBefore = stage.pixels().join();
  const callsBefore = callsDuring(gl, () => stage.step());
  const [notes, state] = [notesOf(rig), stateOf(gl)];
  const message = failureOf(culprit, rehearse);
  const laws: Laws = {
    'its error comes out': message === 'half-way',
    'the screen is untouched': stage.pixels().join() === pixelsBefore,
    'the renderer, the cameras and the objects are as they were': notesOf(rig) === notes,
    'the context is set as it was': stateOf(gl) === state,
  };
  laws['the next frame makes the same calls'] = callsDuring(gl, () => stage.step()) === callsBefore;
  laws['the next frame has the same pixels'] = stage.pixels().join() === pixelsBefore;
  laws['another rehearsal runs'] = rehearse();
  stage.close();
  return laws;
};

window.rehearseWithin = async () => {
  const { stage, scene, rehearse } = await openRig();
  const answers: Record<string, boolean> = {};
  const sprite = scene.add.sprite(100, 100, 'p');
  const drawn = sprite as unknown as { renderWebGL: Call };
  const { renderWebGL } = drawn;
  stage.step();
  const pixels = stage.pixels().join();
  drawn.renderWebGL = (...args) => {
    answers['object'] = rehearse();
    renderWebGL.apply(sprite, args);
  };
  scene.cameras.main.once('prerender', () => (answers['between cameras'] = rehearse()));
  stage.step();
  const laws: Laws = {
    'it refuses while an object is drawn': answers['object'] === false,
    'it runs between two cameras': answers['between cameras'] === true,
    'what was drawn is as without it': stage.pixels().join() === pixels,
  };
  const texture = scene.textures.addDynamicTexture('d', 50, 50)!;
  texture.beginDraw();
  laws['it refuses while something is drawn into a texture'] = !rehearse();
  texture.endDraw();
  laws['and runs after that'] = rehearse();
  stage.close();
  return laws;
};

window.rehearseLost = async () => {
  const { stage, renderer, rehearse } = await openRig();
  const context = renderer.gl.getExtension('WEBGL_lose_context')!;
  const laws: Laws = { 'it runs before': rehearse() };
  context.loseContext();
  laws['it refuses at once'] = !rehearse();
  await new Promise((lost) => setTimeout(lost, 50));
  laws['it refuses while it is lost'] = !rehearse();
  if (Phaser.VERSION.startsWith('3.9')) {
    const restored = new Promise((done) => renderer.once('restorewebgl', done));
    context.restoreContext();
    await restored;
    stage.step();
    laws['it runs when it is there again'] = rehearse();
    stage.step();
    laws['the context has no error'] = renderer.gl.getError() === 0;
  }
  stage.close();
  return laws;
};
