export function* calls(random) {
  for (let i = 0; i < 400; i += 1) yield ['tokenize', random.text('012..ab_+ (', random.int(0, 9))];
}
