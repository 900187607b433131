export function* calls(random) {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  for (let i = 0; i < 300; i += 1) {
    const graph = {};
    // odd, ever-growing weights make equal distances rare, so the path is decided
    let weight = 1;
    for (let e = random.int(0, 14); e > 0; e -= 1) {
      const from = random.pick(names);
      graph[from] ??= {};
      graph[from][random.pick(names)] = (weight += random.int(1, 40)) % 97 + 0.001 * e;
    }
    yield ['shortestPath', graph, random.pick(names), random.pick(names)];
  }
}
