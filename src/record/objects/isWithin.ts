import type { DrawnObject } from '../phaser3/internals.js';
import { holderOf } from './holderOf.js';

/** What a container of rex plugins, such as a label or a dialog, moves without drawing it knows it by this. */
interface RexChild {
  readonly rexContainer?: { readonly parent?: object | null };
}

/** True when an object, or something it is in, is one of these. */
export function isWithin(object: object, these: { readonly size: number; has(one: object): boolean }): boolean {
  if (these.size === 0) return false;
  for (let at: DrawnObject | null = object as DrawnObject; at !== null; at = holderOf(at)) {
    const parent = (at as RexChild).rexContainer?.parent;
    if (these.has(at) || (parent && isWithin(parent, these))) return true;
  }
  return false;
}
