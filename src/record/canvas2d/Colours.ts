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
const HEX = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i;

/** Reads colours as Phaser writes them. */
export class Colours {
  readonly #known = new Map<string, Colour | null>();

  /** Null for any other style, such as the name of a colour, or a gradient. */
  read(style: unknown): Colour | null {
    if (typeof style !== 'string') return null;
    let colour = this.#known.get(style);
    if (colour === undefined) {
      if (this.#known.size >= MOST) this.#known.clear();
      colour = parse(style);
      this.#known.set(style, colour);
    }
    return colour;
  }
}

function parse(text: string): Colour | null {
  const hex = HEX.exec(text);
  if (hex !== null) return colourOf(hex.slice(1).map((digits) => parseInt(digits, 16)));
  const rgba = RGBA.exec(text);
  return rgba === null ? null : colourOf([rgba[1], rgba[2], rgba[3], rgba[4] ?? 1].map(Number));
}

function colourOf([red = 0, green = 0, blue = 0, alpha = 1]: readonly number[]): Colour | null {
  if (Number.isNaN(red + green + blue + alpha)) return null;
  const channel = (value: number): number => Math.min(255, Math.max(0, value));
  const [r, g, b] = [channel(red), channel(green), channel(blue)];
  return { alpha: Math.min(1, Math.max(0, alpha)), light: (r + g + b) / 765, red: r, green: g, blue: b };
}
