import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

/** Writes what the page shows as a WebP for the guide: a tenth of the bytes of a PNG. */
export async function takePicture(page: Page, file: string, width = 640): Promise<void> {
  const png = `data:image/png;base64,${(await page.screenshot()).toString('base64')}`;
  const webp = await page.evaluate(
    async ({ png, width }) => {
      const image = new Image();
      image.src = png;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = width;
      canvas.height = Math.round((image.height * width) / image.width);
      const context = canvas.getContext('2d')!;
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL('image/webp', 0.85).split(',')[1]!;
    },
    { png, width },
  );
  await writeFile(file, webp, 'base64');
}
