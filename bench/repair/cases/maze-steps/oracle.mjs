export function* calls(random) {
  yield ['countSteps', []];
  for (let i = 0; i < 400; i += 1) {
    const [height, width] = [random.int(1, 6), random.int(2, 7)];
    const cells = random.list(height, () => [...random.text('...#', width)]);
    cells[random.int(0, height - 1)][random.int(0, width - 1)] = 'E';
    cells[random.int(0, height - 1)][random.int(0, width - 1)] = 'S';
    const maze = cells.map(row => row.join(''));
    yield ['countSteps', maze];
    yield ['locate', maze, random.pick(['S', 'E', '#', '?'])];
  }
}
