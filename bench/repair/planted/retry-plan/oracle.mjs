export function* calls(random) {
  const options = () => ({
    first: random.int(1, 300),
    factor: random.int(1, 3),
    limit: random.int(100, 2000),
    attempts: random.int(1, 8),
  });
  const status = () =>
    random.pick([200, 404, 408, 409, 429, 499, 500, 501, 502, 503, 407, 428, 430]);
  for (let i = 0; i < 120; i += 1) {
    yield ['delays', options()];
    yield ['isTemporary', random.pick([status(), random.int(100, 600)])];
    yield [
      'retryAfter',
      random.pick([
        '0',
        '12',
        '',
        'x',
        '-3',
        `${random.int(0, 99)}`,
        'Thu, 01 Jan 1970 00:00:10 GMT',
      ]),
      random.int(0, 20_000),
    ];
    yield ['simulate', random.list(random.int(0, 8), status), options()];
    yield ['simulate', random.list(random.int(0, 8), () => random.pick([500, 503, 200]))];
  }
  yield ['delays'];
}
