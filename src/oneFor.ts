/** One of something for each object, made when it is first asked for and gone with the object. */
export function oneFor<K extends WeakKey, V>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, V>();
  return (of) => {
    let one = made.get(of);
    if (one === undefined) made.set(of, (one = make(of)));
    return one;
  };
}
