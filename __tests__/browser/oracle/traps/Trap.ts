import { checkAdFullVisibility } from '../../../../src/meter/tracking.js';
import { addAd, adKey } from '../art.js';
import type { Drawable } from '../displayTree.js';
import type { RendererName, Stage } from '../Stage.js';

/** One way in which a scene misleads who judges by bounding boxes, in one or more variants. */
export interface Trap {
  /** Number in the list of traps; 0 for those beyond the list. */
  number: number;
  title: string;
  variants: readonly Variant[];
}

export interface Variant {
  /** What the scene is, as the end of the test's title. */
  name: string;
  /** Renderers it applies to. Default both. */
  renderers?: readonly RendererName[];
  /** What of the ad the player sees, percent, where it is known beforehand; it guards the oracle itself. */
  share?: number | Partial<Record<RendererName, number>>;
  /** How near the picture must come to {@link share}, percentage points. Default 1. */
  shareWithin?: number;
  /** The effect cannot be known from outside the graphics card: the honest answer is "unmeasurable". */
  mayBeUnmeasurable?: boolean;
  /** In Phaser 4, too, it is known: without this a scene there may be one of the few that are not. */
  isMeasured?: boolean;
  /** Makes the scene on an empty stage of {@link TRAP_WIDTH} × {@link TRAP_HEIGHT}; returns the ad. */
  build(stage: Stage): Drawable | Promise<Drawable>;
  /** A cover drawn alone is drawn otherwise than among the rest, so that the oracle cannot tell who blocks. */
  namesUnjudged?: boolean;
  /** It leaves marks that emptying the stage does not undo, and needs a game of its own. */
  ownGame?: boolean;
  /** What the game of its own is made with. */
  config?: Phaser.Types.Core.GameConfig;
  /** Steps after building, with 16 ms each. Default 2. */
  frames?: number;
  /**
   * The pictures of the oracle would come too late or show nothing: the share is {@link share}, nothing blocks, and
   * the frame drawn last is judged as it is.
   */
  withoutPicture?: boolean;
  /** The scene is another one a frame later, so that only what is asked of the frame drawn last can be judged. */
  onlyNow?: boolean;
}

export const TRAP_WIDTH = 400;
export const TRAP_HEIGHT = 300;

/** The colour of most covers. */
export const GREY = 0x112233;

/** An ad of 80 × 40 in the middle of the canvas unless told otherwise. */
export function putAd(scene: Phaser.Scene, x = 200, y = 150, variant = 'small'): Drawable & Phaser.GameObjects.Image {
  const ad = scene.add.image(x, y, adKey(variant, -1));
  ad.setName('ad');
  return ad;
}

/** A texture only one trap needs. */
export function picture(
  stage: Stage,
  key: string,
  width: number,
  height: number,
  draw: (context: CanvasRenderingContext2D) => void,
): string {
  if (!stage.game.textures.exists(key)) {
    const texture = stage.game.textures.createCanvas(key, width, height)!;
    draw(texture.getContext());
    texture.refresh();
  }
  return key;
}

/** A star of one line, which turns one way only and goes round twice. */
export function drawPentagram(graphics: Phaser.GameObjects.Graphics, radius: number): Phaser.GameObjects.Graphics {
  graphics.beginPath();
  for (let i = 0; i < 5; i++)
    graphics.lineTo(radius * Math.cos(0.8 * i * Math.PI), radius * Math.sin(0.8 * i * Math.PI));
  return graphics.closePath().fillPath();
}

/** An ad, then one object over it. */
export function over(
  name: string,
  share: Variant['share'],
  put: (scene: Phaser.Scene, stage: Stage) => Phaser.GameObjects.GameObject | undefined,
  more: Partial<Variant> = {},
): Variant {
  return {
    name,
    ...(share === undefined ? {} : { share }),
    ...more,
    build: (stage) => {
      const ad = putAd(stage.scene(0));
      const object = put(stage.scene(0), stage);
      if (object && !object.name) object.setName('cover');
      return ad;
    },
  };
}

/** The scene of a game that asks in each frame: where its own code paints is watched from the first question on. */
export function asked(variant: Variant): Variant {
  return {
    ...variant,
    async build(stage) {
      const ad = await variant.build(stage);
      checkAdFullVisibility(ad, ad.scene);
      return ad;
    },
  };
}

/** A texture of one colour. */
export function flat(stage: Stage, key: string, colour: string): string {
  return picture(stage, key, 16, 16, (c) => {
    c.fillStyle = colour;
    c.fillRect(0, 0, 16, 16);
  });
}

export { addAd };
