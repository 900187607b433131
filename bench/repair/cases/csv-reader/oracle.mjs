export function* calls(random) {
  for (let i = 0; i < 300; i += 1) {
    const row = () =>
      random
        .list(random.int(1, 3), () => (random.chance(0.3) ? `"${random.text('a,\n', 3)}${random.pick(['', '""'])}"` : random.text('abc', random.int(0, 3))))
        .join(',');
    const text = random.list(random.int(0, 4), row).join('\n') + random.pick(['', '\n']);
    yield ['parseCsv', text];
    yield ['parseRecords', text];
  }
}
