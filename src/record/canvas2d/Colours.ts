/** A colour as far as it is known: `alpha` and `light` 0–1, the channels 0–255. */
export interface Colour {
  readonly alpha: number;
  /** Mean of its three channels. */
  readonly light: number;
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** How many texts are remembered; games that fade write ever new ones. */
const MOST = 512;

const RGBA = /^rgba?\(\s*([\d.]+)\s*,\s*([\d.]+)\s*,\s*([\d.]+)\s*(?:,\s*([\d.e+-]+)\s*)?\)$/;
const HEX = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})([\da-f]{2})?$/i;

/** Reads colours as a 2D context does. */
export class Colours {
  private readonly known = new Map<string, Colour | null>();

  /** @param context reads all other colours; without it, only those that Phaser writes are understood */
  constructor(private readonly context: Pick<CanvasRenderingContext2D, 'fillStyle'> | null) {}

  /** Null for a text that is no colour: a context keeps the one before. */
  read(text: string): Colour | null {
    let colour = this.known.get(text);
    if (colour === undefined) {
      if (this.known.size >= MOST) this.known.clear();
      colour = parse(text) ?? this.ask(text);
      this.known.set(text, colour);
    }
    return colour;
  }

  /** Asks the context. Two different colours set before the text tell whether the context took it. */
  private ask(text: string): Colour | null {
    const { context } = this;
    if (context === null) return null;
    context.fillStyle = '#000000';
    context.fillStyle = text;
    const first = context.fillStyle;
    context.fillStyle = '#ffffff';
    context.fillStyle = text;
    return first === context.fillStyle ? parse(first) : null;
  }
}

function parse(text: string): Colour | null {
  const hex = HEX.exec(text);
  if (hex !== null) {
    const [, red, green, blue, alpha = 'ff'] = hex;
    return colourOf(hexOf(red), hexOf(green), hexOf(blue), hexOf(alpha) / 255);
  }
  const rgba = RGBA.exec(text);
  if (rgba === null) return null;
  const alpha = rgba[4] === undefined ? 1 : Number(rgba[4]);
  return Number.isNaN(alpha) ? null : colourOf(Number(rgba[1]), Number(rgba[2]), Number(rgba[3]), alpha);
}

function hexOf(digits: string | undefined): number {
  return parseInt(digits!, 16);
}

function colourOf(red: number, green: number, blue: number, alpha: number): Colour {
  const channel = (value: number): number => Math.min(255, Math.max(0, value));
  const [r, g, b] = [channel(red), channel(green), channel(blue)];
  return { alpha: Math.min(1, Math.max(0, alpha)), light: (r + g + b) / 765, red: r, green: g, blue: b };
}
