export function* calls(random) {
  for (const s of [0, 1, 59, 60, 359, 360, 361, 3599, 3600, 3601, 86_399, 86_400, 86_401]) yield ['formatDuration', s];
  for (let i = 0; i < 250; i += 1) {
    yield ['formatDuration', random.int(-400_000, 400_000)];
    yield ['parseClock', `${random.int(0, 30)}:${random.text('0123456', 2)}${random.pick(['', ':05', ':5'])}`];
  }
}
