import { defineConfig } from 'vitepress';
import typedocSidebar from '../reference/typedoc-sidebar.json';

const sidebar = [
  {
    text: 'Start',
    items: [
      { text: 'First ad in ten minutes', link: '/first-ad' },
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

export default defineConfig({
  title: 'phaser-inview',
  description: 'In-game ads for Phaser, measured to the pixel.',
  lang: 'en',
  // The site may lie in any folder of any host: GitHub Pages serves it below the name of the repository.
  base: process.env['DOCS_BASE'] ?? '/',
  outDir: '../dist/docs',
  cacheDir: '../node_modules/.cache/vitepress',
  srcExclude: ['**/README.md'],
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
