/** The time limit of one run, for its requests to GitHub too. */
import { openTimeLimit, type TimeLimit } from '../../../process/time-limit.ts';
import type { GitHubEnvironment } from './open-environment.ts';

/** Longest that a run's records may be written after its time is up. */
const graceMs = 60_000;

/** Does work within the time limit of one run. */
export async function inTime<T>(
  environment: GitHubEnvironment,
  work: (bound: GitHubEnvironment, limit: TimeLimit) => Promise<T>,
): Promise<T> {
  const { settings, input } = environment;
  const { now, signal } = input;
  const limit = openTimeLimit(signal, { ms: settings.timeoutMs, now });
  const records = openTimeLimit(signal, { ms: settings.timeoutMs + graceMs, now });
  try {
    return await work(environment.within(limit, records), limit);
  } finally {
    limit.close();
    records.close();
  }
}
