import { present } from '../../../src/service/present.js';

it('leaves out fields that are not known, and no others', () => {
  expect(Object.keys(present({ a: 0, b: undefined, c: null, d: '', e: false }))).toEqual(['a', 'd', 'e']);
});
