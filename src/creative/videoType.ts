import type { ByteView } from './ByteView.js';
import { brandsOf } from './isoBoxes.js';

export type VideoType = 'video/webm' | 'video/mp4';

const EBML = '\x1a\x45\xdf\xa3';
const DOC_TYPE = '\x42\x82';
/** The document type stands among the first few elements. */
const MAX_EBML_HEADER = 128;
const MP4_BRAND = /^(iso[m\d]|mp4[12]|avc1|av01|M4V |dash|msdh|cmfc)$/;

/**
 * What kind of video the first bytes say; null for none. Its size and length are known only to the browser.
 * @throws OutOfBytes
 */
export function videoTypeOf(view: ByteView): VideoType | null {
  if (view.text(0, 4) === EBML) return documentTypeOf(view) === 'webm' ? 'video/webm' : null;
  if (view.text(4, 4) !== 'ftyp') return null;
  const brands = brandsOf(view);
  if (brands.includes('avif') || brands.includes('avis')) return null;
  return brands.some((brand) => MP4_BRAND.test(brand)) ? 'video/mp4' : null;
}

/** The document type in an EBML header (RFC 8794), of which WebM allows `webm` alone; null when there is none. */
function documentTypeOf(view: ByteView): string | null {
  let at = 4 + sizeAt(view, 4).length;
  const end = Math.min(at + sizeAt(view, 4).value, MAX_EBML_HEADER);
  while (at < end) {
    const idLength = widthAt(view, at);
    const size = sizeAt(view, at + idLength);
    const content = at + idLength + size.length;
    if (idLength === 2 && view.text(at, 2) === DOC_TYPE) {
      // A text may be filled up with zeros.
      return size.value <= 16 ? view.text(content, size.value).replace(/\0+$/, '') : null;
    }
    at = content + size.value;
  }
  return null;
}

/** Bytes of a number of variable size: one more than the zeros it begins with. */
function widthAt(view: ByteView, at: number): number {
  return Math.clz32(view.uint8(at)) - 23;
}

function sizeAt(view: ByteView, at: number): { readonly value: number; readonly length: number } {
  const length = widthAt(view, at);
  let value = view.uint8(at) & (0xff >> length);
  for (let i = 1; i < length; i++) value = value * 256 + view.uint8(at + i);
  return { value, length };
}
