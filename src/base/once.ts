/** Makes a value at its first use, so that a run does not make what it does not need; and work that must not overlap. */

/** Returns what the first call of `make` returned. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Makes a value for each key at its first use and shares it. An attempt that failed is made again by the next call. */
export function memoize<T>(make: (key: string) => Promise<T>): (key?: string) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (key = '') => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key).catch(error => {
      made.delete(key);
      throw error;
    });
    made.set(key, value);
    return value;
  };
}

/** Runs each piece of work after the previous one has settled, in the order of the calls. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const done = last.then(work, work);
    last = done;
    return done;
  };
}
