export function* calls(random) {
  for (let i = 0; i < 200; i += 1) {
    const highest = random.pick([1, 2, 3, 6, 6]);
    const dice = random.chance(0.25)
      ? random.shuffle(
          random.pick([
            [1, 2, 3, 4, 5],
            [2, 3, 4, 5, 6],
            [1, 1, 2, 3, 4],
            [3, 4, 5, 6, 1],
            [5, 5, 5, 5, 1],
            [6, 6, 6, 2, 2],
          ]),
        )
      : random.list(5, () => random.int(1, highest));
    yield ['countsOf', dice];
    yield ['longestRow', dice];
    for (const kind of ['three', 'four', 'house', 'small', 'large', 'yatzy', 'chance'])
      yield ['pointsFor', kind, dice];
    yield ['bestKind', dice];
  }
}
