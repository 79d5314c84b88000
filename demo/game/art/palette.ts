/** The whole game is painted from these few colours; the time of day comes from the sky and one veil above all. */
export const palette = {
  ink: '#0b0d26',
  night: '#12143a',
  indigo: '#23235b',
  violet: '#3d3379',
  plum: '#6a3f86',
  rose: '#d9577f',
  coral: '#ff6f5e',
  amber: '#ffb45c',
  cream: '#fff0d2',
  mint: '#5ff0c8',
  teal: '#22a7a8',
  sky: '#7fc8ff',
  slate: '#4b5080',
  lime: '#b8f34a',
} as const;

export const FONT = "'Avenir Next', 'Segoe UI', 'Helvetica Neue', 'Open Sans', Roboto, 'DejaVu Sans', sans-serif";
