import { readFileSync } from 'node:fs';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import webpack from 'webpack';
import { prebuiltFile, prebuiltPath } from './prebuiltLibraries.js';

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
          const source = new webpack.sources.RawSource(readFileSync(prebuiltFile(file)));
          // `minimized` keeps the minimizer away from what is minimized already.
          compilation.emitAsset(prebuiltPath(file), source, { minimized: true });
        }
      });

      HtmlWebpackPlugin.getCompilationHooks(compilation).beforeAssetTagGeneration.tap(name, (data) => {
        data.assets.js.unshift(...imported().map(({ file }) => prebuiltPath(file)));
        return data;
      });
    });
  }
}
