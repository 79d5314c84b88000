/**
 * One of something for each object, made when it is first asked for and gone with the object.
 * @param make its further arguments are those of the first call
 */
export function oneFor<K extends WeakKey, V, A extends unknown[]>(
  make: (of: K, ...rest: A) => V,
): (of: K, ...rest: A) => V {
  const made = new WeakMap<K, V>();
  return (of, ...rest) => {
    let one = made.get(of);
    if (one === undefined) made.set(of, (one = make(of, ...rest)));
    return one;
  };
}
