import { isLoopbackHost, isPublicHost } from '../../src/hosts.js';

/** As `location` and URL write it. */
const hostOf = (host: string): string => new URL(`https://${host}/`).hostname;

describe('a host', () => {
  it.each(['localhost', 'LOCALHOST', 'game.localhost', '127.0.0.1', '127.200.0.9', '0x7f.1', '2130706433', '[::1]'])(
    '%s is this machine, and none of the public internet',
    (host) => {
      expect([isLoopbackHost(hostOf(host)), isPublicHost(hostOf(host))]).toEqual([true, false]);
    },
  );

  it.each([
    'example.com',
    'a.b.example.co.uk',
    'bücher.example',
    'localhost.example.com',
    '127.0.0.1.example.com',
    'a.mylocalhost',
  ])('%s is of the public internet, and not this machine', (host) => {
    expect([isLoopbackHost(hostOf(host)), isPublicHost(hostOf(host))]).toEqual([false, true]);
  });

  it.each([
    'intranet',
    'mylocalhost',
    '10.0.0.1',
    '128.0.0.1',
    '[::2]',
    '[::ffff:127.0.0.1]',
    '.example.com',
    'a..example.com',
    'example.com.',
    'localhost.',
  ])('%s is neither', (host) => {
    expect([isLoopbackHost(hostOf(host)), isPublicHost(hostOf(host))]).toEqual([false, false]);
  });
});
