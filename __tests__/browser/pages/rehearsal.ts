import * as Phaser from 'phaser';
import { WebGLEngine } from '../../../src/record/phaser3/WebGLEngine.js';
import { askForLaws, type Laws, type Rig } from './rehearsalLaws.js';

askForLaws({
  makeEngine: (game) => new WebGLEngine(game),
  method: 'renderWebGL',
  addOwnObjects({ add, make, cameras }) {
    add.sprite(220, 120, 'p').setPipeline('Light2D');
    const shape = make.graphics({}, false).fillRect(0, 0, 80, 80);
    add.sprite(40, 140, 'p').setMask(shape.createGeometryMask());
    add.sprite(45, 45, 'p').setMask(make.image({ x: 50, y: 50, key: 'p' }, false).createBitmapMask());
    add.sprite(150, 150, 'p').postFX.addGlow(0xffffff, 2);
    add.sprite(160, 160, 'p').preFX!.addShadow();
    add.sprite(200, 160, 'p').postFX.addBlur();
    cameras.add(0, 0, 100, 100).setZoom(0.5).setBackgroundColor(0x222222);
  },
  notesOf(renderer) {
    const r = renderer as unknown as Record<string, unknown>;
    const { currentMask, currentCameraMask } = renderer as unknown as Record<string, { readonly mask: object | null }>;
    return [
      [
        'currentBlendMode',
        'currentType',
        'newType',
        'nextTypeMatch',
        'finalType',
        'maskCount',
        'drawingBufferHeight',
      ].map((name) => r[name]),
      [
        r['currentScissor'],
        r['scissorStack'],
        (r['maskStack'] as unknown[]).length,
        (r['fboStack'] as unknown[]).length,
      ],
      [currentMask!.mask === null, currentCameraMask!.mask === null, renderer.currentFramebuffer === null],
      renderer.pipelines.current?.name,
      // A function of their own would make each later frame slower.
      Object.values(renderer.pipelines.pipelines.entries).map((pipeline) => Object.keys(pipeline).sort().join()),
    ];
  },
  emittersOf: ({ pipelines: { MULTI_PIPELINE } }) =>
    ['pipelinebeforeflush', 'pipelineafterflush', 'pipelinebind', 'pipelinerebind'].map(
      (name) => [MULTI_PIPELINE, name] as const,
    ),
  maskAndBend(container) {
    container.setMask(container.scene.make.graphics({}, false).fillRect(0, 0, 99, 99).createGeometryMask());
    container.postFX.addBarrel();
  },
  keepsTargets: true,
  restores: Phaser.VERSION.startsWith('3.9'),
  lawsOfRefusal,
});

function lawsOfRefusal({ stage, scene, rehearse }: Rig): Laws {
  let between: boolean | null = null;
  scene.cameras.main.once('prerender', () => (between = rehearse()));
  stage.step();
  const laws: Laws = { 'it runs between two cameras': between === true };
  const texture = scene.textures.addDynamicTexture('d', 50, 50)!;
  texture.beginDraw();
  laws['it refuses while something is drawn into a texture'] = !rehearse();
  texture.endDraw();
  return laws;
}
