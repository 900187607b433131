const moves = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
];

/** Where a character stands in the maze, as [row, column]; null when it is not there. */
export function locate(maze, mark) {
  for (let row = 0; row < maze.length; row += 1) {
    const column = maze[row].indexOf(mark);
    if (column >= 0) return [row, column];
  }
  return null;
}

/** True for a place inside the maze that is not a wall. */
function isFree(maze, row, column) {
  if (row < 0 || row >= maze.length) return false;
  if (column < 0 || column >= maze[row].length) return false;
  return maze[row][column] !== '#';
}

/** Fewest steps from S to E, breadth first; -1 when there is no way. `#` is a wall. */
export function countSteps(maze) {
  const start = locate(maze, 'S');
  if (start === null) return -1;
  const queue = [[...start, 0]];
  const seen = new Set([start.join()]);
  while (queue.length > 0) {
    const [row, column, steps] = queue.shift();
    if (maze[row][column] === 'E') return steps;
    for (const [down, right] of moves) {
      const place = [row + down, column + right];
      if (!isFree(maze, ...place) || seen.has(place.join())) continue;
      seen.add(place.join());
      queue.push([...place, steps + 1]);
    }
  }
  return -1;
}
