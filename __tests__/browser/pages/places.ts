import { placeOf } from '../../../src/page/placeOf.js';

type Edges = readonly [left: number, top: number, right: number, bottom: number];

/** Where a box of an element lies in the window, as the browser says and as `placeOf` does, and back again. */
export interface PlaceOutcome {
  readonly isUpright: boolean;
  readonly browser: Edges;
  readonly toWindow: Edges;
  readonly toOwn: Edges;
}

export interface Places {
  /** @param styles of elements in each other, the outermost first; the box is `own` of the innermost */
  place(styles: readonly string[], own: Edges): PlaceOutcome;
}

(window as unknown as { places: Places }).places = {
  place(styles, own) {
    document.body.innerHTML = '';
    let inner: HTMLElement = document.body;
    for (const style of styles) {
      const child = document.createElement('div');
      child.style.cssText = `position: relative; width: 300px; height: 200px; ${style}`;
      inner = inner.appendChild(child);
    }
    const [left, top, right, bottom] = own;
    const box = document.createElement('div');
    box.style.cssText = `position: absolute; left: ${left}px; top: ${top}px; width: ${right - left}px; height: ${bottom - top}px`;
    inner.appendChild(box);
    const place = placeOf(inner);
    const rect = box.getBoundingClientRect();
    const edges = (of: { left: number; top: number; right: number; bottom: number }): Edges => [
      of.left,
      of.top,
      of.right,
      of.bottom,
    ];
    return {
      isUpright: place.isUpright,
      browser: edges(rect),
      toWindow: edges(place.toWindow({ left, top, right, bottom })),
      toOwn: edges(place.toOwn(rect)),
    };
  },
};
