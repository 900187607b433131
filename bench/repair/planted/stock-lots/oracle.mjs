export function* calls(random) {
  const lots = () => random.list(random.int(0, 4), () => [random.int(1, 6), random.int(1, 5)]);
  for (let i = 0; i < 150; i += 1) {
    yield ['sell', lots(), random.int(0, 14)];
    yield ['buy', lots(), random.int(1, 5), random.int(1, 5)];
    yield ['worth', lots()];
    yield ['meanPrice', lots()];
    yield [
      'gainOf',
      random.list(random.int(0, 7), () => [
        random.pick(['buy', 'buy', 'sell']),
        random.int(1, 4),
        random.int(1, 9),
      ]),
    ];
  }
}
