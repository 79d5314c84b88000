/** The farthest of the hundred samples of a bokeh, for a radius of 1, as a share of the height: in Phaser 3 and 4 alike. */
export const BOKEH_SHARE = 0.0215;

/** The most samples of a shadow, in both as well. */
export const SHADOW_SAMPLES = 12;
