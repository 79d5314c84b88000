/** A filter of an object or camera. */
export interface FilterController {
  active: boolean;
  readonly renderNode: string;
  readonly top?: FilterList;
  readonly bottom?: FilterList;
  /** A padding of the game's own, by default none, whatever the filter paints. */
  paddingOverride: object | null;
  readonly currentPadding: Padding & { setTo(x: number, y: number, width: number, height: number): unknown };
  getPadding(): Padding;
}

interface Padding {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface FilterList {
  readonly list: readonly FilterController[];
}

/** Render nodes of Phaser's own filters. */
const KNOWN =
  /^Filter(Barrel|Blend|Blocky|Blur|Bokeh|ColorMatrix|CombineColorMatrix|Displacement|Glow|GradientMap|ImageLight|Key|Mask|NormalTools|PanoramaBlur|ParallelFilters|Pixelate|Quantize|Sampler|Shadow|Threshold|Vignette|Wipe)$/;

/** How far a filter paints beyond its input, in pixels of the render target. */
export function reachOf(filter: FilterController): number {
  const { paddingOverride, currentPadding } = filter;
  const before = { ...currentPadding };
  filter.paddingOverride = null;
  try {
    const { x, y, width, height } = filter.getPadding();
    return Math.max(Math.abs(x), Math.abs(y), Math.abs(x + width), Math.abs(y + height));
  } finally {
    filter.paddingOverride = paddingOverride;
    currentPadding.setTo(before.x, before.y, before.width, before.height);
  }
}

/** The game's own active filters of an object or camera, and those within filters that hold others. */
export function foreignFilters(target: object): FilterController[] {
  const { filters } = target as {
    readonly filters?: { readonly internal?: FilterList; readonly external?: FilterList };
  };
  return [...foreignIn(filters?.internal), ...foreignIn(filters?.external)];
}

function foreignIn(list: FilterList | undefined): FilterController[] {
  return (list?.list ?? []).flatMap((filter) => {
    if (!filter.active) return [];
    if (!KNOWN.test(filter.renderNode)) return [filter];
    return [...foreignIn(filter.top), ...foreignIn(filter.bottom)];
  });
}
