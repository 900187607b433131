export function* calls(random) {
  const part = () => random.list(random.int(0, 3), () => random.pick(['a', 'b', '+', '%20', '%25', '%C3%BC', '%2B'])).join('');
  for (let i = 0; i < 300; i += 1) {
    const query = random.list(random.int(0, 4), () => part() + random.pick(['=', '=', '', '==']) + part()).join('&');
    yield ['parseQuery', random.pick(['', '?']) + query];
    yield ['formatQuery', { [random.text('a &', 2)]: random.list(2, () => random.text('x+%ü ', 2)) }];
  }
}
