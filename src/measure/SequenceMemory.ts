/** Starts at this many numbers and grows. */
const INITIAL_NUMBERS = 256;

/**
 * Remembers a sequence of numbers and objects, and tells whether the next one is the same. Comparing and storing happen in
 * one pass and cost less than a hash would. Per sequence: {@link begin}, everything in order, {@link end}.
 */
export class SequenceMemory {
  #stored = new Float64Array(INITIAL_NUMBERS);
  #count = 0;
  readonly #references: unknown[] = [];
  #referenceCount = 0;

  #at = 0;
  #referenceAt = 0;
  #same = false;

  begin(): void {
    this.#at = 0;
    this.#referenceAt = 0;
    this.#same = true;
  }

  /** True when the sequence was the one remembered; in any case it is remembered from now on. */
  end(): boolean {
    if (this.#count !== this.#at || this.#referenceCount !== this.#referenceAt) this.#same = false;
    this.#count = this.#at;
    this.#referenceCount = this.#referenceAt;
    return this.#same;
  }

  /** Not-a-number is never the same. */
  number(value: number): void {
    if (this.#at === this.#stored.length) this.#grow(1);
    if (this.#stored[this.#at] !== value) {
      this.#stored[this.#at] = value;
      this.#same = false;
    }
    this.#at++;
  }

  /** The numbers of an array from `from` up to, not including, `to`. */
  numbers(values: Float64Array, from: number, to: number): void {
    if (this.#at + to - from > this.#stored.length) this.#grow(to - from);
    const stored = this.#stored;
    let at = this.#at;
    let same = this.#same;
    for (let k = from; k < to; k++, at++) {
      const value = values[k]!;
      if (stored[at] === value) continue;
      stored[at] = value;
      same = false;
    }
    this.#at = at;
    this.#same = same;
  }

  reference(value: unknown): void {
    if (this.#references[this.#referenceAt] !== value) {
      this.#references[this.#referenceAt] = value;
      this.#same = false;
    }
    this.#referenceAt++;
  }

  /** Forgets the sequence and lets go of its objects. */
  forget(): void {
    this.#count = 0;
    this.#references.length = 0;
    this.#referenceCount = 0;
  }

  #grow(by: number): void {
    const larger = new Float64Array(2 * (this.#stored.length + by));
    larger.set(this.#stored);
    this.#stored = larger;
  }
}
