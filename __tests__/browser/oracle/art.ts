/** Colours an ad is drawn in: all black, and one pure channel each, so that three cameras can be told apart at once. */
export const AD_COLOURS = ['#000000', '#ff0000', '#00ff00', '#0000ff'] as const;

/** Shapes of the ad's own picture and the share of its frame that is opaque. */
export interface AdVariant {
  readonly width: number;
  readonly height: number;
  /** Opaque texels ÷ texels of the cut frame. */
  readonly opaqueShare: number;
  /** Opacity of each texel, 0–1, row by row. */
  readonly opacity: Float32Array;
}

export const adVariants: Record<string, AdVariant> = {};

/** Key of the ad's texture: `channel` −1 is black, 0–2 red, green, blue. */
export function adKey(variant: string, channel: number): string {
  return `ad:${variant}:${channel + 1}`;
}

type Draw = (context: CanvasRenderingContext2D, width: number, height: number) => void;

/** Textures by name: size and how they are drawn. */
const pictures: Record<string, readonly [number, number, Draw]> = {
  brick: [64, 48, (c, w, h) => fill(c, '#7a4a3a', w, h)],
  slab: [90, 30, (c, w, h) => fill(c, '#4a6a8a', w, h)],
  block: [40, 40, (c, w, h) => fill(c, '#5a7a4a', w, h)],
  disc: [
    96,
    96,
    (c, w) => {
      c.fillStyle = '#c86432';
      disc(c, w / 2, w / 2, w / 2 - 1);
    },
  ],
  ring: [
    96,
    96,
    (c, w) => {
      c.strokeStyle = '#32c864';
      c.lineWidth = 14;
      c.beginPath();
      c.arc(w / 2, w / 2, w / 2 - 8, 0, 7);
      c.stroke();
    },
  ],
  star: [
    100,
    100,
    (c) => {
      c.fillStyle = '#c8c832';
      c.beginPath();
      for (let i = 0; i < 10; i++) {
        const radius = i % 2 ? 20 : 49;
        c.lineTo(50 + radius * Math.cos((i * Math.PI) / 5), 50 + radius * Math.sin((i * Math.PI) / 5));
      }
      c.fill();
    },
  ],
  soft: [
    96,
    96,
    (c, w, h) => {
      const gradient = c.createRadialGradient(w / 2, h / 2, 0, w / 2, h / 2, w / 2);
      gradient.addColorStop(0, 'rgba(200,100,250,1)');
      gradient.addColorStop(1, 'rgba(200,100,250,0)');
      c.fillStyle = gradient;
      c.fillRect(0, 0, w, h);
    },
  ],
  tree: [
    80,
    120,
    (c) => {
      c.fillStyle = '#643200';
      c.fillRect(34, 60, 12, 60);
      c.fillStyle = '#288c46';
      disc(c, 40, 40, 38);
    },
  ],
  fence: [
    96,
    64,
    (c, w, h) => {
      c.fillStyle = '#a08c6e';
      for (let x = 4; x < w; x += 24) c.fillRect(x, 0, 12, h);
      c.fillRect(0, 24, w, 10);
    },
  ],
  corner: [
    100,
    100,
    (c) => {
      c.fillStyle = '#8c8c8c';
      c.fillRect(0, 0, 24, 24);
    },
  ],
  frame: [
    200,
    150,
    (c, w, h) => {
      c.strokeStyle = '#dcb428';
      c.lineWidth = 24;
      c.strokeRect(12, 12, w - 24, h - 24);
    },
  ],
  glass: [
    64,
    64,
    (c, w, h) => {
      c.fillStyle = 'rgba(150,190,220,0.3)';
      c.fillRect(0, 0, w, h);
    },
  ],
  shade: [48, 48, (c, w, h) => fill(c, '#202020', w, h)],
  shadeRing: [
    96,
    96,
    (c, w) => {
      c.strokeStyle = '#202020';
      c.lineWidth = 24;
      c.beginPath();
      c.arc(w / 2, w / 2, w / 2 - 13, 0, 7);
      c.stroke();
    },
  ],
  panel: [
    48,
    48,
    (c, w, h) => {
      c.fillStyle = '#324664';
      c.beginPath();
      c.roundRect(0, 0, w, h, 14);
      c.fill();
    },
  ],
  rope: [32, 16, (c, w, h) => fill(c, '#b48c50', w, h)],
  spark: [
    24,
    24,
    (c, w) => {
      c.fillStyle = '#969696';
      disc(c, w / 2, w / 2, w / 2 - 1);
    },
  ],
  tiles: [
    64,
    16,
    (c) => {
      c.fillStyle = '#967850';
      c.fillRect(0, 0, 16, 16);
      c.beginPath();
      c.moveTo(16, 16);
      c.lineTo(32, 16);
      c.lineTo(32, 0);
      c.fill();
      c.fillRect(32, 8, 16, 8);
      c.fillRect(48, 0, 16, 16);
      c.clearRect(52, 4, 8, 8);
    },
  ],
  diamonds: [
    32,
    32,
    (c) => {
      c.fillStyle = '#6e8c46';
      c.beginPath();
      c.moveTo(16, 0);
      c.lineTo(32, 8);
      c.lineTo(32, 24);
      c.lineTo(16, 32);
      c.lineTo(0, 24);
      c.lineTo(0, 8);
      c.fill();
    },
  ],
  font: [
    96,
    16,
    (c) => {
      c.fillStyle = '#e6e6e6';
      // Six glyphs of 16 × 16: A B C 1 2 3, coarse enough to be judged by eye.
      c.fillRect(2, 2, 12, 4);
      c.fillRect(2, 2, 4, 13);
      c.fillRect(10, 2, 4, 13);
      c.fillRect(18, 2, 10, 13);
      c.fillRect(34, 2, 12, 4);
      c.fillRect(34, 11, 12, 4);
      c.fillRect(34, 2, 4, 13);
      c.fillRect(54, 1, 5, 14);
      c.fillRect(66, 2, 12, 5);
      c.fillRect(66, 9, 12, 5);
      c.fillRect(82, 2, 4, 12);
      c.fillRect(90, 2, 4, 12);
    },
  ],
};

