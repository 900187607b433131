/** Splits a name into runs of digits and runs of other characters. */
export function splitRuns(name) {
  return name.match(/\d+|\D+/g) ?? [];
}

const isNumber = run => /^\d/.test(run);

/** Compares two names as people do: runs of digits by their value, the rest by character. */
export function compareNatural(a, b) {
  const left = splitRuns(a);
  const right = splitRuns(b);
  const shared = Math.min(left.length, right.length);
  for (let i = 0; i < shared; i += 1) {
    if (isNumber(left[i]) && isNumber(right[i])) {
      const [x, y] = [Number(left[i]), Number(right[i])];
      if (x !== y) return x < y ? -1 : 1;
    } else if (left[i] !== right[i]) {
      return left[i] < right[i] ? -1 : 1;
    }
  }
  return Math.sign(left.length - right.length);
}

/** A sorted copy of the names. */
export function sortNames(names) {
  return names.toSorted(compareNatural);
}
