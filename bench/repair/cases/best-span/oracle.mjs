export function* calls(random) {
  for (let i = 0; i < 300; i += 1) {
    const values = random.list(random.int(0, 9), () => random.int(-9, random.pick([-1, 9])));
    yield ['bestSpan', values];
    yield ['bestTrade', values];
  }
}