/** Pictures an ordinary sprite may show. */
export const OPAQUE_PICTURES = ['brick', 'slab', 'block'] as const;
export const HOLED_PICTURES = ['disc', 'ring', 'star', 'soft', 'tree', 'fence', 'corner', 'frame', 'glass'] as const;
/** Frames of the texture `atlas`: trimmed, and one with its own pivot. */
export const ATLAS_FRAMES = ['trimmed', 'dot', 'pivot'] as const;
export const FONT = 'retro';
export const FONT_CHARACTERS = 'ABC123';

/** Adds every texture and the font to the game. */
export function drawArt(game: Phaser.Game): void {
  const { textures } = game;
  for (const [key, [width, height, draw]] of Object.entries(pictures)) {
    const texture = textures.createCanvas(key, width, height)!;
    draw(texture.getContext(), width, height);
    texture.refresh();
  }

  const atlas = textures.createCanvas('atlas', 128, 64)!;
  const context = atlas.getContext();
  context.fillStyle = '#aa5028';
  context.fillRect(0, 0, 40, 30);
  context.fillStyle = '#28aa50';
  context.fillRect(64, 0, 10, 10);
  context.fillStyle = '#5028aa';
  context.beginPath();
  context.moveTo(80, 0);
  context.lineTo(128, 0);
  context.lineTo(80, 48);
  context.fill();
  atlas.refresh();
  atlas.add('trimmed', 0, 0, 0, 40, 30)!.setTrim(80, 60, 25, 5, 40, 30);
  atlas.add('dot', 0, 64, 0, 10, 10)!.setTrim(300, 300, 40, 220, 10, 10);
  const pivot = atlas.add('pivot', 0, 80, 0, 48, 48)!;
  pivot.customPivot = true;
  pivot.pivotX = 0.2;
  pivot.pivotY = 0.9;

  addAd(game, 'plain', 120, 80, () => undefined);
  addAd(game, 'small', 80, 40, () => undefined);
  addAd(game, 'rounded', 120, 80, (c, w, h) => {
    c.globalCompositeOperation = 'destination-in';
    c.beginPath();
    c.roundRect(0, 0, w, h, 24);
    c.fill();
  });
  addAd(game, 'holed', 120, 80, (c) => {
    c.clearRect(72, 20, 28, 40);
  });
  addAd(game, 'trimmed', 120, 80, () => undefined, [160, 120, 10, 30]);

  const font = Phaser.GameObjects.RetroFont.Parse(game.scene.scenes[0]!, {
    image: 'font',
    width: 16,
    height: 16,
    chars: FONT_CHARACTERS,
    charsPerRow: 6,
    'offset.x': 0,
    'offset.y': 0,
    'spacing.x': 0,
    'spacing.y': 0,
    lineSpacing: 0,
  });
  game.cache.bitmapFont.add(FONT, font);
}

/** One ad picture in four colours; `trim`: real width and height, and where the cut rectangle lies in it. */
export function addAd(
  game: Phaser.Game,
  variant: string,
  width: number,
  height: number,
  cut: Draw,
  trim?: readonly [number, number, number, number],
): void {
  let opaque = 0;
  const opacity = new Float32Array(width * height);
  for (let channel = -1; channel < 3; channel++) {
    const key = adKey(variant, channel);
    if (game.textures.exists(key)) return;
    const texture = game.textures.createCanvas(key, width, height)!;
    const context = texture.getContext();
    fill(context, AD_COLOURS[channel + 1]!, width, height);
    cut(context, width, height);
    texture.refresh();
    if (trim) texture.get().setTrim(trim[0], trim[1], trim[2], trim[3], width, height);
    if (channel === -1) {
      const { data } = context.getImageData(0, 0, width, height);
      for (let i = 0; i < opacity.length; i++) opaque += opacity[i] = data[4 * i + 3]! / 255;
    }
  }
  adVariants[variant] = { width, height, opaqueShare: opaque / (width * height), opacity };
}

function fill(context: CanvasRenderingContext2D, colour: string, width: number, height: number): void {
  context.fillStyle = colour;
  context.fillRect(0, 0, width, height);
}

function disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fill();
}
