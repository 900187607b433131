export function* calls(random) {
  for (let i = 0; i < 150; i += 1) {
    const steps = random.list(random.int(0, 12), () => [
      random.chance(0.6),
      random.pick([...'abcde']),
      random.int(0, 9),
    ]);
    const limit = random.int(1, 4);
    yield [
      p => {
        const cache = p.openCache(limit);
        return steps.map(([write, key, value]) => {
          const found = write ? cache.set(key, value) : cache.get(key);
          return [found, cache.keys()];
        });
      },
    ];
    const keys = [...random.text('abcdef', random.int(0, 15))];
    yield ['countHits', keys, random.int(1, 6)];
    yield ['enoughFor', keys];
  }
}
