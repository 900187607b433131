export function* calls(random) {
  const make = (rows, columns) => random.list(rows, () => random.list(columns, () => random.int(-5, 5)));
  for (let i = 0; i < 200; i += 1) {
    const [n, m, k] = [random.int(1, 4), random.int(1, 4), random.int(1, 4)];
    yield ['multiply', make(n, m), make(m, k)];
    yield ['power', make(n, n), random.int(0, 5)];
  }
  for (let n = 0; n < 40; n += 1) yield ['fibonacci', n];
}
