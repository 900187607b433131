export function* calls(random) {
  yield ['median', []];
  for (let i = 0; i < 300; i += 1) {
    const values = random.list(random.int(1, 10), () => random.int(-5, 9));
    yield ['quickSelect', values, random.int(-1, values.length)];
    yield ['median', values];
  }
}
