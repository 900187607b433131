/** Waiting times in milliseconds: doubled after each attempt, up to a limit. */
export function delays({ first = 100, factor = 2, limit = 5000, attempts = 5 } = {}) {
  const list = [];
  for (let n = 0, wait = first; n < attempts - 1; n += 1) {
    list.push(Math.min(wait, limit));
    wait *= factor;
  }
  return list;
}

/** True for a status that may be better the next time. */
export function isTemporary(status) {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

/** Milliseconds of a Retry-After header: seconds or a date; null if it is neither. */
export function retryAfter(header, now) {
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** The replies, the last of which counts, and the time waited until it. */
export function simulate(statuses, options) {
  const waits = delays(options);
  let waited = 0;
  let used = 0;
  for (const status of statuses) {
    used += 1;
    if (!isTemporary(status) || used > waits.length) return { status, used, waited };
    waited += waits[used - 1];
  }
  return { status: null, used, waited };
}
