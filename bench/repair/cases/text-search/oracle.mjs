export function* calls(random) {
  for (let i = 0; i < 250; i += 1) {
    const text = random.text('ab', random.int(0, 14));
    const pattern = random.text('ab', random.int(0, 4));
    yield ['findAll', text, pattern];
    yield ['countApart', text, pattern];
    yield ['borders', text];
  }
}
