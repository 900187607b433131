export function* calls(random) {
  for (let i = 0; i < 150; i += 1) {
    yield [
      'sizeText',
      random.pick([
        0,
        1,
        1023,
        1024,
        10_239,
        10_240,
        1024 ** 2,
        1024 ** 3 * 9,
        1024 ** 4,
        1024 ** 5 * 3,
        random.int(0, 99_999),
        random.int(0, 2 ** 30),
      ]),
    ];
    yield [
      'parseSize',
      `${random.pick(['', ' '])}${random.pick(['0', '1', '2.5', '10.25', '.5', '7.', '300'])}${random.pick(['', ' '])}${random.pick(['', 'b', 'B', 'k', 'KB', 'kib', 'M', 'mb', 'G', 'gb', 'T', 'TB', 'x', 'kk'])}`,
    ];
    const files = Object.fromEntries(
      random.list(random.int(0, 6), () => [
        random.list(random.int(1, 4), () => random.pick(['a', 'b', 'c', 'dd'])).join('/'),
        random.int(0, 5000),
      ]),
    );
    yield ['folderSizes', files];
    yield ['largest', files, random.int(0, 5)];
    yield ['largest', files];
  }
}
