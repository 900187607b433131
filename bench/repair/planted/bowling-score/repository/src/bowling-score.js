/** The points of a game by its rolls; strikes and spares count what follows. */
export function score(rolls) {
  return frameScores(rolls).reduce((sum, points) => sum + points, 0);
}

/** The points of each of ten frames. */
export function frameScores(rolls) {
  const frames = [];
  let at = 0;
  while (frames.length < 10 && at < rolls.length) {
    const [first, second = 0, third = 0] = rolls.slice(at, at + 3);
    if (first === 10) {
      frames.push(10 + second + third);
      at += 1;
    } else {
      frames.push(first + second === 10 ? 10 + third : first + second);
      at += 2;
    }
  }
  return frames;
}

/** A frame as it is written on a sheet: "X", "7/", "-3". */
export function frameText(first, second = 0) {
  const digit = pins => (pins === 0 ? '-' : String(pins));
  if (first === 10) return 'X';
  return first + second === 10 ? `${digit(first)}/` : digit(first) + digit(second);
}

/** The most strikes in a row. */
export function bestRow(rolls) {
  let best = 0;
  let row = 0;
  for (const pins of rolls) {
    row = pins === 10 ? row + 1 : 0;
    if (row > best) best = row;
  }
  return best;
}
