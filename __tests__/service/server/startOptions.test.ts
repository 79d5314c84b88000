import { resolve } from 'node:path';
import { databaseFiles, readStartOptions, START_HELP } from '../../../demo/startOptions.js';

const read = (args: string[], environment: Record<string, string> = {}) =>
  readStartOptions(args, environment, '/somewhere/.data');

describe('the command line of npm start', () => {
  test('without options means port 8321 and the default folder, nothing removed, nothing broken on purpose', () => {
    const expected = {
      port: 8321,
      dataDirectory: '/somewhere/.data',
      databaseUrl: undefined,
      fresh: false,
      phaserPackage: 'phaser',
      prebid: false,
      publicOrigin: undefined,
      trustedProxies: [],
      log: false,
      faults: false,
    };
    expect(read([])).toEqual(expected);
  });

  test('takes the port from --port, or else from PORT', () => {
    expect(read(['--port', '9000'], { PORT: '9001' })).toMatchObject({ port: 9000 });
    expect(read([], { PORT: '9001' })).toMatchObject({ port: 9001 });
    expect(read([], { PORT: '' })).toMatchObject({ port: 8321 });
  });

  test.each(['0', '65536', '-1', '80a', '1e3', ' '])('refuses %j as a port', (port) => {
    expect(() => read([`--port=${port}`])).toThrow('A port is a number from 1 to 65535');
  });

  test('takes the folder of the data relative to where it is called', () => {
    expect(read(['--data', 'tmp/data'])).toMatchObject({ dataDirectory: resolve('tmp/data') });
    expect(() => read(['--data', ''])).toThrow('--data needs a folder');
  });

  test('takes the address of a PostgreSQL database from DATABASE_URL, and does not empty that one', () => {
    const environment = { DATABASE_URL: 'postgres://localhost/ads' };
    expect(read([], environment)).toMatchObject({ databaseUrl: 'postgres://localhost/ads' });
    expect(read([], { DATABASE_URL: '' })).toMatchObject({ databaseUrl: undefined });
    expect(() => read(['--fresh'], environment)).toThrow('--fresh');
  });

  test('takes which Phaser the game runs on', () => {
    expect(read(['--phaser', '4'])).toMatchObject({ phaserPackage: 'phaser-4.2' });
    expect(read(['--phaser', '3'])).toMatchObject({ phaserPackage: 'phaser' });
    expect(() => read(['--phaser', '5'])).toThrow('--phaser takes 3 or 4');
  });

  test('takes where it is known behind a proxy, and which proxies it believes, from the line or the environment', () => {
    const expected = { publicOrigin: 'https://ads.example', trustedProxies: ['127.0.0.1', '10.0.0.0/8'] };
    expect(read(['--public', 'https://ads.example/', '--proxies', '127.0.0.1, 10.0.0.0/8'])).toMatchObject(expected);
    const environment = { PUBLIC_ORIGIN: 'https://ads.example', TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' };
    expect(read([], environment)).toMatchObject(expected);
    for (const wrong of ['ads.example', 'https://ads.example/api', 'ftp://ads.example'])
      expect(() => read(['--public', wrong])).toThrow('--public takes');
  });

  test('refuses an option it does not know', () => {
    expect(() => read(['--prot', '9000'])).toThrow('--prot');
  });

  test('gives help that names every option', () => {
    expect(read(['--help', '--port', '9000'])).toBe('help');
    for (const option of [
      '--port',
      'PORT=',
      '--data',
      '--fresh',
      '--phaser',
      '--prebid',
      '--public',
      'PUBLIC_ORIGIN',
      '--proxies',
      'TRUSTED_PROXIES',
      '--log',
      '--faults',
      'DATABASE_URL=',
    ]) {
      expect(START_HELP).toContain(option);
    }
  });

  test('a fresh start concerns the files of the database only', () => {
    expect(databaseFiles('/d')).toEqual(['/d/service.db', '/d/service.db-wal', '/d/service.db-shm']);
  });
});
