export function* calls(random) {
  for (let i = 0; i < 250; i += 1) {
    const records = random.list(random.int(0, 12), id => ({ id, age: random.int(1, 5) }));
    yield [program => program.sortRecords(records, r => r.age)];
  }
  for (let i = 0; i < 100; i += 1) {
    const side = from =>
      random.list(random.int(0, 5), id => ({ id: from + id, k: random.int(0, 4) })).sort((a, b) => a.k - b.k);
    const [left, right] = [side(0), side(10)];
    yield [program => program.mergeSorted(left, right, r => r.k)];
  }
}
