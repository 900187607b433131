export function* calls(random) {
  for (let i = 0; i < 300; i += 1) {
    const step = () => random.list(random.int(0, 3), () => random.pick(['a', '/', '~', '0', '1'])).join('');
    const steps = random.list(random.int(0, 3), step);
    yield ['formatPointer', steps];
    yield ['parsePointer', random.pick(['/', '/', '']) + random.list(random.int(0, 4), () => random.pick(['a', '/', '~0', '~1', '1', '0'])).join('')];
    yield ['lookUp', { a: [1, { b: 2 }], '~1': 3, '/': 4 }, random.pick(['/a/0', '/a/1/b', '/~01', '/~1', '/a/2', '/a/x', '', '/a/00'])];
  }
}
