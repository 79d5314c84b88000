import type * as Phaser from 'phaser';
import { Phaser4Engine } from '../../../src/record/phaser4/Phaser4Engine.js';
import { Rehearsal } from '../../../src/rehearsal/Rehearsal.js';
import { Stage } from '../oracle/Stage.js';
import { addPlainObjects, callsDuring, failureOf, sceneNotes, stateOf } from './contextWatch.js';
import type { Laws } from './rehearsal.js';

type Renderer = Phaser.Renderer.WebGL.WebGLRenderer;
type Call = (...args: unknown[]) => unknown;

const EVERYWHERE = { minX: 0, minY: 0, maxX: 320, maxY: 240 };

/** What Phaser 4 has and the types of 3 do not know. */
interface Filters {
  addGlow(color: number): unknown;
  addBlur(): unknown;
  addShadow(): unknown;
  addBarrel(amount: number): unknown;
  addMask(shape: object): unknown;
}
interface Filtered {
  enableFilters(): { readonly filters: { readonly internal: Filters; readonly external: Filters } };
}
const filtersOf = (object: unknown): { readonly internal: Filters; readonly external: Filters } =>
  (object as Filtered).enableFilters().filters;

interface Rig {
  readonly stage: Stage;
  readonly scene: Phaser.Scene;
  readonly engine: Phaser4Engine;
  readonly renderer: Renderer;
  /** Draws everything without painting. */
  rehearse(): boolean;
}

/** A game whose scene has nearly everything that changes the renderer's state. */
async function openRig(): Promise<Rig> {
  const stage = await Stage.open({ renderer: 'webgl', config: { render: { maxTextures: 16 } } });
  const scene = stage.scene(0);
  const { add, make } = scene;
  addPlainObjects(scene);
  (add.sprite(220, 120, 'p') as unknown as { setLighting(is: boolean): unknown }).setLighting(true);
  const shape = make.graphics({}, false).fillStyle(0xffffff).fillRect(0, 0, 80, 80);
  filtersOf(add.sprite(40, 140, 'p')).external.addMask(shape);
  filtersOf(add.sprite(150, 150, 'p')).external.addGlow(0xffffff);
  filtersOf(add.sprite(160, 160, 'p')).internal.addShadow();
  filtersOf(add.container(200, 160, [add.sprite(0, 0, 'p')])).internal.addBlur();
  const drawn = add.renderTexture(260, 200, 60, 60).draw('p', 5, 5) as unknown as { render(): void };
  drawn.render();
  const second = scene.cameras.add(0, 0, 100, 100).setZoom(0.5).setBackgroundColor(0x222222);
  (second as unknown as { setForceComposite(is: boolean): unknown }).setForceComposite(true);
  for (let i = 0; i < 12; i++) stage.step(16);
  const engine = new Phaser4Engine(stage.game);
  const rehearse = (): boolean => {
    const rehearsal = new Rehearsal(stage.game, engine, { isForeign: () => false });
    return rehearsal.run(() => rehearsal.drawScenes(EVERYWHERE, []));
  };
  return { stage, scene, engine, renderer: stage.game.renderer as Renderer, rehearse };
}

/** Everything Phaser notes that a drawing may change. */
function notesOf({ stage, renderer }: Rig): string {
  const { glWrapper, renderNodes } = renderer as unknown as {
    readonly glWrapper: { readonly state: Record<string, unknown> };
    readonly renderNodes: { readonly currentBatchNode: object | null };
  };
  const { blend, colorWritemask, scissor, stencil, viewport } = glWrapper.state;
  return JSON.stringify([
    { blend, colorWritemask, scissor, stencil, viewport },
    renderNodes.currentBatchNode === null,
    sceneNotes(stage, 'renderWebGLStep'),
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
  for (const name of ['render', 'prerender', 'postrender']) renderer.on(name, () => void heard.push(name));
  for (const camera of scene.cameras.cameras)
    for (const name of ['prerender', 'postrender', 'followupdate']) camera.on(name, () => void heard.push(name));
  const hasRun = rehearse();
  const laws: Laws = {
    hasRun,
    'it recorded what was drawn': engine.recorder.ops.filter(({ type }) => type === 'draw').length > 20,
    'the screen is untouched': stage.pixels().join() === pixelsBefore,
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
  const { external, internal } = filtersOf(outer);
  external.addMask(scene.make.graphics({}, false).fillStyle(0xffffff).fillRect(0, 0, 99, 99));
  internal.addBarrel(1.1);
  holder.add(culprit);
  stage.step();
  stage.step();
  const pixelsBefore = stage.pixels().join();
  const [notes, state] = [notesOf(rig), stateOf(gl)];
  const message = failureOf(culprit, rehearse);
  const laws: Laws = {
    'its error comes out': message === 'half-way',
    'the screen is untouched': stage.pixels().join() === pixelsBefore,
    'the renderer, the cameras and the objects are as they were': notesOf(rig) === notes,
    'the context is set as it was': stateOf(gl) === state,
  };
  // The targets of the filters around it are lost to Phaser's pool, as when it throws in a frame: calls may differ, pixels not.
  stage.step();
  laws['the next frame has the same pixels'] = stage.pixels().join() === pixelsBefore;
  laws['another rehearsal runs'] = rehearse();
  stage.close();
  return laws;
};

window.rehearseWithin = async () => {
  const { stage, scene, rehearse } = await openRig();
  let answer: boolean | null = null;
  const sprite = scene.add.sprite(100, 100, 'p');
  const drawn = sprite as unknown as { renderWebGLStep: Call };
  const { renderWebGLStep } = drawn;
  stage.step();
  const pixels = stage.pixels().join();
  drawn.renderWebGLStep = (...args) => {
    answer = rehearse();
    renderWebGLStep.apply(sprite, args);
  };
  stage.step();
  const laws: Laws = {
    'it refuses while an object is drawn': answer === false,
    'what was drawn is as without it': stage.pixels().join() === pixels,
  };
  drawn.renderWebGLStep = renderWebGLStep;
  stage.step();
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
  const restored = new Promise((done) => renderer.once('restorewebgl', done));
  context.restoreContext();
  await restored;
  // Phaser 4 leaves an error behind when it restores, also where nothing is rehearsed.
  renderer.gl.getError();
  stage.step();
  laws['it runs when it is there again'] = rehearse();
  stage.step();
  laws['the context has no error'] = renderer.gl.getError() === 0;
  stage.close();
  return laws;
};
