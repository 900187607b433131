export function* calls(random) {
  for (let year = 1999; year <= 2030; year += 1) {
    for (const [month, day] of [[1, 1], [1, 2], [1, 3], [1, 4], [12, 28], [12, 29], [12, 30], [12, 31]]) {
      yield ['isoWeek', year, month, day];
    }
  }
  for (let i = 0; i < 200; i += 1) {
    yield ['formatIsoWeek', random.int(1970, 2100), random.int(1, 12), random.int(1, 28)];
  }
}
