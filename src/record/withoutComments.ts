/** The source of a shader without what its author says of it. */
export function withoutComments(source: string): string {
  return source.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, '');
}
