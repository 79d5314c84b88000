import { FONT } from '../art.js';
import { type Kind, option } from './Kind.js';

export const writingKinds: Record<string, Kind> = {
  text: {
    weight: 4,
    random: (random) => ({
      text: random.pick(['SCORE 125', 'i', 'WM', 'two\nlines', 'GAME OVER']),
      size: random.integer(24, 56),
      padding: random.chance(0.3) ? random.integer(4, 30) : 0,
      background: random.chance(0.2),
      resolution: random.chance(0.2) ? 2 : 1,
    }),
    build: (scene, o) =>
      scene.add.text(0, 0, option(o, 'text', 'SCORE'), {
        fontFamily: 'sans-serif',
        fontStyle: 'bold',
        fontSize: `${option(o, 'size', 32)}px`,
        color: '#e0e0e0',
        resolution: option(o, 'resolution', 1),
        padding: { x: option(o, 'padding', 0), y: option(o, 'padding', 0) },
        ...(option(o, 'background', false) ? { backgroundColor: '#404040' } : {}),
      }),
  },
  bitmapText: {
    weight: 3,
    random: (random) => ({
      text: random.pick(['ABC', '123A', 'A1\nB2', 'C C']),
      size: random.pick([16, 24, 32, 48]),
      align: random.integer(0, 2),
      shadow: random.chance(0.2),
      letterSpacing: random.chance(0.2) ? random.integer(-2, 6) : 0,
      dynamic: random.chance(0.15),
    }),
    build: (scene, o) => {
      const make = option(o, 'dynamic', false) ? scene.add.dynamicBitmapText : scene.add.bitmapText;
      const text = make.call(
        scene.add,
        0,
        0,
        FONT,
        option(o, 'text', 'ABC'),
        option(o, 'size', 32),
        option(o, 'align', 0),
      );
      if (option(o, 'letterSpacing', 0)) text.setLetterSpacing(option(o, 'letterSpacing', 0));
      if (option(o, 'shadow', false)) text.setDropShadow(8, 6, 0x202020, 1);
      return text;
    },
  },
};
