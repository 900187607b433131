/** Makes a value at its first use: what a run does not need is then not made when its module is loaded. */

/** Returns what the first call of `make` returned. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
