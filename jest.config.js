import { findPostgres } from './__tests__/helpers/findPostgres.js';

/** What the projects have in common. */
const project = (name) => ({
  displayName: name,
  testMatch: [`<rootDir>/__tests__/${name}/**/*.test.ts`],
  testEnvironment: 'node',
  transform: {
    // axios is taken by its parts, which are published as modules only.
    '^.+\\.ts$|/axios/lib/.+\\.js$': '<rootDir>/__tests__/helpers/transpile.js',
  },
  transformIgnorePatterns: ['/node_modules/(?!axios/lib/)'],
  moduleNameMapper: {
    // Sources name their neighbours with `.js`, as published ESM needs it; jest has to find the TypeScript file.
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^phaser-inview$': '<rootDir>/src/index.ts',
    '^phaser-inview/(\\w+)$': '<rootDir>/src/$1.ts',
  },
  restoreMocks: true,
});

/**
 * Tests of the service that the `postgres` project runs again on a server: what is stored, counted and decided by the
 * database. The others would only cost time there.
 */
const ON_BOTH_DATABASES = [
  'accountData',
  'accountStore',
  'connect',
  'copies',
  'database',
  'envelope',
  'events',
  'reports',
  'sessions',
].map((name) => `<rootDir>/__tests__/service/server/${name}.test.ts`);

/** Property tests see the same cases in every run. */
const SEEDED = ['<rootDir>/__tests__/helpers/seedProperties.ts'];

/** Tests with a game of one version of Phaser under jsdom. */
const phaserProject = (name, phaserPackage) => ({
  ...project('phaser'),
  displayName: name,
  testEnvironment: 'jsdom',
  setupFiles: [...SEEDED, 'jest-canvas-mock', '<rootDir>/__tests__/phaser/setup.ts'],
  moduleNameMapper: {
    ...project('phaser').moduleNameMapper,
    // Phaser's `main` is its source tree, which asks for a debugger package that it does not install.
    '^phaser$': `<rootDir>/node_modules/${phaserPackage}/dist/phaser.min.js`,
  },
});

/** Tests of plugins, placements and their life, as a game of either version uses them. With DEEP=1 all run on Phaser 4, too. */
const ON_BOTH_PHASERS = [
  'AdsGlobalPlugin',
  'AdsScenePlugin.arguments',
  'AdsScenePlugin.faults',
  'AdsScenePlugin.lifecycle',
  'AdsScenePlugin.place',
  'AdsScenePlugin.visibility',
  'PlacedAd.life',
  'givenBack',
  'phaserVersion',
  'tracking',
  'video',
  'waysIn',
].map((name) => `<rootDir>/__tests__/phaser/${name}.test.ts`);

const postgres = findPostgres();
if (postgres === undefined) {
  console.error(
    'PostgreSQL was not found, so the service is tested on its embedded database only. ' +
      'To test both: apt-get install -y postgresql, or set DATABASE_URL.',
  );
}

/** @type {import('jest').Config} */
export default {
  // Two cores are the smallest machine the whole run is meant for; jest alone would start one worker there.
  maxWorkers: 2,
  testSequencer: '<rootDir>/__tests__/helpers/LongestFirst.js',
  // Software-rendered browser tests take seconds each; a hung one must still end long before the run does.
  testTimeout: 120_000,
  projects: [
    { ...project('unit'), setupFiles: SEEDED },
    phaserProject('phaser', 'phaser'),
    // What hangs on neither renderer, on Phaser 4, too.
    {
      ...phaserProject('phaser4', 'phaser-4.2'),
      testMatch: [
        ...(process.env.DEEP === '1' ? ['<rootDir>/__tests__/phaser/**/*.test.ts'] : ON_BOTH_PHASERS),
        '<rootDir>/__tests__/phaser4/**/*.test.ts',
      ],
    },
    { ...project('service'), setupFiles: SEEDED },
    ...(postgres === undefined
      ? []
      : [
          {
            ...project('postgres'),
            testMatch: [...ON_BOTH_DATABASES, '<rootDir>/__tests__/postgres/**/*.test.ts'],
            globalSetup: '<rootDir>/__tests__/helpers/postgresSetup.js',
            globalTeardown: '<rootDir>/__tests__/helpers/postgresTeardown.js',
            setupFiles: ['<rootDir>/__tests__/helpers/usePostgres.ts'],
          },
        ]),
    {
      ...project('browser'),
      globalSetup: '<rootDir>/__tests__/helpers/browserSetup.js',
    },
  ],
};
