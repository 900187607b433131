export function* calls(random) {
  const title = () => random.text('aB éß& -!7Z', random.int(0, 12));
  for (let i = 0; i < 250; i += 1) {
    yield ['slugify', title()];
    yield ['slugify', title(), random.int(1, 6)];
    yield ['uniqueSlug', random.pick(['A', 'a b']), random.list(3, () => random.pick(['a', 'a-2', 'a-b', 'a-3']))];
    yield ['plain', title()];
  }
}
