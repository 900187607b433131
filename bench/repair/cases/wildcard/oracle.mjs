export function* calls(random) {
  for (let i = 0; i < 600; i += 1) {
    yield ['matches', random.text('ab*?\\', random.int(0, 5)), random.text('ab*', random.int(0, 5))];
  }
}
