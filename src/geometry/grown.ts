/** A copy of an array with twice the room. */
export function grown<T extends Int32Array | Uint8Array | Uint16Array | Float64Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length);
  larger.set(array);
  return larger;
}
