export function* calls(random) {
  yield ['heapSort', []];
  for (let i = 0; i < 300; i += 1) {
    yield ['heapSort', random.list(random.int(0, 20), () => random.int(-9, 9))];
  }
  for (let i = 0; i < 50; i += 1) {
    const values = random.list(random.int(0, 9), () => random.int(0, 99));
    yield [program => program.heapSort(values, (a, b) => b - a)];
  }
}
