export function* calls(random) {
  for (let i = 0; i < 300; i += 1) {
    const words = random.list(random.int(0, 6), () => random.text('ab', random.int(0, 4)));
    const asked = random.list(5, () => random.text('ab', random.int(0, 5)));
    yield [
      program => {
        const trie = new program.Trie();
        for (const word of words) trie.add(word);
        return asked.map(word => [trie.has(word), trie.complete(word)]);
      },
    ];
  }
}
