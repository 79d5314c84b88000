import { Phaser4Engine } from '../../../src/record/phaser4/Phaser4Engine.js';
import { askForLaws } from './rehearsalLaws.js';

/** What Phaser 4 has and the types of 3 do not know. */
interface Filters {
  addGlow(color: number): unknown;
  addBlur(): unknown;
  addShadow(): unknown;
  addBarrel(amount: number): unknown;
  addMask(shape: object): unknown;
}
interface OfPhaser4 {
  enableFilters(): { readonly filters: { readonly internal: Filters; readonly external: Filters } };
  setLighting(is: boolean): unknown;
  setForceComposite(is: boolean): unknown;
  render(): unknown;
  readonly glWrapper: { readonly state: Record<string, unknown> };
  readonly renderNodes: { readonly currentBatchNode: object | null };
}
const ofPhaser4 = (object: object): OfPhaser4 => object as OfPhaser4;
const filtersOf = (object: object) => ofPhaser4(object).enableFilters().filters;

askForLaws({
  makeEngine: (game) => new Phaser4Engine(game),
  method: 'renderWebGLStep',
  addOwnObjects({ add, make, cameras }) {
    ofPhaser4(add.sprite(220, 120, 'p')).setLighting(true);
    const shape = make.graphics({}, false).fillStyle(0xffffff).fillRect(0, 0, 80, 80);
    filtersOf(add.sprite(40, 140, 'p')).external.addMask(shape);
    filtersOf(add.sprite(150, 150, 'p')).external.addGlow(0xffffff);
    filtersOf(add.sprite(160, 160, 'p')).internal.addShadow();
    filtersOf(add.container(200, 160, [add.sprite(0, 0, 'p')])).internal.addBlur();
    ofPhaser4(add.renderTexture(260, 200, 60, 60).draw('p', 5, 5)).render();
    ofPhaser4(cameras.add(0, 0, 100, 100).setZoom(0.5).setBackgroundColor(0x222222)).setForceComposite(true);
  },
  notesOf(renderer) {
    const { glWrapper, renderNodes } = ofPhaser4(renderer);
    const { blend, colorWritemask, scissor, stencil, viewport } = glWrapper.state;
    return [{ blend, colorWritemask, scissor, stencil, viewport }, renderNodes.currentBatchNode === null];
  },
  emittersOf: () => [],
  maskAndBend(container) {
    const { external, internal } = filtersOf(container);
    external.addMask(container.scene.make.graphics({}, false).fillStyle(0xffffff).fillRect(0, 0, 99, 99));
    internal.addBarrel(1.1);
  },
  keepsTargets: false,
  restores: true,
  lawsOfRefusal: () => ({}),
});
