// held-out
/** First index in the ordered list whose value is not below `value`. */
function lowerBound(list, value) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Length of the longest strictly rising subsequence, in n log n: */
export function longestRise(values) {
  const tails = [];
  for (const value of values) tails[lowerBound(tails, value)] = value;
  return tails.length;
}

/** How many values at least have to go until the rest rises strictly. */
export function removalsToRise(values) {
  return values.length - longestRise(values);
}

// tests
longestRise([1, 2, 3, 4]) // 4
longestRise([7, 7, 7]) // 1
longestRise([1, 3, 3, 4]) // 3
removalsToRise([1, 5, 9]) // 0
removalsToRise([2, 2]) // 1
removalsToRise([5, 1, 2, 2, 6]) // 2
// oracle
longestRise(many(0, 12, () => num(-4, 8)))
removalsToRise(many(0, 12, () => num(-4, 8)))
// faults
// 7 wrong comparison operator: `<` ► `<=`
// 16 swapped arguments: `tails, value` ► `value, tails`
// 22 missing call: `longestRise(values)` ► `values`
