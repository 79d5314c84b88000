import { transform } from 'sucrase';

/**
 * Turns a module into what jest runs, in a fraction of the compiler's time. Types are for `npm run typecheck`. Exports are
 * plain properties, as the compiler would write them, so that tests can spy on them; `jest.mock` comes before the imports.
 */
export default {
  process(source, path) {
    const { code, sourceMap } = transform(source, {
      transforms: path.endsWith('.ts') ? ['typescript', 'imports', 'jest'] : ['imports'],
      disableESTransforms: true,
      filePath: path,
      sourceMapOptions: { compiledFilename: path },
    });
    return { code, map: sourceMap };
  },
};
