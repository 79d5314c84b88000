import type { ByteView } from './ByteView.js';

export type VideoType = 'video/webm' | 'video/mp4';

/** The document type stands among the first few elements. */
const MAX_EBML_HEADER = 64;
const MAX_FTYP_LENGTH = 256;
const MP4_BRAND = /^(iso[m\d]|mp4[12]|avc1|av01|M4V |dash|msdh|cmfc)$/;

/**
 * What kind of video the first bytes say; null for none. Its size and length are known only to the browser.
 * @throws OutOfBytes
 */
export function videoTypeOf(view: ByteView): VideoType | null {
  // EBML (RFC 8794), of which WebM allows the document type `webm` alone.
  if (view.text(0, 4) === '\x1a\x45\xdf\xa3') {
    const head = view.text(4, Math.min(MAX_EBML_HEADER, view.length - 4));
    return head.includes('\x42\x82\x84webm') ? 'video/webm' : null;
  }
  if (view.text(4, 4) !== 'ftyp') return null;
  const end = Math.min(view.uint32(0), MAX_FTYP_LENGTH);
  let isVideo = false;
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) {
    const brand = view.text(at, 4);
    if (brand === 'avif' || brand === 'avis') return null;
    if (MP4_BRAND.test(brand)) isVideo = true;
  }
  return isVideo ? 'video/mp4' : null;
}
