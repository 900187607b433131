/** Shares work out to copies of the checkout: each takes the next item when it is done with the last one. */
import type { RunnerAdapter, TestRunner } from '../testing/runners/test-runner.ts';
import type { RepairContext } from './repair-context.ts';

export interface Copies {
  readonly context: Pick<RepairContext, 'copies' | 'signal' | 'now'>;
  readonly adapter: Pick<RunnerAdapter, 'open'>;
  /** No item is taken after it. Milliseconds since the epoch. */
  readonly deadline: number;
}

/** Calls `work` for the items, as far as the time goes. Results are in the order of the items, without a gap. */
export async function inCopies<T, R>(
  { context, adapter, deadline }: Copies,
  items: readonly T[],
  work: (runner: TestRunner, item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let taken = 0;
  const takeAll = async () => {
    const runner = await adapter.open();
    try {
      while (taken < items.length && context.now() < deadline) {
        context.signal.throwIfAborted();
        const at = taken++;
        results[at] = await work(runner, items[at] as T);
      }
    } finally {
      runner.close();
    }
  };
  await Promise.all(Array.from({ length: Math.min(context.copies, items.length) }, takeAll));
  return results;
}
