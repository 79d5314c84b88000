/** The first that fits counts: browsers name the ones they descend from as well. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * What a player recognises a device by, such as "Firefox on Windows". Made of fixed words only: nothing a caller puts
 * into the header is stored or shown.
 *
 * @param userAgent the header `User-Agent`
 */
export function deviceName(userAgent: string | undefined): string {
  const text = userAgent ?? '';
  const browser = firstOf(BROWSERS, text) ?? 'A browser';
  const system = firstOf(SYSTEMS, text);
  return system === undefined ? browser : `${browser} on ${system}`;
}

function firstOf(names: typeof BROWSERS, text: string): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1];
}
