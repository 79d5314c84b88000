import { demoOptions } from '../../../demo/game/credentials.js';

const baseUrlOf = (search: string) => demoOptions({ origin: 'https://game.example', search }).baseUrl;

describe('the demo’s credentials', () => {
  it.each([
    '?baseUrl=https://evil.example/api',
    '?baseUrl=//evil.example/api',
    '?baseUrl=http://localhost.evil.example/api',
    '?baseUrl=http://localhost@evil.example/api',
    '?baseUrl=http://evil.example%23@127.0.0.1/api',
    '?baseUrl=javascript:alert(1)',
    '?baseUrl=http://127.0.0.1.evil.example/api',
    '?baseUrl=',
    '',
  ])('R4: what a player types goes to the page’s own service, whatever a link says: %s', (search) => {
    expect(baseUrlOf(search)).toBe('https://game.example/api');
  });

  it.each(['http://localhost:9000/api', 'http://127.0.0.1:1/api', 'http://[::1]:9000/api'])(
    'R4: a link may name another service on the same machine: %s',
    (address) => {
      expect(baseUrlOf(`?baseUrl=${encodeURIComponent(address)}`)).toBe(address);
    },
  );

  it('R4: the demo proves itself with tokens alone', () => {
    expect(demoOptions({ origin: 'https://game.example', search: '?credentials=key' })).not.toHaveProperty(
      'privateKey',
    );
  });
});
