export function* calls(random) {
  for (let i = 0; i < 300; i += 1) {
    const size = random.int(1, 9);
    const edges = random.list(random.int(0, 9), () => [random.int(0, size - 1), random.int(0, size - 1)]);
    yield ['countParts', size, edges];
    yield [
      program => {
        const groups = new program.Groups(size);
        const answers = edges.map(([a, b]) => groups.join(a, b));
        const all = Array.from({ length: size }, (_, x) => x);
        // which element stands for a group is its own affair; who is together is not
        const together = all.map(x => all.filter(y => groups.find(x) === groups.find(y)));
        return [answers, together, all.map(x => groups.sizeOf(x))];
      },
    ];
  }
}
