/** In the order in which CSS names them. */
export const SIDES = ['top', 'right', 'bottom', 'left'] as const;
