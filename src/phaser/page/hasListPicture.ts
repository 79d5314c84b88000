/** There is a picture in front of it instead of a point or number. */
export function hasListPicture({ display, listStyleImage }: CSSStyleDeclaration): boolean {
  return display.includes('list-item') && (listStyleImage || 'none') !== 'none';
}
