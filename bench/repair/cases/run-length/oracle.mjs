export function* calls(random) {
  for (let i = 0; i < 250; i += 1) {
    const text = random.list(random.int(0, 5), () => random.text('ab ', 1).repeat(random.int(1, 12))).join('');
    yield ['pack', random.chance(0.05) ? `${text}7` : text];
    yield ['unpack', random.list(random.int(0, 4), () => random.pick(['', '2', '10', '0']) + random.text('xy', 1)).join('') + random.pick(['', '', '', '4'])];
    yield ['saving', text];
  }
}
