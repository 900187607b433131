// tuning
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

// tests
countWays(3, [1, 2]) // 2
countWays(3, [2]) // 0
countWays(4, []) // 0
fewestCoins(6, [1, 3, 4]) // 2
fewestCoins(7, [2, 4]) // null
// oracle
coins = () => [1, 2, 3, 4, 5, 7, 10].filter(() => num(0, 1))
countWays(num(0, 30), coins())
fewestCoins(num(0, 30), coins())
// faults
// 3 off by one: `0` ► `1`
// 4 missing base case: `ways[0] = 1;` ► ``
// 14 missing statement: `fewest[0] = 0;` ► ``
// 17 wrong comparison operator: `<=` ► `>`
