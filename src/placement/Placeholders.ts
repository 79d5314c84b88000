import type * as Phaser from 'phaser';

/** Sides of placeholder textures, in texture pixels: the longer one, and the step the shorter one is rounded to. */
const LONG_SIDE = 256;
const STEP = 16;

/**
 * Textures shown while a creative is on its way: a quiet dark panel with a small mark. One per shape of box, at most
 * 31 in a game, made when first needed.
 */
export class Placeholders {
  constructor(
    private readonly textures: Phaser.Textures.TextureManager,
    /** Key of the game's own texture to use instead, if it exists. */
    private readonly ownKey: string | null,
  ) {}

  /** Key of the texture for a box of this shape. */
  keyFor(boxWidth: number, boxHeight: number): string {
    if (this.ownKey !== null && this.textures.exists(this.ownKey)) return this.ownKey;
    const scale = LONG_SIDE / Math.max(boxWidth, boxHeight);
    const width = roundSide(boxWidth * scale);
    const height = roundSide(boxHeight * scale);
    const key = `phaser-inview:placeholder:${width}x${height}`;
    if (!this.textures.exists(key)) {
      const canvas = this.textures.game.canvas.ownerDocument.createElement('canvas');
      canvas.width = width;
      canvas.height = height;
      const context = canvas.getContext('2d', { willReadFrequently: true });
      if (context !== null) drawPanel(context, width, height);
      this.textures.addCanvas(key, canvas);
    }
    return key;
  }
}

function roundSide(side: number): number {
  return Math.max(STEP, Math.round(side / STEP) * STEP);
}

function drawPanel(context: CanvasRenderingContext2D, width: number, height: number): void {
  const shade = context.createLinearGradient(0, 0, 0, height);
  shade.addColorStop(0, '#39424e');
  shade.addColorStop(1, '#2b323c');
  context.fillStyle = shade;
  context.fillRect(0, 0, width, height);
  context.lineWidth = 2;
  context.strokeStyle = 'rgba(255, 255, 255, 0.14)';
  context.strokeRect(3, 3, width - 6, height - 6);
  const markHeight = Math.min(width * 0.45, height * 0.45, 40);
  const markWidth = markHeight * 1.5;
  context.strokeStyle = 'rgba(255, 255, 255, 0.3)';
  context.lineWidth = Math.max(1, markHeight / 16);
  context.strokeRect((width - markWidth) / 2, (height - markHeight) / 2, markWidth, markHeight);
  context.fillStyle = 'rgba(255, 255, 255, 0.45)';
  context.font = `600 ${Math.round(markHeight * 0.6)}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText('Ad', width / 2, height / 2 + markHeight * 0.04);
}
