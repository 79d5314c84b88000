import type * as Phaser from 'phaser';

import type { InsteadOfDrawing, ParentMatrix } from '../../rehearsal/RehearsedEngine.js';

type Render = (
  renderer: unknown,
  object: Phaser.GameObjects.GameObject,
  camera: Phaser.Cameras.Scene2D.Camera,
  parent?: ParentMatrix,
  holder?: unknown,
) => void;

/** Replaces the render function of an object. @returns puts the old one back */
export function interceptMethod(
  object: Phaser.GameObjects.GameObject,
  method: 'renderWebGL' | 'renderCanvas',
  instead: InsteadOfDrawing,
): () => void {
  const drawn = object as unknown as Record<typeof method, Render>;
  const before = drawn[method];
  drawn[method] = (renderer, _object, camera, parent, holder) =>
    instead(camera, parent, () => before.call(object, renderer, object, camera, parent, holder));
  // Assigned, even where it was the class's: an object that loses a property is slow from then on, and so are all
  // others of its kind.
  return () => {
    drawn[method] = before;
  };
}
