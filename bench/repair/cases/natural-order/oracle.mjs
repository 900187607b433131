export function* calls(random) {
  const name = () => random.text('ab', random.int(0, 2)) + random.text('0129', random.int(0, 3)) + random.text('ab1', random.int(0, 2));
  for (let i = 0; i < 400; i += 1) yield ['compareNatural', name(), name()];
  for (let i = 0; i < 50; i += 1) yield ['sortNames', random.list(6, name)];
}
