export function* calls(random) {
  const part = () => [random.int(-9, 9), random.int(1, 9)];
  for (let i = 0; i < 200; i += 1) {
    yield ['add', part(), part()];
    yield ['multiply', part(), part()];
    yield ['sum', random.list(random.int(0, 4), part)];
    yield ['fraction', random.int(-20, 20), random.int(-5, 5)];
    yield ['gcd', random.int(-40, 40), random.int(-40, 40)];
  }
}
