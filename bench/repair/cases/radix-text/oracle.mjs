export function* calls(random) {
  for (let base = 1; base <= 37; base += 1) yield ['toBase', 0, base];
  for (let i = 0; i < 250; i += 1) {
    yield ['toBase', random.int(-3000, 3000), random.int(2, 36)];
    yield ['fromBase', random.pick(['', '-']) + random.text('01aF9', random.int(0, 5)), random.int(2, 16)];
  }
}
