import type * as Phaser from 'phaser';

import { AdsError } from '../errors.js';
import { oneFor } from '../oneFor.js';
import { readFields } from './readFields.js';

type GameObject = Phaser.GameObjects.GameObject;

const DESTROY = 'destroy';

/** What a friendly obstruction is there for, in the words of the Open Measurement SDK. */
export const ObstructionPurpose = {
  /** A button that closes the ad. */
  CLOSE_AD: 'CLOSE_AD',
  /** Controls of a playing video. */
  VIDEO_CONTROLS: 'VIDEO_CONTROLS',
  /** There for technical reasons only; the player does not see it. */
  NOT_VISIBLE: 'NOT_VISIBLE',
  OTHER: 'OTHER',
} as const;
export type ObstructionPurpose = (typeof ObstructionPurpose)[keyof typeof ObstructionPurpose];

/** A declared obstruction as it is reported. */
export interface FriendlyObstruction {
  readonly purpose: ObstructionPurpose;
  readonly reason?: string;
}

/**
 * Game objects of one game that are not counted as covering ads, because they belong to them. What is declared is reported
 * with what was measured, so that no game can declare its scenery away unnoticed.
 */
export class FriendlyObstructions {
  /** Those of a game. */
  static readonly of = oneFor((_game: Phaser.Game) => new FriendlyObstructions());
  readonly #declared = new Map<GameObject, FriendlyObstruction>();
  /** Frozen, and replaced with every change. */
  list: readonly FriendlyObstruction[] = NONE;

  /** The objects, for the rehearsal. */
  get objects(): ReadonlyMap<unknown, FriendlyObstruction> {
    return this.#declared;
  }

  /**
   * Declares an object, until it is removed or destroyed. An object that was declared before is declared anew.
   * @throws AdsError `arg/sprite`, `arg/obstruction`
   */
  add(object: GameObject, purpose: ObstructionPurpose, reason?: string): void {
    if (!isGameObject(object)) {
      throw new AdsError('arg/sprite', 'addFriendlyObstruction: expected a game object that is not destroyed');
    }
    if (!Object.values(ObstructionPurpose).includes(purpose)) {
      const names = Object.keys(ObstructionPurpose).join(', ');
      throw new AdsError('arg/obstruction', `addFriendlyObstruction: expected the purpose to be one of ${names}`);
    }
    if (reason !== undefined && !(typeof reason === 'string' && /^[A-Za-z0-9 ]{0,50}$/.test(reason))) {
      throw new AdsError('arg/obstruction', 'addFriendlyObstruction: expected the reason to be 50 plain characters');
    }
    if (!this.#declared.has(object)) object.once(DESTROY, this.remove, this);
    this.#declared.set(object, Object.freeze({ purpose, ...(reason === undefined ? {} : { reason }) }));
    this.#renew();
  }

  /** @returns false when the object was not declared. */
  remove(object: GameObject): boolean {
    if (!this.#declared.delete(object)) return false;
    object.off(DESTROY, this.remove, this);
    this.#renew();
    return true;
  }

  has(object: unknown): boolean {
    return this.#declared.has(object as GameObject);
  }

  clear(): void {
    for (const object of [...this.#declared.keys()]) this.remove(object);
  }

  #renew(): void {
    this.list = this.#declared.size === 0 ? NONE : Object.freeze([...this.#declared.values()]);
  }
}

const NONE: readonly FriendlyObstruction[] = Object.freeze([]);

function isGameObject(object: unknown): object is GameObject {
  const { type, once, scene } = readFields(object, 'type', 'once', 'scene');
  return typeof type === 'string' && typeof once === 'function' && Boolean(scene);
}
