import type { DrawnContainer } from './internals.js';

/** Stands for the blend mode of an object that keeps its own: it is in no list that forces one. */
export const OWN_BLEND_MODE = -1;

/** What a drawn object gets from the lists it is in. Reused from frame to frame. */
export class Inherited {
  /** Matrix of the containers together: x' = a·x + c·y + e, y' = b·x + d·y + f, in world pixels. */
  a = 1;
  b = 0;
  c = 0;
  d = 1;
  e = 0;
  f = 0;
  /** Product of the containers' scroll factors. */
  scrollFactorX = 1;
  scrollFactorY = 1;
  /** Product of the alphas of camera, layers and containers, 0–1. */
  opacity = 1;
  /** Phaser's blend mode that takes the place of the object's own, or {@link OWN_BLEND_MODE}. */
  blendMode = OWN_BLEND_MODE;
  /** The object's own mask is applied whatever it is: always but for children of lists on Canvas. */
  masksApply = true;
  /** Something around the object makes its picture unknowable. */
  unmeasurable = false;

  /** Of an object in no container. */
  none(opacity: number): this {
    this.a = this.d = 1;
    this.b = this.c = this.e = this.f = 0;
    this.scrollFactorX = this.scrollFactorY = 1;
    this.opacity = opacity;
    this.blendMode = OWN_BLEND_MODE;
    this.masksApply = true;
    this.unmeasurable = false;
    return this;
  }

  /** Of the children of a container, from what that itself inherits: everything but blend mode and masks, which stay. */
  through(outer: Inherited, container: DrawnContainer): this {
    const { a, b, c, d } = outer;
    const { x, y, rotation, scaleX, scaleY } = container;
    const cos = Math.cos(rotation);
    const sin = Math.sin(rotation);
    this.a = (a * cos + c * sin) * scaleX;
    this.b = (b * cos + d * sin) * scaleX;
    this.c = (c * cos - a * sin) * scaleY;
    this.d = (d * cos - b * sin) * scaleY;
    this.e = a * x + c * y + outer.e;
    this.f = b * x + d * y + outer.f;
    this.scrollFactorX = outer.scrollFactorX * container.scrollFactorX;
    this.scrollFactorY = outer.scrollFactorY * container.scrollFactorY;
    this.opacity = outer.opacity * container.alpha;
    this.unmeasurable = outer.unmeasurable;
    return this;
  }

  copy(other: Inherited): this {
    this.a = other.a;
    this.b = other.b;
    this.c = other.c;
    this.d = other.d;
    this.e = other.e;
    this.f = other.f;
    this.scrollFactorX = other.scrollFactorX;
    this.scrollFactorY = other.scrollFactorY;
    this.opacity = other.opacity;
    this.blendMode = other.blendMode;
    this.masksApply = other.masksApply;
    this.unmeasurable = other.unmeasurable;
    return this;
  }
}
