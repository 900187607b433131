export function* calls(random) {
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (let i = 0; i < 250; i += 1) {
    const pages = Object.fromEntries(
      names
        .filter(() => random.chance(0.8))
        .map(name => [name, random.chance(0.1) ? {} : { links: random.list(random.int(0, 3), () => random.pick(names)) }]),
    );
    const load = async page => {
      if (!(page in pages)) throw new Error('404');
      return pages[page];
    };
    const depth = random.pick([0, 1, 2, Infinity]);
    yield [program => program.crawl('a', load, depth)];
    yield [program => program.siteMap('a', load)];
  }
}
