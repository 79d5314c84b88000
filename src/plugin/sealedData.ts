/** The plugin's options behind each copy that {@link sealed} made: nothing leads from a game to its keys. */
const originals = new WeakMap<object, unknown>();

/**
 * A copy of the plugin's options without the keys, to be kept where Phaser keeps what it was given: the game's config, the
 * list of plugins and the plugin cache, which tools that report crashes send whole. {@link unsealed} gives the options back.
 */
export function sealed(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || originals.has(data)) return data;
  let copy: Record<string, unknown> = {};
  try {
    copy = { ...data };
  } catch {
    // Options that cannot be read are refused by whoever reads them.
  }
  delete copy['privateKey'];
  delete copy['apiKey'];
  originals.set(copy, data);
  return copy;
}

/** The options behind what {@link sealed} made of them; anything else as it is. */
export function unsealed(data: unknown): unknown {
  return typeof data === 'object' && data !== null ? (originals.get(data) ?? data) : data;
}
