export function* calls(random) {
  for (let i = 0; i < 120; i += 1) {
    const bucket = {
      capacity: random.int(1, 8),
      perSecond: random.int(1, 5),
      tokens: 0,
      at: random.int(0, 3000),
    };
    bucket.tokens = random.int(0, bucket.capacity);
    const now = random.int(0, 6000);
    const count = random.int(0, 10);
    yield ['openBucket', random.int(1, 9), random.int(1, 9), random.int(0, 100)];
    yield ['refill', bucket, now];
    yield ['take', bucket, now, count];
    yield ['take', bucket, now];
    yield ['waitFor', bucket, now, count];
    yield ['waitFor', { ...bucket, tokens: bucket.capacity }, bucket.at, bucket.capacity];
    let at = random.int(0, 2000);
    const request = () => {
      at += random.int(0, 900);
      return [at, random.int(1, 3)];
    };
    yield ['simulate', random.int(1, 5), random.int(1, 3), random.list(random.int(0, 9), request)];
  }
}
