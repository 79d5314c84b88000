import { copyFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from 'vitepress';
import typedocSidebar from '../reference/typedoc-sidebar.json';

const sidebar = [
  {
    text: 'Start',
    items: [
      { text: 'First ad in ten minutes', link: '/first-ad' },
      { text: 'Examples', link: '/examples' },
      { text: 'Placing', link: '/placing' },
      { text: 'Events', link: '/events' },
      { text: 'Options', link: '/options' },
      { text: 'Errors', link: '/errors' },
      { text: 'Accounts', link: '/accounts' },
    ],
  },
  {
    text: 'Measuring',
    items: [
      { text: 'What is measured', link: '/measured' },
      { text: 'Why is my ad not viewable?', link: '/why-not-viewable' },
      { text: 'Overlay and placement linter', link: '/debug' },
      { text: 'Accuracy and cost', link: '/accuracy' },
      { text: 'Limits', link: '/limits' },
    ],
  },
  {
    text: 'Going live',
    items: [
      { text: 'Checklist', link: '/going-live' },
      { text: 'Demand', link: '/demand' },
      { text: 'Where ads may run', link: '/where-ads-may-run' },
      { text: 'Delivery of reports', link: '/delivery' },
      { text: 'Size', link: '/size' },
      { text: 'Versions', link: '/versions' },
      { text: 'Phaser Editor', link: '/phaser-editor' },
    ],
  },
  {
    text: 'Inside',
    items: [
      { text: 'Architecture', link: '/architecture' },
      { text: 'For service authors', link: '/service' },
    ],
  },
  { text: 'Reference', collapsed: true, items: typedocSidebar },
];

const base = process.env['DOCS_BASE'] ?? '/';

/** Name of a public type, class or function → its page of the reference. */
const referencePages = new Map(
  readdirSync(new URL('../reference', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.endsWith('index.md'))
    .map((file) => [basename(file, '.md'), `${base}reference/${file.replace(/md$/, 'html')}`]),
);

export default defineConfig({
  title: 'phaser-inview',
  description: 'In-game ads for Phaser, measured to the pixel.',
  lang: 'en',
  // The site may lie in any folder of any host: GitHub Pages serves it below the name of the repository.
  base,
  outDir: '../dist/docs',
  cacheDir: '../node_modules/.cache/vitepress',
  srcExclude: ['**/README.md'],
  // `llms.txt` leads to the pages as they are written.
  buildEnd({ pages, srcDir, outDir }) {
    for (const page of pages) if (!page.includes('/')) copyFileSync(join(srcDir, page), join(outDir, page));
  },
  markdown: {
    config(md) {
      // On a phone the cells of a row stand below each other, each with the name of its column: see `theme/guide.css`.
      md.core.ruler.push('columnNames', ({ tokens }) => {
        let columns: string[] = [];
        let cell = 0;
        for (const [index, token] of tokens.entries()) {
          const text = () => tokens[index + 1]!.children!.map(({ content }) => content).join('');
          if (token.type === 'table_open') columns = [];
          if (token.type === 'tr_open') cell = 0;
          if (token.type === 'th_open') columns.push(text());
          if (token.type === 'td_open') token.attrSet('data-column', columns[cell++] ?? '');
        }
      });

      // In the guide a name in code leads to the reference. Written as a link it would be dead in the repository and the package.
      const plain = md.renderer.rules.code_inline!;
      md.renderer.rules.code_inline = (tokens, index, options, env: { relativePath?: string }, self) => {
        const html = plain(tokens, index, options, env, self);
        const page = referencePages.get(tokens[index]!.content.replace(/\(.*\)$/, ''));
        const isLinked = tokens.slice(0, index).reduce((depth, { type }) => depth + (type === 'link_open' ? 1 : type === 'link_close' ? -1 : 0), 0) > 0; // prettier-ignore
        return page === undefined || isLinked || env.relativePath?.startsWith('reference/') === true ? html : `<a href="${page}">${html}</a>`; // prettier-ignore
      };
    },
  },
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Guide', link: '/first-ad' },
      { text: 'Reference', link: '/reference/' },
    ],
    search: { provider: 'local' },
    outline: [2, 3],
  },
});
