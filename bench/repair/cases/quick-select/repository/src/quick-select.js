/** Values below, equal to and above the pivot. */
function partition(values, pivot) {
  const below = [];
  const equal = [];
  const above = [];
  for (const value of values) {
    if (value < pivot) below.push(value);
    else if (value > pivot) above.push(value);
    else equal.push(value);
  }
  return { below, equal, above };
}

/** The value of rank `k` (0 is the smallest) without sorting all. */
export function quickSelect(values, k) {
  if (k < 0 || k >= values.length) throw new RangeError(`no rank ${k}`);
  const { below, equal, above } = partition(values, values[values.length >> 1]);
  if (k < below.length) return quickSelect(below, k);
  if (k < below.length + equal.length) return equal[0];
  return quickSelect(above, k - below.length - equal.length);
}

/** The median; of an even count, the mean of the two in the middle. */
export function median(values) {
  if (values.length === 0) throw new RangeError('no values');
  const middle = values.length >> 1;
  const upper = quickSelect(values, middle);
  if (values.length % 2 === 1) return upper;
  return (quickSelect(values, middle - 1) + upper) / 2;
}
