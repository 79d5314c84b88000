import { opacityChain } from './flatTree.js';

/** Whether the page shows an element at all, were there nothing over it. */
export function isShown(element: Element): boolean {
  return (
    element.isConnected &&
    element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
    opacityChain(element, null) >= 0.5
  );
}
