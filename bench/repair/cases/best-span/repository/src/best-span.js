/**
 * The neighbouring values with the largest sum (Kadane's algorithm), as
 * { sum, from, to } with `to` exclusive; null for an empty list.
 * Of equal sums the first found is kept.
 */
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
