import type { Product } from './Product.js';

/**
 * The measurement runs once a frame, so it takes the engine 2,500 frames to compile it as far as it ever will: a minute of
 * a game, however large its scenes are.
 */
const BLOCKS = 10;
const BLOCK_FRAMES = 250;

/** Lets the engine compile the measurement. */
export function warmUp(product: Product, step: () => void): void {
  // In blocks, as it is measured: compiled code that has never seen the first frame of one is thrown away there.
  for (let i = 0; i < BLOCKS; i++) {
    product.start();
    for (let frame = 0; frame < BLOCK_FRAMES; frame++) step();
    product.stop();
    // Frames without it, which the compiled code has to live through as well.
    for (let frame = 0; frame < 3; frame++) step();
  }
}
