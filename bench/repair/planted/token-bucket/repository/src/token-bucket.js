/** A full bucket: `capacity` tokens, `perSecond` come back; times in milliseconds. */
export function openBucket(capacity, perSecond, now = 0) {
  return { capacity, perSecond, tokens: capacity, at: now };
}

/** The bucket at a later time. A clock that runs back changes nothing. */
export function refill(bucket, now) {
  if (now <= bucket.at) return bucket;
  const earned = ((now - bucket.at) / 1000) * bucket.perSecond;
  return { ...bucket, tokens: Math.min(bucket.capacity, bucket.tokens + earned), at: now };
}

/** Takes tokens if there are enough: [allowed, bucket]. */
export function take(bucket, now, count = 1) {
  const filled = refill(bucket, now);
  if (filled.tokens < count) return [false, filled];
  return [true, { ...filled, tokens: filled.tokens - count }];
}

/** Milliseconds until so many tokens are there; Infinity if they never are. */
export function waitFor(bucket, now, count = 1) {
  if (count > bucket.capacity) return Infinity;
  const missing = count - refill(bucket, now).tokens;
  return missing <= 0 ? 0 : Math.ceil((missing / bucket.perSecond) * 1000);
}

/** Which requests of a list of [time, count] are allowed. */
export function simulate(capacity, perSecond, requests) {
  let bucket = openBucket(capacity, perSecond, requests[0]?.[0] ?? 0);
  const allowed = [];
  for (const [time, count] of requests) {
    const [ok, next] = take(bucket, time, count);
    bucket = next;
    allowed.push(ok);
  }
  return allowed;
}
