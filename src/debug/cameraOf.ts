import type * as Phaser from 'phaser';

type Camera = Phaser.Cameras.Scene2D.Camera;

/**
 * The camera that shows an object: the ad's camera if both are in one scene, or else the first camera of the object's scene
 * that does not ignore it; null for none. A scene's `main` is not used: it may be a camera that was removed.
 */
export function cameraOf({ scene, cameraFilter }: Phaser.GameObjects.GameObject, adCamera: Camera): Camera | null {
  if (scene === adCamera.scene) return adCamera;
  return scene.cameras.cameras.find(({ id }) => (cameraFilter & id) === 0) ?? null;
}

/** Whether a camera can be asked for anything: one that was removed has no scene, whatever Phaser's types say. */
export function isInUse(camera: Camera | null | undefined): camera is Camera {
  return Boolean(camera?.scene as unknown);
}
