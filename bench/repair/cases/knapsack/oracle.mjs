export function* calls(random) {
  for (let i = 0; i < 300; i += 1) {
    const items = random.list(random.int(0, 6), () => ({ weight: random.int(1, 8), value: random.int(1, 20) }));
    const capacity = random.int(0, 20);
    yield ['bestValue', items, capacity];
    yield ['greedyValue', items, capacity];
  }
}
