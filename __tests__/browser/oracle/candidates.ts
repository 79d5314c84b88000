import type { Drawable } from './displayTree.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/** What a candidate says of one ad in the frame last drawn. */
export interface Verdict {
  isFullyVisible: boolean;
  blockers: readonly GameObject[];
  /** One entry per camera the candidate speaks of. */
  views: { camera: Camera; visibleArea: number; totalArea: number; screenPercentage?: number }[];
  /** True when the candidate itself says that it cannot know. */
  unmeasurable: boolean;
  reasons: readonly string[];
}

/** Something that judges an ad, compared with the picture. */
export interface Candidate {
  readonly name: string;
  /**
   * @param drawFrame draws the same frame once more, for candidates that measure while a frame is drawn
   */
  measure(ad: Drawable, cameras: readonly Camera[], drawFrame: () => void): Verdict;
}

/** What is commonly written by hand: the camera's world view against bounding boxes, over the scene's own list. */
export const boundingBoxes: Candidate = {
  name: 'getBounds loop',
  measure(ad, cameras) {
    const { Intersects, Rectangle } = Phaser.Geom;
    const sprite = ad as unknown as Phaser.GameObjects.Image;
    const box = sprite.getBounds();
    const list = sprite.scene.children.list;
    const blockers: GameObject[] = [];
    for (const other of list.slice(list.indexOf(sprite) + 1)) {
      const bounded = other as unknown as { visible?: boolean; getBounds?(): Phaser.Geom.Rectangle };
      if (bounded.visible && bounded.getBounds && Intersects.RectangleToRectangle(box, bounded.getBounds()))
        blockers.push(other);
    }
    const views = cameras.map((camera) => {
      const seen = Rectangle.Intersection(box, camera.worldView);
      let covered = 0;
      for (const blocker of blockers) {
        const bounds = (blocker as unknown as { getBounds(): Phaser.Geom.Rectangle }).getBounds();
        const shared = Rectangle.Intersection(seen, bounds);
        covered += shared.width * shared.height;
      }
      const total = box.width * box.height;
      return { camera, visibleArea: Math.max(0, seen.width * seen.height - covered), totalArea: total };
    });
    const whole = cameras.some((camera) => Rectangle.ContainsRect(camera.worldView, box));
    return { isFullyVisible: blockers.length === 0 && whole, blockers, views, unmeasurable: false, reasons: [] };
  },
};
