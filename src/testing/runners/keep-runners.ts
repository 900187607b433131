/** Keeps the runners of an adapter between the phases of a search: a copy and a process take as long as many candidates. */
import type { RunnerAdapter, TestRunner } from './test-runner.ts';

/** An adapter whose runners stay open until it is closed. */
export interface KeptAdapter extends RunnerAdapter {
  /** Starts runners in the background, so that as many can be opened at once without waiting. */
  prepare(count: number): void;
}

/**
 * Keeps a runner that is closed for whoever opens one next. If candidates share a thread, the next one starts with a
 * new thread, so that no phase sees what another one left in it.
 */
export function keepRunners(adapter: RunnerAdapter): KeptAdapter {
  const idle: TestRunner[] = [];
  const starting: Promise<TestRunner>[] = [];
  let isClosed = false;
  const end = (runner: TestRunner) => {
    if (isClosed) runner.close();
    else idle.push(adapter.sharesThread ? startingFresh(runner) : runner);
  };
  return {
    ...adapter,
    prepare: count => {
      while (idle.length + starting.length < count) {
        const opening = adapter.open();
        opening.catch(() => {}); // whoever opens it gets the error
        starting.push(opening);
      }
    },
    open: async () => {
      const runner = idle.pop() ?? (await (starting.shift() ?? adapter.open()));
      return { ...runner, close: () => end(runner) };
    },
    close: () => {
      isClosed = true;
      for (const runner of idle.splice(0)) runner.close();
      for (const opening of starting.splice(0))
        void opening.then(runner => runner.close()).catch(() => {});
      adapter.close();
    },
  };
}

/** The same runner, whose next job runs in a new thread. */
function startingFresh(runner: TestRunner): TestRunner {
  let isFresh = false;
  return {
    ...runner,
    run: job => {
      const fresh = job.fresh === true || !isFresh;
      isFresh = true;
      return runner.run({ ...job, fresh });
    },
  };
}
