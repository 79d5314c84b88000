import type { Box } from './Box.js';
import { cssLength, cssWords } from './cssLength.js';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Where in a content box a picture of some size lies, which may be larger than that (`object-fit`). */
export function pictureBox(
  { objectFit, objectPosition }: CSSStyleDeclaration,
  picture: PictureSize,
  content: Box,
): Box {
  if ((objectFit || 'fill') === 'fill') return content;
  const across = (content.right - content.left) / picture.width;
  const down = (content.bottom - content.top) / picture.height;
  const inside = Math.min(across, down);
  const scale =
    { contain: inside, cover: Math.max(across, down), none: 1, 'scale-down': Math.min(1, inside) }[objectFit] ?? 1;
  const width = picture.width * scale;
  const height = picture.height * scale;
  const [x = '50%', y = '50%'] = cssWords(objectPosition);
  const left = content.left + (cssLength(x, content.right - content.left - width) || 0);
  const top = content.top + (cssLength(y, content.bottom - content.top - height) || 0);
  return { left, top, right: left + width, bottom: top + height };
}
