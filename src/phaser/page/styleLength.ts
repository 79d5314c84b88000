/** A computed length of some property, in pixels; 0 where it has none. */
export function styleLength(style: CSSStyleDeclaration, name: string): number {
  return parseFloat(style.getPropertyValue(name)) || 0;
}
