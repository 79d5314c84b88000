/** Attribute that marks HTML made by this package for developers, such as a debug overlay: it never counts as a cover. */
export const OVERLAY_ATTRIBUTE = 'data-phaser-inview-overlay';
