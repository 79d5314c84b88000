import type { ClipRegion } from '../../geometry/ClipRegion.js';
import type { ForeignOp } from './DrawOp.js';
import type { FrameArea } from './widened.js';

/** What `SnapshotWriter` needs to know about game objects. */
export interface ObjectFacts {
  /** Index of the ad that an object is, or is inside of; −1 for none. */
  adOf(owner: object | null): number;
  /** The object does not count as covering anything. */
  isFriendly(owner: object): boolean;
  /** The object, or something around it, was drawn without an effect of the game's own. */
  isDistorted(owner: object): boolean;
  /** The whole picture of an ad that is drawn only in part; null for other objects. */
  wholeOf(owner: object): FrameArea | null;
  /** Share of its light that an ad keeps under the scene's lights. */
  lightOn(owner: object): number;
  /** Whether an ad whose alpha byte is 127 has an opacity of at least one half. */
  isHalf(owner: object, camera: object): boolean;
  /** Paints an object whose own code was not run. */
  paintForeign(op: ForeignOp, clip: ClipRegion, mask: number): void;
}
