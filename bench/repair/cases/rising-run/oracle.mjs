export function* calls(random) {
  for (let i = 0; i < 300; i += 1) {
    const values = random.list(random.int(0, 12), () => random.int(-4, 8));
    yield ['longestRise', values];
    yield ['removalsToRise', values];
  }
}
