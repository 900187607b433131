/** Shares work out to copies of the checkout: each takes the next item when it is done with the last one. */
import type { RepairContext } from '../runners/runner-context.ts';
import type { RunnerAdapter, TestRunner } from '../runners/test-runner.ts';

export interface Copies {
  readonly context: Pick<RepairContext, 'copies' | 'signal' | 'now'>;
  readonly adapter: Pick<RunnerAdapter, 'open'>;
  /** No item is taken after it. Milliseconds since the epoch. */
  readonly deadline: number;
}

/** Calls `work` for the items, as far as the time goes. Results are in the order of the items, without a gap. */
export type ShareOut = <T, R>(
  items: readonly T[],
  work: (runner: TestRunner, item: T) => Promise<R>,
) => Promise<readonly R[]>;

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

/** Shares out one list of items. */
export function inCopies<T, R>(
  copies: Copies,
  items: readonly T[],
  work: (runner: TestRunner, item: T) => Promise<R>,
): Promise<readonly R[]> {
  return withCopies(copies, share => share(items, work));
}

/** Shares out several lists, one after the other, to the same runners. They are opened when they are needed. */
export async function withCopies<R>(
  { context, adapter, deadline }: Copies,
  use: (share: ShareOut) => Promise<R>,
): Promise<R> {
  const runners: TestRunner[] = [];
  const share: ShareOut = async (items, work) => {
    const missing = Math.min(context.copies, items.length) - runners.length;
    runners.push(...(await openRunners(adapter, Math.max(0, missing))));
    const results: Awaited<ReturnType<typeof work>>[] = [];
    let taken = 0;
    const take = async (runner: TestRunner) => {
      while (taken < items.length && context.now() < deadline) {
        context.signal.throwIfAborted();
        const at = taken++;
        results[at] = await work(runner, items[at] as (typeof items)[number]);
      }
    };
    await Promise.all(runners.map(take));
    return results;
  };
  try {
    return await use(share);
  } finally {
    for (const runner of runners) runner.close();
  }
}
