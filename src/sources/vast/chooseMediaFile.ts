import { isSecure, parseUrl } from '../../hosts.js';
import type { VastMediaFile } from './readVast.js';

/** What the creatives of a game may be, see `CreativeLimits`. */
const MAX_BYTES = 4_194_304;
const MAX_AREA_PX = 2_073_600;
export const MAX_SECONDS = 60;

export const VIDEO_TYPES: readonly string[] = ['video/mp4', 'video/webm'];

/**
 * The file that suits a surface best: of those a game may show, the smallest that fills the surface, or else the largest.
 * Among files of equal size, the one of fewer bits.
 * @param canPlay whether the browser plays a type
 * @returns null when none can be shown
 */
export function chooseMediaFile(
  files: readonly VastMediaFile[],
  durationSeconds: number,
  surface: { readonly width?: number; readonly height?: number },
  canPlay: (type: string) => boolean,
): VastMediaFile | null {
  if (durationSeconds > MAX_SECONDS) return null;
  const fits = ({ width, height, bitrate, bytes }: VastMediaFile): boolean =>
    // Figures the document leaves out are found out when the file is loaded.
    !(width * height > MAX_AREA_PX) && !((bytes || (bitrate * 1000 * durationSeconds) / 8) > MAX_BYTES);
  const usable = files.filter(
    (file) =>
      VIDEO_TYPES.includes(file.type) &&
      !file.needsCode &&
      !file.isStreamed &&
      fits(file) &&
      canPlay(file.fullType) &&
      isAddress(file.url),
  );
  const { width = 0, height = 0 } = surface;
  const fills = (file: VastMediaFile): boolean => file.width >= width && file.height >= height;
  const area = (file: VastMediaFile): number => file.width * file.height;
  usable.sort((a, b) => {
    if (fills(a) !== fills(b)) return fills(a) ? -1 : 1;
    const bySize = fills(a) ? area(a) - area(b) : area(b) - area(a);
    return bySize || (a.bitrate || 0) - (b.bitrate || 0);
  });
  return usable[0] ?? null;
}

/** The gate of creatives decides which hosts are allowed; an address that cannot be loaded at all is no choice here. */
function isAddress(text: string): boolean {
  const url = parseUrl(text);
  return url !== null && isSecure(url);
}
