import type * as Phaser from 'phaser';
import { FONT } from '../art/palette.js';

export interface ButtonLook {
  readonly primary?: boolean;
  readonly scale?: number;
}

/** A button with a label: pointer, touch, and whatever keys the scene binds to `press`. */
export class Button {
  readonly body: Phaser.GameObjects.Container;
  private readonly face: Phaser.GameObjects.Image;
  private readonly label: Phaser.GameObjects.Text;
  private readonly restScale: number;

  constructor(
    private readonly scene: Phaser.Scene,
    x: number,
    y: number,
    text: string,
    private readonly action: () => void,
    { primary = false, scale = 1 }: ButtonLook = {},
  ) {
    this.restScale = scale;
    const face = scene.add.image(0, 0, primary ? 'button-primary' : 'button-plain').setName('button');
    this.face = face;
    this.label = scene.add.text(0, -3, text, {
      fontFamily: FONT,
      fontSize: '23px',
      fontStyle: '800',
      color: primary ? '#3a1730' : '#ffffff',
      resolution: 2,
    });
    this.label.setOrigin(0.5).setName('button label');
    this.body = scene.add.container(x, y, [face, this.label]).setScale(scale).setName('button');
    face.setInteractive({ useHandCursor: true });
    face.on('pointerover', () => this.grow(scale * 1.05));
    face.on('pointerout', () => this.grow(scale));
    face.on('pointerdown', () => this.grow(scale * 0.95));
    face.on('pointerup', () => this.press());
  }

  /** Holds the button in its place in the picture. */
  fix(depth: number): void {
    this.body.setScrollFactor(0).setDepth(depth);
    // The pointer asks each part, not the whole. (The Container's own way to pass it on leaves default values as they are.)
    this.face.setScrollFactor(0);
    this.label.setScrollFactor(0);
  }

  setText(text: string): void {
    this.label.setText(text);
  }

  press(): void {
    this.grow(this.restScale);
    this.action();
  }

  private grow(scale: number): void {
    this.scene.tweens.add({ targets: this.body, scale, duration: 120, ease: 'Back.out' });
  }
}

/** A square icon button. */
export function iconButton(
  scene: Phaser.Scene,
  x: number,
  y: number,
  texture: string,
  action: () => void,
): Phaser.GameObjects.Image {
  const image = scene.add
    .image(x, y, texture)
    .setName(texture.replace('icon-', '') + ' button')
    .setInteractive({ useHandCursor: true });
  image.on('pointerover', () => image.setTint(0xcfd4ff));
  image.on('pointerout', () => image.clearTint());
  image.on('pointerdown', (_pointer: unknown, _x: number, _y: number, event: Phaser.Types.Input.EventData) => {
    (event.stopPropagation as () => void)();
    action();
  });
  return image;
}

export function text(
  scene: Phaser.Scene,
  x: number,
  y: number,
  words: string,
  size: number,
  colour = '#ffffff',
  weight = '800',
): Phaser.GameObjects.Text {
  return scene.add.text(x, y, words, {
    fontFamily: FONT,
    fontSize: `${size}px`,
    fontStyle: weight,
    color: colour,
    resolution: 2,
  });
}
