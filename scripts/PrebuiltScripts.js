import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import webpack from 'webpack';

const require = createRequire(import.meta.url);

/**
 * Leaves large libraries out of a page's bundle and loads the minified file each of them ships by a script tag
 * before it: bundling Phaser and rexUI costs seconds in every build and a minute when they are minified once more.
 *
 * A script is emitted and named in the page only if the bundle really imports the library. The page's tags keep the
 * order of the table, since rex plugins read the global that Phaser's file sets.
 */
export class PrebuiltScripts {
  /** @param {{ request: string, global: string, file: string }[]} table import request, its global, its file */
  constructor(table) {
    this.table = table;
  }

  apply(compiler) {
    const name = PrebuiltScripts.name;
    const externals = Object.fromEntries(this.table.map(({ request, global }) => [request, global]));
    new webpack.ExternalsPlugin('var', externals).apply(compiler);

    compiler.hooks.thisCompilation.tap(name, (compilation) => {
      const imported = () => {
        const requests = new Set();
        for (const module of compilation.modules) requests.add(module.userRequest);
        return this.table.filter(({ request }) => requests.has(request));
      };

      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_ADDITIONAL;
      compilation.hooks.processAssets.tap({ name, stage }, () => {
        for (const { file } of imported()) {
          const source = new webpack.sources.RawSource(readFileSync(fileOf(file)));
          // `minimized` keeps the minimizer away from what is minimized already.
          compilation.emitAsset(scriptPath(file), source, { minimized: true });
        }
      });

      HtmlWebpackPlugin.getCompilationHooks(compilation).beforeAssetTagGeneration.tap(name, (data) => {
        data.assets.js.unshift(...imported().map(({ file }) => scriptPath(file)));
        return data;
      });
    });
  }
}

/** Phaser 4 hides all but its main file from whoever asks by name. */
function fileOf(file) {
  const folder = require.resolve.paths(file).find((modules) => existsSync(path.join(modules, file)));
  return path.join(folder, file);
}

const scriptPath = (file) => `vendor/${path.posix.basename(file)}`;
