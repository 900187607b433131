/** How often each number of points comes up, most often first. */
export function countsOf(dice) {
  const counts = new Map();
  for (const points of dice) counts.set(points, (counts.get(points) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || b - a);
}

const sum = dice => dice.reduce((total, points) => total + points, 0);

/** The longest row of numbers that follow one another. */
export function longestRow(dice) {
  const sorted = [...new Set(dice)].sort((a, b) => a - b);
  let best = 0;
  let length = 0;
  for (const [i, points] of sorted.entries()) {
    length = i > 0 && points === sorted[i - 1] + 1 ? length + 1 : 1;
    best = Math.max(best, length);
  }
  return best;
}

/** The points of five dice for a kind of throw. */
export function pointsFor(kind, dice) {
  const [[, most], [, second] = [0, 0]] = countsOf(dice);
  if (kind === 'three') return most >= 3 ? sum(dice) : 0;
  if (kind === 'four') return most >= 4 ? sum(dice) : 0;
  if (kind === 'house') return most === 3 && second === 2 ? 25 : 0;
  if (kind === 'small') return longestRow(dice) >= 4 ? 30 : 0;
  if (kind === 'large') return longestRow(dice) === 5 ? 40 : 0;
  if (kind === 'yatzy') return most === 5 ? 50 : 0;
  return sum(dice);
}

/** The kind that gives most; the earlier one of equals. */
export function bestKind(dice, kinds = ['three', 'four', 'house', 'small', 'large', 'yatzy']) {
  let best = kinds[0];
  for (const kind of kinds) if (pointsFor(kind, dice) > pointsFor(best, dice)) best = kind;
  return best;
}
