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
