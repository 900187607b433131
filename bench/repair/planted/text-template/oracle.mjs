export function* calls(random) {
  const paths = [
    'user.name',
    'user.age',
    'city',
    'zip',
    'a.b.c',
    'list.0',
    'zero',
    'empty',
    'user',
  ];
  const hole = () =>
    `{{${random.pick(['', ' '])}${random.pick(paths)}${random.pick(['', ' '])}${random.pick(['', '', '|upper', '| title ', '|short', '|short|upper', '|upper|short'])}${random.pick(['', '', ':none', ': no one here '])}}}`;
  const words = ['grace hopper', 'bo', 'a long name here', 'tenletters', 'elevenchars', ''];
  for (let i = 0; i < 150; i += 1) {
    const template = random
      .list(random.int(0, 4), () => random.pick(['x ', hole(), hole(), ' {{', '}} ']))
      .join('-');
    const data = {
      user: { name: random.pick(words), age: random.int(0, 99) },
      city: random.pick([null, undefined, 'rome']),
      list: [random.int(0, 9)],
      zero: 0,
      empty: '',
    };
    yield ['fill', template, data];
    yield ['pathsOf', template];
    yield ['missingIn', template, data];
    yield ['valueAt', data, random.pick(paths)];
  }
}
