/** Lengths of the longest common subsequences of all beginnings of `a` and `b`. */
function lengthTable(a, b) {
  const table = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      table[i][j] =
        a[i - 1] === b[j - 1]
          ? table[i - 1][j - 1] + 1
          : Math.max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table;
}

/** A longest list of elements that are in both lists in this order. */
export function longestCommon(a, b) {
  const table = lengthTable(a, b);
  const common = [];
  let i = a.length;
  let j = b.length;
  while (i > 0 && j > 0) {
    if (a[i - 1] === b[j - 1]) {
      common.unshift(a[i - 1]);
      i -= 1;
      j -= 1;
    } else if (table[i - 1][j] >= table[i][j - 1]) i -= 1;
    else j -= 1;
  }
  return common;
}

/** How alike two lists are: 1 the same, 0 nothing in common. */
export function similarity(a, b) {
  if (a.length + b.length === 0) return 1;
  return (2 * longestCommon(a, b).length) / (a.length + b.length);
}
