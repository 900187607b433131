export function* calls(random) {
  const range = () => random.pick(['*', `${random.int(0, 10)}`, `${random.int(0, 6)}-${random.int(4, 10)}`]);
  const part = () => range() + random.pick(['', '', '/2', '/3', '/0']);
  for (let i = 0; i < 400; i += 1) {
    yield ['expandField', random.list(random.int(1, 3), part).join(','), random.int(0, 1), random.int(8, 10)];
    yield ['isDue', `${part()} ${part()}`, random.int(0, 11), random.int(0, 11)];
  }
}
