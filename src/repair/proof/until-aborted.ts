/** Waits for work, but not after a signal. */
import { once } from 'node:events';

/** The result of some work; undefined as soon as the signal aborts, since not all work hears of that at once. */
export async function untilAborted<T>(
  signal: AbortSignal,
  work: Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  if (signal.aborted) {
    work.catch(() => {});
    return undefined;
  }
  const over = new AbortController();
  const aborted = once(signal, 'abort', over).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([work.then(result => ({ result })), aborted]);
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  } finally {
    over.abort();
  }
}
