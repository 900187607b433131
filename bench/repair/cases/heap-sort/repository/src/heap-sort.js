/** Moves the value at `start` down until the max-heap `list[0..end)` is in order again. */
function siftDown(list, start, end, compare) {
  let root = start;
  while (2 * root + 1 < end) {
    let child = 2 * root + 1;
    if (child + 1 < end && compare(list[child], list[child + 1]) < 0) child += 1;
    if (compare(list[root], list[child]) >= 0) return;
    [list[root], list[child]] = [list[child], list[root]];
    root = child;
  }
}

/** Numbers by size; the default order. */
export const ascending = (a, b) => a - b;

/** A sorted copy of the values, by heap sort. */
export function heapSort(values, compare = ascending) {
  const list = [...values];
  for (let start = Math.floor(list.length / 2) - 1; start >= 0; start -= 1) {
    siftDown(list, start, list.length, compare);
  }
  for (let end = list.length - 1; end > 0; end -= 1) {
    [list[0], list[end]] = [list[end], list[0]];
    siftDown(list, 0, end, compare);
  }
  return list;
}
