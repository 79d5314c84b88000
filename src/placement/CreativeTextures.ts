import type * as Phaser from 'phaser';

import type { CreativeImage } from '../creative/CreativeImage.js';
import type { CreativeVideo } from '../creative/CreativeVideo.js';
import type { PaintOver, TextureHost } from '../creative/CreativeStore.js';
import { AdsError } from '../errors.js';
import { rendererKindOf } from '../meter/MeterEngine.js';
import { noteCreative } from '../textures/wholeOf.js';

/** Any game object, as far as it may hold a texture or others that do. */
interface MaybeTextured {
  /** None once it is destroyed. */
  readonly scene?: unknown;
  readonly texture?: unknown;
  /** A TileSprite repeats this one. */
  readonly displayTexture?: unknown;
  /** Of a Container or Layer. */
  readonly list?: readonly MaybeTextured[];
}

/** Creatives as textures of one game, under keys no game uses. */
export class CreativeTextures implements TextureHost {
  #count = 0;
  /** Repaint the textures that are painted over, by their keys. */
  readonly #painters = new Map<string, () => void>();

  constructor(private readonly game: Phaser.Game) {}

  add(image: CreativeImage | CreativeVideo): string {
    const { textures } = this.game;
    const key = this.#newKey();
    if ('source' in image) {
      // As Phaser's own Video object makes its texture.
      const { source, width, height } = image;
      textures.create(key, source as HTMLImageElement, width, height)?.add('__BASE', 0, 0, 0, width, height);
    } else {
      // Phaser 4 lets WebGL flip pictures when it uploads them. WebGL does so with a canvas, not with an ImageBitmap.
      const picture = rendererKindOf(this.game) === 'phaser4' ? this.#copyOf(image) : image;
      // Phaser takes everything a canvas can draw; its types name only the oldest of them.
      textures.addImage(key, picture as unknown as HTMLImageElement);
    }
    noteCreative(textures.get(key));
    return key;
  }

  /** A canvas in the place of an image, which is closed so that its pixels are not held twice. */
  #copyOf(image: CreativeImage): HTMLCanvasElement {
    const { canvas, context } = this.#makeCanvas(image.width, image.height);
    context.drawImage(image, 0, 0);
    image.close();
    return canvas;
  }

  /** @throws AdsError `ad/texture` */
  #makeCanvas(width: number, height: number) {
    const canvas = this.game.canvas.ownerDocument.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext('2d');
    if (context === null) throw new AdsError('ad/texture', 'There is no canvas to draw the ad on');
    return { canvas, context };
  }

  addPainted(key: string, { scale, paint }: PaintOver): string {
    const { textures, config } = this.game;
    const { image, width, height } = textures.get(key).source[0]!;
    const { canvas, context } = this.#makeCanvas(width * scale, height * scale);
    const draw = (): void => {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.imageSmoothingEnabled = config.antialias;
      context.drawImage(image as CanvasImageSource, 0, 0, canvas.width, canvas.height);
      context.setTransform(scale, 0, 0, scale, 0, 0);
      paint(context);
    };
    draw();
    const painted = this.#newKey();
    textures.addCanvas(painted, canvas);
    noteCreative(textures.get(painted));
    this.#painters.set(painted, draw);
    return painted;
  }

  refresh(key: string): void {
    const { textures, renderer } = this.game;
    // Without a renderer (HEADLESS) nothing is drawn, and Phaser's own update throws.
    if ((renderer as unknown) === null || !textures.exists(key)) return;
    this.#painters.get(key)?.();
    textures.get(key).source[0]?.update();
  }

  has(key: string): boolean {
    return this.game.textures.exists(key);
  }

  /** A texture removed while an object still shows it would end Phaser's animation loop with an exception. */
  remove(key: string): boolean {
    const { textures } = this.game;
    if (textures.exists(key)) {
      const texture = textures.get(key);
      for (const { sys } of this.game.scene.scenes) {
        if (isShownBy(sys.displayList?.list ?? [], texture)) return false;
      }
      textures.remove(key);
    }
    this.#painters.delete(key);
    return true;
  }

  #newKey(): string {
    let key: string;
    do key = `phaser-inview:creative:${++this.#count}`;
    while (this.game.textures.exists(key));
    return key;
  }
}

function isShownBy(objects: readonly MaybeTextured[], texture: Phaser.Textures.Texture): boolean {
  for (const object of objects) {
    if (object.scene === undefined || object.scene === null) continue;
    if (object.texture === texture || object.displayTexture === texture) return true;
    if (Array.isArray(object.list) && isShownBy(object.list as MaybeTextured[], texture)) return true;
  }
  return false;
}
