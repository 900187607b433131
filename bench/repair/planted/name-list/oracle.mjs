export function* calls(random) {
  const words = ['ada', 'Bo', 'van', 'der', 'de', 'Cy', 'lovelace', 'Von', 'la'];
  for (let i = 0; i < 150; i += 1) {
    const names = random.list(random.int(0, 6), () => random.pick(words));
    yield ['joinNames', names, random.pick([undefined, 'or'])];
    yield ['shortList', names, random.pick([undefined, 1, 2, 4])];
    yield ['initials', names.join(random.pick([' ', '-', '  ', ' - ']))];
    yield ['catalogueName', (names.length === 0 ? ['x'] : names).join(random.pick([' ', '  ']))];
    yield [
      'freeName',
      'bo',
      random.list(random.int(0, 5), () => random.pick(['bo', 'bo-2', 'bo-3', 'bo-4', 'b'])),
    ];
  }
}
