export function* calls(random) {
  const alphabets = ['ab', 'abcdefgh', 'abAB', 'abAB12', 'abcABC123-_!', '12345678', 'aaaa1B'];
  for (let i = 0; i < 150; i += 1) {
    const text = random.text(
      random.pick(alphabets),
      random.pick([0, 1, 3, 7, 8, 9, 12, 15, 16, 17, 63, 64, 65, random.int(0, 30)]),
    );
    yield ['longestRepeat', text];
    yield ['kindsOf', text];
    yield ['problemsOf', text];
    yield [
      'problemsOf',
      text,
      { name: random.pick(['', 'ab', 'BA', text.slice(1, 4)]), least: random.int(4, 12) },
    ];
    yield ['strength', text];
  }
  for (const word of ['password', 'PassWord', '12345678', 'qwertyui', 'letmein1', 'LETMEIN1']) {
    yield ['problemsOf', word];
    yield ['strength', word];
  }
}
