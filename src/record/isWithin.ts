import { holderOf } from './holderOf.js';
import type { DrawnObject } from './phaser3/internals.js';

/** True when an object, or something it is in, is one of these. */
export function isWithin(object: object, these: { readonly size: number; has(one: object): boolean }): boolean {
  if (these.size === 0) return false;
  for (let at: DrawnObject | null = object as DrawnObject; at !== null; at = holderOf(at)) {
    if (these.has(at)) return true;
  }
  return false;
}
