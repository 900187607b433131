/**
 * The best value that fits into a knapsack when each item may be taken once.
 * Weights and capacity are whole numbers.
 */
export function bestValue(items, capacity) {
  const best = new Array(capacity + 1).fill(0);
  for (const { weight, value } of items) {
    for (let room = capacity; room >= weight; room -= 1) {
      best[room] = Math.max(best[room], best[room - weight] + value);
    }
  }
  return best[capacity];
}

/** Items with the most value for their weight first. */
export function byDensity(items) {
  return items.toSorted((a, b) => b.value / b.weight - a.value / a.weight);
}

/** What a greedy packer gets: never more than the best. */
export function greedyValue(items, capacity) {
  let room = capacity;
  let total = 0;
  for (const { weight, value } of byDensity(items)) {
    if (weight > room) continue;
    room -= weight;
    total += value;
  }
  return total;
}
