import type * as Phaser from 'phaser';
import { AdOverlay, type AdOverlayOptions } from './AdOverlay.js';

/**
 * Shows what the player sees of each ad of a game, what takes the rest away, and what every standard still waits for:
 *
 * ```ts
 * import { showAdOverlay } from 'phaser-inview/debug';
 * showAdOverlay(this); // in create(); F9 hides it, and shows it again
 * ```
 *
 * For development: load it only there. It lies above the page and no ad counts as covered by it. A game has one overlay,
 * also across restarts of its scenes: a second call gives the first one's handle, whatever the options.
 *
 * @param target the game, or a scene of it
 */
export function showAdOverlay(target: Phaser.Game | Phaser.Scene, options: AdOverlayOptions = {}): AdOverlay {
  const game = 'sys' in target ? target.sys.game : target;
  const known = overlays.get(game);
  if (known !== undefined && !known.isDestroyed) return known;
  const overlay = new AdOverlay(game, options);
  overlays.set(game, overlay);
  return overlay;
}

const overlays = new WeakMap<Phaser.Game, AdOverlay>();
