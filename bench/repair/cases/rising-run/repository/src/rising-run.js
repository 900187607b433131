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

/**
 * Length of the longest strictly rising subsequence, in n log n:
 * `tails[k]` is the smallest last value of a rising run of k + 1 values.
 */
export function longestRise(values) {
  const tails = [];
  for (const value of values) tails[lowerBound(tails, value)] = value;
  return tails.length;
}

/** How many values at least have to go until the rest rises strictly. */
export function removalsToRise(values) {
  return values.length - longestRise(values);
}
