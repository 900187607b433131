/** Intervals and tests for small numbers of tasks. Pure. */

/** A share with its 95 % interval. */
export interface Interval {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** The quantile of the normal distribution for 95 %. */
const z = 1.959963984540054;

/** Wilson's interval of `count` among `total`; everything is possible if there is none. */
export function wilson(count: number, total: number): Interval {
  if (total === 0) return { share: 0, low: 0, high: 1 };
  const share = count / total;
  const weight = 1 + (z * z) / total;
  const centre = (share + (z * z) / (2 * total)) / weight;
  const half = (z / weight) * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total ** 2));
  // at the ends the two terms are equal, and rounding must not leave the range
  const low = count === 0 ? 0 : Math.max(0, centre - half);
  const high = count === total ? 1 : Math.min(1, centre + half);
  return { share, low, high };
}

/**
 * The two-sided exact test of McNemar: how likely it is that the tasks on which two configurations differ are split as
 * unevenly as this by chance alone.
 */
export function mcnemar(onlyFirst: number, onlySecond: number): number {
  const total = onlyFirst + onlySecond;
  let logChoose = 0;
  let sum = 0;
  for (let i = 0; i <= Math.min(onlyFirst, onlySecond); i++) {
    if (i > 0) logChoose += Math.log((total - i + 1) / i);
    sum += Math.exp(logChoose - total * Math.LN2);
  }
  // without the last digits, which are rounding errors
  return Math.min(1, Number((2 * sum).toPrecision(12)));
}
