export function* calls(random) {
  for (let i = 0; i < 100; i += 1) {
    const width = random.int(1, 6);
    const board = random.list(random.int(1, 6), () =>
      random.text(random.pick(['.#', '.#.', '.##']), width),
    );
    yield ['neighbours', board, random.int(0, board.length - 1), random.int(0, width - 1)];
    yield ['step', board];
    yield ['alive', board];
    yield ['findCycle', board, random.pick([0, 1, 2, 5, 30])];
    yield ['findCycle', board];
  }
}
