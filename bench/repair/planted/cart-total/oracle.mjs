export function* calls(random) {
  const line = () => ({
    price: random.int(0, 2500),
    count: random.int(0, 35),
    kind: random.pick([undefined, 'food', 'book', 'toy']),
  });
  const voucher = () =>
    random.pick([
      undefined,
      { percent: random.int(0, 120) },
      { amount: random.int(0, 9000) },
      { amount: 500, from: random.int(0, 6000) },
      { percent: 15, amount: 300, from: 2000 },
    ]);
  for (let i = 0; i < 150; i += 1) {
    yield ['lineTotal', line()];
    yield ['discountOf', random.int(0, 7000), voucher()];
    yield ['discountOf', 2000, { percent: 10, from: 2000 }];
    yield [
      'shippingFor',
      random.pick([0, 1, 4999, 5000, 5001, random.int(0, 9000)]),
      random.chance(0.5),
    ];
    yield ['taxIn', random.int(0, 9000), random.pick([undefined, 'food', 'book'])];
    yield ['totals', random.list(random.int(0, 4), line), voucher(), random.chance(0.3)];
  }
}
