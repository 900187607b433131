export function* calls(random) {
  for (let year = 1890; year <= 2110; year += 1) yield ['isLeapYear', year];
  for (let i = 0; i < 300; i += 1) {
    const [year, month] = [random.pick([1900, 2000, 2023, 2024, 2100]), random.int(0, 13)];
    yield ['daysInMonth', year, month];
    yield ['isValidDate', year, month, random.int(0, 32)];
    yield ['dayOfYear', year, random.int(1, 12), random.int(1, 28)];
  }
}
