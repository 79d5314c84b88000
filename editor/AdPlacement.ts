// Made to be compiled again by the editor from AdPlacement.components: it keeps what stands between the USER marks.

/* START OF COMPILED CODE */

import Phaser from 'phaser';
/* START-USER-IMPORTS */
import type { PlacedAd } from 'phaser-inview';
/* END-USER-IMPORTS */

export default class AdPlacement {
  constructor(gameObject: Phaser.GameObjects.Image) {
    this.gameObject = gameObject;
    (gameObject as any)['__AdPlacement'] = this;

    /* START-USER-CTR-CODE */
    // The scene sets the properties after this.
    gameObject.scene.events.once('update', this.place, this);
    gameObject.once('destroy', this.end, this);
    /* END-USER-CTR-CODE */
  }

  static getComponent(gameObject: Phaser.GameObjects.Image): AdPlacement {
    return (gameObject as any)['__AdPlacement'];
  }

  private gameObject: Phaser.GameObjects.Image;
  public adSurfaceId: string = '';
  public fit: 'contain' | 'cover' | 'stretch' = 'contain';
  public clickable: boolean = false;

  /* START-USER-CODE */

  /** The ad that hangs in the image's place; null before the scene's first update. Move `ad.sprite`, not the image. */
  public ad: PlacedAd<Phaser.GameObjects.Image> | null = null;

  private place(): void {
    const image = this.gameObject;
    const { scene, depth, rotation, scrollFactorX, scrollFactorY } = image;
    const list = (image.parentContainer ?? image.displayList) as Phaser.GameObjects.Container;
    const { x, y } = image.getCenter();
    this.ad = scene.ads.place(this.adSurfaceId, {
      x,
      y,
      width: image.displayWidth,
      height: image.displayHeight,
      fit: this.fit,
      clickable: this.clickable,
      depth,
      scrollFactor: { x: scrollFactorX, y: scrollFactorY },
      // A Container or a Layer.
      ...((list as unknown) === scene.children ? {} : { container: list }),
    });
    this.ad.sprite.setRotation(rotation).setName(image.name);
    list.moveBelow(this.ad.sprite, image);
    image.setVisible(false);
  }

  private end(): void {
    this.gameObject.scene?.events.off('update', this.place, this);
    this.ad?.destroy();
  }

  /* END-USER-CODE */
}

/* END OF COMPILED CODE */

// You can write more code here
