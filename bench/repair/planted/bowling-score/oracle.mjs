export function* calls(random) {
  for (let i = 0; i < 150; i += 1) {
    const rolls = [];
    for (let frame = 0; frame < random.int(0, 12); frame += 1) {
      const first = random.pick([10, 0, random.int(0, 10)]);
      rolls.push(first);
      if (first < 10) rolls.push(random.pick([10 - first, random.int(0, 10 - first)]));
    }
    yield ['score', rolls];
    yield ['frameScores', rolls];
    yield ['bestRow', rolls];
    const first = random.int(0, 10);
    yield ['frameText', first, random.pick([10 - first, random.int(0, 10 - first)])];
    yield ['frameText', first];
  }
}
