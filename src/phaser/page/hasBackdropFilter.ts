/** It changes what lies below, nobody knows how. */
export function hasBackdropFilter({ backdropFilter }: CSSStyleDeclaration): boolean {
  return (backdropFilter || 'none') !== 'none';
}
