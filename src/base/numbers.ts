/** Sums and medians. */

export const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

/** The middle one of the numbers, or the mean of the two in the middle; undefined for none. */
export function median(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [upper, lower] = [sorted[middle], sorted[middle - 1]];
  if (upper === undefined) return undefined;
  return sorted.length % 2 === 1 || lower === undefined ? upper : (upper + lower) / 2;
}
