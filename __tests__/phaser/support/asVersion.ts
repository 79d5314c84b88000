import Phaser from 'phaser';

/**
 * Lets the library on the page say that it is of another version; null for a library that says nothing, as its modules do.
 * @param Game the class its games are of
 * @returns puts it back
 */
export function asVersion(version: string | null, Game: object = Phaser.Game): () => void {
  const page = globalThis as { Phaser?: unknown };
  const { Phaser: before } = page;
  page.Phaser = version === null ? undefined : { VERSION: version, Game };
  return () => {
    page.Phaser = before;
  };
}
