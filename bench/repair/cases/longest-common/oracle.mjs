export function* calls(random) {
  for (let i = 0; i < 300; i += 1) {
    const [a, b] = [random.text('abcd', random.int(0, 8)), random.text('abcd', random.int(0, 8))];
    yield [
      program => {
        // which of several longest lists is given is left open
        const common = program.longestCommon([...a], [...b]);
        const within = list => {
          let at = 0;
          for (const letter of list) if (letter === common[at]) at += 1;
          return at === common.length;
        };
        return [common.length, within(a), within(b)];
      },
    ];
    yield ['similarity', [...a], [...b]];
  }
}
