import type * as Phaser from 'phaser';

type Image = Phaser.GameObjects.Image;

/** Adds up what goes on within a method of that name. */
export interface Brackets {
  attachTo<Name extends string>(owner: Record<Name, (...args: never[]) => unknown>, name: Name): void;
}

/** What a measurement says that can be compared with an independent one. */
export interface Verdict {
  readonly percentageInView: number;
  readonly blockingSprites: readonly Phaser.GameObjects.GameObject[];
}

/** The measurement that is timed. It does its work inside the frames, while it runs. */
export interface Product {
  /** Has these ads measured in every frame from now on. */
  start(): void;
  stop(): void;
  /** Puts brackets around all it does within the frame outside of Phaser's events. */
  bracket(brackets: Brackets): void;
  /** What the last frame showed of each ad, in the order of the ads. */
  verdicts(): readonly Verdict[];
}

export type ProductOf = (game: Phaser.Game, ads: readonly Image[]) => Product;
