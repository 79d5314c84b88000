export function withoutComments(source: string): string {
  return source.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, '');
}
