/** Shares work out to copies of the checkout: each takes the next item when it is done with the last one. */
import type { RepairContext } from '../runners/runner-context.ts';
import type { RunnerAdapter, TestRunner } from '../runners/test-runner.ts';

interface Copies {
  readonly context: Pick<RepairContext, 'copies' | 'signal' | 'now'>;
  readonly adapter: Pick<RunnerAdapter, 'open'>;
  /** No item is taken after it. Milliseconds since the epoch. */
  readonly deadline: number;
  /** The number of the first item that is not taken, as far as it is known. */
  readonly end?: () => number;
}

/** Opens runners at once. If one fails, the others are closed, and its error is thrown. */
async function openRunners(
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

/** Calls `work` for the items in order, as far as the time goes. @returns false if the deadline left some out. */
export async function inCopies<T>(
  { context, adapter, deadline, end = () => Number.POSITIVE_INFINITY }: Copies,
  items: readonly T[],
  work: (runner: TestRunner, item: T, at: number) => Promise<void>,
): Promise<boolean> {
  const runners = await openRunners(adapter, Math.min(context.copies, items.length));
  let taken = 0;
  const isLeft = () => taken < Math.min(items.length, end());
  const take = async (runner: TestRunner) => {
    while (isLeft() && context.now() < deadline) {
      context.signal.throwIfAborted();
      const at = taken++;
      await work(runner, items[at] as T, at);
    }
  };
  try {
    await Promise.all(runners.map(take));
    return !isLeft();
  } finally {
    for (const runner of runners) runner.close();
  }
}
