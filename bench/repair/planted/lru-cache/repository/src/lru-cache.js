/** A cache that forgets the entry that was not used for longest. */
export function openCache(limit) {
  const entries = new Map();
  const touch = (key, value) => {
    entries.delete(key);
    entries.set(key, value);
  };
  return {
    get(key) {
      if (!entries.has(key)) return undefined;
      const value = entries.get(key);
      touch(key, value);
      return value;
    },
    set(key, value) {
      touch(key, value);
      if (entries.size > limit) entries.delete(entries.keys().next().value);
    },
    keys: () => [...entries.keys()],
  };
}

/** How many reads of a list of keys find their value, when each key that is not found is stored. */
export function countHits(keys, limit) {
  const cache = openCache(limit);
  let hits = 0;
  for (const key of keys) {
    if (cache.get(key) === undefined) cache.set(key, true);
    else hits += 1;
  }
  return hits;
}

/** The smallest limit with as many hits as an endless cache. */
export function enoughFor(keys) {
  const most = countHits(keys, keys.length);
  let limit = 1;
  while (countHits(keys, limit) < most) limit += 1;
  return limit;
}
