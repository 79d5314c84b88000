import { toYaml } from '../../../demo/service/toYaml.js';

describe('the contract written as YAML', () => {
  test.each<[string, Parameters<typeof toYaml>[0], string]>([
    ['nests objects by two blanks', { a1: { b1: { c1: 1 } } }, 'a1:\n  b1:\n    c1: 1\n'],
    [
      'begins the items of a list at their dashes',
      { list: [{ k1: 1, k2: true }, [2]] },
      'list:\n  - k1: 1\n    k2: true\n  - - 2\n',
    ],
    ['writes what is empty in brackets', { list: [], map: {} }, 'list: []\nmap: {}\n'],
    ['leaves out what is undefined', { here: 1, gone: undefined }, 'here: 1\n'],
    [
      'quotes words that YAML takes for something else',
      ['yes', 'No', 'null', 'true', 'on'],
      "- 'yes'\n- 'No'\n- 'null'\n- 'true'\n- 'on'\n",
    ],
    ['quotes text that looks like a number', ['200', '3.1.0', ''], "- '200'\n- '3.1.0'\n- ''\n"],
    [
      'quotes text with marks that mean something',
      ['a: b', 'a #b', '- a', '{x}', '@a'],
      "- 'a: b'\n- 'a #b'\n- '- a'\n- '{x}'\n- '@a'\n",
    ],
    [
      'escapes quotes, backslashes and control characters',
      ["it's", 'a\\d', 'a\nb'],
      '- "it\'s"\n- "a\\\\d"\n- "a\\nb"\n',
    ],
    [
      'leaves plain text and paths as they are',
      ['Plain text.', '/v1/ad/{id}', '$ref'],
      '- Plain text.\n- /v1/ad/{id}\n- $ref\n',
    ],
  ])('%s', (_, value, text) => {
    expect(toYaml(value)).toBe(text);
  });
});
