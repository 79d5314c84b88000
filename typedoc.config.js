import { packageEntries } from './scripts/packageEntries.js';

/** The reference of all public types, as pages of the guide. */
export default {
  entryPoints: packageEntries().map(({ name }) => `src/${name}.ts`),
  tsconfig: 'tsconfig.types.json',
  plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme'],
  out: 'docs/reference',
  docsRoot: 'docs',
  readme: 'none',
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  disableSources: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  entryFileName: 'index.md',
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
};
