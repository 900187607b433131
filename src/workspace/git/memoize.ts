/** Shares what is computed once. */

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
