export function* calls(random) {
  const sizes = () =>
    random.pick([
      [20, 15, 10],
      [random.int(1, 130), random.int(1, 80), random.int(1, 60)],
      [120, 45, 45],
      [119, 46, 45],
      [121, 10, 10],
      [10, 10, 50],
      [50, 10, 100],
    ]);
  const weight = () => random.pick([0.2, 1, 1.01, 5, 5.5, 20, 20.1, random.int(1, 25)]);
  for (let i = 0; i < 150; i += 1) {
    yield ['billedWeight', weight(), sizes()];
    yield ['fits', sizes()];
    yield ['parcelRate', weight(), sizes(), random.pick(['home', 'near', 'far'])];
    yield ['parcelRate', weight(), sizes()];
    yield [
      'orderRate',
      random.list(random.int(0, 5), () => ({
        weight: weight(),
        sizes: random.pick([[20, 15, 10], [20, 15, 10], sizes()]),
      })),
      random.pick(['home', 'near', 'far']),
    ];
  }
}
