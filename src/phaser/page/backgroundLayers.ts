import { splitAtCommas } from './splitAtCommas.js';

/** One of the pictures of a background, and how it is laid out. */
export interface BackgroundLayer {
  readonly image: string;
  readonly size: string;
  readonly position: string;
  readonly repeat: string;
  readonly attachment: string;
  /** The boxes in which it is laid out and to which it is cut. */
  readonly origin: string;
  readonly clip: string;
}

/** The topmost first; none where a background has no picture. */
export function backgroundLayers(style: CSSStyleDeclaration): BackgroundLayer[] {
  const { backgroundImage } = style;
  if (backgroundImage === 'none' || backgroundImage === '') return [];
  const lists = [
    style.backgroundSize,
    style.backgroundPosition,
    style.backgroundRepeat,
    style.backgroundAttachment,
    style.backgroundOrigin,
    style.backgroundClip,
  ].map(splitAtCommas);
  return splitAtCommas(backgroundImage).flatMap((image, at) => {
    if (image === 'none') return [];
    // Lists that are too short begin again.
    const of = (list: number): string => lists[list]![at % lists[list]!.length]!;
    return [{ image, size: of(0), position: of(1), repeat: of(2), attachment: of(3), origin: of(4), clip: of(5) }];
  });
}
