// held-out
/** The neighbouring values with the largest sum (Kadane's algorithm), as */
export function bestSpan(values) {
  if (values.length === 0) return null;
  let best = { sum: -Infinity, from: 0, to: 0 };
  let sum = 0;
  let from = 0;
  for (const [index, value] of values.entries()) {
    if (sum < 0) {
      sum = 0;
      from = index;
    }
    sum += value;
    if (sum > best.sum) best = { sum, from, to: index + 1 };
  }
  return best;
}

/** The largest gain of one purchase and one later sale; 0 when it is best not to trade. */
export function bestTrade(prices) {
  const changes = prices.slice(1).map((price, i) => price - prices[i]);
  const span = bestSpan(changes);
  return span === null ? 0 : Math.max(span.sum, 0);
}

// tests
bestSpan([-4]) // { sum: -4, from: 0, to: 1 }
bestSpan([-3, -1, -2]) // { sum: -1, from: 1, to: 2 }
bestSpan([-2, 1, -3, 4, -1, 2, 1, -5, 4]) // { sum: 6, from: 3, to: 7 }
bestSpan([0]) // { sum: 0, from: 0, to: 1 }
bestTrade([7, 1, 5, 3, 6, 4]) // 5
bestTrade([]) // 0
// oracle
bestSpan(many(0, 9, () => num(-9, pick(-1, 9))))
bestTrade(many(0, 9, () => num(-9, pick(-1, 9))))
// faults
// 6 off by one: `0` ► `1`
// 8 wrong negation: `sum < 0` ► `!(sum < 0)`
// 21 missing call: `bestSpan(changes)` ► `changes`
// 22 wrong function or word: `max` ► `min`
