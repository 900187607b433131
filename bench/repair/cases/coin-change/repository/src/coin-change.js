/** In how many ways a sum can be paid with these coins, the order does not matter. */
export function countWays(sum, coins) {
  const ways = new Array(sum + 1).fill(0);
  ways[0] = 1;
  for (const coin of coins) {
    for (let s = coin; s <= sum; s += 1) ways[s] += ways[s - coin];
  }
  return ways[sum];
}

/** The fewest coins that pay a sum; null when it cannot be paid. */
export function fewestCoins(sum, coins) {
  const fewest = new Array(sum + 1).fill(Infinity);
  fewest[0] = 0;
  for (let s = 1; s <= sum; s += 1) {
    for (const coin of coins) {
      if (coin <= s) fewest[s] = Math.min(fewest[s], fewest[s - coin] + 1);
    }
  }
  return fewest[sum] === Infinity ? null : fewest[sum];
}
