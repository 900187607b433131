// tuning
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

// tests
heapSort([1, 2]) // [1, 2]
heapSort([1, 2, 3, 4, 5, 6]) // [1, 2, 3, 4, 5, 6]
heapSort([6, 5, 4, 3, 2, 1]) // [1, 2, 3, 4, 5, 6]
heapSort([2, 1, 2, 1, 2]) // [1, 1, 2, 2, 2]
heapSort([0, -5, 3, -1]) // [-5, -1, 0, 3]
heapSort([4, 9, 1, 7], (a, b) => b - a) // [9, 7, 4, 1]
// oracle
heapSort(many(0, 20, () => num(-9, 9)))
heapSort(many(0, 9, () => num(0, 99)), (a, b) => b - a)
// faults
// 6 wrong comparison operator: `<` ► `<=`
// 7 missing statement: `if (compare(list[root], list[child]) >= 0) return;` ► ``
// 19 off by one: `2` ► `3`
