export function* calls(random) {
  for (let i = 0; i < 120; i += 1) {
    const size = random.int(1, 6);
    yield ['pageCount', random.int(0, 30), size];
    yield ['pageOf', random.list(random.int(0, 14), n => n), random.int(-2, 9), size];
    const last = random.int(1, 12);
    yield ['shownPages', random.int(1, last), last, random.int(0, 3)];
    yield ['shownPages', random.int(1, last), last];
    const total = random.int(0, 25);
    yield ['summary', total, random.int(1, Math.max(1, Math.ceil(total / size))), size];
  }
}
