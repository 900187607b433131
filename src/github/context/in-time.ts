/** One run's time, for all that it asks of GitHub. */
import { openTimeLimit, type TimeLimit } from '../../process/time-limit.ts';
import type { Opened } from './open-run.ts';

/** Longest that a run's records may be written after its time is up. */
const graceMs = 60_000;

/** Work that ends in the time of one run, GitHub's part of it included. */
export async function inTime<T>(
  opened: Opened,
  work: (bound: Opened, limit: TimeLimit) => Promise<T>,
): Promise<T> {
  const { settings, input } = opened;
  const { now, signal } = input;
  const limit = openTimeLimit(signal, { ms: settings.timeoutMs, now });
  const records = openTimeLimit(signal, { ms: settings.timeoutMs + graceMs, now });
  try {
    return await work(opened.within(limit, records), limit);
  } finally {
    limit.close();
    records.close();
  }
}
