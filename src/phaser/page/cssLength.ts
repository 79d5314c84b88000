/** A computed length or percentage of CSS, in pixels of a whole; NaN for what is given in another way. */
export function cssLength(length: string | undefined, whole: number): number {
  const [, percent, sign, rest] = /^calc\((-?[\d.]+)% ([+-]) ([\d.]+)px\)$/.exec(length ?? '') ?? [];
  if (percent !== undefined) return (Number(percent) / 100) * whole + Number(`${sign}${rest}`);
  if (!/^-?[\d.]+(?:e-?\d+)?(?:px|%)$/.test(length ?? '')) return NaN;
  return parseFloat(length!) * (length!.endsWith('%') ? whole / 100 : 1);
}

/** What spaces and commas part. */
export function cssWords(text: string): string[] {
  return text.match(/calc\([^()]*\)|[^\s,]+/g) ?? [];
}
