/** Greatest common divisor (Euclid), never negative. */
export function gcd(a, b) {
  return b === 0 ? Math.abs(a) : gcd(b, a % b);
}

/** A fraction in lowest terms as [numerator, denominator]; the denominator is positive. */
export function fraction(numerator, denominator = 1) {
  if (denominator === 0) throw new RangeError('division by zero');
  const divisor = gcd(numerator, denominator) * Math.sign(denominator);
  return [numerator / divisor, denominator / divisor];
}

/** The sum of two fractions. */
export function add([a, b], [c, d]) {
  return fraction(a * d + c * b, b * d);
}

/** The product of two fractions. */
export function multiply([a, b], [c, d]) {
  return fraction(a * c, b * d);
}

/** The sum of a list of fractions. */
export function sum(fractions) {
  return fractions.reduce(add, fraction(0));
}
