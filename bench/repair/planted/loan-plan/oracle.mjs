export function* calls(random) {
  for (let i = 0; i < 120; i += 1) {
    const args = [
      random.int(1, 2_000_000),
      random.pick([0, 1, 3.5, 6, 12, random.int(0, 20)]),
      random.int(1, 60),
    ];
    yield ['monthlyPayment', ...args];
    yield ['loanPlan', ...args];
    yield [p => p.totalInterest(p.loanPlan(...args))];
    const long = [random.int(100_000, 900_000), random.int(0, 15), random.int(12, 200)];
    yield [p => p.turningPoint(p.loanPlan(...long))];
    const rows = random.list(random.int(0, 30), n => ({
      month: n + 1,
      interest: random.int(0, 50),
      repaid: random.int(0, 50),
      left: random.int(0, 9000),
    }));
    yield ['turningPoint', rows];
    yield ['earlyFee', rows, random.int(0, rows.length + 1)];
    yield ['totalInterest', rows];
  }
}
