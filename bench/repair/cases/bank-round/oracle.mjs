export function* calls(random) {
  for (let half = -40; half <= 40; half += 1) yield ['roundHalfEven', half / 4];
  for (let i = 0; i < 200; i += 1) {
    yield ['roundHalfEven', random.int(-2000, 2000) / 8];
    yield ['splitAmount', random.int(0, 5000), random.int(0, 9)];
    yield ['interest', random.int(0, 2000) * 5, random.int(0, 10)];
  }
}
