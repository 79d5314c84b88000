import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/**
 * Libraries that pages load by script tag, minified as published, in the order in which they need each other.
 *
 * @param {string} [phaserPackage] package that holds the Phaser to run with; default `phaser`
 * @returns {{ request: string, global: string, file: string }[]} import request, its global, its file
 */
export const prebuiltLibraries = (phaserPackage = 'phaser') => [
  { request: 'phaser', global: 'Phaser', file: `${phaserPackage}/dist/phaser.min.js` },
  {
    request: 'phaser3-rex-plugins/templates/ui/ui-plugin.js',
    global: 'rexuiplugin',
    file: 'phaser3-rex-plugins/dist/rexuiplugin.min.js',
  },
  {
    request: 'phaser3-rex-plugins/plugins/awaitloader-plugin.js',
    global: 'rexawaitloaderplugin',
    file: 'phaser3-rex-plugins/dist/rexawaitloaderplugin.min.js',
  },
];

/** Where such a file lies: Phaser 4 hides all but its main file from whoever asks by name. */
export function prebuiltFile(file) {
  const folder = require.resolve.paths(file).find((modules) => existsSync(path.join(modules, file)));
  return path.join(folder, file);
}

/** Where a page has it. */
export const prebuiltPath = (file) => `vendor/${path.posix.basename(file)}`;
