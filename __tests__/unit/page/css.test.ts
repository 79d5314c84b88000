import { colorAlpha, lengthOf, shadowsIn, splitAt } from '../../../src/page/css.js';

describe('colours of computed styles', () => {
  it.each([
    ['transparent', 0],
    ['rgb(1, 2, 3)', 1],
    ['rgba(0, 0, 0, 0.25)', 0.25],
    ['oklch(0.2 0 0 / 0.1)', 0.1],
    ['color(srgb 0 0 0 / 50%)', 0.5],
  ])('tell how opaque they are: %s', (color, alpha) => expect(colorAlpha(color)).toBe(alpha));
});

describe('lengths of computed styles', () => {
  it.each([
    ['12.5px', 12.5],
    ['0', 0],
    ['-25%', -50],
    ['calc(50% - 10px)', 90],
    ['calc(50% + 10px)', 110],
  ])('are pixels or shares of a whole: %s', (text, length) => expect(lengthOf(text, 200)).toBe(length));

  it.each(['auto', 'min(1px, 2px)', '', '3em', '3', undefined])('and nothing else: %s', (text) => {
    expect(lengthOf(text, 200)).toBeNaN();
  });
});

describe('lists of computed styles', () => {
  it('are cut outside of parentheses and quotes alone', () => {
    const picture = 'url("data:image/svg+xml,<svg a=\\"(\\">,")';
    expect(splitAt(`${picture}, linear-gradient(rgb(1, 2, 3), red) , none`, ',')).toEqual([
      picture,
      'linear-gradient(rgb(1, 2, 3), red)',
      'none',
    ]);
    expect(splitAt('  calc(1px + 2px)  3px ', ' ')).toEqual(['calc(1px + 2px)', '3px']);
    expect(splitAt('"a, b" c, "(" d', ',')).toEqual(['"a, b" c', '"(" d']);
    expect(splitAt('', ',')).toEqual([]);
  });
});

describe('shadows of computed styles', () => {
  it('are told of one by one: how strong each is, where it lies and how far it spreads', () => {
    expect(shadowsIn('rgba(0, 0, 0, 0.5) 1px -2px 3px 4px inset, rgb(1, 2, 3) -260px 0px')).toEqual([
      { alpha: 0.5, x: 1, y: -2, blur: 3, spread: 4, isInset: true },
      { alpha: 1, x: -260, y: 0, blur: 0, spread: 0, isInset: false },
    ]);
  });

  it('are none where there is none', () => {
    expect(shadowsIn('none')).toEqual([]);
  });
});
