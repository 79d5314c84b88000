import * as Phaser from 'phaser';

/** What Phaser 4 has in place of `setTintFill`. */
interface WithTintMode {
  setTintMode(mode: number): this;
}

/** Shows an image in one colour, in the form of its picture: with Phaser 3, and with Phaser 4. */
export function fillTint(image: Phaser.GameObjects.Image, colour: number): void {
  const { TintModes } = Phaser as unknown as { readonly TintModes?: { readonly FILL: number } };
  if (TintModes === undefined) image.setTintFill(colour);
  else (image.setTint(colour) as unknown as WithTintMode).setTintMode(TintModes.FILL);
}
