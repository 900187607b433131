export function* calls(random) {
  const row = () =>
    random.text(random.pick(['.x_', '.', '....x', 'x', '...x_']), random.int(0, 12));
  for (let i = 0; i < 150; i += 1) {
    yield ['freeBlocks', row()];
    yield ['placeIn', row(), random.int(1, 5)];
    const text = row();
    yield ['occupy', text, random.int(0, text.length), random.int(0, 3)];
    yield [
      'seatGroups',
      random.list(random.int(0, 4), row),
      random.list(random.int(0, 6), () => random.int(1, 5)),
    ];
    yield ['load', random.list(random.int(0, 4), row)];
  }
}
