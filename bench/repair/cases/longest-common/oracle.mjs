export function* calls(random) {
  for (let i = 0; i < 300; i += 1) {
    const [a, b] = [random.text('abcd', random.int(0, 8)), random.text('abcd', random.int(0, 8))];
    yield ['longestCommon', [...a], [...b]];
    yield ['similarity', [...a], [...b]];
  }
}
