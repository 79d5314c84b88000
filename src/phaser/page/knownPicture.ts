import type { PictureSize } from './pictureBox.js';

/** Of pictures that are not there, and of those whose size says nothing. */
export type KnownPicture = PictureSize | 'missing' | null;

/** A page has dozens. Where scripts make them anew all the time, further ones stay unknown. */
const MOST_PICTURES = 256;

const pictures = new Map<string, KnownPicture>();

/**
 * What is known of the picture that a background shows, by its own size. No style tells of it: the first time the picture
 * is asked for once more, which the browser already has, whatever its `Cache-Control` says. Null until it is here, and for
 * what has no address.
 */
export function knownPicture(image: string): KnownPicture {
  const address = /^url\("((?:[^"\\]|\\["\\])*)"\)$/.exec(image)?.[1]?.replace(/\\(.)/g, '$1');
  if (address === undefined) return null;
  const known = pictures.get(image);
  if (known !== undefined) return known;
  if (pictures.size >= MOST_PICTURES) return null;
  // A browser keeps a picture that the page shows, but asks for a missing one anew.
  const isGone = isMissing(address);
  pictures.set(image, isGone ? 'missing' : null);
  if (isGone) return 'missing';
  const picture = new Image();
  picture.onload = () => {
    const { naturalWidth: width, naturalHeight: height } = picture;
    // A drawing may fill whatever it is given.
    if (width > 0 && height > 0 && !/\.svg|image\/svg/.test(address)) pictures.set(image, { width, height });
  };
  picture.onerror = () => {
    if (address.startsWith('data:') || isMissing(address)) pictures.set(image, 'missing');
  };
  picture.src = address;
  return null;
}

/**
 * Whether servers said that there is none. What cannot be had once more may well be shown: withdrawn `blob:` addresses, a
 * network that is gone.
 */
function isMissing(address: string): boolean {
  const answers = performance.getEntriesByName(address, 'resource') as (PerformanceEntry & {
    responseStatus?: number;
  })[];
  return answers.length > 0 && answers.every(({ responseStatus = 0 }) => responseStatus >= LEAST_FAILURE);
}

/** Of the states in which servers answer. */
const LEAST_FAILURE = 400;
