import * as Phaser from 'phaser';
import { textureImage } from '../textureImage.js';
import { canvasMatrix } from './canvasMatrix.js';

type Context = CanvasRenderingContext2D;

/** Paints an object's own picture, pixel by pixel as the game shows it, onto a canvas laid over the game. */
export function drawObject(
  context: Context,
  object: Phaser.GameObjects.GameObject,
  camera: Phaser.Cameras.Scene2D.Camera,
): void {
  if (object instanceof Phaser.GameObjects.Container) {
    for (const child of object.list) drawObject(context, child, camera);
  } else if (object instanceof Phaser.GameObjects.Particles.ParticleEmitter) {
    drawParticles(context, object, camera);
  } else if (
    object instanceof Phaser.GameObjects.Image ||
    object instanceof Phaser.GameObjects.Sprite ||
    object instanceof Phaser.GameObjects.Text
  ) {
    setMatrix(context, canvasMatrix(object, camera));
    if (object.flipX || object.flipY) {
      const middleX = object.frame.realWidth / 2 - object.displayOriginX;
      const middleY = object.frame.realHeight / 2 - object.displayOriginY;
      context.translate(middleX, middleY);
      context.scale(object.flipX ? -1 : 1, object.flipY ? -1 : 1);
      context.translate(-middleX, -middleY);
    }
    const resolution = object instanceof Phaser.GameObjects.Text ? object.style.resolution : 1;
    drawFrame(context, object.frame, -object.displayOriginX, -object.displayOriginY, resolution);
  } else if ('width' in object && 'height' in object && 'getWorldTransformMatrix' in object) {
    const box = object as unknown as Phaser.GameObjects.Rectangle;
    setMatrix(context, canvasMatrix(box, camera));
    context.fillRect(-box.displayOriginX, -box.displayOriginY, box.width, box.height);
  }
}

/** The four corners of an object of some size, in pixels of the canvas. */
export function corners(object: Phaser.GameObjects.Image, camera: Phaser.Cameras.Scene2D.Camera): DOMPoint[] {
  const matrix = canvasMatrix(object, camera);
  const left = -object.displayOriginX;
  const top = -object.displayOriginY;
  const points = [
    [left, top],
    [left + object.width, top],
    [left + object.width, top + object.height],
    [left, top + object.height],
  ] as const;
  return points.map(([x, y]) => matrix.transformPoint(new DOMPoint(x, y)));
}

function drawParticles(
  context: Context,
  emitter: Phaser.GameObjects.Particles.ParticleEmitter,
  camera: Phaser.Cameras.Scene2D.Camera,
): void {
  const matrix = canvasMatrix(emitter, camera);
  emitter.forEachAlive((particle) => {
    setMatrix(context, matrix);
    context.translate(particle.x, particle.y);
    context.rotate(particle.rotation);
    context.scale(particle.scaleX, particle.scaleY);
    context.globalAlpha = particle.alpha;
    drawFrame(context, particle.frame, -particle.frame.halfWidth, -particle.frame.halfHeight, 1);
  }, null);
  context.globalAlpha = 1;
}

function drawFrame(context: Context, frame: Phaser.Textures.Frame, x: number, y: number, resolution: number): void {
  const image = textureImage(frame);
  const { cutX, cutY, cutWidth, cutHeight } = frame;
  if (!image || cutWidth === 0 || cutHeight === 0) return;
  context.drawImage(
    image,
    cutX,
    cutY,
    cutWidth,
    cutHeight,
    x + frame.x,
    y + frame.y,
    cutWidth / resolution,
    cutHeight / resolution,
  );
}

function setMatrix(context: Context, matrix: DOMMatrix): void {
  context.setTransform(matrix);
}
