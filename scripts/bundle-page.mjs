/**
 * Bundles one page for a browser test, see `__tests__/helpers/bundlePage.ts`.
 *
 *     node scripts/bundle-page.mjs '{ "name": …, "entry": …, "output": … }'      a PageOptions, paths absolute
 */
import webpack from 'webpack';
import { pageConfig } from '../webpack.config.js';

const compiler = webpack(pageConfig(JSON.parse(process.argv[2])));
compiler.run((error, stats) => {
  compiler.close(() => {
    if (error) throw error;
    if (!stats.hasErrors()) return;
    console.error(stats.toString({ preset: 'errors-only', colors: false }));
    process.exitCode = 1;
  });
});
