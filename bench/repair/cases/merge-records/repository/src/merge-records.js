/** Merges two lists that are each in order; of equal keys, those of `left` come first. */
export function mergeSorted(left, right, key) {
  const merged = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    if (key(left[i]) <= key(right[j])) {
      merged.push(left[i]);
      i += 1;
    } else {
      merged.push(right[j]);
      j += 1;
    }
  }
  while (i < left.length) {
    merged.push(left[i]);
    i += 1;
  }
  while (j < right.length) {
    merged.push(right[j]);
    j += 1;
  }
  return merged;
}

/** A sorted copy of the records, stable: records with equal keys keep their order. */
export function sortRecords(records, key) {
  if (records.length <= 1) return [...records];
  const middle = records.length >> 1;
  return mergeSorted(
    sortRecords(records.slice(0, middle), key),
    sortRecords(records.slice(middle), key),
    key,
  );
}
