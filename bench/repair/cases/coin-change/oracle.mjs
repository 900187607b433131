export function* calls(random) {
  for (let i = 0; i < 250; i += 1) {
    const coins = random.shuffle([1, 2, 3, 4, 5, 7, 10]).slice(0, random.int(0, 4));
    const sum = random.int(0, 30);
    yield ['countWays', sum, coins];
    yield ['fewestCoins', sum, coins];
  }
}
