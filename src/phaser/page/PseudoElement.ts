export const PSEUDO_ELEMENTS = ['::before', '::after'] as const;
export type PseudoElement = (typeof PSEUDO_ELEMENTS)[number];
