import type * as Phaser from 'phaser';

/** Whether an object lies where the bounds of the cameras let no camera go. False while a camera has no bounds. */
export function isOutOfBounds(object: Phaser.GameObjects.Image): boolean {
  // An object that does not scroll with the world is where the camera is.
  if (!('getBounds' in object) || object.scrollFactorX !== 1 || object.scrollFactorY !== 1) return false;
  const { left, top, right, bottom } = object.getBounds();
  const cameras = object.scene.cameras.cameras.filter(({ id }) => (object.cameraFilter & id) === 0);
  return (
    cameras.length > 0 &&
    cameras.every((camera) => {
      // Phaser's types leave out the angle of a camera. Bounds hold only a camera that is upright.
      const { rotation } = camera as unknown as { readonly rotation: number };
      if (!camera.useBounds || rotation !== 0) return false;
      const bounds = camera.getBounds();
      // A view larger than the bounds shows the surroundings of the bounds.
      if (camera.displayWidth > bounds.width || camera.displayHeight > bounds.height) return false;
      return left >= bounds.right || right <= bounds.left || top >= bounds.bottom || bottom <= bounds.top;
    })
  );
}
