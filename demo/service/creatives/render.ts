import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

// Renders art/<brand>-<width>x<height>.svg to <brand>-<width>x<height>.png, transparent where nothing is drawn.
// Run after a change of the art: CHROMIUM=/usr/bin/chromium npx tsx demo/service/creatives/render.ts
// Lettering uses the DejaVu and Liberation typefaces.

const directory = join(process.cwd(), 'demo', 'service', 'creatives');
const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium' });
const page = await browser.newPage();
for (const file of await readdir(join(directory, 'art'))) {
  const [, name, width, height] = /^(.+-(\d+)x(\d+))\.svg$/.exec(file) ?? [];
  if (name === undefined) throw new Error(`The name of ${file} does not say its size.`);
  const art = await readFile(join(directory, 'art', file), 'utf8');
  await page.setViewportSize({ width: Number(width), height: Number(height) });
  await page.setContent(`<style>html,body{margin:0;background:transparent}svg{display:block}</style>${art}`);
  await writeFile(join(directory, `${name}.png`), await page.screenshot({ omitBackground: true }));
}
await browser.close();
