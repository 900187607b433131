export function* calls(random) {
  const columns = ['id', '-id', 'city', '-city', 'size', '-size'];
  for (let i = 0; i < 300; i += 1) {
    const rows = random.list(random.int(0, 7), id => ({
      id,
      city: random.pick(['', 'a', 'b', 'c']),
      size: random.pick([null, 1, 2, 3, -1]),
    }));
    yield ['sortTable', rows, random.list(random.int(0, 3), () => random.pick(columns))];
  }
}
