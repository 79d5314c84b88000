import webpack from 'webpack';

/**
 * Writes every character beyond ASCII in emitted scripts as its escape, which means the same wherever our sources have
 * one. A page that does not say how it is encoded reads a script of raw UTF-8 wrongly.
 */
export class AsciiOutput {
  apply(compiler) {
    const name = AsciiOutput.name;
    compiler.hooks.thisCompilation.tap(name, (compilation) => {
      // After the minimizer, which writes raw characters, and before source maps are made.
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1;
      compilation.hooks.processAssets.tap({ name, stage }, (assets) => {
        for (const file of Object.keys(assets).filter((one) => one.endsWith('.js'))) {
          compilation.updateAsset(file, (source) => {
            const escaped = new webpack.sources.ReplaceSource(source, file);
            for (const { 0: text, index } of source.source().matchAll(/[^\0-\x7f]/g)) {
              escaped.replace(index, index, `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`);
            }
            return escaped;
          });
        }
      });
    });
  }
}
