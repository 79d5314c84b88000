/** False for a destroyed game object: it has no scene, whatever Phaser's types say. */
export function isAlive({ scene }: { readonly scene: unknown }): boolean {
  return scene !== undefined && scene !== null;
}
