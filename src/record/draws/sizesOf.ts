/** Widths and heights of some textures, one behind the other. */
export function sizesOf(textures: readonly (object | null)[]): number[] {
  return textures.flatMap((texture) => {
    const { width = 0, height = 0 } = (texture ?? {}) as { readonly width?: number; readonly height?: number };
    return [width, height];
  });
}
