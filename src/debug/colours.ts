/** The colours of the overlay: how an ad stands. */
export const colours = {
  seen: '#b8f34a',
  partly: '#ffb45c',
  taken: '#ff5c7a',
  away: '#8d93c4',
  ink: '#12102e',
} as const;

export const FONT = "'Avenir Next', 'Segoe UI', 'Helvetica Neue', 'Open Sans', Roboto, sans-serif";
