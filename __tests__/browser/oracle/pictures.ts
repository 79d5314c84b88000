import { readPage } from '../../../src/page/readPage.js';
import { AlphaMaps } from '../../../src/textures/AlphaMaps.js';
import { scratchContext } from '../../../src/textures/scratchContext.js';
import { engineOf } from '../../../src/meter/GameMeter.js';
import { FrameReader } from '../../../src/rehearsal/FrameReader.js';
import { boundsOf } from '../../../src/record/objects/registerBounds.js';
import { adKey } from './art.js';
import type { Drawable } from './displayTree.js';
import type { Stage } from './Stage.js';

const SCALE = 3;

/** The difference of the frame with a lit and with a black ad: white where all of the ad's light arrives. */
export function pictureOfLight(stage: Stage, ad: Drawable): string {
  const sprite = ad as unknown as Phaser.GameObjects.Image;
  const { texture, frame } = sprite;
  const variant = texture.key.split(':')[1]!;
  const [black, lit] = [-1, 0].map((channel) => {
    sprite.texture = stage.game.textures.get(adKey(variant, channel));
    sprite.frame = sprite.texture.get(frame.name);
    return stage.picture();
  });
  sprite.texture = texture;
  sprite.frame = frame;
  const { canvas, context } = paper(stage.width, stage.height, 1);
  const image = context.createImageData(stage.width, stage.height);
  for (let i = 0; i < image.data.length; i += 4) {
    image.data.fill(lit![i]! - black![i]!, i, i + 3);
    image.data[i + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

/** What the product reads of the frame: every polygon near the ad over the real frame, the ad's own in red. */
export function pictureOfPolygons(stage: Stage, ad: Drawable): string {
  const { game } = stage;
  stage.picture();
  const { canvas, context } = paper(stage.width, stage.height, SCALE);
  context.drawImage(game.canvas, 0, 0, stage.width * SCALE, stage.height * SCALE);
  const maps = new AlphaMaps(
    () => performance.now(),
    () => scratchContext(document),
    { total: 0, isPaintedDirectly: true, versionOf: () => NaN },
  );
  const snapshot = new FrameReader(maps, boundsOf(game), engineOf(game)).read(game, [ad], readPage(game));
  const trace = (polygon: number): void => {
    context.beginPath();
    const from = 2 * snapshot.start[polygon]!;
    for (let i = 0; i < snapshot.length[polygon]!; i++) {
      context.lineTo(snapshot.xy[from + 2 * i]! * SCALE, snapshot.xy[from + 2 * i + 1]! * SCALE);
    }
    context.closePath();
  };
  for (let i = 0; i < snapshot.count; i++) {
    trace(i);
    context.fillStyle = `rgba(0, 160, 255, ${0.25 * snapshot.opacity[i]!})`;
    context.strokeStyle = '#00d0ff';
    context.fill();
    context.stroke();
  }
  context.lineWidth = 2;
  context.strokeStyle = '#ff2020';
  for (let v = 0; v < snapshot.viewCount; v++) {
    const view = snapshot.views[v]!;
    for (let i = view.shapeFrom; i < view.pieceTo; i++) {
      trace(i);
      context.stroke();
    }
  }
  return canvas.toDataURL();
}

function paper(
  width: number,
  height: number,
  scale: number,
): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D } {
  const canvas = document.createElement('canvas');
  canvas.width = width * scale;
  canvas.height = height * scale;
  return { canvas, context: canvas.getContext('2d')! };
}
