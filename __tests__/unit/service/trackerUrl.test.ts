import { readTrackerUrl } from '../../../src/service/trackerUrl.js';

describe('the address of a tracker', () => {
  const ADDRESS = 'https://t.example.com:8443/a?m=${MACRO}';
  const long = (length: number): string => ADDRESS.padEnd(length, 'x');

  it.each([
    [ADDRESS, ADDRESS],
    [` ${ADDRESS}\n`, ADDRESS],
    [' //t.example.com/a ', 'https://t.example.com/a'],
    [long(16_384), long(16_384)],
    [long(16_385), null],
    ['http://t.example.com/a', null],
    ['ftp://t.example.com/a', null],
    ['javascript:alert(1)', null],
    ['https://name@t.example.com/a', null],
    ['https://:word@t.example.com/a', null],
    ['https://localhost/a', null],
    ['https://10.0.0.1/a', null],
    ['t.example.com/a', null],
    ['https://', null],
    ['', null],
    [7, null],
    [null, null],
    [[ADDRESS], null],
    [{ toString: () => ADDRESS }, null],
  ])('no. %# is called only with https, on a public host, without a name and a word', (given, address) => {
    expect(readTrackerUrl(given)).toBe(address);
  });
});
