import { paintsElsewhere } from '../../../src/rehearsal/paintsElsewhere.js';

const none = { list: [] };
const some = { list: [{ active: false }, { active: true }] };
const idle = { list: [{ active: false }] };
/** An effect of Phaser 3: with a controller Phaser's own, of this type. */
const effect = (type?: number, active = true) => ({ active, ...(type === undefined ? {} : { controller: { type } }) });
const BLUR = 9;
const VIGNETTE = 7;

describe('what is drawn on a texture of its own may paint elsewhere', () => {
  it.each<[string, object, boolean]>([
    ['nothing of the kind', {}, false],
    ['no effects', { postPipelines: [], filters: null }, false],
    ['an effect that moves pixels', { postPipelines: [effect(VIGNETTE), effect(BLUR)] }, true],
    ['one that is off', { postPipelines: [effect(BLUR, false)] }, false],
    ['one that leaves each pixel in its place', { postPipelines: [effect(VIGNETTE)] }, false],
    ["one of the game's own, which is not drawn", { postPipelines: [effect()] }, false],
    ['filters that are off', { filters: { internal: none, external: idle } }, false],
    ['a filter within', { filters: { internal: some, external: none } }, true],
    ['a filter around', { filters: { internal: none, external: some } }, true],
    ['an object that asks for it', { filters: { internal: none, external: none }, filtersForceComposite: true }, true],
    ['a camera that asks for it', { filters: { internal: none, external: none }, forceComposite: true }, true],
    ['one that does not', { filters: { internal: none, external: none }, forceComposite: false, filtersForceComposite: false }, false],
  ])('%s', (_what, target, expected) => {
    expect(paintsElsewhere(target)).toBe(expected);
  }); // prettier-ignore
});
