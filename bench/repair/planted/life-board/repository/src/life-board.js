/** The living neighbours of a cell; cells outside of the board are dead. */
export function neighbours(board, row, column) {
  let count = 0;
  for (let dr = -1; dr <= 1; dr += 1)
    for (let dc = -1; dc <= 1; dc += 1) {
      if (dr === 0 && dc === 0) continue;
      if (board[row + dr]?.[column + dc] === '#') count += 1;
    }
  return count;
}

/** The next generation of a board, a list of texts: "#" lives. */
export function step(board) {
  return board.map((line, row) =>
    [...line]
      .map((cell, column) => {
        const count = neighbours(board, row, column);
        return count === 3 || (cell === '#' && count === 2) ? '#' : '.';
      })
      .join(''),
  );
}

/** The number of living cells. */
export function alive(board) {
  return board.join('').split('#').length - 1;
}

/** The number of generations until a board repeats, within a limit: [first seen, period]; null if it does not. */
export function findCycle(board, limit = 50) {
  const seen = new Map();
  let now = board;
  for (let age = 0; age <= limit; age += 1) {
    const key = now.join('\n');
    if (seen.has(key)) return [seen.get(key), age - seen.get(key)];
    seen.set(key, age);
    now = step(now);
  }
  return null;
}
