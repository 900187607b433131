export function* calls(random) {
  const line = () =>
    random.pick([
      () => `[${random.text('ab', 1)}]`,
      () => `${random.text('xy ', 2)}=${random.text('1= "', random.int(0, 4))}`,
      () => `x = ${random.text('1=', random.int(0, 3))}`,
      () => random.pick(['', '; c=1', '# d', '"', '=1', 'q="a=b"']),
    ])();
  for (let i = 0; i < 400; i += 1) yield ['parseIni', random.list(random.int(0, 4), line).join('\n')];
}
