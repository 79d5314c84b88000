/**
 * Where texts stand among all that can be reached from a thing: by properties, also hidden ones, by prototypes, and in maps and
 * sets. What only functions know cannot be reached.
 */
export function findTexts(thing: unknown, texts: readonly string[]): string[] {
  const found: string[] = [];
  const seen = new Set<unknown>();
  const open: (readonly [string, unknown])[] = [['', thing]];
  while (open.length > 0) {
    const [path, at] = open.pop()!;
    if (typeof at === 'string') {
      for (const text of texts) if (at.includes(text)) found.push(`${path}: ${text}`);
      continue;
    }
    const isWalked = (typeof at === 'object' && at !== null) || typeof at === 'function';
    if (!isWalked || seen.has(at) || ArrayBuffer.isView(at) || isOfPage(at)) continue;
    seen.add(at);
    if (at instanceof Map) for (const [key, value] of at) open.push([`${path}<key>`, key], [`${path}<value>`, value]);
    if (at instanceof Set) for (const value of at) open.push([`${path}<entry>`, value]);
    open.push([`${path}.__proto__`, Object.getPrototypeOf(at)]);
    for (const name of Reflect.ownKeys(at)) {
      const { value, get } = Object.getOwnPropertyDescriptor(at, name)! as { value?: unknown; get?: () => unknown };
      try {
        open.push([`${path}.${String(name)}`, get === undefined ? value : get.call(at)]);
      } catch {
        // A getter of something else than this object.
      }
    }
  }
  return found;
}

/** The page leads to everything there is, and a promise, in Node, to the test that waits for it. */
function isOfPage(thing: object): boolean {
  if (Object.prototype.toString.call(thing) === '[object Promise]') return true;
  return thing === globalThis || (typeof Node === 'function' && thing instanceof Node);
}
