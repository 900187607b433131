/** Shares work out to copies of the checkout: each takes the next item when it is done with the last one. */
import type { RepairContext } from '../runners/runner-context.ts';
import type { RunnerAdapter, TestRunner } from '../runners/test-runner.ts';

interface Copies {
  readonly context: Pick<RepairContext, 'copies' | 'signal' | 'now'>;
  readonly adapter: Pick<RunnerAdapter, 'open'>;
  /** No item is taken after it. Milliseconds since the epoch. */
  readonly deadline: number;
}

/** Opens runners at once. If one fails, the others are closed, and its error is thrown. */
export async function openRunners(
  adapter: Copies['adapter'],
  count: number,
): Promise<readonly TestRunner[]> {
  const ends = await Promise.allSettled(Array.from({ length: count }, () => adapter.open()));
  const runners = ends.flatMap(e => (e.status === 'fulfilled' ? [e.value] : []));
  const failed = ends.find(e => e.status === 'rejected');
  if (failed === undefined) return runners;
  for (const runner of runners) runner.close();
  throw failed.reason;
}

/** Calls `work` for the items, as far as the time goes. Results are in the order of the items, without a gap. */
export async function inCopies<T, R>(
  { context, adapter, deadline }: Copies,
  items: readonly T[],
  work: (runner: TestRunner, item: T) => Promise<R>,
): Promise<readonly R[]> {
  const runners = await openRunners(adapter, Math.min(context.copies, items.length));
  const results: R[] = [];
  let taken = 0;
  const take = async (runner: TestRunner) => {
    while (taken < items.length && context.now() < deadline) {
      context.signal.throwIfAborted();
      const at = taken++;
      results[at] = await work(runner, items[at] as T);
    }
  };
  try {
    await Promise.all(runners.map(take));
    return results;
  } finally {
    for (const runner of runners) runner.close();
  }
}
