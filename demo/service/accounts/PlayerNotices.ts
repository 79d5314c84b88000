/** Wakes whoever shows a player's requests when something about them has changed. */
export class PlayerNotices {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** @returns how to stop listening. */
  listen(playerId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(playerId) ?? new Set();
    this.#listeners.set(playerId, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(playerId) === listeners) this.#listeners.delete(playerId);
    };
  }

  tell(playerId: string): void {
    for (const listener of this.#listeners.get(playerId) ?? []) listener();
  }
}
