import type * as Phaser from 'phaser';

import { type Fit, fitCreative } from './fitCreative.js';
import { noteFitted } from '../textures/wholeOf.js';

type Image = Phaser.GameObjects.Image;

/** The frame of every texture that is all of its image. */
const BASE_FRAME = '__BASE';

/** The properties of an arcade body that depend on the size of the texture. */
interface ArcadeBody {
  sourceWidth: number;
  sourceHeight: number;
  readonly offset: { x: number; y: number };
}

/** How much larger than it was placed a box is shown; 1 is as large. Negative where it is mirrored. */
export interface BoxScale {
  scaleX: number;
  scaleY: number;
}

/**
 * The box an ad was placed in. Textures of any size come and go in it, while the box stays where the game has put,
 * scaled and turned it meanwhile.
 */
export class AdBox implements BoxScale {
  #baseOriginX = NaN;
  #baseOriginY = NaN;
  /** The values this box has set on the sprite last. If the sprite has others now, the game has set them: they are kept. */
  #setOriginX = NaN;
  #setOriginY = NaN;
  #setScaleX: number;
  #setScaleY: number;

  /** @param sprite shows a texture that fills the box */
  constructor(
    private readonly sprite: Image,
    private readonly width: number,
    private readonly height: number,
  ) {
    sprite.setDisplaySize(width, height);
    this.#setScaleX = sprite.scaleX;
    this.#setScaleY = sprite.scaleY;
  }

  get scaleX(): number {
    return this.sprite.scaleX / this.#setScaleX;
  }
  set scaleX(scale: number) {
    this.sprite.scaleX = scale * this.#setScaleX;
  }
  get scaleY(): number {
    return this.sprite.scaleY / this.#setScaleY;
  }
  set scaleY(scale: number) {
    this.sprite.scaleY = scale * this.#setScaleY;
  }

  /** Shows a texture, all of which is one image, fitted into the box. */
  show(textureKey: string, fit: Fit): void {
    const { sprite } = this;
    const texture = sprite.scene.sys.textures.get(textureKey);
    // By its name: without one Phaser gives the frame that was added first, which may be another box's cut.
    const whole = texture.get(BASE_FRAME);
    if (sprite.originX !== this.#setOriginX) this.#baseOriginX = sprite.originX;
    if (sprite.originY !== this.#setOriginY) this.#baseOriginY = sprite.originY;
    const { realWidth, realHeight } = whole;
    const fitted = fitCreative(
      fit,
      this.width,
      this.height,
      realWidth,
      realHeight,
      this.#baseOriginX,
      this.#baseOriginY,
    );
    // A frame of its own instead of a crop: size, bounds and hit area of the sprite are then those of what is shown.
    const { cut } = fitted;
    const isWhole = cut.width === realWidth && cut.height === realHeight;
    const name = `${cut.x},${cut.y},${cut.width},${cut.height}`;
    if (!isWhole && !texture.has(name)) noteFitted(texture.add(name, 0, cut.x, cut.y, cut.width, cut.height)!);
    const before = { scaleX: sprite.scaleX, scaleY: sprite.scaleY, x: sprite.displayOriginX, y: sprite.displayOriginY };
    sprite.setTexture(textureKey, isWhole ? BASE_FRAME : name);
    sprite.setOrigin(fitted.originX, fitted.originY);
    const scaleX = fitted.width / cut.width;
    const scaleY = fitted.height / cut.height;
    scaleAlone(sprite, this.scaleX * scaleX, this.scaleY * scaleY);
    this.#keepBody(before.scaleX, before.scaleY, before.x, before.y);
    this.#setOriginX = sprite.originX;
    this.#setOriginY = sprite.originY;
    this.#setScaleX = scaleX;
    this.#setScaleY = scaleY;
  }

  /** An arcade body is measured in texture pixels; another texture must not change its size and place in the world. */
  #keepBody(oldScaleX: number, oldScaleY: number, oldOriginX: number, oldOriginY: number): void {
    const { sprite } = this;
    const body = sprite.body as ArcadeBody | null;
    if (body === null || body === undefined || !('sourceWidth' in body)) return;
    const ratioX = oldScaleX / sprite.scaleX;
    const ratioY = oldScaleY / sprite.scaleY;
    if (!Number.isFinite(ratioX) || !Number.isFinite(ratioY)) return;
    body.sourceWidth *= ratioX;
    body.sourceHeight *= ratioY;
    body.offset.x = (body.offset.x - oldOriginX) * ratioX + sprite.displayOriginX;
    body.offset.y = (body.offset.y - oldOriginY) * ratioY + sprite.displayOriginY;
  }
}

/** Scales a sprite by what its class has for that. A sprite with a Matter body has accessors of its own, which scale the body, too. */
function scaleAlone(sprite: Image, scaleX: number, scaleY: number): void {
  const classOfSprite = Object.getPrototypeOf(sprite) as object;
  Reflect.set(classOfSprite, 'scaleX', scaleX, sprite);
  Reflect.set(classOfSprite, 'scaleY', scaleY, sprite);
}
