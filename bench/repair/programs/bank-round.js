// tuning
/** Rounds to a whole number; a half goes to the even neighbour, as banks do. */
export function roundHalfEven(value) {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest < 0.5) return floor;
  if (rest > 0.5) return floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** Splits an amount of cents into shares that add up to it; the first shares get what is left. */
export function splitAmount(cents, people) {
  if (people < 1) throw new RangeError('nobody to share with');
  const share = Math.floor(cents / people);
  const left = cents - share * people;
  return Array.from({ length: people }, (_, i) => share + (i < left ? 1 : 0));
}

/** Interest for one year in whole cents. */
export function interest(cents, percent) {
  return roundHalfEven((cents * percent) / 100);
}

// tests
roundHalfEven(2.6) // 3
roundHalfEven(-2.5) // -2
roundHalfEven(-2.6) // -3
splitAmount(1001, 3) // [334, 334, 333]
interest(1050, 3) // 32
interest(250, 1) // 2
// oracle
roundHalfEven(num(-2000, 2000) / 8)
roundHalfEven(num(-40, 40) / 4)
splitAmount(num(0, 5000), num(0, 9))
interest(num(0, 2000) * 5, num(0, 10))
// faults
// 4 wrong function or word: `floor` ► `round`
// 7 wrong condition: `===` ► `!==`
// 14 wrong arithmetic operator: `*` ► `-`
// 20 off by one: `100` ► `99`
