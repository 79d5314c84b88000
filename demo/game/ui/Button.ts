import type * as Phaser from 'phaser';
import { FONT } from '../art/palette.js';
import { VIEW_WIDTH } from '../world/layout.js';
import { art, unitsPerCssPixel } from '../resolution.js';

export interface ButtonLook {
  readonly primary?: boolean;
  readonly scale?: number;
}

/** What a finger must be able to hit, in CSS pixels, however small the canvas is shown. */
const LEAST_TARGET_PX = 26;
/** Height of a button's face, and of an icon, in the game's own pixels. */
const FACE_HEIGHT = 56;
const ICON_SIZE = 46;

/** A button with a label: pointer, touch, and whatever keys the scene binds to `press`. */
export class Button {
  readonly body: Phaser.GameObjects.Container;
  private readonly face: Phaser.GameObjects.Image;
  private readonly label: Phaser.GameObjects.Text;
  private readonly scale: number;

  constructor(
    private readonly scene: Phaser.Scene,
    x: number,
    y: number,
    text: string,
    private readonly action: () => void,
    { primary = false, scale = 1 }: ButtonLook = {},
  ) {
    this.scale = scale;
    const face = art(scene.add.image(0, 0, primary ? 'button-primary' : 'button-plain')).setName('button');
    this.face = face;
    this.label = scene.add.text(0, -3, text, {
      fontFamily: FONT,
      fontSize: '23px',
      fontStyle: '800',
      color: primary ? '#3a1730' : '#ffffff',
      resolution: 2,
    });
    this.label.setOrigin(0.5).setName('button label');
    this.body = scene.add.container(x, y, [face, this.label]).setName('button');
    onCanvasSize(scene, () => this.body.setScale(this.restScale));
    face.setInteractive({ useHandCursor: true });
    face.on('pointerover', () => this.grow(1.05));
    face.on('pointerout', () => this.grow(1));
    face.on('pointerdown', () => this.grow(0.95));
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
    this.grow(1);
    this.action();
  }

  private get restScale(): number {
    return Math.max(this.scale, (LEAST_TARGET_PX * unitsPerCssPixel(this.scene)) / FACE_HEIGHT);
  }

  private grow(times: number): void {
    this.scene.tweens.add({ targets: this.body, scale: this.restScale * times, duration: 120, ease: 'Back.out' });
  }
}

/** A square icon button. {@link stackIcons} gives it its place. */
export function iconButton(scene: Phaser.Scene, texture: string, action: () => void): Phaser.GameObjects.Image {
  const image = scene.add
    .image(0, 0, texture)
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

/** Puts icon buttons below each other in the top right corner. */
export function stackIcons(scene: Phaser.Scene, icons: readonly Phaser.GameObjects.Image[]): void {
  onCanvasSize(scene, () => {
    const size = Math.max(ICON_SIZE, LEAST_TARGET_PX * unitsPerCssPixel(scene));
    icons.forEach((icon, i) =>
      icon.setDisplaySize(size, size).setPosition(VIEW_WIDTH - 34, 13 + size / 2 + i * (size + 8)),
    );
  });
}

/** Calls now, and whenever the canvas is shown in another size, until the scene ends. */
function onCanvasSize(scene: Phaser.Scene, place: () => void): void {
  place();
  scene.scale.on('resize', place);
  scene.events.once('shutdown', () => scene.scale.off('resize', place));
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
